//===- ThreadBeside.h - Threads that copies of a process know ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A copy of a process (fork) has one thread only. A lock that another thread
/// holds while the copy is made stays locked there for good, and the copy
/// waits for it for good: POSIX lets a copy of a process with several threads
/// call little more than execve(). runInSubprocess() does far more. So it
/// makes its copies only while the other threads of this library wait for
/// programs and hold no lock.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_THREADBESIDE_H
#define GPUOCC_SUPPORT_THREADBESIDE_H

#include "llvm/ADT/FunctionExtras.h"
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace gpuocc {

/// Lets copies of the process be made while it lives, in which its thread
/// waits and holds no lock. No effect in threads that no ThreadBeside started.
class WaitBeside {
public:
  WaitBeside();
  ~WaitBeside();
  WaitBeside(const WaitBeside &) = delete;
  WaitBeside &operator=(const WaitBeside &) = delete;

private:
  const bool IsNeeded;
};

/// A thread that works beside one that may call runInSubprocess(). No copy is
/// made while it works, but while it waits (WaitBeside).
class ThreadBeside {
public:
  explicit ThreadBeside(llvm::unique_function<void()> Work);
  /// Waits for the end of the work.
  ~ThreadBeside() { join(); }
  ThreadBeside(const ThreadBeside &) = delete;
  ThreadBeside &operator=(const ThreadBeside &) = delete;

  /// Waits for the end of the work; no effect after the first call.
  void join();

private:
  std::thread Thread;
};

/// Holds off the work of each ThreadBeside while a copy of the process is made.
class CopyLock {
public:
  CopyLock() : Waiting(), Lock(mutex()) {}

  /// To be called in the copy, whose locks nobody will free.
  static void renew();

private:
  friend class WaitBeside;
  friend class ThreadBeside;
  static std::shared_mutex &mutex();

  /// The thread that makes the copy may be a ThreadBeside itself.
  WaitBeside Waiting;
  std::unique_lock<std::shared_mutex> Lock;
};

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_THREADBESIDE_H
