//===- WarpValues.cpp - The values of one warp ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/WarpValues.h"
#include "Walk/LaneOps.h"
#include "Walk/WalkAddresses.h"
#include "gpuocc/Kernel/ClusterAddresses.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

using namespace gpuocc;
using namespace llvm;

/// The unknowns that values rest on.
static constexpr TaintMask Unknown = DataTaint | OpaqueTaint;

/// Turns that a compare-and-swap takes from one of another warp.
static double lostTurns(const KernelFacts &Facts, const Slice &S) {
  const std::optional<Guess> Lost =
      guess({Facts, {}}, S.Used, Question::Swap, NoIndex);
  return Lost ? Lost->Value : 0;
}

WarpValues::WarpValues(const KernelFacts &Facts, const Slice &S,
                       LaunchInputs &Inputs, WalkMemory &Memory)
    : Facts(Facts), S(S), Inputs(Inputs), Memory(Memory), Slots(S.NumSlots),
      LeftLoop(S.Loops.size()), Swaps(Facts, lostTurns(Facts, S)),
      SwapTurn(Facts.Accesses.size()), ComparisonHolds(S.NumSlots),
      NumbersTaken(S.NumSlots), OfCluster(accessesOfCluster(Facts)) {
  for (auto [Slot, Imm] : S.Constants)
    Slots[Slot] = LaneValue(uint64_t(Imm));
  for (uint32_t Slot : S.Undefined)
    Slots[Slot].Base = OpaqueTaint;
  for (auto [Slot, Symbol] : S.Symbols)
    Slots[Slot] = Inputs.symbol(Symbol);
}

void WarpValues::beginWarp(Dim3 Block, unsigned Warp) {
  BlockIndex = Block;
  WarpInBlock = Warp;
  std::fill(NumbersTaken.begin(), NumbersTaken.end(), 0);
  std::fill(ComparisonHolds.begin(), ComparisonHolds.end(), Quota());
  TimesRead.clear();
  Swaps.beginWarp();
  Coins = 0;
  WarpKey =
      scramble(BlockIndex.X + (BlockIndex.Y << 20) + (BlockIndex.Z << 40)) +
      WarpInBlock;
}

LaneMask WarpValues::lanesWhere(uint32_t Slot, bool Negated,
                                LaneMask Mask) const {
  const LaneValue &P = Slots[Slot];
  LaneMask Holds = 0;
  if (P.Uniform)
    Holds = P.V[0] & 1 ? AllLanes : 0;
  else
    for (unsigned L = 0; L < WarpLanes; ++L)
      Holds |= LaneMask(P.V[L] & 1) << L;
  return (Negated ? ~Holds : Holds) & Mask;
}

void WarpValues::evaluate(const SliceOp &Op, const WalkingLanes &Lanes) {
  LaneMask Written = Lanes.Here;
  if (Op.Guard != NoIndex)
    Written = lanesWhere(Op.Guard, Op.GuardNegated, Lanes.Here);
  // Lanes that left a loop, or whose guard fails, keep what they had.
  const bool Partial =
      (Op.LivesOutOfLoop && (Lanes.Here & Lanes.Alive) != Lanes.Alive) ||
      (Op.Guard != NoIndex && Written != Lanes.Here);
  SmallVector<const LaneValue *, 4> Sources;
  for (uint32_t Source : Op.Src)
    Sources.push_back(&Slots[Source]);
  for (unsigned Result = 0; Result < Op.NumResults; ++Result) {
    LaneValue &Slot = Slots[Op.Dst + Result];
    if (!Partial) {
      compute(Op, Result, Sources, Lanes, Slot);
      continue;
    }
    LaneValue Out;
    compute(Op, Result, Sources, Lanes, Out);
    blend(Slot, Out, Written, Lanes.Alive);
  }
}

/// Is \p Op not computed, but made up from nothing?
static bool isMadeUp(const SliceOp &Op) {
  return Op.What == Semantics::Opaque ||
         (Op.What == Semantics::Load && !Op.IsFollowed && !Op.IsCounter &&
          !Op.IsRecorded);
}

void WarpValues::compute(const SliceOp &Op, unsigned Result, Operands O,
                         const WalkingLanes &Lanes, LaneValue &Out) {
  switch (Op.What) {
  case Semantics::SReg:
    Out = Inputs.specialRegister(Op.SReg);
    break;
  case Semantics::Param:
    Out = Inputs.parameter(Op, Result);
    break;
  case Semantics::Load:
    load(Op, Result, Lanes.Here, Out);
    break;
  case Semantics::ActiveMask:
    Out = LaneValue(uint64_t(Lanes.Here));
    Out.Base = Lanes.Control.all();
    break;
  case Semantics::WaitBarrier:
    // It is over when it is asked for.
    Out = LaneValue(uint64_t(1));
    break;
  case Semantics::Opaque:
  case Semantics::InitBarrier:
  case Semantics::ExpectBytes:
    makeUpOpaque(Op, Result, Out);
    break;
  default:
    if (Op.Swap != NoIndex)
      testSwap(Op, Out);
    else
      evaluateLanes(Op, Result, O, Lanes.Here, Out);
    break;
  }
  if (Op.Swap == NoIndex && isDecidedByChance(Op, Out))
    flipCoins(Op, O, Out);
  else if (Op.IsMathArgument && isMadeUp(Op))
    drawNumbers(Op, Out);
  if (Op.LeavesLoop != NoIndex) {
    const ControlTaint &Left = LeftLoop[Op.LeavesLoop];
    if (Left.Base && !Out.Base)
      Out.BaseAlignLog2 = 0;
    Out.Base |= Left.Base;
    Out.Shape |= Left.Shape;
  }
}

/// Is \p Op, whose result is \p Out, a comparison of what is unknown? What
/// loaded values only had a choice of is compared as it was chosen.
bool WarpValues::isDecidedByChance(const SliceOp &Op,
                                   const LaneValue &Out) const {
  if (Op.What != Semantics::Compare && Op.What != Semantics::FCompare)
    return false;
  return Op.Compare == ComparePredicate::Other || (Out.taint() & UnseenTaint) ||
         ((Op.Traits.Data || Op.Traits.Opaque) && !Op.OfConditions &&
          (Out.taint() & Unknown));
}

void WarpValues::swap(const AccessEvent &E, uint64_t Turn) {
  SwapTurn[E.Access] = Turn;
  if (Turn == 1 && Swaps.begin(E, Memory, Inputs.warpsPerBlock()))
    Inputs.assumeSwapTurns(E.Access);
}

/// Whether the compare-and-swap that \p Op asks for took place.
void WarpValues::testSwap(const SliceOp &Op, LaneValue &Out) const {
  const LaneValue &Address = Slots[S.Accesses[Op.Swap].Base];
  Out.Uniform = false;
  Out.Base = 0;
  // A common addend leaves the lanes that meet where they are.
  Out.Shape = Address.Shape;
  Out.BaseAlignLog2 = 0;
  for (unsigned L = 0; L < WarpLanes; ++L)
    Out.V[L] = (Swaps.turnOf(Op.Swap, L) <= SwapTurn[Op.Swap]) ==
               (Op.Compare == ComparePredicate::EQ);
}

/// The \p Bytes bytes \p Word as the load \p Op leaves them in a register.
static uint64_t loadedValue(const SliceOp &Op, uint64_t Word, unsigned Bytes) {
  if (!Op.SignExtendedTo)
    return Word & lowBits(Op.Bits);
  return uint64_t(signExtend(Word, Bytes * 8)) & lowBits(Op.SignExtendedTo);
}

/// Loads of all lanes at one address of their own memory. Code that was not
/// optimized keeps its variables there.
void WarpValues::lookUpLocal(const SliceOp &Op, uint64_t At, unsigned Bytes,
                             LaneMask Mask, LaneValue &Out) {
  WalkMemory::LaneValues Found;
  const LaneMask Complete = Memory.loadLocal(Mask, At, Bytes, Found);
  for (unsigned L = 0; L < WarpLanes; ++L) {
    Out.V[L] = 0;
    if (!((Mask >> L) & 1))
      continue;
    const bool IsComplete = (Complete >> L) & 1;
    Out.V[L] =
        loadedValue(Op, IsComplete ? Found.Bits[L] : scramble(At), Bytes);
    Out.Shape |= IsComplete ? Found.Taint[L] : DataTaint | UnseenTaint;
  }
}

/// A load from followed memory.
void WarpValues::lookUp(const SliceOp &Op, unsigned Result, LaneMask Mask,
                        LaneValue &Out) {
  const MemoryAccess &M = Facts.Accesses[Facts.Operations[Op.Op].Access];
  const LaneValue &Address = Slots[Op.Src[0]];
  const unsigned Bytes = std::max(1u, M.BytesPerLane / Op.NumResults);
  const uint64_t Offset = uint64_t(Op.Imm) + uint64_t(Result) * Bytes;
  const bool IsLocal = S.Accesses[Facts.Operations[Op.Op].Access].IsLocal;
  const bool IsUniform = Address.Uniform && !IsLocal;
  Out.Uniform = IsUniform;
  Out.Base = Address.Base;
  Out.Shape = Address.Shape;
  Out.BaseAlignLog2 = 0;
  if (IsLocal && Address.Uniform && !(Address.taint() & Unknown))
    return lookUpLocal(Op, Address.V[0] + Offset, Bytes, Mask, Out);
  for (unsigned L = 0; L < (IsUniform ? 1 : WarpLanes); ++L) {
    Out.V[L] = 0;
    if (!IsUniform && !((Mask >> L) & 1))
      continue;
    const uint64_t At = Address.lane(L) + Offset;
    std::optional<WalkMemory::Value> Found;
    if (!(Address.taint() & Unknown))
      Found = IsLocal ? Memory.loadLocal(L, At, Bytes)
                      : Memory.loadShared(At, Bytes);
    if (!Found)
      Found = {scramble(At), DataTaint | UnseenTaint};
    Out.V[L] = loadedValue(Op, Found->Bits, Bytes);
    (IsUniform ? Out.Base : Out.Shape) |= Found->Taint;
  }
}

/// What an atomic on a counter returns, if the counter begins with 0 and the
/// warps of the grid come in the order of their numbers.
void WarpValues::takeNumber(const SliceOp &Op, LaneMask Mask, LaneValue &Out) {
  const MemoryAccess &M = Facts.Accesses[Facts.Operations[Op.Op].Access];
  const uint64_t Blocks =
      M.Space == MemorySpace::Shared ? 1 : Inputs.grid().count();
  const Dim3 Grid = Inputs.grid();
  const uint64_t Block =
      Blocks == 1
          ? 0
          : BlockIndex.X + Grid.X * (BlockIndex.Y + Grid.Y * BlockIndex.Z);
  // A lone lane of the first warp acts for its block, of another one for its
  // warp.
  const bool IsLone = numLanes(Mask) == 1;
  const uint64_t PerBlock = IsLone && WarpInBlock == 0 ? 1
                            : IsLone ? Inputs.warpsPerBlock()
                                     : Inputs.warpsPerBlock() * WarpLanes;
  const uint64_t First = NumbersTaken[Op.Dst]++ * Blocks * PerBlock +
                         Block * PerBlock +
                         (IsLone ? WarpInBlock : WarpInBlock * WarpLanes);
  const bool Wraps = M.AtomicOp == "inc";
  // Blocks that were not watched stand for nothing where others were.
  const TaintMask Order =
      Inputs.seen() ? 0 : Inputs.assumeOrder(Facts.Operations[Op.Op].Access);
  Out.Uniform = false;
  Out.Base = Wraps ? 0 : Order;
  Out.Shape = Wraps ? Order : 0;
  Out.BaseAlignLog2 = 0;
  for (unsigned L = 0; L < WarpLanes; ++L) {
    const uint64_t Number = First + numLanes(Mask & ((LaneMask(1) << L) - 1));
    const uint64_t Amount = Slots[Op.Src[1]].lane(L);
    Out.V[L] =
        (Wraps ? Number % (Amount + 1) : Number * Amount) & lowBits(Op.Bits);
  }
}

/// The integer that \p Atomic leaves of \p Old, in \p Bits bits.
static uint64_t leftBy(FollowedAtomic Atomic, uint64_t Old, uint64_t Operand,
                       unsigned Bits) {
  switch (Atomic) {
  case FollowedAtomic::Add:
    return (Old + Operand) & lowBits(Bits);
  case FollowedAtomic::And:
    return Old & Operand;
  case FollowedAtomic::Or:
    return (Old | Operand) & lowBits(Bits);
  case FollowedAtomic::Xor:
    return (Old ^ Operand) & lowBits(Bits);
  case FollowedAtomic::None:
    break;
  }
  return Old;
}

/// The atomic \p E of \p Lanes on a shared variable, one lane after the other.
void WarpValues::changeShared(const AccessEvent &E, LaneMask Lanes,
                              const ControlTaint &Control) {
  const SliceAccess &A = S.Accesses[E.Access];
  const unsigned Bytes = Facts.Accesses[E.Access].BytesPerLane;
  const LaneValue &Operand = Slots[A.Stored[0]];
  const TaintMask Taint = Operand.taint() | E.Address->taint() | Control.all();
  for (unsigned L = 0; L < WarpLanes; ++L) {
    if (!((Lanes >> L) & 1))
      continue;
    const uint64_t At = E.Address->lane(L) + uint64_t(E.OffsetBytes);
    WalkMemory::Value V = {0, DataTaint | UnseenTaint};
    if (std::optional<WalkMemory::Value> Old =
            Memory.loadSharedForAtomic(At, Bytes))
      V = {leftBy(A.Atomic, Old->Bits, Operand.lane(L), Bytes * 8),
           Old->Taint | Taint};
    Memory.storeSharedByAtomic(At, Bytes, V);
  }
}

void WarpValues::store(const AccessEvent &E, LaneMask Lanes,
                       const ControlTaint &Control) {
  const SliceAccess &A = S.Accesses[E.Access];
  const MemoryAccess &M = Facts.Accesses[E.Access];
  const unsigned Bytes =
      std::max<unsigned>(1, M.BytesPerLane / unsigned(A.Stored.size()));
  if (E.Address->taint() & Unknown) {
    if (A.IsLocal)
      Memory.forgetLocal();
    else
      Memory.forgetShared();
    return;
  }
  if (A.Atomic != FollowedAtomic::None)
    return changeShared(E, Lanes, Control);
  for (unsigned I = 0; I < A.Stored.size(); ++I) {
    const LaneValue &Stored = Slots[A.Stored[I]];
    const TaintMask Taint = Stored.taint() | E.Address->taint() | Control.all();
    if (A.IsLocal && E.Address->Uniform) {
      Memory.storeLocal(E.Active,
                        E.Address->V[0] + uint64_t(E.OffsetBytes) +
                            uint64_t(I) * Bytes,
                        Bytes, Stored, Taint);
      continue;
    }
    for (unsigned L = 0; L < WarpLanes; ++L) {
      if (!((E.Active >> L) & 1))
        continue;
      const uint64_t At =
          E.Address->lane(L) + uint64_t(E.OffsetBytes) + uint64_t(I) * Bytes;
      const WalkMemory::Value V = {Stored.lane(L), Taint};
      if (A.IsLocal)
        Memory.storeLocal(L, At, Bytes, V);
      else
        Memory.storeShared(At, Bytes, V);
    }
  }
}

void WarpValues::overwrite(const AccessEvent &E, const ControlTaint &Control) {
  const SliceAccess &A = S.Accesses[E.Access];
  const MemoryAccess &M = Facts.Accesses[E.Access];
  const unsigned NumStored = std::max(1u, unsigned(A.Stored.size()));
  const unsigned Bytes = std::max(1u, M.BytesPerLane / NumStored);
  for (unsigned L = 0; L < WarpLanes; ++L) {
    if (!((E.Active >> L) & 1))
      continue;
    const uint64_t At = E.Address->lane(L) + uint64_t(E.OffsetBytes);
    if (E.Address->taint() & Unknown || Bytes > 8) {
      Memory.forgetArray(At);
      continue;
    }
    for (unsigned I = 0; I < NumStored; ++I) {
      WalkMemory::Value V = {0, DataTaint | UnseenTaint};
      if (M.Kind == AccessKind::Store && I < A.Stored.size()) {
        const LaneValue &Stored = Slots[A.Stored[I]];
        V = {Stored.lane(L),
             Stored.taint() | E.Address->taint() | Control.all()};
      }
      Memory.storeArray(At + uint64_t(I) * Bytes, Bytes, V);
    }
  }
}

/// Heuristic: two runs in a warp. A block that sorts 30 keys for each of 256
/// digits stores runs of 30; CUB's radix sort asks for 5.4 million sectors
/// where single keys would take 16.8 million (H100).
static constexpr unsigned LanesOfRun = WarpLanes / 2;

void WarpValues::load(const SliceOp &Op, unsigned Result, LaneMask Mask,
                      LaneValue &Out) {
  loadEach(Op, Result, Mask, Out);
  if (Op.IsRunOffset && !Out.Uniform && (Out.taint() & Unknown))
    for (unsigned L = 0; L < WarpLanes; ++L)
      Out.V[L] = Out.V[L - L % LanesOfRun];
}

/// A load whose lanes have nothing to do with each other.
void WarpValues::loadEach(const SliceOp &Op, unsigned Result, LaneMask Mask,
                          LaneValue &Out) {
  if (Op.IsFollowed)
    return lookUp(Op, Result, Mask, Out);
  if (Op.IsRecorded && readRecorded(Op, Result, Mask, Out))
    return;
  if (Op.IsCounter)
    return takeNumber(Op, Mask, Out);
  makeUpLoaded(Op, Result, Out);
}

/// What is at \p At: what the block has stored there, or what the launch says.
std::optional<WalkMemory::Value>
WarpValues::recordedWord(uint64_t At, unsigned Bytes) const {
  if (std::optional<WalkMemory::Value> Own = Memory.loadArray(At, Bytes))
    return Own->Taint & Unknown ? std::nullopt : Own;
  if (std::optional<uint64_t> Word = Inputs.recorded(At, Bytes))
    return WalkMemory::Value{*Word, 0};
  return std::nullopt;
}

std::optional<WalkMemory::Value>
WarpValues::seenWord(unsigned Lane, uint64_t At, unsigned Bytes) {
  const std::optional<uint64_t> Address = Inputs.memory().addressWhenSeen(At);
  if (!Address)
    return std::nullopt;
  const Dim3 Grid = Inputs.grid();
  const uint64_t Block =
      BlockIndex.X + Grid.X * (BlockIndex.Y + Grid.Y * BlockIndex.Z);
  const unsigned Rank = WarpInBlock * WarpLanes + Lane;
  constexpr unsigned WordBytes = 4;
  // Each reads as often as it did; a compiler may have joined reads.
  const unsigned Time = TimesRead[{*Address, Rank}]++;
  uint64_t Bits = 0;
  for (unsigned Byte = 0; Byte < Bytes; Byte += WordBytes) {
    const ArrayRef<uint32_t> Reads = Inputs.seen()->find(
        Block, Rank, *Address + Byte, std::min(WordBytes, Bytes - Byte));
    if (Reads.empty())
      return std::nullopt;
    Bits |= uint64_t(Reads[std::min<size_t>(Time, Reads.size() - 1)])
            << (8 * Byte);
  }
  return WalkMemory::Value{Bits, 0};
}

/// A load of what the launch says of memory; false where it says nothing of
/// some lane of \p Mask, or the kernel has stored there what is unknown.
bool WarpValues::readRecorded(const SliceOp &Op, unsigned Result, LaneMask Mask,
                              LaneValue &Out) {
  const MemoryAccess &M = Facts.Accesses[Facts.Operations[Op.Op].Access];
  const LaneValue &Address = Slots[Op.Src[0]];
  // Addresses that were loaded are those of the walk where they were seen. Each
  // in a structure leads to an array of its own.
  const bool IsPointer = Op.IsPointerRoot && Op.Bits == 64;
  const bool IsInStruct = M.Space == MemorySpace::Param;
  if (Address.taint() & Unknown || (IsPointer && !IsInStruct && !Inputs.seen()))
    return false;
  const unsigned Bytes = std::max(1u, M.BytesPerLane / Op.NumResults);
  const uint64_t Offset = uint64_t(Op.Imm) + uint64_t(Result) * Bytes;
  // While others write, lanes may read different values at one address.
  const bool IsUniform = Address.Uniform && !Inputs.seen();
  LaneValue Read;
  Read.Uniform = IsUniform;
  Read.Base = IsUniform ? Address.Base : 0;
  Read.Shape = IsUniform ? Address.Shape : Address.taint();
  Read.BaseAlignLog2 = 0;
  for (unsigned L = 0; L < (IsUniform ? 1 : WarpLanes); ++L) {
    Read.V[L] = 0;
    if (!IsUniform && !((Mask >> L) & 1))
      continue;
    const uint64_t At = Address.lane(L) + Offset;
    std::optional<WalkMemory::Value> Word;
    if (Inputs.seen() && !IsInStruct)
      Word = seenWord(L, At, Bytes);
    // An atomic changes what was there.
    if (!Word && M.Kind == AccessKind::Load && (!IsPointer || IsInStruct))
      Word = recordedWord(At, Bytes);
    if (!Word)
      return false;
    Read.V[L] = loadedValue(Op, Word->Bits, Bytes);
    if (IsPointer)
      Read.V[L] = IsInStruct ? Inputs.memory().pointerInStruct(At, Read.V[L])
                             : pointerWhenSeen(Read.V[L]);
    (IsUniform ? Read.Base : Read.Shape) |= Word->Taint;
  }
  Out = Read;
  return true;
}

void WarpValues::makeUpLoaded(const SliceOp &Op, unsigned Result,
                              LaneValue &Out) {
  const LaneValue *Address = Op.Src.empty() ? nullptr : &Slots[Op.Src[0]];
  // An atomic gives every lane another value.
  bool Uniform = Address && Address->isKnownUniform() &&
                 !(Facts.Operations[Op.Op].Access < Facts.Accesses.size() &&
                   Facts.Accesses[Facts.Operations[Op.Op].Access].Kind ==
                       AccessKind::Atomic);
  // Equal addresses hold equal values. Small types span their range; wider
  // ones are taken for indices of elements that threads work on.
  uint64_t Range =
      Op.Bits <= 16 ? lowBits(Op.Bits) + 1
                    : std::clamp<uint64_t>(Inputs.problemSize(), 1, 1u << 30);
  // Rows of what threads work on are fewer than that.
  if (Op.RowLength != NoIndex && Op.Bits > 16)
    if (const LaneValue &Length = Slots[Op.RowLength];
        Length.Uniform && Length.V[0] > 1)
      Range = std::max<uint64_t>(1, Range / (Length.V[0] & lowBits(31)));
  const bool AreSpread = S.Used.has(Mechanism::LoadedIndices);
  auto Value = [&](uint64_t Lane) {
    const uint64_t At =
        (Address ? Address->lane(unsigned(Lane)) : Lane) + uint64_t(Op.Imm);
    if (!AreSpread && Address && !(Op.IsPointerRoot && Op.Bits == 64))
      return (At / std::max(1u, Op.Bits / 8u) + Result) % Range;
    uint64_t Key = scramble(At + Result);
    if (!Address)
      Key = scramble(Key + Op.Op);
    if (Op.IsPointerRoot && Op.Bits == 64)
      return loadedPointer(Key);
    if (Op.IsBitField)
      return Key & lowBits(Op.Bits);
    return Key % Range;
  };
  Out.Uniform = Uniform;
  Out.Base = Uniform ? DataTaint : 0;
  Out.Shape = Uniform ? 0 : DataTaint;
  Out.BaseAlignLog2 = 0;
  for (unsigned L = 0; L < (Uniform ? 1 : WarpLanes); ++L)
    Out.V[L] = Value(L);
}

void WarpValues::makeUpOpaque(const SliceOp &Op, unsigned Result,
                              LaneValue &Out) {
  TaintMask Taint =
      (Op.Traits.Data ? DataTaint : 0) | (Op.Traits.Opaque ? OpaqueTaint : 0);
  if (!Taint)
    Taint = OpaqueTaint;
  uint64_t Key = scramble((uint64_t(Op.Op) << 8) + Result +
                          (Op.Bits == 1 ? ++Coins << 40 : WarpKey << 8));
  Out.Uniform = !Op.Traits.Varying;
  Out.Base = Out.Uniform ? Taint : 0;
  Out.Shape = Out.Uniform ? 0 : Taint;
  Out.BaseAlignLog2 = 0;
  if (Op.Bits == 1) {
    drawCondition(Op, Key, Out);
    return;
  }
  const uint64_t Range =
      std::clamp<uint64_t>(Inputs.problemSize(), 1, 1u << 30);
  for (unsigned L = 0; L < (Out.Uniform ? 1 : WarpLanes); ++L)
    Out.V[L] = ((scramble(Key + L) >> 32) * Range) >> 32;
}

/// \p V as a floating-point number of \p Bits bits.
static uint64_t numberBits(double V, unsigned Bits) {
  return Bits == 64 ? std::bit_cast<uint64_t>(V)
                    : std::bit_cast<uint32_t>(float(V));
}

/// Numbers for a mathematical function, into \p Out, which holds others that
/// were made up: evenly spread over the lanes, in an order of their own. Like
/// coins they are the same in every block, so that blocks go different ways
/// only where the launch makes them.
void WarpValues::drawNumbers(const SliceOp &Op, LaneValue &Out) {
  const uint64_t Key = scramble((uint64_t(Op.Op) << 32) + ++Coins);
  const double Inside = std::ldexp(double(Key >> 40) + 0.5, -24);
  const double End = Inputs.assumeMathArguments();
  const uint64_t Step = Key | 1, First = Key >> 8;
  for (unsigned L = 0; L < (Out.Uniform ? 1 : WarpLanes); ++L) {
    const uint64_t Place = (First + L * Step) % WarpLanes;
    Out.V[L] = numberBits(End * (double(Place) + Inside) / WarpLanes, Op.Bits);
  }
}

void WarpValues::flipCoins(const SliceOp &Op, Operands O, LaneValue &Out) {
  if (!Out.taint())
    (Op.Traits.Varying ? Out.Shape : Out.Base) |= OpaqueTaint;
  // Heuristic: a known value compared with an unknown common bound is a bounds
  // check, and those pass (PolyBench, Rodinia: `i < n` with n in memory).
  if (O.size() == 2 && !(O[0]->taint() & Unknown) && O[1]->Uniform &&
      !(O[1]->Shape & Unknown)) {
    switch (Op.Compare) {
    case ComparePredicate::LTS:
    case ComparePredicate::LES:
    case ComparePredicate::LTU:
    case ComparePredicate::LEU:
      Out.Uniform = true;
      Out.V[0] = 1;
      return;
    case ComparePredicate::GTS:
    case ComparePredicate::GES:
    case ComparePredicate::GTU:
    case ComparePredicate::GEU:
      Out.Uniform = true;
      Out.V[0] = 0;
      return;
    default:
      break;
    }
  }
  Out.Uniform = !(Out.Shape & Unknown);
  drawCondition(Op, scramble((uint64_t(Op.Op) << 32) + ++Coins), Out);
}

/// Unknown conditions into the lanes of \p Out, drawn by \p Key or in
/// turn as the prior of \p Op says.
void WarpValues::drawCondition(const SliceOp &Op, uint64_t Key,
                               LaneValue &Out) {
  if (Op.HoldsForWarp) {
    Out.Uniform = true;
    Out.V[0] = ComparisonHolds[Op.Dst].take(Op.HoldsShare);
    return;
  }
  const double Holding = std::ldexp(Op.HoldsShare, 32);
  for (unsigned L = 0; L < (Out.Uniform ? 1 : WarpLanes); ++L)
    Out.V[L] = double(scramble(Key + L) >> 32) < Holding;
}

void WarpValues::narrow(const SliceBound &Bound, LaneMask Mask) {
  LaneValue &Value = Slots[Bound.Value];
  const LaneValue &Limit = Slots[Bound.Limit];
  if (!Mask || !(Value.taint() & Unknown) || (Limit.taint() & Unknown))
    return;
  const bool IsUniform = Value.Uniform && Limit.Uniform;
  if (!IsUniform)
    Value.expand();
  for (unsigned L = 0; L < (IsUniform ? 1 : WarpLanes); ++L) {
    const uint64_t Below = Limit.lane(L) + (Bound.OrEqual ? 1 : 0);
    if ((IsUniform || ((Mask >> L) & 1)) && Below > 0 && Value.V[L] >= Below)
      Value.V[L] %= Below;
  }
}

void WarpValues::findAddress(AccessEvent &E) {
  const MemoryAccess &M = Facts.Accesses[E.Access];
  const LaneValue &Address = Slots[S.Accesses[E.Access].Base];
  E.Address = &Address;
  E.OffsetBytes = M.OffsetBytes;
  if (!(Address.taint() & Unknown))
    return;
  LaunchInputs::Extent Object = Inputs.extentOf(M.Space);
  const uint64_t Width = std::max(1u, M.BytesPerLane);
  if (const uint64_t Given = Inputs.distinctAddresses(E.Access)) {
    Object.Start = Address.V[0] >> ObjectWindowLog2 << ObjectWindowLog2;
    Object.Bytes = Given * Width;
  } else if (Object.Bytes == 0) {
    Object = Inputs.arrayAround(Address.V[0] + uint64_t(M.OffsetBytes));
  }
  if (Object.Bytes < Width)
    return;
  const uint64_t Places = Object.Bytes / Width;
  // Each block of a cluster has such an object.
  const uint64_t Rank = OfCluster[E.Access] ? ClusterRankMask : 0;
  Inside = Address;
  for (unsigned L = 0; L < (Address.Uniform ? 1 : WarpLanes); ++L) {
    const uint64_t At = Address.V[L] + uint64_t(M.OffsetBytes);
    const int64_t Offset = int64_t((At & ~Rank) - Object.Start);
    if (Offset < 0 || uint64_t(Offset) + Width > Object.Bytes)
      Inside.V[L] = Object.Start + uint64_t(Offset) / Width % Places * Width;
    else
      Inside.V[L] = Object.Start + uint64_t(Offset);
    Inside.V[L] |= At & Rank;
  }
  E.Address = &Inside;
  E.OffsetBytes = 0;
}
