//===- Tools.h - Small helpers of the plans --------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_PLANS_TOOLS_H
#define GPUOCC_CALIBRATION_PLANS_TOOLS_H

#include "Session.h"

namespace gpuocc::calibration {

constexpr uint64_t KiB = 1 << 10, MiB = 1 << 20, GiB = 1 << 30;

/// Bytes that L2 holds with room to spare, 16 MiB at most: a power of two.
uint64_t partOfL2(const Session &S);

/// "16 MiB", or "512 KiB" below one.
std::string megabytes(uint64_t Bytes);

/// \p Samples each divided by \p Divisor.
std::vector<double> perUnit(std::vector<double> Samples, double Divisor);

/// \p Work over each sample: cycles to a rate.
std::vector<double> rates(std::vector<double> Samples, double Work);

/// Times \p L, whose iterations issue \p Instructions of class \p Key on each
/// SM, in launches of about \p TargetCycles, and writes that throughput.
llvm::Error measureThroughput(Session &S, llvm::StringRef Key, const Launch &L,
                              double Instructions, std::string Source,
                              double TargetCycles);

/// Uploads the byte offset that each of the 32 lanes uses.
template <typename Function>
llvm::Error setLaneTable(Session &S, Function Offset) {
  std::vector<uint64_t> Words(32);
  for (unsigned Lane = 0; Lane < 32; ++Lane)
    Words[Lane] = Offset(Lane);
  return S.G.input(Words).takeError();
}

/// A closed walk over given places of a buffer, in random order.
///
/// \p Places are byte offsets from \p Base; each 64-bit word there is set to
/// the address of the next. Fixed seed. Returns the address of the first.
///
/// \p Sectors rings run side by side, 32 bytes apart; a walk with lanes on all
/// of them touches whole lines.
llvm::Expected<CuDevicePtr> buildRing(Session &S, CuDevicePtr Base,
                                      std::vector<uint64_t> Places,
                                      unsigned Sectors = 1);

/// \p Count distinct multiples of \p Step below \p Bytes, in random order.
std::vector<uint64_t> randomPlaces(uint64_t Bytes, uint64_t Step, size_t Count);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_PLANS_TOOLS_H
