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

/// Blocks of a grid. As many warps are walked of a launch, of one block each or
/// of fewer.
static constexpr uint64_t MostBlocks = 192;

/// Reads of all blocks: 50 MB.
static constexpr size_t MostReads = 1 << 21;

ReadSample::ReadSample(uint64_t NumBlocks) {
  const uint64_t Count = std::min(NumBlocks, MostBlocks);
  MostReadsOfBlock = MostReads / Count;
  for (uint64_t I = 0; I != Count; ++I) {
    const uint64_t Low = NumBlocks * I / Count;
    const uint64_t Width = NumBlocks * (I + 1) / Count - Low;
    // Somewhere in its share: evenly spaced blocks may all be alike.
    const uint64_t Mixed = (I * 0x9e3779b97f4a7c15) >> 32;
    Blocks.emplace_back().Number = Low + Mixed % Width;
  }
}

SeenBlock *ReadSample::find(uint64_t Number) {
  auto At =
      llvm::lower_bound(Blocks, Number, [](const SeenBlock &B, uint64_t N) {
        return B.Number < N;
      });
  return At != Blocks.end() && At->Number == Number ? &*At : nullptr;
}

void ReadSample::add(SeenBlock &Block, const SeenRead &R) const {
  if (Block.Reads.size() < MostReadsOfBlock)
    Block.Reads.push_back(R);
  else
    Block.IsCut = true;
}
