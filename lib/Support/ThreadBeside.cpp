//===- ThreadBeside.cpp - Threads that copies of a process know -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/ThreadBeside.h"
#include <new>

using namespace gpuocc;
using namespace llvm;

/// Whether this thread keeps copies from being made.
static thread_local bool IsWorking = false;

std::shared_mutex &CopyLock::mutex() {
  // A detached thread may outlive static objects.
  static auto *Only = new std::shared_mutex;
  return *Only;
}

void CopyLock::renew() {
  new (&mutex()) std::shared_mutex;
  IsWorking = false;
}

WaitBeside::WaitBeside() : IsNeeded(IsWorking) {
  if (!IsNeeded)
    return;
  IsWorking = false;
  CopyLock::mutex().unlock_shared();
}

WaitBeside::~WaitBeside() {
  if (!IsNeeded)
    return;
  CopyLock::mutex().lock_shared();
  IsWorking = true;
}

ThreadBeside::ThreadBeside(unique_function<void()> Work)
    : Thread([Work = std::move(Work)]() mutable {
        const std::shared_lock<std::shared_mutex> Lock(CopyLock::mutex());
        IsWorking = true;
        Work();
        IsWorking = false;
      }) {}

void ThreadBeside::join() {
  const WaitBeside Waiting;
  if (Thread.joinable())
    Thread.join();
}
