//===- Executor.h - Kernels run on the host ---------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Kernels of NVPTX modules become native code of the host and run there.
/// Memory of the device is memory of the host; pointers are what they are.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_EXECUTE_EXECUTOR_H
#define GPUOCC_EXECUTE_EXECUTOR_H

#include "gpuocc/Execute/RunEffects.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <memory>
#include <string>

namespace gpuocc {

/// The grid and block of a launch.
struct ExecuteExtent {
  uint32_t X = 1, Y = 1, Z = 1;
  uint64_t count() const { return uint64_t(X) * Y * Z; }
};

/// A launch to run.
struct ExecuteLaunch {
  ExecuteExtent Grid, Block;
  /// Blocks of a cluster; zeros where the kernel says it.
  ExecuteExtent Cluster = {0, 0, 0};
  uint64_t DynamicSharedBytes = 0;
  /// All blocks of the grid may wait for each other.
  bool IsCooperative = false;
  /// A pointer to each argument.
  void **Arguments = nullptr;
  /// Where what the threads of sampled blocks read goes (Kernel/SeenReads.h);
  /// empty: nowhere.
  std::string SeenFile = {};
  /// Where the turns of loops that data end go (Kernel/CountedTurns.h); empty:
  /// nowhere. Nothing is written of a kernel that has no such loop.
  std::string TurnsFile = {};
  /// Where what its warps executed goes (Kernel/ExecutedCounts.h), where
  /// threads tell (ExecutorOptions); empty: nowhere.
  std::string PathsFile = {};
  /// Where the same of warps goes that run ahead of the launch, in a process of
  /// their own and in the code that is priced (addModule()); empty: nowhere.
  /// Nothing is written of kernels without loops, of those whose threads wait
  /// for or get work from other blocks, and where SeenFile is asked for, since
  /// what a thread reads may be what another block wrote.
  std::string FollowedFile = {};
  /// Takes what a user should know of a kernel that ran; null: nobody asks.
  std::string *Warning = nullptr;
};

/// How a kernel failed that ran.
enum class KernelFailureKind : uint8_t {
  /// It accessed memory that is not there.
  IllegalAddress,
  /// An assertion of its code did not hold.
  Assertion,
  /// A thread trapped, or threads wait for others that never come.
  Launch
};

/// The failure of a kernel that ran; other errors of a launch say why it did
/// not.
class KernelFailure : public llvm::ErrorInfo<KernelFailure> {
public:
  static char ID;
  KernelFailure(KernelFailureKind Kind, std::string Text)
      : Kind(Kind), Text(std::move(Text)) {}
  void log(llvm::raw_ostream &OS) const override { OS << Text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
  KernelFailureKind kind() const { return Kind; }

private:
  KernelFailureKind Kind;
  std::string Text;
};

struct ExecutorOptions {
  /// Cores that blocks run on; 0: all.
  unsigned NumWorkers = 0;
  /// Threads tell where they are in the code: many times slower.
  bool TellsPaths = false;
};

/// A program's device code.
class Executor {
public:
  /// Fails where the host has no code generator.
  static llvm::Expected<std::unique_ptr<Executor>>
  create(const ExecutorOptions &Options);
  ~Executor();

  /// Adds the NVPTX module in \p Bitcode; returns its number. \p Priced: the
  /// same kernels as another compiler makes them, whose blocks of code are
  /// counted (ExecuteLaunch::FollowedFile); empty: as in \p Bitcode. Fails when
  /// one of them is none.
  llvm::Expected<unsigned> addModule(llvm::StringRef Bitcode,
                                     llvm::StringRef Priced = "");

  /// Variable \p Name of module \p Module lies at \p Address, where the host
  /// has its own of \p Bytes. Before load().
  void bindVariable(unsigned Module, llvm::StringRef Name, void *Address,
                    uint64_t Bytes);

  /// Writes the initial values of the variables of \p Module. Fails when they
  /// refer to code that cannot be run.
  llvm::Error load(unsigned Module);

  /// Where variable \p Name of \p Module lies; null where it has none of that
  /// name, or load() failed.
  void *variable(unsigned Module, llvm::StringRef Name);

  /// Runs kernel \p Name of \p Module to its end. Fails, and names the reason,
  /// when it uses what cannot be run; with a KernelFailure when a thread fails
  /// or when threads wait for what never comes.
  llvm::Error launch(unsigned Module, llvm::StringRef Name,
                     const ExecuteLaunch &Launch);

  /// Do threads of kernel \p Name have stacks of their own? For tests and
  /// reports; fails as launch() does.
  llvm::Expected<bool> hasStacks(unsigned Module, llvm::StringRef Name);

  /// What beside the plain stores of kernel \p Name shows that it has run.
  /// Fails as launch() does.
  llvm::Expected<RunEffects> effects(unsigned Module, llvm::StringRef Name);

private:
  class Impl;
  explicit Executor(std::unique_ptr<Impl> I);
  std::unique_ptr<Impl> I;
};

} // namespace gpuocc

#endif // GPUOCC_EXECUTE_EXECUTOR_H
