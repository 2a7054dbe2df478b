//===- WiderAccess.cpp - Neighbouring words in one access -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessGroups.h"
#include "PriceMerge.h"
#include "PricingBudget.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/WhatIf/OwnVectors.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// The change touches the launch and the end of the array: less is not worth
/// it.
static constexpr double WorthwhileWiderAccess = 1.05;

/// The first access, in requests, that \p Factor neighbouring threads could
/// make as one; NoIndex when there is none.
static uint32_t widestAccess(const Case &C, unsigned Factor) {
  uint32_t Most = NoIndex;
  for (uint32_t I = 0; I != C.Facts.Accesses.size(); ++I)
    if (becomesWider(C.Facts.Accesses[I], C.Profile.Accesses[I], Factor) &&
        (Most == NoIndex || C.Profile.Accesses[I].RequestsPerWarp >
                                C.Profile.Accesses[Most].RequestsPerWarp))
      Most = I;
  return Most;
}

static std::optional<PricedMerge> bestWidth(const Case &C) {
  constexpr double StillPays = 1.02;
  size_t Left = PricingBudget::OperationsPerRule;
  std::optional<PricedMerge> Best;
  for (unsigned Factor : {2, 4, 8}) {
    if (widestAccess(C, Factor) == NoIndex || operationsOf(C, Factor) > Left)
      break;
    Left -= operationsOf(C, Factor);
    std::optional<PricedMerge> Next =
        priceMerge(C, {MergeOf::Neighbours, 0, Factor});
    if (!Next)
      break;
    if (!Best || Next->Gain.Gain > Best->Gain.Gain * StillPays)
      Best = std::move(Next);
  }
  return Best;
}

/// "float2", "float4", "half2": what holds \p Factor words of \p Bytes.
static std::string vectorText(unsigned Bytes, unsigned Factor) {
  return std::to_string(Factor) + " words of " + std::to_string(Bytes) +
         " B as one of " + std::to_string(Factor * Bytes) + " B" +
         (Bytes == 4 ? " (float" + std::to_string(Factor) + ", int" +
                           std::to_string(Factor) + ")"
          : Bytes == 2 && Factor == 2 ? " (half2)"
                                      : "");
}

/// Loads of a lane's own words side by side, one by one.
static void findOwnVectors(const Case &C, Findings &Out) {
  constexpr double WorthwhileVectors = 1.1;
  if (C.Facts.isInIssueOrder())
    return;
  const std::vector<OwnVector> Vectors =
      ownVectors({C.Facts, C.Profile, C.Launched});
  if (Vectors.empty())
    return;
  size_t Loads = 0;
  const OwnVector *Most = &Vectors.front();
  for (const OwnVector &Vector : Vectors) {
    Loads += Vector.Loads.size();
    if (C.Profile.Accesses[Vector.Loads.front()].RequestsPerWarp >
        C.Profile.Accesses[Most->Loads.front()].RequestsPerWarp)
      Most = &Vector;
  }
  const uint32_t First = Most->Loads.front();
  FindingWriter W(RuleId::WiderAccess, locationOfAccess(C.Facts, First));
  W.finding().Access = First;
  W.finding().Exact = C.Profile.Accesses[First].Exact;
  if (!C.wants(W.finding()))
    return;
  W << "each thread loads "
    << named("Words", formatCount(double(Loads), "word"))
    << " side by side one by one, of "
    << named("Bytes", Twine(C.Facts.Accesses[First].BytesPerLane))
    << " B; load them as " << named("Vectors", Twine(Vectors.size())) << " of "
    << named("BytesAfter", Twine(Most->Bytes))
    << (Most->IsPadded
            ? " B (pad the structure to 16 B and declare it aligned: float4 in "
              "place of float3)"
            : " B (declare the structure aligned, or read uint4, float4 and "
              "the like)");
  const Price P = price(C, loadVectors(Vectors));
  if (P.Gain < WorthwhileVectors)
    return;
  addPrice(W, P);
  Out.push_back(std::move(W.finding()));
}

void gpuocc::findWiderAccess(const Case &C, Findings &Out) {
  findOwnVectors(C, Out);
  std::optional<PricedMerge> Best = bestWidth(C);
  if (!Best || Best->Gain.Gain < WorthwhileWiderAccess)
    return;
  const unsigned Factor = Best->Merged.Factor;
  const uint32_t First = widestAccess(C, Factor);
  const unsigned Bytes = C.Facts.Accesses[First].BytesPerLane;
  FindingWriter W(RuleId::WiderAccess, locationOfAccess(C.Facts, First));
  W.finding().Access = First;
  W.finding().Exact = C.Profile.Accesses[First].Exact;
  W << "each thread moves " << named("Bytes", Twine(Bytes))
    << " B with an access and its neighbours the words beside it; let one "
       "thread take "
    << vectorText(Bytes, Factor) << ", in 1/" << named("Factor", Twine(Factor))
    << (Best->Kernel.Launched == C.Launched
            ? " of the turns that a thread takes"
            : " of the blocks");
  const std::vector<unsigned> Whole =
      bytesOfWholeStretches(C.Facts, C.Profile, Factor);
  if (const auto At = max_element(Whole); At != Whole.end() && *At != 0)
    W << ", with the "
      << named("Stretch", Twine(*C.Profile.Accesses[size_t(At - Whole.begin())]
                                     .LaneStrideBytes *
                                int64_t(Factor)))
      << " B of its structures as words of " << named("WordBytes", Twine(*At))
      << " B";
  const unsigned Registers = Best->Kernel.Facts.Resources.RegistersPerThread;
  W << " (about " << named("Registers", Twine(Registers))
    << " registers per thread"
    << formatChange(Registers, C.Facts.Resources.RegistersPerThread)
    << "; what is left of the array at its end stays as it is)";
  if (any_of(C.Facts.Operations, isHalfArithmetic))
    W << ", and compute with two at once (" << named("Paired", "__hfma2")
      << " and the like)";
  addPrice(W, Best->Gain);
  Out.push_back(std::move(W.finding()));
}
