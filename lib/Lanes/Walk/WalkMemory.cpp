//===- WalkMemory.cpp - What a walk wrote to memory -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/WalkMemory.h"
#include "Walk/LaunchInputs.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <bit>

using namespace gpuocc;
using namespace llvm;

/// None of the walk has begun.
static constexpr unsigned NoWarp = ~0u;

static constexpr unsigned WordBytes = 4;

void WalkMemory::startBlock() {
  Shared.clear();
  Arrays.clear();
  LostArrays.clear();
  NumSwaps.clear();
  NumWarps.clear();
  Forgets.clear();
  Walk = Alone;
}

void WalkMemory::beginWarp(Dim3 OfBlock, unsigned OfWarp) {
  const bool IsExpected = Walk != Alone && Warp == NoWarp;
  if (!(OfBlock == Block) || (OfWarp <= Warp && !IsExpected))
    startBlock();
  forgetLocal();
  Block = OfBlock;
  Warp = OfWarp;
  Epoch = 0;
  findLost();
}

void WalkMemory::beginRehearsal(Dim3 OfBlock) {
  startBlock();
  Block = OfBlock;
  Warp = NoWarp;
  Walk = Rehearsed;
}

void WalkMemory::endRehearsal() {
  for (auto *All : {&Shared, &Arrays})
    for (auto &Word : *All)
      for (Version &V : Word.second)
        V.IsHidden = true;
  NumSwaps.clear();
  NumWarps.clear();
  Warp = NoWarp;
  Walk = Repeated;
}

/// The warp sees nothing that was stored up to its last store at an unknown
/// address, nor up to one that another had done before their last barrier.
void WalkMemory::findLost() {
  FirstKept = 0;
  for (auto [By, When] : Forgets)
    if (By == Warp || When < Epoch)
      FirstKept = std::max(FirstKept, When + 1);
}

void WalkMemory::forgetShared() {
  if (Walk == Rehearsed)
    return;
  if (Walk == Alone)
    return Shared.clear();
  for (auto &Word : Shared)
    for (Version &V : Word.second)
      V.IsHidden |= V.Warp == Warp;
  const std::pair<unsigned, uint32_t> Here = {Warp, Epoch};
  if (Forgets.empty() || Forgets.back() != Here)
    Forgets.push_back(Here);
  findLost();
}

const WalkMemory::Version *WalkMemory::visible(const Versions &All) const {
  const Version *Found = nullptr;
  for (const Version &V : All)
    if (isVisible(V) && (!Found || V.Epoch >= Found->Epoch))
      Found = &V;
  HasLookedAhead |= Found && Found->Warp > Warp;
  return Found;
}

const WalkMemory::Version *
WalkMemory::visibleToAtomic(const Versions &All) const {
  const Version *Found = nullptr;
  for (const Version &V : All)
    if ((isVisible(V) || (V.Epoch == Epoch && !V.IsHidden)) &&
        (!Found || V.Epoch >= Found->Epoch))
      Found = &V;
  HasLookedAhead |= Found && Found->Warp > Warp;
  return Found;
}

void WalkMemory::Word::write(unsigned FirstByte, unsigned Bytes, Value V) {
  const uint32_t Mask = uint32_t(lowBits(Bytes * 8) << (FirstByte * 8));
  Bits = (Bits & ~Mask) | (uint32_t(V.Bits) << (FirstByte * 8) & Mask);
  const bool IsWhole = Bytes == WordBytes;
  Taint = IsWhole ? V.Taint : Taint | V.Taint;
  Written |= uint8_t(lowBits(Bytes) << FirstByte);
}

void WalkMemory::store(Versions &All, unsigned FirstByte, unsigned Bytes,
                       Value V) {
  Version Next;
  if (const Version *Old = visible(All))
    Next = *Old;
  Next.write(FirstByte, Bytes, V);
  Next.Epoch = Epoch;
  Next.Warp = Warp;
  // Of what a warp stored between two barriers, others see the last.
  if (!All.empty() && All.back().Warp == Warp && All.back().Epoch == Epoch) {
    All.back() = Next;
    return;
  }
  // Not what it stored when the block was walked before.
  erase_if(All, [&](const Version &V) {
    return V.Warp == Warp && V.Epoch == Epoch;
  });
  if (All.size() == MaxVersions)
    All.erase(All.begin());
  All.push_back(Next);
}

/// Calls \p Do(word address, first byte in it, bytes, bits before) for each
/// word of a value.
template <typename DoWord>
static void forEachWord(uint64_t Address, unsigned Bytes, DoWord Do) {
  for (unsigned Done = 0; Done < Bytes;) {
    const uint64_t At = Address + Done;
    const unsigned First = unsigned(At % WordBytes);
    const unsigned Here = std::min(WordBytes - First, Bytes - Done);
    Do(At - First, First, Here, Done * 8);
    Done += Here;
  }
}

/// Shared memory by 32-bit addresses and by generic ones.
static uint64_t withinShared(uint64_t Address) {
  return Address & lowBits(ObjectWindowLog2);
}

void WalkMemory::storeShared(uint64_t Address, unsigned Bytes, Value V) {
  forEachWord(
      withinShared(Address), Bytes,
      [&](uint64_t Word, unsigned First, unsigned Here, unsigned Shift) {
        store(Shared[Word], First, Here, {V.Bits >> Shift, V.Taint});
      });
}

std::optional<WalkMemory::Value>
WalkMemory::loadSharedForAtomic(uint64_t Address, unsigned Bytes) const {
  return gather(
      withinShared(Address), Bytes, [&](uint64_t Word) -> const Version * {
        auto It = Shared.find(Word);
        return It == Shared.end() ? nullptr : visibleToAtomic(It->second);
      });
}

void WalkMemory::storeSharedByAtomic(uint64_t Address, unsigned Bytes,
                                     Value V) {
  forEachWord(
      withinShared(Address), Bytes,
      [&](uint64_t Word, unsigned First, unsigned Here, unsigned Shift) {
        Versions &All = Shared[Word];
        // Others see the sum of the last warp. When the block is walked again,
        // that of an earlier one does not get behind it.
        auto Own = find_if(All, [&](const Version &Of) {
          return Of.Warp == Warp && Of.Epoch == Epoch;
        });
        if (Own == All.end())
          return store(All, First, Here, {V.Bits >> Shift, V.Taint});
        Own->write(First, Here, {V.Bits >> Shift, V.Taint});
        Own->IsHidden = false;
      });
}

void WalkMemory::storeArray(uint64_t Address, unsigned Bytes, Value V) {
  forEachWord(
      Address, Bytes,
      [&](uint64_t Word, unsigned First, unsigned Here, unsigned Shift) {
        store(Arrays[Word], First, Here, {V.Bits >> Shift, V.Taint});
      });
}

void WalkMemory::forgetArray(uint64_t Address) {
  LostArrays.insert(Address >> ObjectWindowLog2);
}

/// Calls \p Do for each of \p Lanes.
template <typename DoLane> static void forEachLane(LaneMask Lanes, DoLane Do) {
  for (; Lanes; Lanes &= Lanes - 1)
    Do(unsigned(std::countr_zero(Lanes)));
}

void WalkMemory::storeLocal(unsigned Lane, uint64_t Address, unsigned Bytes,
                            Value V) {
  forEachWord(
      Address, Bytes,
      [&](uint64_t Word, unsigned First, unsigned Here, unsigned Shift) {
        makeLocal(Word)[Lane].write(First, Here, {V.Bits >> Shift, V.Taint});
      });
}

void WalkMemory::storeLocal(LaneMask Lanes, uint64_t Address, unsigned Bytes,
                            const LaneValue &Stored, TaintMask Taint) {
  if (!Lanes)
    return;
  forEachWord(
      Address, Bytes,
      [&](uint64_t Word, unsigned First, unsigned Here, unsigned Shift) {
        LocalWords &Words = makeLocal(Word);
        forEachLane(Lanes, [&](unsigned L) {
          Words[L].write(First, Here, {Stored.lane(L) >> Shift, Taint});
        });
      });
}

void WalkMemory::forgetLocal() {
  Local.clear();
  LastLocal = {0, nullptr};
}

/// The words at \p Address; null where no lane has stored.
WalkMemory::LocalWords *WalkMemory::findLocal(uint64_t Address) const {
  if (LastLocal.second && LastLocal.first == Address)
    return LastLocal.second;
  auto It = Local.find(Address);
  if (It == Local.end())
    return nullptr;
  LastLocal = {Address, It->second.get()};
  return LastLocal.second;
}

/// The words at \p Address, new ones where no lane has stored.
WalkMemory::LocalWords &WalkMemory::makeLocal(uint64_t Address) {
  if (LocalWords *Known = findLocal(Address))
    return *Known;
  std::unique_ptr<LocalWords> &New = Local[Address];
  New = std::make_unique<LocalWords>();
  LastLocal = {Address, New.get()};
  return *New;
}

template <typename FindWord>
std::optional<WalkMemory::Value>
WalkMemory::gather(uint64_t Address, unsigned Bytes, FindWord Find) {
  Value Out;
  bool IsComplete = true;
  forEachWord(
      Address, Bytes,
      [&](uint64_t Word, unsigned First, unsigned Here, unsigned Shift) {
        const WalkMemory::Word *V = Find(Word);
        const uint64_t Needed = lowBits(Here) << First;
        if (!V || (V->Written & Needed) != Needed) {
          IsComplete = false;
          return;
        }
        Out.Bits |= (uint64_t(V->Bits) >> (First * 8) & lowBits(Here * 8))
                    << Shift;
        Out.Taint |= V->Taint;
      });
  if (!IsComplete)
    return std::nullopt;
  return Out;
}

std::optional<WalkMemory::Value> WalkMemory::loadShared(uint64_t Address,
                                                        unsigned Bytes) const {
  return gather(withinShared(Address), Bytes,
                [&](uint64_t Word) -> const Version * {
                  auto It = Shared.find(Word);
                  return It == Shared.end() ? nullptr : visible(It->second);
                });
}

std::optional<WalkMemory::Value> WalkMemory::loadArray(uint64_t Address,
                                                       unsigned Bytes) const {
  const Value Unseen = {0, DataTaint | UnseenTaint};
  if (LostArrays.contains(Address >> ObjectWindowLog2))
    return Unseen;
  bool IsTouched = false;
  auto Find = [&](uint64_t Word) -> const Version * {
    auto It = Arrays.find(Word);
    return It == Arrays.end() ? nullptr : visible(It->second);
  };
  forEachWord(Address, Bytes,
              [&](uint64_t Word, unsigned First, unsigned Here, unsigned) {
                const Version *V = Find(Word);
                IsTouched |= V && V->Written & lowBits(Here) << First;
              });
  if (!IsTouched)
    return std::nullopt;
  return gather(Address, Bytes, Find).value_or(Unseen);
}

std::optional<WalkMemory::Value>
WalkMemory::loadLocal(unsigned Lane, uint64_t Address, unsigned Bytes) const {
  return gather(Address, Bytes, [&](uint64_t At) -> const Word * {
    const LocalWords *Words = findLocal(At);
    return Words ? &(*Words)[Lane] : nullptr;
  });
}

LaneMask WalkMemory::loadLocal(LaneMask Lanes, uint64_t Address, unsigned Bytes,
                               LaneValues &Out) const {
  LaneMask Complete = Lanes;
  forEachWord(Address, Bytes,
              [&](uint64_t At, unsigned First, unsigned Here, unsigned Shift) {
                const LocalWords *Words = findLocal(At);
                if (!Words) {
                  Complete = 0;
                  return;
                }
                const uint64_t Needed = lowBits(Here) << First;
                forEachLane(Complete, [&](unsigned L) {
                  const Word &W = (*Words)[L];
                  if ((W.Written & Needed) != Needed)
                    Complete &= ~(LaneMask(1) << L);
                  Out.Bits[L] |=
                      (uint64_t(W.Bits) >> (First * 8) & lowBits(Here * 8))
                      << Shift;
                  Out.Taint[L] |= W.Taint;
                });
              });
  return Complete;
}
