//===- Code.cpp - The instruction cache -----------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels/Code.h"
#include "Code.h"
#include "Tools.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuocc::calibration {

/// Bytes of an instruction from Volta on (CUDA Binary Utilities, Instruction
/// Set Reference).
static constexpr unsigned InstructionBytes = 16;
static constexpr unsigned InstructionsPerPiece = 256;
/// More than the first level that all schedulers share has on any GPU since
/// Volta (128 KiB: Jia et al. 2018, "Dissecting the NVIDIA Volta GPU
/// Architecture via Microbenchmarking", table 3.1).
static constexpr unsigned MostPieces = 48;

/// Where \p CyclesByBytes first stays the same over three loops that are slower
/// than those that fit: one that just fits, but for its control, takes up to
/// 1.14 times as long.
static const std::pair<double, double> *
firstPlateau(ArrayRef<std::pair<double, double>> CyclesByBytes) {
  static constexpr double Slower = 1.25, Alike = 0.03;
  for (size_t I = 0; I + 2 < CyclesByBytes.size(); ++I) {
    const double Cycles = CyclesByBytes[I].second;
    if (Cycles > Slower * CyclesByBytes.front().second &&
        std::abs(CyclesByBytes[I + 1].second / Cycles - 1) < Alike &&
        std::abs(CyclesByBytes[I + 2].second / Cycles - 1) < Alike)
      return &CyclesByBytes[I];
  }
  return nullptr;
}

std::optional<InstructionCache>
instructionCache(ArrayRef<std::pair<double, double>> CyclesByBytes) {
  const std::pair<double, double> *Beyond = firstPlateau(CyclesByBytes);
  if (!Beyond)
    return std::nullopt;
  // Where a quarter of the lines is missed, a loop no longer fits.
  const double Within = CyclesByBytes.front().second,
               Fits = Within + (Beyond->second - Within) / 4;
  InstructionCache Cache;
  Cache.CyclesBeyond = Beyond->second;
  for (auto [Bytes, Cycles] : CyclesByBytes) {
    if (Cycles > Fits)
      break;
    Cache.Bytes = Bytes;
  }
  Cache.Ways =
      std::max(1.0, std::round(Cache.Bytes / (Beyond->first - Cache.Bytes)));
  return Cache;
}

Error measureCode(Session &S) {
  Expected<CuFunction> F = S.entry(longCode(MostPieces));
  if (!F)
    return F.takeError();
  if (Error E = setLaneTable(S, [](unsigned) -> uint64_t { return 0; }))
    return E;
  if (Error E = allowShared(S, *F, 160 * 1024))
    return E;
  Table T;
  T.Columns = {"bytes", "cycles_per_instruction"};
  T.Units = {"byte", "cycle"};
  T.Source = "loops of so many bytes of independent additions, one warp on "
             "each scheduler, all SMs";
  std::vector<std::pair<double, double>> Points;
  for (unsigned Pieces :
       {1u,  2u,  4u,  6u,  7u,  8u,  9u,  10u, 11u, 12u, 14u, 16u, 18u,
        20u, 24u, 28u, 30u, 31u, 32u, 33u, 34u, 36u, 38u, 40u, 44u, 47u}) {
    Launch L = S.fillSchedulers(*F, 1);
    L.Y = Pieces;
    Expected<std::vector<double>> Samples =
        S.perIteration(L, S.curveRepeats(), Clock::Sm);
    if (!Samples)
      return Samples.takeError();
    const double Instructions = double(Pieces) * InstructionsPerPiece;
    const double Cycles = summarize(*Samples).Median / Instructions;
    Points.push_back({Instructions * InstructionBytes, Cycles});
    T.Rows.push_back({Points.back().first, Cycles});
  }
  S.Db.setTable("loops_of_code", T.toJson());
  std::optional<InstructionCache> Cache = instructionCache(Points);
  if (!Cache)
    return Error::success();
  static constexpr unsigned LineBytes = 128;
  S.Db.set(
      "chip", "instruction_l1_bytes",
      derived(Cache->Bytes, "byte",
              "longest loop of additions that misses less than a quarter of "
              "its lines (loops_of_code)"));
  S.Db.set("chip", "instruction_l1_ways",
           derived(Cache->Ways, "count",
                   "the cache over what a loop exceeds it by when each pass "
                   "misses every line (loops_of_code)"));
  S.Db.set("chip", "instruction_line_bytes",
           vendor(LineBytes, "byte",
                  "the line of L1 and L2 (CUDA C++ Programming Guide)"));
  S.Db.set("chip", "instruction_fetch_cycles",
           derived(Cache->CyclesBeyond * LineBytes / InstructionBytes, "cycle",
                   "eight instructions of loops that miss every line "
                   "(loops_of_code)"));
  return Error::success();
}

} // namespace gpuocc::calibration
