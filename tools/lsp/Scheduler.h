//===- Scheduler.h - Work in the background ---------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_SCHEDULER_H
#define GPUOCC_TOOLS_LSP_SCHEDULER_H

#include "llvm/ADT/FunctionExtras.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace gpuocc::editor {

/// Set when the result of a task is no longer wanted.
using StopFlag = std::atomic<bool>;

struct Task {
  /// Of two tasks with one name the later one replaces the other, which is
  /// stopped if it runs.
  std::string Name;
  /// Smaller ones go first.
  unsigned Rank = 0;
  /// Earliest start.
  std::chrono::steady_clock::time_point Due;
  llvm::unique_function<void(const StopFlag &Stop)> Work;
};

/// One thread that does one task after the other.
class Scheduler {
public:
  Scheduler();
  /// Stops what runs, and drops what waits.
  ~Scheduler();

  void schedule(Task T);
  /// Lets the task \p Name start now, or go on where it runs. False where
  /// there is none that was not stopped.
  bool hurry(llvm::StringRef Name);
  /// Drops or stops the tasks whose name starts with \p Prefix.
  void stop(llvm::StringRef Prefix);

private:
  void run();
  /// The index of the task to do next; NumTasks when none is due.
  size_t nextDue(std::chrono::steady_clock::time_point Now) const;

  std::mutex Mutex;
  std::condition_variable Changed;
  std::vector<Task> Waiting;
  /// Of the task that runs.
  std::string Running;
  StopFlag Stop = false;
  bool Ends = false;
  std::thread Thread;
};

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_SCHEDULER_H
