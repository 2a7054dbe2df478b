//===- EventQueue.h - Work for the thread of the server ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_EVENTQUEUE_H
#define GPUOCC_TOOLS_LSP_EVENTQUEUE_H

#include "llvm/ADT/FunctionExtras.h"
#include <condition_variable>
#include <deque>
#include <mutex>

namespace gpuocc::editor {

/// Messages of the client and results of analyses, which one thread handles in
/// the order in which they come.
class EventQueue {
public:
  using Event = llvm::unique_function<void()>;

  void post(Event E) {
    std::lock_guard<std::mutex> Lock(Mutex);
    Events.push_back(std::move(E));
    Changed.notify_one();
  }

  /// Waits for the next event.
  Event next() {
    std::unique_lock<std::mutex> Lock(Mutex);
    Changed.wait(Lock, [this] { return !Events.empty(); });
    Event E = std::move(Events.front());
    Events.pop_front();
    return E;
  }

private:
  std::mutex Mutex;
  std::condition_variable Changed;
  std::deque<Event> Events;
};

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_EVENTQUEUE_H
