//===- TagBanks.cpp - Which lines share a bank of tags --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TagBanks.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <vector>

using namespace llvm;

namespace gpuocc::calibration {

static constexpr int Lanes = 32, Banks = 4;
static constexpr uint32_t Masks = 1u << TagBankBits;

/// Lanes with even less those with odd parity of their line under \p Mask.
static int imbalance(unsigned Stride, uint32_t Mask) {
  int Sum = 0;
  for (unsigned Lane = 0; Lane != Lanes; ++Lane)
    Sum += std::popcount(Lane * Stride & Mask) & 1 ? -1 : 1;
  return Sum;
}

/// Lanes in the fullest bank, from the imbalances under Low, High and
/// Low ^ High: the numbers in the banks are their Walsh-Hadamard transform.
static int fullest(int Low, int High, int Both) {
  return (Lanes + std::max({Low + High + Both, Low - High - Both,
                            High - Low - Both, Both - Low - High})) /
         Banks;
}

/// Masks under which the lines of the fastest quarter of \p Points are spread
/// best: banks can only take the least time where all three of their masks
/// balance.
static std::vector<uint32_t>
candidates(ArrayRef<std::pair<unsigned, double>> Points) {
  static constexpr size_t Most = 400;
  std::vector<std::pair<unsigned, double>> Fastest(Points);
  llvm::sort(Fastest, llvm::less_second());
  Fastest.resize(std::max<size_t>(1, Points.size() / 4));
  std::vector<int> Squares(Masks);
  for (auto [Stride, Cycles] : Fastest)
    for (uint32_t Mask = 1; Mask != Masks; ++Mask) {
      const int Sum = imbalance(Stride, Mask);
      Squares[Mask] += Sum * Sum;
    }
  std::vector<uint32_t> Best(Masks - 1);
  std::iota(Best.begin(), Best.end(), 1);
  llvm::sort(Best, [&](uint32_t A, uint32_t B) {
    return std::pair(Squares[A], A) < std::pair(Squares[B], B);
  });
  Best.resize(Most);
  return Best;
}

std::optional<TagBanks>
tagBanks(ArrayRef<std::pair<unsigned, double>> CyclesByStride) {
  // Fewer points than bits of both masks leave masks that fit by chance.
  if (CyclesByStride.size() < 4 * TagBankBits)
    return std::nullopt;
  const std::vector<uint32_t> Few = candidates(CyclesByStride);
  std::vector<std::vector<int8_t>> Sums(Masks);
  auto SumsOf = [&](uint32_t Mask) -> ArrayRef<int8_t> {
    if (Sums[Mask].empty())
      for (auto [Stride, Cycles] : CyclesByStride)
        Sums[Mask].push_back(int8_t(imbalance(Stride, Mask)));
    return Sums[Mask];
  };
  TagBanks Best;
  Best.MeanError = Lanes;
  for (uint32_t A : Few)
    for (uint32_t B : Few) {
      const uint32_t Third = A ^ B;
      if (A >= B || Third > A)
        continue;
      const ArrayRef<int8_t> Low = SumsOf(A), High = SumsOf(B),
                             Both = SumsOf(Third);
      double Error = 0;
      for (size_t I = 0; I != CyclesByStride.size(); ++I)
        Error += std::abs(CyclesByStride[I].second -
                          fullest(Low[I], High[I], Both[I]));
      Error /= double(CyclesByStride.size());
      if (Error < Best.MeanError)
        Best = {A, B, Error};
    }
  static constexpr double MostError = 0.5;
  if (Best.MeanError > MostError)
    return std::nullopt;
  return Best;
}

} // namespace gpuocc::calibration
