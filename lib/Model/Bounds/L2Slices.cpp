//===- L2Slices.cpp - Slices of L2 that serve a few lines -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bounds/L2Slices.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;

/// Slices of L2 that \p Bytes side by side lie in, as far as the contended
/// atomics of the calibration tell: the rate on so many words over that on the
/// words of one line. Nothing where they were not measured.
static std::optional<double> measuredSlices(double Bytes, bool Returns,
                                            const DeviceModel &Device) {
  enum Column { Returned, ByLane, Words, OpsPerCycle, NumColumns };
  constexpr double WordBytes = 4, LineWords = 32;
  const DeviceTable *Table = Device.table("contended_global");
  if (!Table)
    return std::nullopt;
  std::optional<double> OneLine;
  double LowBytes = 0, LowSlices = 1;
  // Rows of one form ascend.
  for (const auto &Row : Table->Rows) {
    if (Row.size() < NumColumns)
      return std::nullopt;
    auto Cell = [&](Column C) { return Row[C].getAsNumber().value_or(0); };
    if (Cell(Returned) != double(Returns) || Cell(ByLane) != 1 ||
        Cell(Words) < LineWords || Cell(OpsPerCycle) <= 0)
      continue;
    if (!OneLine)
      OneLine = Cell(OpsPerCycle);
    const double HighBytes = Cell(Words) * WordBytes;
    const double HighSlices = std::max(LowSlices, Cell(OpsPerCycle) / *OneLine);
    if (HighBytes < Bytes || LowBytes == 0) {
      LowBytes = HighBytes;
      LowSlices = HighSlices;
      if (HighBytes < Bytes)
        continue;
      return HighSlices;
    }
    const double Along =
        std::log(Bytes / LowBytes) / std::log(HighBytes / LowBytes);
    return LowSlices * std::pow(HighSlices / LowSlices, Along);
  }
  return OneLine ? std::optional<double>(LowSlices) : std::nullopt;
}

double gpuocc::slicesOf(bool Returns, const Places &At,
                        std::optional<double> All, const FlatDevice &D) {
  const std::optional<double> PieceBytes = D.get(Quantity::L2SliceBytes);
  const double Pieces =
      PieceBytes ? std::clamp(At.SpanBytes.value_or(*PieceBytes) / *PieceBytes,
                              1.0, At.Sectors)
                 : At.Sectors;
  // Few sectors far apart lie in as many pieces.
  if (Pieces < At.Sectors && At.SpanBytes)
    if (std::optional<double> Measured =
            measuredSlices(*At.SpanBytes, Returns, D.model()))
      return std::clamp(*Measured, 1.0, All.value_or(*Measured));
  return All ? Pieces * *All / (Pieces + *All - 1) : Pieces;
}
