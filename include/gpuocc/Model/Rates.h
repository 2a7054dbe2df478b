//===- Rates.h - What a launch achieves, and of what peak -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_RATES_H
#define GPUOCC_MODEL_RATES_H

#include "gpuocc/Model/WarpWork.h"
#include "gpuocc/Support/Known.h"
#include <vector>

namespace gpuocc {

struct DeviceModel;
struct ExecutionProfile;
struct KernelFacts;
struct Launch;
struct Prediction;

/// A rate, and the most that the device was measured to do of the same.
struct Rate {
  double Value = 0;
  Known<double> Peak = Known<double>::unknown("not measured");
  /// Share of the time for which a hardware counter sees the unit busy that
  /// does it (Prediction::Busy); unknown for arithmetic.
  Known<double> Busy = Known<double>::unknown("not counted");

  /// Value over Peak; unknown with it.
  Known<double> fraction() const;
  /// What reports print as the share of the peak: Busy, else the fraction;
  /// unknown where Peak is.
  Known<double> share() const;
  bool operator==(const Rate &) const = default;
};

/// Arithmetic of one precision, in 10^9 operations per second.
struct FlopRate {
  FlopKind Kind = FlopKind::Fp32;
  Rate GigaPerSecond;
  bool operator==(const FlopRate &) const = default;
};

/// Loads of the resident warps of an SM that one memory level has to serve,
/// when nothing queues, against those that keep the level busy:
///
///   needed = latency x peak throughput
///
/// Source: Little's law; Volkov 2016, section 3.2 (which also says why it is an
/// approximation: the latency is that without load).
struct LoadsInFlight {
  /// L2 or Dram.
  Resource Level = Resource::Dram;
  double LoadsPerSm = 0, BytesPerSm = 0;
  Known<double> NeededLoadsPerSm = Known<double>::unknown("not measured");
  Known<double> NeededBytesPerSm = Known<double>::unknown("not measured");
  bool operator==(const LoadsInFlight &) const = default;
};

/// What a kernel is predicted to achieve.
struct Rates {
  /// Means over the whole launch, with its begin and its end. Otherwise the
  /// launch is not known, and they are those of SMs that are always full.
  bool OfWholeLaunch = false;
  /// 10^9 bytes per second of the chip. Sectors and wavefronts count whole.
  /// The peak of L2 and DRAM is that of the kernel's mix of reads and writes.
  Rate DramGBs, L2GBs, L1GBs, SharedGBs;
  /// Warp instructions per cycle and SM, and 10^9 of them per second.
  Rate Ipc, Gips;
  /// Precisions that the kernel computes in.
  std::vector<FlopRate> Flops;
  /// DRAM before L2; levels that no load waits for are left out.
  std::vector<LoadsInFlight> InFlight;
  bool operator==(const Rates &) const = default;
};

/// Bytes per cycle and SM of a mix of \p Read and \p Written bytes at DRAM: as
/// much as is read is written at the rate of a copy, and what is left at the
/// rate of its direction. At L2: each at its own rate.
Known<double> dramPeak(double Read, double Written, const DeviceModel &Device);
Known<double> l2Peak(double Read, double Written, const DeviceModel &Device);

/// Warp instructions per cycle that the schedulers of an SM issue at most.
Known<double> issuePeak(const DeviceModel &Device);

/// SMs times 10^9 cycles per second: what turns a rate per cycle and SM into
/// one of the chip.
Known<double> chipGigaCycles(const DeviceModel &Device);

/// Warps that the chip completes, 10^9 per second: of the whole launch where
/// the time of it is known.
double gigaWarpsPerSecond(const Launch &L, const Prediction &P,
                          const DeviceModel &Device);

/// The rates of \p Facts, whose mean warp does \p Work, under \p L as \p P
/// predicts it.
Rates achievedRates(const KernelFacts &Facts, const ExecutionProfile &Profile,
                    const WarpWork &Work, const Launch &L, const Prediction &P,
                    const DeviceModel &Device);

} // namespace gpuocc

#endif // GPUOCC_MODEL_RATES_H
