//===- SeenInLaunch.cpp - What threads read in a launch that ran ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SeenInLaunch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

using namespace gpuocc;
using namespace llvm;

/// Where what threads read is known, a walk ends by itself: it may take more
/// steps than where it guesses.
static constexpr uint64_t StepsWhereSeen = 8;

std::shared_ptr<const SeenReads> gpuocc::seenIn(const RecordedLaunch &L,
                                                const KernelFacts &Facts) {
  if (L.SeenFile.empty())
    return nullptr;
  Expected<SeenReads> Read = SeenReads::load(L.SeenFile);
  // The program may have ended before the launch did.
  if (!Read) {
    consumeError(Read.takeError());
    return nullptr;
  }
  for (auto [P, A] : zip(Facts.Parameters, L.Arguments))
    for (size_t At = 0; At + sizeof(uint64_t) <= A.Bytes.size();
         At += sizeof(uint64_t))
      Read->ArrayAddresses[P.OffsetBytes + At] =
          support::endian::read64le(&A.Bytes[At]);
  return std::make_shared<const SeenReads>(std::move(*Read));
}

/// What \p File holds; null where there is none.
template <typename T>
static std::shared_ptr<const T> loadIfThere(StringRef File) {
  Expected<T> Read = T::load(File);
  if (Read)
    return std::make_shared<const T>(std::move(*Read));
  consumeError(Read.takeError());
  return nullptr;
}

std::shared_ptr<const CountedTurns> gpuocc::turnsIn(const RecordedLaunch &L) {
  // Data may end none of its loops, or the program ended before the launch did.
  return L.TurnsFile.empty() ? nullptr : loadIfThere<CountedTurns>(L.TurnsFile);
}

std::shared_ptr<const ExecutedCounts>
gpuocc::executedIn(const RecordedLaunch &L) {
  // Warps of many launches cannot run ahead of them.
  return L.TurnsFile.empty()
             ? nullptr
             : loadIfThere<ExecutedCounts>(followedFileBeside(L.TurnsFile));
}

void gpuocc::followSeen(std::shared_ptr<const SeenReads> Seen,
                        LanesOptions &Options) {
  if (!Seen)
    return;
  Options.Seen = std::move(Seen);
  Options.MaxSteps *= StepsWhereSeen;
}
