//===- Progress.h - A bar with the remaining time --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_RECORD_PROGRESS_H
#define GPUOCC_CALIBRATION_RECORD_PROGRESS_H

#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <string>

namespace gpuocc::calibration {

/// Seconds left, from the share done (0 to 1), the seconds it took, and the
/// estimate made before the run; the estimate counts less as the run goes on.
double remainingSeconds(double Share, double Elapsed, double Estimate);

/// Writes one line per group, and on a terminal a bar that moves.
class Progress {
public:
  /// \p Seconds: estimate for all groups together.
  Progress(llvm::raw_ostream &OS, double Seconds)
      : OS(OS), Total(Seconds), Terminal(OS.is_displayed()),
        Begin(std::chrono::steady_clock::now()) {}

  void start(llvm::StringRef Group, double Seconds);
  void update(double Share);
  void finish();

private:
  void draw(double Share);

  llvm::raw_ostream &OS;
  double Total, Past = 0, Current = 0;
  bool Terminal;
  std::string Name;
  std::chrono::steady_clock::time_point Begin, GroupBegin;
};

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_RECORD_PROGRESS_H
