//===- WarpOperation.cpp - What lanes of a warp do together ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpOperation.h"
#include "Matrix.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <optional>

using namespace gpuocc::execute;
using namespace llvm;

static constexpr uint64_t PredicateBit = uint64_t(1) << 32;

/// The lane that a shuffle of \p Lane reads; its own where that is outside of
/// the segment. \p IsInside says which.
static unsigned sourceOf(const WarpRequest &R, unsigned Lane, bool &IsInside) {
  const unsigned Segment = R.Clamp >> 8 & 31, Clamp = R.Clamp & 31;
  const unsigned Offset = R.Source & 31;
  const int Last = int((Lane & Segment) | (Clamp & ~Segment));
  int From = 0;
  switch (R.Operation) {
  case WarpOperation::ShuffleUp:
    From = int(Lane) - int(Offset);
    IsInside = From >= Last;
    break;
  case WarpOperation::ShuffleDown:
    From = int(Lane + Offset);
    IsInside = From <= Last;
    break;
  case WarpOperation::ShuffleButterfly:
    From = int(Lane ^ Offset);
    IsInside = From <= Last;
    break;
  default:
    From = int((Lane & Segment) | (Offset & ~Segment));
    IsInside = From <= Last;
    break;
  }
  return IsInside ? unsigned(From) : Lane;
}

static void shuffle(uint32_t Members, MutableArrayRef<WarpRequest *> Lanes) {
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
    if (Members >> Lane & 1) {
      bool IsInside = false;
      const unsigned From = sourceOf(*Lanes[Lane], Lane, IsInside);
      // What a lane that does not take part holds is undefined.
      const unsigned Read = Members >> From & 1 ? From : Lane;
      Lanes[Lane]->Answer =
          uint32_t(Lanes[Read]->Value) | (IsInside ? PredicateBit : 0);
    }
}

static void matchAny(uint32_t Members, MutableArrayRef<WarpRequest *> Lanes) {
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
    if (Members >> Lane & 1) {
      uint32_t Same = 0;
      for (unsigned Other = 0; Other != WarpLanes; ++Other)
        if (Members >> Other & 1 && Lanes[Other]->Value == Lanes[Lane]->Value)
          Same |= 1u << Other;
      Lanes[Lane]->Answer = Same;
    }
}

/// \p Result with the value \p V of one more lane.
static uint32_t reduce(WarpOperation Operation, uint32_t Result, uint32_t V) {
  switch (Operation) {
  case WarpOperation::ReduceAdd:
    return Result + V;
  case WarpOperation::ReduceAnd:
    return Result & V;
  case WarpOperation::ReduceOr:
    return Result | V;
  case WarpOperation::ReduceXor:
    return Result ^ V;
  case WarpOperation::ReduceMin:
    return uint32_t(std::min(int32_t(Result), int32_t(V)));
  case WarpOperation::ReduceMax:
    return uint32_t(std::max(int32_t(Result), int32_t(V)));
  case WarpOperation::ReduceUMin:
    return std::min(Result, V);
  default:
    return std::max(Result, V);
  }
}

/// The one answer that all lanes get.
static uint64_t common(uint32_t Members, ArrayRef<WarpRequest *> Lanes) {
  const WarpRequest &First = *Lanes[countr_zero(Members)];
  uint32_t Ballot = 0;
  bool IsSame = true;
  std::optional<uint32_t> Reduced;
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
    if (Members >> Lane & 1) {
      const uint64_t V = Lanes[Lane]->Value;
      Ballot |= V != 0 ? 1u << Lane : 0;
      IsSame &= V == First.Value;
      Reduced = Reduced ? reduce(First.Operation, *Reduced, uint32_t(V))
                        : uint32_t(V);
    }
  switch (First.Operation) {
  case WarpOperation::Ballot:
    return Ballot;
  case WarpOperation::VoteAll:
    return Ballot == Members;
  case WarpOperation::VoteAny:
    return Ballot != 0;
  case WarpOperation::VoteUniform:
    return Ballot == 0 || Ballot == Members;
  case WarpOperation::MatchAll:
    return IsSame ? Members | PredicateBit : 0;
  case WarpOperation::Sync:
  case WarpOperation::Converge:
  case WarpOperation::ActiveMask:
    return Members;
  default:
    return *Reduced;
  }
}

void gpuocc::execute::answer(uint32_t Members,
                             MutableArrayRef<WarpRequest *> Lanes) {
  switch (Lanes[countr_zero(Members)]->Operation) {
  case WarpOperation::ShuffleIndex:
  case WarpOperation::ShuffleUp:
  case WarpOperation::ShuffleDown:
  case WarpOperation::ShuffleButterfly:
    return shuffle(Members, Lanes);
  case WarpOperation::MatchAny:
    return matchAny(Members, Lanes);
  case WarpOperation::MatrixMultiply:
  case WarpOperation::MatrixLoad:
  case WarpOperation::MatrixStore:
  case WarpOperation::MatrixTranspose:
    return answerMatrix(Lanes[countr_zero(Members)]->Operation, Members, Lanes);
  default:
    break;
  }
  const uint64_t Answer = common(Members, Lanes);
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
    if (Members >> Lane & 1)
      // Masks differ where a program's mistake is forgiven.
      Lanes[Lane]->Answer = Lanes[Lane]->Operation == WarpOperation::Ballot
                                ? Answer & Lanes[Lane]->Mask
                                : Answer;
}
