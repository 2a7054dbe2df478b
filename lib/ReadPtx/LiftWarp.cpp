//===- LiftWarp.cpp - PTX operations of warps and blocks to LLVM IR -----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionLifter.h"

using namespace gpuocc;
using namespace llvm;

/// Writes what an intrinsic with a value and a predicate returns to "d|p".
static void writePair(FunctionLifter &L, const PtxOperand &To, Value *Pair) {
  L.write(To, L.Builder.CreateExtractValue(Pair, 0));
  PtxOperand Second = To;
  Second.Name = To.Second;
  L.write(Second, L.Builder.CreateExtractValue(Pair, 1));
}

/// The first word behind the opcode that is not "sync": headers write
/// "vote.ballot.sync.b32" for "vote.sync.ballot.b32", which ptxas takes.
static StringRef modeOf(const PtxMnemonic &Op) {
  return Op.word(Op.word(1) == "sync" ? 2 : 1);
}

/// "shfl.sync.bfly.b32 d|p, a, b, c, mask", and without mask as it was once.
static bool liftShuffle(FunctionLifter &L, const PtxStatement &S,
                        const PtxMnemonic &Op) {
  const bool IsSync = Op.has("sync");
  if (S.Operands.size() != (IsSync ? 5u : 4u) || Op.Words.size() < 3)
    return false;
  Type *T = L.intType(32);
  SmallVector<Value *, 4> Operands;
  if (IsSync)
    Operands.push_back(L.read(S.Operands[4], T));
  for (unsigned I = 1; I != 4; ++I)
    Operands.push_back(L.read(S.Operands[I], T));
  const bool HasPredicate = !S.Operands[0].Second.empty();
  Value *Result =
      L.intrinsic("llvm.nvvm.shfl." + StringRef(IsSync ? "sync." : "") +
                      modeOf(Op) + (HasPredicate ? ".i32p" : ".i32"),
                  Operands);
  if (!Result)
    return false;
  if (HasPredicate)
    writePair(L, S.Operands[0], Result);
  else
    L.write(S.Operands[0], Result);
  return true;
}

/// "vote.sync.ballot.b32 d, p, mask", and without mask as it was once.
static bool liftVote(FunctionLifter &L, const PtxStatement &S,
                     const PtxMnemonic &Op) {
  const bool IsSync = Op.has("sync");
  if (S.Operands.size() != (IsSync ? 3u : 2u) || Op.Words.size() < 3)
    return false;
  SmallVector<Value *, 2> Operands;
  if (IsSync)
    Operands.push_back(L.read(S.Operands[2], L.intType(32)));
  Operands.push_back(L.read(S.Operands[1], L.Builder.getInt1Ty()));
  Value *Result = L.intrinsic(
      "llvm.nvvm.vote." + modeOf(Op) + (IsSync ? ".sync" : ""), Operands);
  if (Result)
    L.write(S.Operands[0], Result);
  return Result;
}

/// "match.any.sync.b32 d, a, mask"
static bool liftMatch(FunctionLifter &L, const PtxStatement &S,
                      const PtxMnemonic &Op) {
  const unsigned Bits = Op.type().Bits;
  if (S.Operands.size() != 3 || (Bits != 32 && Bits != 64))
    return false;
  const bool IsAny = Op.has("any");
  Value *Result =
      L.intrinsic(StringRef("llvm.nvvm.match.") + (IsAny ? "any" : "all") +
                      ".sync.i" + Twine(Bits) + (IsAny ? "" : "p"),
                  {L.read(S.Operands[2], L.intType(32)),
                   L.read(S.Operands[1], L.intType(Bits))});
  if (!Result)
    return false;
  if (IsAny)
    L.write(S.Operands[0], Result);
  else if (S.Operands[0].Second.empty())
    L.write(S.Operands[0], L.Builder.CreateExtractValue(Result, 0));
  else
    writePair(L, S.Operands[0], Result);
  return true;
}

/// "redux.sync.add.s32 d, a, mask"
static bool liftReduction(FunctionLifter &L, const PtxStatement &S,
                          const PtxMnemonic &Op) {
  if (S.Operands.size() != 3 || Op.Words.size() != 4 || Op.type().isFloat())
    return false;
  const StringRef What = Op.word(2);
  const bool IsOrder = What == "min" || What == "max";
  Value *Result =
      L.intrinsic(StringRef("llvm.nvvm.redux.sync.") +
                      (IsOrder && !Op.type().isSigned() ? "u" : "") + What,
                  {L.read(S.Operands[1], L.intType(32)),
                   L.read(S.Operands[2], L.intType(32))});
  if (Result)
    L.write(S.Operands[0], Result);
  return Result;
}

static bool liftActiveMask(FunctionLifter &L, const PtxStatement &S,
                           const PtxMnemonic &Op) {
  Value *Result = L.intrinsic("llvm.nvvm.activemask", {});
  if (Result)
    L.write(S.Operands[0], Result);
  return Result;
}

/// "bar.sync 0", "bar.sync a, b", "barrier.sync.aligned a", "bar.warp.sync m",
/// "bar.red.popc.u32 d, a, p"
static bool liftBarrier(FunctionLifter &L, const PtxStatement &S,
                        const PtxMnemonic &Op) {
  Type *T = L.intType(32);
  if (Op.has("cluster"))
    return L.intrinsic("llvm.nvvm." + Op.Text, {});
  const bool IsReduction = Op.has("red");
  // "bar.red.OP %result, number, %predicate"
  if (S.Operands.size() < (IsReduction ? 3 : 1))
    return false;
  if (Op.has("warp"))
    return L.intrinsic("llvm.nvvm.bar.warp.sync", {L.read(S.Operands[0], T)});
  const bool IsAligned = Op.first() == "bar" || Op.has("aligned");
  SmallVector<Value *, 3> Operands;
  const size_t NumNumbers = S.Operands.size() - (IsReduction ? 1 : 0);
  for (size_t I = IsReduction ? 1 : 0; I < NumNumbers; ++I)
    Operands.push_back(L.read(S.Operands[I], T));
  std::string Name = "llvm.nvvm.barrier.cta.";
  if (IsReduction) {
    Name += ("red." + Op.word(Op.has("cta") ? 3 : 2)).str();
    Operands.push_back(L.read(S.Operands.back(), L.Builder.getInt1Ty()));
  } else {
    Name += Op.has("arrive") ? "arrive" : "sync";
  }
  const bool HasCount = Operands.size() == (IsReduction ? 3u : 2u);
  Name += IsAligned ? ".aligned" : "";
  Value *Result = L.intrinsic(Name + (HasCount ? ".count" : ".all"), Operands);
  if (Result && IsReduction)
    L.write(S.Operands[0], Result);
  return Result;
}

/// "membar.gl"
static bool liftMemoryBarrier(FunctionLifter &L, const PtxStatement &S,
                              const PtxMnemonic &Op) {
  return L.intrinsic("llvm.nvvm." + Op.Text, {});
}

ArrayRef<LiftRow> gpuocc::warpRows() {
  static constexpr LiftRow Rows[] = {
      {"shfl", liftShuffle},         {"vote", liftVote},
      {"match", liftMatch},          {"redux", liftReduction},
      {"bar", liftBarrier},          {"barrier", liftBarrier},
      {"membar", liftMemoryBarrier}, {"activemask", liftActiveMask}};
  return Rows;
}
