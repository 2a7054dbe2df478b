//===- SlidingWindow.cpp - Words that neighbouring threads reload ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/SlidingWindow.h"
#include "AddressAt.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/Extents.h"
#include "gpuocc/WhatIf/IndependentThreads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Loads of one array, of words of one width, in one loop, that move on alike
/// from thread to thread.
struct Window {
  std::vector<uint32_t> Accesses;
  /// Where they begin, and those in a loop in its first pass.
  std::vector<int64_t> FirstWords;
  /// Bytes from the word of a thread to that of its neighbour.
  int64_t Slope = 0;
  /// False where Words are not all known.
  bool IsKnown = true;
  /// Where the words of one thread lie.
  std::set<int64_t> Words;

  /// Words of \p Threads neighbours, over what they load one by one.
  size_t wordsOf(unsigned Threads) const {
    std::set<int64_t> All;
    for (unsigned K = 0; K != Threads; ++K)
      for (int64_t Word : Words)
        All.insert(Word + int64_t(K) * Slope);
    return All.size();
  }
};

class WindowFinder {
public:
  WindowFinder(const KernelFacts &Facts, const ExecutionProfile &Profile,
               const Launch &L, unsigned Dimension)
      : Facts(Facts), Profile(Profile), L(L) {
    Dim3 Block = L.Block.Value;
    Dim3 Grid = L.Grid ? L.Grid->Value : Dim3{2, 2, 2};
    for (unsigned D = 0; D != 3; ++D) {
      // Away from the edges of the work.
      Middle.Thread[D] = (int64_t(extent(Block, D)) - 1) / 2;
      Middle.Block[D] = int64_t(extent(Grid, D)) / 2;
    }
    Neighbour = Middle;
    ++(extent(Block, Dimension) > 1 ? Neighbour.Thread
                                    : Neighbour.Block)[Dimension];
  }

  std::vector<Window> find() {
    using Key = std::tuple<uint64_t, unsigned, uint32_t, int64_t>;
    std::map<Key, Window> Found;
    for (uint32_t I = 0; I != Facts.Accesses.size(); ++I) {
      const MemoryAccess &A = Facts.Accesses[I];
      const std::optional<uint64_t> Array = arrayOfAccess(Facts, A);
      if (A.Kind != AccessKind::Load || A.Volatile || A.Rank != 0 || !Array ||
          isWritten(*Array))
        continue;
      const std::optional<int64_t> Slope =
          minus(at(A, Neighbour), at(A, Middle));
      if (!Slope || *Slope == 0 || !isWithinArray(*Slope))
        continue;
      const uint32_t Loop = Facts.Blocks[Facts.Operations[A.Op].Block].Loop;
      Window &W = Found[{*Array, A.BytesPerLane, Loop, *Slope}];
      W.Slope = *Slope;
      W.Accesses.push_back(I);
      W.FirstWords.push_back(*at(A, Middle));
      W.IsKnown &= addWords(A, Loop, W);
    }
    std::vector<Window> Windows;
    for (auto &[Of, W] : Found)
      if (W.IsKnown)
        Windows.push_back(std::move(W));
    return Windows;
  }

private:
  /// Longer filters are not looked through.
  static constexpr size_t MostWords = 1024;
  /// No array is longer: sums of so many steps do not overflow.
  static constexpr int64_t MostBytes = int64_t(1) << 40;

  const KernelFacts &Facts;
  const ExecutionProfile &Profile;
  const Launch &L;
  AddressAt::Place Middle, Neighbour;

  static bool isWithinArray(int64_t Bytes) {
    return Bytes > -MostBytes && Bytes < MostBytes;
  }

  static std::optional<int64_t> minus(std::optional<int64_t> A,
                                      std::optional<int64_t> B) {
    return A && B ? checkedSub(*A, *B) : std::nullopt;
  }

  bool isWritten(uint64_t Array) const {
    return any_of(Facts.Accesses, [&](const MemoryAccess &A) {
      return A.Kind != AccessKind::Load && isInArrays(A.Space) &&
             arrayOfAccess(Facts, A).value_or(Array) == Array;
    });
  }

  std::optional<int64_t> at(const MemoryAccess &A, const AddressAt::Place &P,
                            uint32_t SecondPass = NoIndex) const {
    const std::optional<int64_t> Base =
        AddressAt(Facts, L, P, SecondPass).of(A.Base);
    return Base ? checkedAdd(*Base, A.OffsetBytes) : std::nullopt;
  }

  /// Adds the words that \p A loads in the passes through \p Loop and those
  /// around it; false where they are not known, or too many.
  bool addWords(const MemoryAccess &A, uint32_t Loop, Window &W) const {
    const std::optional<int64_t> First = at(A, Middle);
    if (!isWithinArray(*First))
      return false;
    std::set<int64_t> Words = {*First};
    for (uint32_t I = Loop; I != NoIndex; I = Facts.Loops[I].Parent) {
      const std::optional<int64_t> Step = minus(at(A, Middle, I), First);
      const double Trips = std::round(Profile.Loops[I].TripCount);
      if (!Step || !isWithinArray(*Step) ||
          Profile.Loops[I].Exact > Exactness::Assumed)
        return false;
      if (*Step == 0)
        continue;
      if (Trips * double(Words.size()) > MostWords)
        return false;
      std::set<int64_t> Further;
      for (unsigned K = 0; K < unsigned(Trips); ++K)
        for (int64_t Word : Words)
          Further.insert(Word + int64_t(K) * *Step);
      Words = std::move(Further);
    }
    W.Words.insert(Words.begin(), Words.end());
    return W.Words.size() <= MostWords;
  }
};

} // namespace

std::vector<WindowedLoad> gpuocc::windowedLoads(const KernelFacts &Facts,
                                                const ExecutionProfile &Profile,
                                                const Launch &L,
                                                const Merge &M) {
  std::vector<WindowedLoad> Loads;
  const bool IsAlongX = M.Dimension == 0;
  // Neighbours along x are lanes of a warp, which are merged as neighbours.
  if (IsAlongX != (M.What == MergeOf::Neighbours) || Facts.isInIssueOrder() ||
      !hasIndependentThreads(Facts, L))
    return Loads;
  uint32_t Index = 0;
  for (const Window &W : WindowFinder(Facts, Profile, L, M.Dimension).find()) {
    const double Before = double(W.Words.size()) * M.Factor;
    double After = double(W.wordsOf(M.Factor));
    if (After >= Before)
      continue;
    if (IsAlongX)
      After = std::min(Before, After + M.Factor - 1);
    Loads.resize(Facts.Accesses.size());
    const bool IsInLoop = W.FirstWords.size() != W.Words.size();
    for (size_t K = 0; K != W.Accesses.size(); ++K)
      Loads[W.Accesses[K]] = {After / Before,
                              IsAlongX || IsInLoop ? NoIndex : Index,
                              W.FirstWords[K], W.Slope};
    ++Index;
  }
  return Loads;
}
