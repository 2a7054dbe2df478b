//===- FaultGuard.h - Accesses that no memory answers -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_FAULTGUARD_H
#define GPUOCC_LIB_EXECUTE_FAULTGUARD_H

#include "State.h"
#include <csignal>
#include <memory>
#include <optional>

namespace gpuocc::execute {

/// Where a kernel failed.
struct Fault {
  uint32_t Block[3] = {}, Thread[3] = {};
  /// Threads that follow each other are not told apart.
  bool KnowsThread = false;
  const void *Address = nullptr;
};

void handleFault(int Signal, siginfo_t *Info, void *Context);
[[noreturn]] void landAfterFault();

/// While it lives, an access of generated code to memory that is not there
/// fails the thread, as a trap does, instead of ending the process. One at a
/// time for each thread of the host. Handlers of signals that were there get
/// the faults of other code.
///
/// A GPU faults by pages of 2 MiB. The runtime lays allocations so that what a
/// GPU would have mapped around them cannot be accessed: code that comes there
/// goes on with zeros, and outside() tells of it.
class FaultGuard {
public:
  FaultGuard();
  ~FaultGuard();
  FaultGuard(const FaultGuard &) = delete;
  FaultGuard &operator=(const FaultGuard &) = delete;

  /// Generated code of \p Block runs next on this thread; null: none does.
  static void enter(BlockState *Block);

  /// The access that failed; nothing where none did.
  const std::optional<Fault> &fault() const { return Found; }
  /// The first access around an allocation; nothing where none was.
  const std::optional<Fault> &outside() const { return Outside; }

private:
  friend void handleFault(int Signal, siginfo_t *Info, void *Context);
  friend void landAfterFault();

  std::optional<Fault> Found, Outside;
  BlockState *Running = nullptr;
  /// The stack of the thread that fails may be full.
  std::unique_ptr<char[]> HandlerStack, LandingStack;
  stack_t Before = {};
};

} // namespace gpuocc::execute

#endif // GPUOCC_LIB_EXECUTE_FAULTGUARD_H
