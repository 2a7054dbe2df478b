//===- BlockRun.cpp - Threads of a block that meet ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockRun.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Compiler.h"
#include <algorithm>
#include <cstdlib>
#include <utility>

using namespace gpuocc::execute;
using namespace llvm;

/// So often threads look for a change before other blocks are let run.
static constexpr unsigned MostYields = 4096;

/// The run whose thread starts: a new stack has no arguments.
static thread_local BlockRun *Starting = nullptr;

BlockRun::BlockRun(unsigned MostThreads, size_t StackBytes)
    : Lanes(MostThreads + 1), Stacks(MostThreads, StackBytes) {}

void BlockRun::start(const BlockState &NewBlock, ThreadEntry NewEntry,
                     void **NewArguments) {
  Block = NewBlock;
  Block.Run = this;
  Entry = NewEntry;
  Arguments = NewArguments;
  const uint32_t *Size = Block.BlockSize;
  NumAlive = Size[0] * Size[1] * Size[2];
  NumWarps = (NumAlive + WarpLanes - 1) / WarpLanes;
  Warps = {};
  // Others are as they were at first.
  for (; OpenBarriers != 0; OpenBarriers &= OpenBarriers - 1)
    Barriers[unsigned(countr_zero(OpenBarriers))] = {};
  ReadyWarps = 0;
  NumYields = NumResting = 0;
  RestsForGrid = false;
  unsigned Rank = 0;
  for (uint32_t Z = 0; Z != Size[2]; ++Z)
    for (uint32_t Y = 0; Y != Size[1]; ++Y)
      for (uint32_t X = 0; X != Size[0]; ++X, ++Rank) {
        Lane &L = Lanes[Rank];
        L.Thread = {{X, Y, Z}, Rank, &Block, /*ClusterPhase=*/0};
        L.Stack = startOfStack(Stacks.top(Rank), startThread);
        warpOf(L).Alive |= bitOf(L);
      }
  for (unsigned W = 0; W != NumWarps; ++W)
    setReady(W, Warps[W].Alive);
  Resumed = Lanes.data();
}

void BlockRun::startThread() {
  BlockRun &Run = *Starting;
  Lane &L = *Run.Resumed;
  Run.Entry(&L.Thread, Run.Arguments);
  Run.end(L);
  std::abort();
}

void BlockRun::setReady(unsigned WarpIdx, uint32_t Members) {
  Warps[WarpIdx].Ready |= Members;
  if (Warps[WarpIdx].Ready != 0)
    ReadyWarps |= 1u << WarpIdx;
}

void BlockRun::setUnready(Lane &L) {
  Warp &W = warpOf(L);
  W.Ready &= ~bitOf(L);
  if (W.Ready == 0)
    ReadyWarps &= ~(1u << (L.Thread.Rank / WarpLanes));
}

/// The first bit of \p Bits above \p Position, or the first of all.
static unsigned nextBit(uint32_t Bits, unsigned Position) {
  const uint32_t Above = Position == 31 ? 0 : Bits & (~0u << (Position + 1));
  return unsigned(countr_zero(Above ? Above : Bits));
}

BlockRun::Lane *BlockRun::next(const Lane &From) {
  const unsigned WarpIdx = From.Thread.Rank / WarpLanes;
  // The lanes of a warp stay together.
  if (const uint32_t Ready = Warps[WarpIdx].Ready)
    return &Lanes[WarpIdx * WarpLanes +
                  nextBit(Ready, From.Thread.Rank % WarpLanes)];
  if (ReadyWarps == 0)
    return nullptr;
  const unsigned Other = nextBit(ReadyWarps, WarpIdx);
  return &Lanes[Other * WarpLanes + unsigned(countr_zero(Warps[Other].Ready))];
}

void BlockRun::switchTo(Lane &From, Lane *To) {
  if (To == &From)
    return;
  Resumed = To;
  // Lanes mostly follow each other, and their stacks lie in different pages.
  LLVM_PREFETCH(To[1].Stack, /*rw=*/1, /*locality=*/3);
  gpuoccSwitchStack(&From.Stack, To->Stack);
}

void BlockRun::leave(Lane &L, Status Why) {
  Left = Why;
  gpuoccSwitchStack(&L.Stack, MainStack);
}

BlockRun::Status BlockRun::run() {
  Starting = this;
  gpuoccSwitchStack(&MainStack, Resumed->Stack);
  return Left;
}

void BlockRun::wait(Lane &L) {
  const unsigned WarpIdx = L.Thread.Rank / WarpLanes;
  // Lanes that rest come later.
  if ((Warps[WarpIdx].Ready | Warps[WarpIdx].Resting) == 0)
    answerStranded(WarpIdx, /*WithMask=*/false);
  Lane *Next = next(L);
  if (!Next && NumResting != 0)
    return rest(L);
  if (!Next && releaseStuck())
    Next = next(L);
  if (!Next) {
    Resumed = &L;
    return leave(L, NumAlive == 0 ? Status::Done : Status::Stuck);
  }
  switchTo(L, Next);
}

uint32_t BlockRun::complete(const Lane &L) {
  const WarpRequest &R = L.Request;
  const unsigned WarpIdx = L.Thread.Rank / WarpLanes;
  const Warp &W = Warps[WarpIdx];
  // Lanes that have ended do not come any more.
  const uint32_t Members = R.Mask & W.Alive;
  if ((W.Asking & Members) != Members)
    return 0;
  for (uint32_t Rest = Members; Rest; Rest &= Rest - 1) {
    const WarpRequest &Other =
        Lanes[WarpIdx * WarpLanes + countr_zero(Rest)].Request;
    if (Other.Mask != R.Mask || Other.Operation != R.Operation)
      return 0;
  }
  return Members;
}

void BlockRun::answerLanes(unsigned WarpIdx, uint32_t Members) {
  std::array<WarpRequest *, WarpLanes> Requests = {};
  for (unsigned I = 0; I != WarpLanes; ++I)
    if (Members >> I & 1)
      Requests[I] = &Lanes[WarpIdx * WarpLanes + I].Request;
  answer(Members, Requests);
  Warps[WarpIdx].Asking &= ~Members;
  setReady(WarpIdx, Members);
}

static bool namesItsLanes(const WarpRequest &R) {
  return (R.Clamp & WarpRequest::WithoutMask) == 0;
}

bool BlockRun::answerStranded(unsigned WarpIdx, bool WithMask) {
  const Warp &W = Warps[WarpIdx];
  const WarpRequest *First = nullptr;
  uint32_t Members = 0;
  for (uint32_t Rest = W.Asking; Rest; Rest &= Rest - 1) {
    const unsigned I = unsigned(countr_zero(Rest));
    const WarpRequest &R = Lanes[WarpIdx * WarpLanes + I].Request;
    if (namesItsLanes(R) != WithMask)
      continue;
    // The first place in the code, as hardware takes sides of branches.
    if (!First || R.Site < First->Site) {
      First = &R;
      Members = 0;
    }
    if (R.Site == First->Site && R.Operation == First->Operation)
      Members |= 1u << I;
  }
  if (Members == 0)
    return false;
  answerLanes(WarpIdx, Members);
  return true;
}

uint64_t BlockRun::meet(ThreadState &Thread) {
  Lane &L = laneOf(Thread);
  const WarpRequest &Request = L.Request;
  warpOf(L).Asking |= bitOf(L);
  // Who leaves itself out meets, as on hardware, those who come to this place.
  if (namesItsLanes(Request) && (Request.Mask & bitOf(L))) {
    if (const uint32_t Members = complete(L)) {
      answerLanes(Thread.Rank / WarpLanes, Members);
      return L.Request.Answer;
    }
  }
  setUnready(L);
  wait(L);
  return L.Request.Answer;
}

void BlockRun::release(Barrier &B) {
  switch (B.Form) {
  case BarrierForm::Count:
    B.Answer = B.Holding;
    break;
  case BarrierForm::And:
    B.Answer = B.Holding == B.Arrived;
    break;
  default:
    B.Answer = B.Holding != 0;
    break;
  }
  B.Arrived = B.Expected = B.Holding = 0;
  OpenBarriers &= ~(1u << unsigned(&B - Barriers.data()));
  for (unsigned W = 0; W != NumWarps; ++W)
    if (const uint32_t Members = std::exchange(B.Waiting[W], 0))
      setReady(W, Members);
}

bool BlockRun::releaseIfComplete(Barrier &B) {
  if (B.Arrived == 0 || B.Arrived < (B.Expected ? B.Expected : NumAlive))
    return false;
  release(B);
  return true;
}

uint32_t BlockRun::barrier(ThreadState &Thread, BarrierForm Form, uint32_t Id,
                           uint32_t Count, bool Predicate) {
  Lane &L = laneOf(Thread);
  Barrier &B = Barriers[Id % Barriers.size()];
  OpenBarriers |= 1u << (Id % Barriers.size());
  ++B.Arrived;
  B.Expected = Count;
  B.Holding += Predicate;
  if (Form != BarrierForm::Arrive)
    B.Form = Form;
  if (releaseIfComplete(B) || Form == BarrierForm::Arrive)
    return B.Answer;
  B.Waiting[Thread.Rank / WarpLanes] |= bitOf(L);
  setUnready(L);
  wait(L);
  return B.Answer;
}

bool BlockRun::releaseStuck() {
  // A mask that names lanes which never come is a mistake of the program that
  // hardware often forgives.
  bool IsReleased = false;
  for (unsigned W = 0; W != NumWarps; ++W)
    IsReleased |= answerStranded(W, false) || answerStranded(W, true);
  for (Barrier &B : Barriers)
    if (!IsReleased && B.Arrived != 0) {
      release(B);
      IsReleased = ReadyWarps != 0;
    }
  return IsReleased;
}

BlockRun::Lane *BlockRun::wake() {
  Lane *First = nullptr;
  for (unsigned W = 0; NumResting != 0; ++W)
    if (const uint32_t Woken = std::exchange(Warps[W].Resting, 0)) {
      NumResting -= unsigned(popcount(Woken));
      setReady(W, Woken);
      if (!First)
        First = &Lanes[W * WarpLanes + unsigned(countr_zero(Woken))];
    }
  RestsForGrid = false;
  return First;
}

void BlockRun::rest(Lane &L) {
  const bool OfGrid = RestsForGrid;
  Lane *Next = wake();
  if (!OfGrid)
    return switchTo(L, Next);
  Resumed = Next;
  leave(L, Status::HadTurn);
}

void BlockRun::yield(ThreadState &Thread) {
  pass(laneOf(Thread), MostYields, Status::Waits);
}

void BlockRun::waitForOthers(ThreadState &Thread) {
  pass(laneOf(Thread), NumAlive, Status::Waits);
}

void BlockRun::takeTurn(ThreadState &Thread, bool OfGrid) {
  Lane &L = laneOf(Thread);
  setUnready(L);
  warpOf(L).Resting |= bitOf(L);
  ++NumResting;
  RestsForGrid |= OfGrid;
  if (Lane *Next = next(L))
    return switchTo(L, Next);
  rest(L);
}

void BlockRun::pass(Lane &L, unsigned Most, Status Why) {
  // What it looks at may change when those that rest go on.
  if (++NumYields >= std::min(Most, NumResting != 0 ? NumAlive : Most)) {
    NumYields = 0;
    wake();
    Resumed = &L;
    leave(L, Why);
    return;
  }
  const unsigned WarpIdx = L.Thread.Rank / WarpLanes;
  const uint32_t Above = Warps[WarpIdx].Ready & ~(bitOf(L) | (bitOf(L) - 1));
  if (Above != 0)
    return switchTo(L, &Lanes[WarpIdx * WarpLanes + countr_zero(Above)]);
  const unsigned Other = nextBit(ReadyWarps, WarpIdx);
  switchTo(L, &Lanes[Other * WarpLanes + countr_zero(Warps[Other].Ready)]);
}

void BlockRun::end(Lane &L) {
  const unsigned WarpIdx = L.Thread.Rank / WarpLanes;
  setUnready(L);
  --NumAlive;
  if (ClusterState *C = Block.Cluster) {
    --C->NumThreads;
    C->endPhaseIfComplete();
  }
  Warp &W = Warps[WarpIdx];
  W.Alive &= ~bitOf(L);
  // Others may have waited for this lane only.
  for (uint32_t Rest = W.Asking; Rest; Rest &= Rest - 1) {
    const auto I = unsigned(countr_zero(Rest));
    const Lane &Other = Lanes[WarpIdx * WarpLanes + I];
    if (!(W.Asking >> I & 1) || !namesItsLanes(Other.Request))
      continue;
    if (const uint32_t Members = complete(Other))
      answerLanes(WarpIdx, Members);
  }
  for (uint32_t Open = OpenBarriers; Open; Open &= Open - 1)
    releaseIfComplete(Barriers[unsigned(countr_zero(Open))]);
  wait(L);
  std::abort();
}

void BlockRun::exit(ThreadState &Thread) {
  end(laneOf(Thread));
  std::abort();
}

void BlockRun::fail(ThreadState &Thread) {
  leave(laneOf(Thread), Status::Failed);
  std::abort();
}
