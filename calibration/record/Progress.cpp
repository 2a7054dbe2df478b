//===- Progress.cpp - A bar with the remaining time -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progress.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;

namespace gpuocc::calibration {

static double secondsSince(std::chrono::steady_clock::time_point Start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - Start)
      .count();
}

double remainingSeconds(double Share, double Elapsed, double Estimate) {
  if (Share <= 0)
    return std::max(0.0, Estimate - Elapsed);
  double Observed = Elapsed * (1 - Share) / Share;
  double Planned = Estimate * (1 - Share);
  return Share * Observed + (1 - Share) * Planned;
}

void Progress::start(StringRef Group, double Seconds) {
  Name = Group.str();
  Current = Seconds;
  GroupBegin = std::chrono::steady_clock::now();
  draw(0);
}

void Progress::update(double Share) { draw(Share); }

void Progress::finish() {
  if (Terminal)
    OS << "\r\x1b[K";
  OS << formatv("{0,-14} {1,6:f1} s\n", Name, secondsSince(GroupBegin));
  OS.flush();
  Past += Current;
  Current = 0;
}

void Progress::draw(double Share) {
  if (!Terminal)
    return;
  double Done = Total > 0 ? (Past + Current * Share) / Total : 1;
  static constexpr unsigned Width = 30;
  unsigned Full = unsigned(std::clamp(Done, 0.0, 1.0) * Width);
  OS << "\r\x1b[K[" << std::string(Full, '#') << std::string(Width - Full, '.')
     << ']'
     << formatv(" {0,4:P0} {1}, {2:f0} s left", Done, Name,
                remainingSeconds(Done, secondsSince(Begin), Total));
  OS.flush();
}

} // namespace gpuocc::calibration
