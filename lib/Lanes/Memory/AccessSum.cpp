//===- AccessSum.cpp - What walks saw of one access -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory/AccessSum.h"
#include "Memory/Pattern.h"
#include "Memory/Requests.h"
#include "Walk/LaunchInputs.h"
#include "gpuocc/Kernel/ClusterAddresses.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

using namespace gpuocc;

/// Is \p Distance a multiple of \p Step? Steps are powers of two but for arrays
/// of odd elements.
static bool isMultiple(uint64_t Distance, uint64_t Step) {
  if (Step == 0)
    return Distance == 0;
  return std::has_single_bit(Step) ? (Distance & (Step - 1)) == 0
                                   : Distance % Step == 0;
}

void DrawnAddresses::add(uint64_t Address) {
  // An access that reaches two objects counts for the first.
  if (Draws > 0 && Address >> ObjectWindowLog2 != Low >> ObjectWindowLog2)
    return;
  if (const uint64_t Distance = Draws == 0      ? 0
                                : Address > Low ? Address - Low
                                                : Low - Address;
      !isMultiple(Distance, Step))
    Step = std::gcd(Step, Distance);
  Low = std::min(Low, Address);
  High = std::max(High, Address);
  ++Draws;
}

double DrawnAddresses::places() const {
  if (Step == 0)
    return 1;
  const uint64_t Steps = (High - Low) / Step;
  const double Seen = double(Steps) + 1;
  return Draws > 1 ? std::round(Seen + 2 * (Seen - 1) / (Draws - 1)) : Seen;
}

/// The cost of a request of \p M whose addresses \p Folded to that: the shared
/// side of an asynchronous copy decides the wavefronts, and lanes that are
/// combined take one turn.
static RequestCost costOf(RequestCost Folded, const AccessEvent &E,
                          const MemoryAccess &M, const MemoryGeometry &G) {
  RequestCost Cost = Folded;
  // Data comes and goes in lines that fill all banks.
  if (M.Bulk)
    Cost.Wavefronts = Cost.IdealWavefronts =
        std::ceil(double(M.BytesPerLane) / G.sharedPassBytes());
  if (E.SharedAddress) {
    AccessEvent SharedSide = E;
    SharedSide.Address = E.SharedAddress;
    SharedSide.OffsetBytes = E.SharedOffsetBytes;
    const RequestCost InShared = foldRequest(
        requestAddresses(SharedSide, M.BytesPerLane), MemorySpace::Shared, G);
    Cost.Wavefronts = InShared.Wavefronts;
    Cost.IdealWavefronts = InShared.IdealWavefronts;
  }
  if (M.Combining == LaneCombining::ByAddress) {
    Cost.LanesPerAddress = 1;
    Cost.Turns = Cost.Wavefronts;
  }
  return Cost;
}

std::optional<RequestCost> AccessSum::add(const AccessEvent &E,
                                          const MemoryAccess &M,
                                          const MemoryGeometry &G) {
  Executions += E.Weight;
  Taint |= E.ActiveTaint;
  if (!E.Active)
    return std::nullopt;
  RequestAddresses R = requestAddresses(E, M);
  R.IsAtomic = isAtomic(M.Kind);
  R.IsStore = M.Kind == AccessKind::Store;
  R.IsRetried = M.Combining == LaneCombining::Retried;
  const MemorySpace In = resolvedSpace(M.Space, R);
  const RequestCost Folded = Memo.fold(R, In, G);
  const RequestCost Cost = costOf(Folded, E, M, G);
  noteTaints(E);
  noteDrawn(E, R, In);
  noteAddend(E, R, In, Folded, Cost, G);
  const bool IsFirst = Requests == 0;
  Lanes += E.Weight * numLanes(R.Active);
  noteCost(E.Weight, Cost);
  noteStride(R);
  noteOrder(E.Weight, R);
  if (IsFirst || numLanes(R.Active) > numLanes(Example.Active)) {
    Example = R;
    ExampleCost = Cost;
    Space = In;
  }
  return Cost;
}

void AccessSum::noteTaints(const AccessEvent &E) {
  ShapeTaint |= E.Address->Shape;
  Taint |= E.Address->Shape;
  if (E.SharedAddress)
    Taint |= E.SharedAddress->Shape;
}

void AccessSum::noteDrawn(const AccessEvent &E, const RequestAddresses &R,
                          MemorySpace In) {
  // The blocks of a cluster have the same objects.
  const uint64_t OfObject =
      In == MemorySpace::Shared ? ~ClusterRankMask : ~uint64_t(0);
  if (E.Address->Shape & DataTaint ||
      (R.IsAtomic && E.Address->taint() & DataTaint))
    for (LaneMask Left = R.Active; Left; Left &= Left - 1)
      Drawn.add(R.Address[unsigned(std::countr_zero(Left))] & OfObject);
}

void AccessSum::noteAddend(const AccessEvent &E, const RequestAddresses &R,
                           MemorySpace In, const RequestCost &Folded,
                           const RequestCost &Cost, const MemoryGeometry &G) {
  AddendEffect Addend = {Cost.Sectors, Cost.Sectors, Cost.Wavefronts,
                         Cost.Wavefronts};
  // Where loaded values choose the differences between lanes, a range of sums
  // says nothing beyond the draw: all there is to know is whether it matters.
  const TaintMask Told =
      isDrawn(E.Address->Shape) ? Taint | AddendTaint : Taint;
  if (E.Address->Base & ~Told) {
    const AddendEffect Effect =
        Memo.addend(R, In, Folded, E.Address->BaseAlignLog2, G);
    if (Effect.Matters) {
      AddendTaint |= E.Address->Base;
      Addend = Effect;
    }
  }
  AddendSum.LeastSectors += E.Weight * Addend.LeastSectors;
  AddendSum.MostSectors += E.Weight * Addend.MostSectors;
  AddendSum.LeastWavefronts += E.Weight * Addend.LeastWavefronts;
  AddendSum.MostWavefronts += E.Weight * Addend.MostWavefronts;
}

void AccessSum::noteCost(double Weight, const RequestCost &Cost) {
  if (Requests == 0)
    First = Cost;
  else
    Differs |= First != Cost;
  Requests += Weight;
  Sectors += Weight * Cost.Sectors;
  IdealSectors += Weight * Cost.IdealSectors;
  Lines += Weight * Cost.Lines;
  Wavefronts += Weight * Cost.Wavefronts;
  IdealWavefronts += Weight * Cost.IdealWavefronts;
  Distinct += Weight * Cost.DistinctAddresses;
  LanesPerAddress += Weight * Cost.LanesPerAddress;
  Turns += Weight * Cost.Turns;
  OtherBlocksSectors += Weight * Cost.OtherBlocksSectors;
  OtherBlocksLines += Weight * Cost.OtherBlocksLines;
}

void AccessSum::noteStride(const RequestAddresses &R) {
  if (std::optional<int64_t> Now = laneStride(R)) {
    if (!HasStride)
      Stride = *Now;
    else if (Stride && *Stride != *Now)
      Stride = Known<int64_t>::unknown("differs between executions");
    HasStride = true;
  } else if (numLanes(R.Active) > 1) {
    Stride = Known<int64_t>::unknown("differs between lanes");
    HasStride = true;
  }
}

void AccessSum::noteOrder(double Weight, const RequestAddresses &R) {
  if (HasStride && Stride)
    return;
  std::optional<uint64_t> Before;
  for (LaneMask Left = R.Active; Left; Left &= Left - 1) {
    const uint64_t Address = R.Address[unsigned(std::countr_zero(Left))];
    if (Before && Address != *Before)
      (Address > *Before ? Ascents : Descents) += Weight;
    Before = Address;
  }
}
