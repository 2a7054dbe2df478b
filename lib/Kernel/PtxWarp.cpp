//===- PtxWarp.cpp - What PTX operations of warps compute -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxWriter.h"
#include "llvm/ADT/StringSwitch.h"

using namespace gpuocc;
using namespace llvm;

// Masks of members name the lanes that execute the instruction, as correct
// programs do.

static ShuffleKind shuffleKind(const PtxWriter &W) {
  return W.has("up")     ? ShuffleKind::Up
         : W.has("down") ? ShuffleKind::Down
         : W.has("bfly") ? ShuffleKind::Bfly
         : W.has("idx")  ? ShuffleKind::Idx
                         : ShuffleKind::None;
}

/// "shfl.sync.up.b32 d|p, a, b, c, mask"
static bool writeShuffle(PtxWriter &W) {
  const ShuffleKind Kind = shuffleKind(W);
  if (W.size() < 3 || Kind == ShuffleKind::None)
    return false;
  const PtxRef R = W.shuffle(Kind, W.in(0), W.in(1), W.in(2), W.NumResults);
  W.Results.push_back(R);
  if (W.NumResults == 2)
    W.Results.push_back(PtxRef::step(R.Index, 1));
  return true;
}

static bool writeVote(PtxWriter &W) {
  if (W.size() < 1)
    return false;
  const PtxRef P = W.in(0);
  if (W.has("ballot"))
    return W.done(W.op(Semantics::Ballot, 32, {P}));
  if (W.has("any"))
    return W.done(W.op(Semantics::VoteAny, 1, {P}));
  if (W.has("all"))
    return W.done(W.op(Semantics::VoteAll, 1, {P}));
  return W.has("uni") &&
         W.done(W.bitOr(1, W.op(Semantics::VoteAll, 1, {P}),
                        W.bitNot(1, W.op(Semantics::VoteAny, 1, {P}))));
}

static PtxRef activeMask(PtxWriter &W) {
  return W.op(Semantics::ActiveMask, 32, {});
}

static bool writeMatch(PtxWriter &W) {
  if (W.size() < 1)
    return false;
  const PtxRef Same = W.op(Semantics::MatchAny, 32, {W.in(0)});
  if (W.has("any"))
    return W.done(Same);
  const PtxRef Active = activeMask(W);
  const PtxRef All = W.compare(ComparePredicate::EQ, 32, Same, Active);
  W.Results.push_back(W.select(32, All, Active, PtxWriter::number(0)));
  if (W.NumResults == 2)
    W.Results.push_back(All);
  return true;
}

/// redux: halves of the warp are joined five times. Lanes that do not take part
/// hold what changes nothing.
static bool writeReduction(PtxWriter &W) {
  const PtxWordType T = W.type();
  if (W.size() < 1 || T.isFloat() || T.Bits != 32)
    return false;
  const bool Signed = T.isSigned();
  const Semantics What =
      W.has("add")   ? Semantics::Add
      : W.has("min") ? (Signed ? Semantics::MinS : Semantics::MinU)
      : W.has("max") ? (Signed ? Semantics::MaxS : Semantics::MaxU)
      : W.has("and") ? Semantics::And
      : W.has("or")  ? Semantics::Or
      : W.has("xor") ? Semantics::Xor
                     : Semantics::Opaque;
  int64_t Neutral = 0;
  if (What == Semantics::MinU || What == Semantics::And)
    Neutral = 0xffffffff;
  else if (What == Semantics::MinS)
    Neutral = 0x7fffffff;
  else if (What == Semantics::MaxS)
    Neutral = 0x80000000;
  else if (What == Semantics::Opaque)
    return false;
  const PtxRef Takes =
      W.bitAnd(32, W.shrU(32, activeMask(W), W.special(SpecialReg::LaneId)),
               PtxWriter::number(1));
  PtxRef R = W.select(32, Takes, W.in(0), PtxWriter::number(Neutral));
  for (int By : {16, 8, 4, 2, 1})
    R = W.op(What, 32,
             {R, W.shuffle(ShuffleKind::Bfly, R, PtxWriter::number(By),
                           PtxWriter::number(31))});
  return W.done(R);
}

static bool writeActiveMask(PtxWriter &W) { return W.done(activeMask(W)); }

/// elect: the lowest lane.
static bool writeElection(PtxWriter &W) {
  const PtxRef Leader =
      W.op(Semantics::Clz, 32, {W.op(Semantics::Brev, 32, {activeMask(W)})});
  W.Results.push_back(Leader);
  if (W.NumResults == 2)
    W.Results.push_back(W.compare(ComparePredicate::EQ, 32, Leader,
                                  W.special(SpecialReg::LaneId)));
  return true;
}

ArrayRef<PtxLiftRow> gpuocc::ptxWarpRows() {
  static constexpr PtxLiftRow Rows[] = {
      {"shfl", writeShuffle},          {"vote", writeVote},
      {"match", writeMatch},           {"redux", writeReduction},
      {"activemask", writeActiveMask}, {"elect", writeElection}};
  return Rows;
}
