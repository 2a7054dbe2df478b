//===- Watchdog.cpp - An end for kernels that have none -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Watchdog.h"
#include <unistd.h>

namespace gpuocc::calibration {

Watchdog::Watchdog() : Thread([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard Guard(Lock);
    IsOver = true;
  }
  Changed.notify_one();
  Thread.join();
}

void Watchdog::start(Clock::time_point NewEnd, std::string NewMessage,
                     int NewStatus) {
  {
    const std::lock_guard Guard(Lock);
    IsWatching = true;
    End = NewEnd;
    Message = std::move(NewMessage);
    Status = NewStatus;
  }
  Changed.notify_one();
}

void Watchdog::stop() {
  const std::lock_guard Guard(Lock);
  IsWatching = false;
}

void Watchdog::watch() {
  std::unique_lock Guard(Lock);
  while (!IsOver) {
    if (!IsWatching) {
      Changed.wait(Guard);
      continue;
    }
    if (Clock::now() >= End) {
      (void)!write(STDERR_FILENO, Message.data(), Message.size());
      _exit(Status);
    }
    Changed.wait_until(Guard, End);
  }
}

} // namespace gpuocc::calibration
