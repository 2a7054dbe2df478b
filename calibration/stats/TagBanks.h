//===- TagBanks.h - Which lines share a bank of tags -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_STATS_TAGBANKS_H
#define GPUOCC_CALIBRATION_STATS_TAGBANKS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>
#include <utility>

namespace gpuocc::calibration {

/// Four banks, each of which looks up one line a cycle. The parity of a line's
/// number under \p Low is the low bit of its bank, that under \p High the high
/// bit.
struct TagBanks {
  uint32_t Low = 0, High = 0;
  double MeanError = 0; ///< Of the cycles of a request, absolute.
};

/// Bits of a line's number that tagBanks() can find.
inline constexpr unsigned TagBankBits = 14;

/// The banks that explain how long a request takes whose lane l reads line
/// l * stride, from (stride, cycles), or nothing where none do within half a
/// cycle in the mean. Any two of Low, High and Low ^ High give the same
/// partition; the two greatest are taken, the lesser as Low.
std::optional<TagBanks>
tagBanks(llvm::ArrayRef<std::pair<unsigned, double>> CyclesByStride);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_STATS_TAGBANKS_H
