//===- ReadSample.cpp - Blocks whose reads are kept -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadSample.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

/// Reads of all blocks: 50 MB.
static constexpr size_t MostReads = 1 << 21;
/// Of one block, which leaves others out.
static constexpr size_t MostReadsOfBlock = MostReads / 8;

std::vector<uint64_t> gpuocc::execute::spreadBlocks(uint64_t NumBlocks,
                                                    uint64_t Most) {
  std::vector<uint64_t> Numbers;
  const uint64_t Count = std::min(NumBlocks, Most);
  for (uint64_t I = 0; I != Count; ++I) {
    const uint64_t Low = NumBlocks * I / Count;
    const uint64_t Width = NumBlocks * (I + 1) / Count - Low;
    // Somewhere in its share: evenly spaced blocks may all be alike.
    const uint64_t Mixed = (I * 0x9e3779b97f4a7c15) >> 32;
    Numbers.push_back(Low + Mixed % Width);
  }
  return Numbers;
}

ReadSample::ReadSample(uint64_t NumBlocks, uint64_t NumLast) {
  if (NumBlocks <= MostBlocks)
    NumLast = 0;
  NumBlocks -= NumLast;
  for (uint64_t Number : spreadBlocks(NumBlocks, MostBlocks))
    Blocks.emplace_back().Number = Number;
  NumSpread = Blocks.size();
  if (NumLast != 0)
    FirstLast = NumBlocks;
  States = std::vector<Progress>(NumSpread + NumLast);
  for (uint64_t I = 0; I != NumLast; ++I)
    Blocks.emplace_back().Number = NumBlocks + I;
}

SeenBlock *ReadSample::find(uint64_t Number) {
  auto At =
      llvm::lower_bound(Blocks, Number, [](const SeenBlock &B, uint64_t N) {
        return B.Number < N;
      });
  if (At == Blocks.end() || At->Number != Number)
    return nullptr;
  const size_t Place = size_t(At - Blocks.begin());
  return isKept(Place) ? &*At : nullptr;
}

void ReadSample::leaveOutHalf() {
  std::lock_guard<std::mutex> Held(Lock);
  // Another core may have done it meanwhile.
  if (NumReads <= MostReads || Stride > Blocks.size())
    return;
  Stride = Stride * 2;
  for (size_t Place = 0; Place != States.size(); ++Place)
    if (!isKept(Place))
      NumReads -= States[Place].NumReads.exchange(0);
}

bool ReadSample::add(SeenBlock &Block, const SeenRead &R) {
  const size_t Place = size_t(&Block - Blocks.data());
  Progress &State = States[Place];
  if (!isKept(Place)) {
    Block.Reads = {};
    State.Last.shrink_and_clear();
    return false;
  }
  const auto [Before, IsFirst] =
      State.Last.try_emplace({R.Address, uint32_t(R.Rank) << 4 | R.Bytes}, 0);
  if (!IsFirst && Block.Reads[Before->second].Bits == R.Bits) {
    ++Block.Reads[Before->second].Times;
    return true;
  }
  if (Block.Reads.size() == MostReadsOfBlock) {
    Block.IsCut = true;
    // What was not kept is no read before others.
    if (IsFirst)
      State.Last.erase(Before);
    return true;
  }
  Before->second = uint32_t(Block.Reads.size());
  Block.Reads.push_back(R);
  ++State.NumReads;
  if (++NumReads > MostReads)
    leaveOutHalf();
  return true;
}

std::vector<uint64_t> ReadSample::numbers() const {
  std::vector<uint64_t> Numbers;
  for (const SeenBlock &B : Blocks)
    Numbers.push_back(B.Number);
  return Numbers;
}

std::vector<SeenBlock> ReadSample::takeBlocks() {
  std::vector<SeenBlock> Kept;
  for (size_t Place = 0; Place != Blocks.size(); ++Place)
    if (isKept(Place))
      Kept.push_back(std::move(Blocks[Place]));
  return Kept;
}
