//===- PublishedGpus.h - The GPUs of Volkov's thesis ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_PUBLISHEDGPUS_H
#define GPUOCC_TOOLS_ACCURACY_PUBLISHEDGPUS_H

#include "baselines/Volkov.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuocc {

/// One GPU of Volkov 2016 with the numbers that chapters 4 and 6 print.
struct PublishedGpu {
  std::string Name;
  /// Its name in the device database.
  std::string Device;
  double Schedulers = 1, Sms = 1, Ghz = 1;
  /// Table 4.1; Alpha is to be set.
  AlphaMix Mix;
  double PeakGBps = 0;
  /// Table 6.5.
  double A = 0, B = 0, CGBps = 0;
  /// Tables 6.3 and 6.4: warps per scheduler, and percent of the peak.
  double NeededAdd = 0, NeededLinear = 0, Needed90 = 0, Needed95 = 0;
  double PercentAtLinear = 0;
  /// Section 4.5; 0 where not printed.
  double CuspWarps = 0, CuspAlpha = 0;

  AlphaMix at(double Alpha) const;
  /// Table 6.5 in memory instructions per cycle and SM.
  volkov::Contention contention() const;
};

/// Reads test/golden/volkov/gpus.json.
llvm::Expected<std::vector<PublishedGpu>>
readPublishedGpus(llvm::StringRef Path);

/// How far throughput of this project's model is from that of Table 4.2, over
/// intensities from 0 to 512 and up to 64 warps: lowest and highest ratio.
struct LineDistance {
  double Lowest = 0, Highest = 0;
};
llvm::Expected<LineDistance> lineDistance(const PublishedGpu &Gpu);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_PUBLISHEDGPUS_H
