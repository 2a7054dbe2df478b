//===- Watchdog.h - An end for kernels that have none ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_RECORD_WATCHDOG_H
#define GPUOCC_CALIBRATION_RECORD_WATCHDOG_H

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace gpuocc::calibration {

/// Ends the process where the driver does not return: a call that waits for a
/// kernel cannot be taken back. What was to be said by then is given to
/// start().
class Watchdog {
public:
  using Clock = std::chrono::steady_clock;

  Watchdog();
  Watchdog(const Watchdog &) = delete;
  Watchdog &operator=(const Watchdog &) = delete;
  ~Watchdog();

  /// Unless stop() is called before \p End, \p Message goes to standard error
  /// as it is and the process ends with status \p Status. No destructor runs:
  /// those of a GPU would wait as well.
  void start(Clock::time_point End, std::string Message, int Status);
  void stop();

private:
  void watch();

  std::mutex Lock;
  std::condition_variable Changed;
  bool IsOver = false, IsWatching = false;
  Clock::time_point End;
  std::string Message;
  int Status = 0;
  std::thread Thread;
};

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_RECORD_WATCHDOG_H
