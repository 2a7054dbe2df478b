//===- SharedReuse.cpp - Lines worth a tile in shared memory, or not ------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessGroups.h"
#include "Geometry.h"
#include "PriceMerge.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/WhatIf/RereadWords.h"
#include "gpuocc/WhatIf/SharedTable.h"
#include "gpuocc/WhatIf/StagedTile.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// The change touches the whole loop, or all accesses of an array.
static constexpr double WorthwhileSharedReuse = 1.1;

static uint32_t accessOf(const Case &C, uint32_t Op) {
  return C.Facts.Operations[Op].Access;
}

/// A tile that L1 would replace.
static void findNeedlessTile(const Case &C, Findings &Out) {
  const StagedTile Tile = stagedTile(C.Facts);
  if (Tile.Reads.empty())
    return;
  const KernelVariant Own{C.Facts, C.Profile, C.Launched};
  const bool IsOwn = isOfOwnWords(Own, Tile);
  if (!IsOwn && !isReadAsLoaded(Own, Tile))
    return;
  const Price P =
      price(C, dropTile(Tile, geometryOf(C.Device, C.Predicted.BlocksPerSm)));
  if (P.Gain < WorthwhileSharedReuse)
    return;
  const uint32_t First = accessOf(C, Tile.Copies.front().Load);
  FindingWriter W(RuleId::SharedReuse, locationOfAccess(C.Facts, First));
  W.finding().Access = First;
  if (IsOwn)
    W << "each thread reads only the words that it has stored in shared memory "
         "itself; keep them in registers, without the "
      << named("SharedBytes", Twine(C.Block.sharedBytes()))
      << " B and without barriers";
  else
    W << "a tile of " << named("SharedBytes", Twine(C.Block.sharedBytes()))
      << " B in shared memory costs more than it saves: L1 keeps the lines "
         "that the warps of a block share, and a register the word of a "
         "thread; let "
      << named("Reads", formatCount(double(Tile.Reads.size()), "load"))
      << " read global memory";
  addPrice(W, P);
  Out.push_back(std::move(W.finding()));
}

/// Loads that a tile would make once for several threads.
static void findWorthwhileTile(const Case &C, Findings &Out) {
  const std::vector<SharedLoad> Loads =
      loadsWorthSharing({C.Facts, C.Profile, C.Launched});
  if (Loads.empty())
    return;
  std::optional<KernelVariant> Tiled = changed(
      C, reuseTile(Loads, geometryOf(C.Device, C.Predicted.BlocksPerSm)));
  if (!Tiled || !canBeLaunched(C, *Tiled))
    return;
  const uint64_t Bytes =
      Tiled->Facts.StaticSharedBytes - C.Facts.StaticSharedBytes;
  const Price P = priceVariant(C, std::move(*Tiled));
  if (P.Gain < WorthwhileSharedReuse)
    return;
  const auto Most = llvm::max_element(Loads, [](const auto &A, const auto &B) {
    return A.Threads < B.Threads;
  });
  const uint32_t First = accessOf(C, Most->Op);
  FindingWriter W(RuleId::SharedReuse, locationOfAccess(C.Facts, First));
  W.finding().Access = First;
  W << named("Loads", formatCount(double(Loads.size()), "load"))
    << " of the loop " << (Loads.size() == 1 ? "is" : "are")
    << " repeated by up to " << named("Threads", formatNumber(Most->Threads))
    << " threads of a block; let the block copy the words of several "
       "iterations into a tile of "
    << named("SharedBytes", Twine(Bytes))
    << " B in shared memory, each word once, and read them there";
  addPrice(W, P);
  Out.push_back(std::move(W.finding()));
}

/// Tables of which L1 serves a request line by line.
static void findTables(const Case &C, Findings &Out) {
  // L1 keeps what is small, and the copy has to fit beside it.
  constexpr double MostBytes = 32 << 10;
  std::vector<LoadedTable> Tables =
      tablesToCopy({C.Facts, C.Profile, C.Launched});
  erase_if(Tables, [](const LoadedTable &T) { return T.bytes() > MostBytes; });
  if (Tables.empty())
    return;
  double Bytes = 0, Words = 0;
  size_t Loads = 0;
  for (const LoadedTable &T : Tables) {
    Bytes += T.bytes();
    Words += T.Words;
    Loads += T.Loads.size();
  }
  const uint32_t First = Tables.front().Loads.front();
  FindingWriter W(RuleId::SharedReuse, locationOfAccess(C.Facts, First));
  W.finding().Access = First;
  W.finding().Exact = C.Profile.Accesses[First].Exact;
  if (Bytes > MostBytes || !C.wants(W.finding()))
    return;
  std::optional<KernelVariant> V = changed(
      C, copyTables(Tables, geometryOf(C.Device, C.Predicted.BlocksPerSm)));
  if (!V || !canBeLaunched(C, *V))
    return;
  const Price P = priceVariant(C, std::move(*V));
  if (P.Gain < WorthwhileSharedReuse)
    return;
  W << named("Loads", formatCount(double(Loads), "load"))
    << " at loaded indices choose from " << named("Words", formatNumber(Words))
    << " words of a table, and L1 looks up each line that a warp touches; let "
       "each block copy the table to shared memory first ("
    << named("SharedBytes", formatNumber(Bytes)) << " B), and read it there";
  addPrice(W, P);
  Out.push_back(std::move(W.finding()));
}

/// Words that threads load in one loop after the other.
static void findRereadWords(const Case &C, Findings &Out) {
  const KernelVariant Own{C.Facts, C.Profile, C.Launched};
  for (const RereadWords &Words : rereadWords(Own)) {
    const uint32_t First = Words.Again.front();
    FindingWriter W(RuleId::SharedReuse, locationOfAccess(C.Facts, First));
    W.finding().Access = First;
    if (!C.wants(W.finding()))
      continue;
    // More registers than that leave too few warps, and loops too long.
    constexpr double MostBytesOfThread = 128;
    if (Words.BytesOfThread > MostBytesOfThread)
      continue;
    const Price P = price(C, keepWords(Words));
    if (P.Gain < WorthwhileSharedReuse)
      continue;
    W << named("Again", formatCount(double(Words.Loops), "later loop"))
      << (Words.Loops == 1 ? " loads" : " load")
      << " the same words again; load them once and keep them in an array of "
      << named("BytesOfThread", formatNumber(Words.BytesOfThread))
      << " B of each thread, in loops of a constant number of turns that the "
         "compiler unrolls, so that it is in registers";
    addPrice(W, P);
    Out.push_back(std::move(W.finding()));
  }
}

void gpuocc::findSharedReuse(const Case &C, Findings &Out) {
  if (C.Facts.isInIssueOrder() || C.Launched.Cluster.count() != 1)
    return;
  findTables(C, Out);
  findRereadWords(C, Out);
  if (C.Block.sharedBytes() != 0)
    findNeedlessTile(C, Out);
  else if (!C.Facts.Loops.empty())
    findWorthwhileTile(C, Out);
}
