//===- ModuleSymbols.h - What PTX functions share --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READPTX_MODULESYMBOLS_H
#define GPUOCC_LIB_READPTX_MODULESYMBOLS_H

#include "gpuocc/ReadPtx/PtxModule.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Module;
class Type;
class Value;
} // namespace llvm

namespace gpuocc {

/// Address spaces of NVPTX.
enum PtxSpace : unsigned {
  GenericSpace = 0,
  GlobalSpace = 1,
  SharedSpace = 3,
  ConstantSpace = 4,
  LocalSpace = 5,
  ParameterSpace = 101
};

/// "global", "shared::cta", "param::entry" as an address space.
unsigned addressSpaceOf(llvm::StringRef Word);

/// Memory that has a name.
struct PtxStorage {
  const PtxVariable *Declared = nullptr;
  unsigned Space = GenericSpace;
  /// A pointer to it; of a kernel's parameter that is no array, the argument.
  llvm::Value *Where = nullptr;
  bool IsArgument = false;
};

/// Variables and functions of a module, which come to be when they are asked
/// for.
class ModuleSymbols {
public:
  ModuleSymbols(const PtxModule &From, llvm::Module &To);

  /// Declares all functions; bodies are lifted later.
  void declareFunctions();

  /// Memory \p V as a variable of the module.
  PtxStorage addVariable(const PtxVariable &V);

  /// The variable \p Name outside of functions, or null.
  const PtxStorage *variable(llvm::StringRef Name);
  /// The function \p Name, or null.
  llvm::Function *function(llvm::StringRef Name) const;

  llvm::Type *parameterType(const PtxVariable &V) const;

  void fail(PtxPlace Place, const llvm::Twine &What);

  const PtxModule &From;
  llvm::Module &To;
  /// The first thing that was wrong; empty when nothing was.
  std::string Problem;

private:
  void declare(const PtxFunction &F);
  /// True if \p F takes and returns what \p Prototype does.
  bool fits(const PtxFunction &F, const llvm::Function &Prototype);

  llvm::StringMap<const PtxVariable *> Declared;
  llvm::StringMap<PtxStorage> Variables;
  llvm::StringMap<llvm::Function *> Functions;
};

/// Parameters of kernel \p F that hold pointers although they do not say so,
/// as nvcc writes them.
std::vector<bool> pointerParameters(const PtxFunction &F);

} // namespace gpuocc

#endif // GPUOCC_LIB_READPTX_MODULESYMBOLS_H
