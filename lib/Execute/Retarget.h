//===- Retarget.h - Kernels of NVPTX as code of the host --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_RETARGET_H
#define GPUOCC_LIB_EXECUTE_RETARGET_H

#include "WarpPaths.h"
#include "gpuocc/Execute/RunEffects.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
class Module;
class TargetMachine;
} // namespace llvm

namespace gpuocc::execute {

/// Where the variables in shared memory of a module lie. Kernels of a module
/// share the layout, since functions that several call have one.
struct SharedLayout {
  llvm::StringMap<uint64_t> Offsets;
  /// Where dynamic shared memory begins.
  uint64_t StaticBytes = 0;
};

SharedLayout layOutShared(const llvm::Module &M);

/// Variables that all kernels of a program share, and the host with them: in
/// global and constant memory, without tables that nobody can write.
bool isProgramVariable(const llvm::GlobalVariable &V);

/// A loop whose turns are counted.
struct TurnedLoop {
  /// "file.cu:34", the lines of its body.
  std::vector<std::string> Places;
  /// Another loop is around it.
  bool IsNested = false;
  /// Of its body, as they were counted.
  unsigned Instructions = 0;
  /// It, or a loop around it, takes its turns from a number that all blocks
  /// count up: those that run first take most.
  bool IsHandedOut = false;
};

/// What a kernel that runs keeps for whoever asks.
enum class Watching : uint8_t {
  Nothing,
  /// Turns of loops that data end.
  Turns,
  /// These, and what threads read.
  Reads,
  /// Where threads are in the code.
  Paths
};
constexpr unsigned NumWatchings = 4;

/// The function that runs a kernel.
struct HostKernel {
  std::string Entry;
  /// The entry runs one thread (ThreadEntry), which needs a stack of its own;
  /// else it runs all threads of a block (BlockEntry).
  bool HasStacks = false;
  RunEffects Effects = RunEffects::None;
  /// Blocks of a cluster that the kernel asks for.
  uint32_t Cluster[3] = {1, 1, 1};
  /// What a stack has to hold beside calls.
  uint64_t StackBytes = 0;
  /// Those that are counted, by number.
  std::vector<TurnedLoop> Loops;
  /// The code where its threads tell where they are; without blocks elsewhere.
  PathCode Paths;
};

/// Runs the threads of a block one after the other.
using BlockEntry = void (*)(struct BlockState *Block, void **Arguments);

/// Makes \p M, a module for NVPTX, one for \p Target: only what \p Kernel needs
/// remains, with an entry for it. Program variables are declared, not defined.
/// \p Watch says what is kept, \p TellsPaths whether threads tell where they
/// are and what they access, whatever is kept. Fails, naming the operation and
/// where it stands, when \p Kernel needs one that cannot be run.
llvm::Expected<HostKernel> retargetKernel(llvm::Module &M,
                                          llvm::StringRef Kernel,
                                          const SharedLayout &Layout,
                                          llvm::TargetMachine &Target,
                                          Watching Watch, bool TellsPaths);

/// Makes \p M a module for \p Target with the initial values of its program
/// variables: "NAME" with a definition becomes "NAME" + InitialSuffix, and each
/// reference to it stays one to "NAME". Functions whose addresses they hold
/// remain. Returns the names.
llvm::Expected<std::vector<std::string>>
retargetVariables(llvm::Module &M, const SharedLayout &Layout,
                  llvm::TargetMachine &Target);

inline constexpr llvm::StringLiteral InitialSuffix = ".initial";

} // namespace gpuocc::execute

#endif // GPUOCC_LIB_EXECUTE_RETARGET_H
