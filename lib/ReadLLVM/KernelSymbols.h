//===- KernelSymbols.h - Memory that a kernel names -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_KERNELSYMBOLS_H
#define GPUOCC_LIB_READLLVM_KERNELSYMBOLS_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace llvm {
class DataLayout;
class GlobalValue;
class MachineFrameInfo;
class MachineFunction;
} // namespace llvm

namespace gpuocc {

/// Adds the symbols of a function to KernelFacts::Symbols: stack objects, and
/// variables and parameters when they are first asked for.
class KernelSymbols {
public:
  /// \p MF and \p Facts are asked and filled later, too.
  KernelSymbols(const llvm::MachineFunction &MF, KernelFacts &Facts);

  /// The index of variable \p GV. What lies in shared memory gets the next
  /// place there.
  uint32_t ofVariable(const llvm::GlobalValue &GV);

  /// The index of stack object \p FrameIndex, or NoIndex.
  uint32_t ofStackObject(int FrameIndex) const;

  /// The index of the whole parameter area, for indexed by-value structs.
  uint32_t ofParameters();

  /// The offset in the parameter area of "<kernel>_param_<N>", if \p Name is
  /// one.
  std::optional<int64_t> parameterOffset(llvm::StringRef Name) const;

private:
  void addStackObjects(const llvm::MachineFrameInfo &Frame);
  void placeInShared(const llvm::GlobalValue &GV, Symbol &S);

  const llvm::DataLayout &Layout;
  KernelFacts &Facts;
  llvm::DenseMap<const llvm::GlobalValue *, uint32_t> Variables;
  llvm::DenseMap<int, uint32_t> StackObjects;
  std::optional<uint32_t> Parameters;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_KERNELSYMBOLS_H
