//===- WarpPaths.cpp - The ways of warps through a kernel -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpPaths.h"
#include "ReadSample.h"
#include "State.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <tuple>
#include <utility>

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

/// Blocks of a grid that are counted; of larger ones so many.
static constexpr uint64_t MostCounted = 2048;

static constexpr uint64_t SectorBytes = 32;

/// Where all blocks run, whole blocks are counted.
static constexpr PathLimits WholeBlocks = {~size_t(0), size_t(1) << 24,
                                           ~size_t(0)};

BlockPaths::BlockPaths(unsigned NumThreads, const PathLimits &Limits)
    : Limits(Limits), Threads(NumThreads),
      NumWarps((NumThreads + WarpLanes - 1) / WarpLanes) {}

void BlockPaths::start(uint64_t Number) {
  for (std::vector<PathEvent> &Events : Threads)
    Events.clear();
  NumEvents = 0;
  IsCut = false;
  NumFollowed = NumWarps;
  // Not the same warp of each block where one is followed.
  FirstFollowed = unsigned(Number % NumWarps);
}

void BlockPaths::followHalf() {
  NumFollowed = (NumFollowed + 1) / 2;
  for (unsigned Rank = 0; Rank != Threads.size(); ++Rank)
    if (!follows(Rank / WarpLanes)) {
      NumEvents -= Threads[Rank].size();
      Threads[Rank] = {};
    }
}

void BlockPaths::add(uint32_t Rank, PathEvent E) {
  while (NumFollowed > 1 && NumEvents >= Limits.OfBlock)
    followHalf();
  IsCut |= NumEvents >= Limits.OfWarp;
  if (IsCut || !follows(Rank / WarpLanes))
    return;
  ++NumEvents;
  Threads[Rank].push_back(E);
}

namespace {

/// Brings the lanes of a warp together again. Those that part at a branch meet
/// at its immediate post-dominator, where that is in the loop around the
/// branch, and those of a loop at its header.
class WarpReplay {
public:
  WarpReplay(const PathCode &Code, const BlockPaths &Paths, unsigned FirstRank,
             unsigned NumLanes, std::vector<ExecutedBlock> &Out)
      : Code(Code), Paths(Paths), FirstRank(FirstRank), Out(Out),
        All(NumLanes == WarpLanes ? ~0u : (1u << NumLanes) - 1) {}

  /// False where the lanes did what the code cannot do.
  bool run() {
    go(0, All, /*IsInHeader=*/false);
    return Fits;
  }

private:
  static constexpr uint32_t Nowhere = MeetingPlaces::Nowhere;

  /// A block that lanes wait at for others.
  struct Stop {
    uint32_t Block;
    uint32_t Arrived = 0;
  };

  ArrayRef<PathEvent> restOf(unsigned Lane) const {
    return Paths.of(FirstRank + Lane).drop_front(Next[Lane]);
  }
  /// The block that \p Lane is in; Nowhere at its end.
  uint32_t blockOf(unsigned Lane) const;
  void execute(uint32_t Block, uint32_t Lanes);
  void countAccess(ExecutedAccess &A, ArrayRef<uint64_t> Addresses);

  Stop *findStop(uint32_t Block);
  bool mayMeetAt(uint32_t Block, uint32_t Loop);
  /// \p Lanes go on from \p Block until they stop or end; \p IsInHeader: they
  /// are at a header as a turn of its loop begins.
  void go(uint32_t Block, uint32_t Lanes, bool IsInHeader);
  /// \p Lanes turn in \p Loop. Those that meet behind it, and where.
  std::pair<uint32_t, uint32_t> turn(uint32_t Loop, uint32_t Lanes);

  const PathCode &Code;
  const BlockPaths &Paths;
  const unsigned FirstRank;
  std::vector<ExecutedBlock> &Out;
  const uint32_t All;
  bool Fits = true;
  size_t Next[WarpLanes] = {};
  SmallVector<Stop, 16> Stops;
};

} // namespace

uint32_t WarpReplay::blockOf(unsigned Lane) const {
  const ArrayRef<PathEvent> Rest = restOf(Lane);
  return Rest.empty() ? Nowhere : Rest.front().Block;
}

void WarpReplay::countAccess(ExecutedAccess &A, ArrayRef<uint64_t> Addresses) {
  SmallVector<uint64_t, 2 * WarpLanes> Sectors;
  for (uint64_t Address : Addresses)
    for (uint64_t S = Address / SectorBytes;
         S <= (Address + A.BytesPerLane - 1) / SectorBytes; ++S)
      Sectors.push_back(S);
  if (Sectors.empty())
    return;
  llvm::sort(Sectors);
  ++A.Requests;
  A.Sectors += uint64_t(llvm::unique(Sectors) - Sectors.begin());
}

void WarpReplay::execute(uint32_t Block, uint32_t Lanes) {
  ExecutedBlock &B = Out[Block];
  ++B.Executions;
  B.Lanes += uint64_t(popcount(Lanes));
  SmallVector<uint64_t, WarpLanes> Addresses;
  for (uint32_t A = 0; A != B.Accesses.size(); ++A) {
    Addresses.clear();
    for (uint32_t Rest = Lanes; Rest; Rest &= Rest - 1) {
      const auto Lane = unsigned(countr_zero(Rest));
      const ArrayRef<PathEvent> Events = restOf(Lane);
      if (Events.empty() || Events.front().Access != A)
        continue;
      ++Next[Lane];
      // What lies in shared memory is told without an address.
      if (Events.front().Address != 0)
        Addresses.push_back(Events.front().Address);
    }
    countAccess(B.Accesses[A], Addresses);
  }
  for (uint32_t Rest = Lanes; Rest; Rest &= Rest - 1) {
    const auto Lane = unsigned(countr_zero(Rest));
    const ArrayRef<PathEvent> Events = restOf(Lane);
    if (Events.empty() || Events.front().Block != Block ||
        Events.front().Access != PathEvent::NoAccess) {
      Fits = false;
      return;
    }
    ++Next[Lane];
  }
}

WarpReplay::Stop *WarpReplay::findStop(uint32_t Block) {
  for (Stop &S : reverse(Stops))
    if (S.Block == Block)
      return &S;
  return nullptr;
}

bool WarpReplay::mayMeetAt(uint32_t Block, uint32_t Loop) {
  return Block != Nowhere && !findStop(Block) &&
         (Loop == Nowhere || Code.Places.InLoop[Loop][Block]);
}

std::pair<uint32_t, uint32_t> WarpReplay::turn(uint32_t Loop, uint32_t Lanes) {
  const MeetingPlaces &Places = Code.Places;
  const auto Header =
      uint32_t(find(Places.HeaderOf, Loop) - Places.HeaderOf.begin());
  uint32_t Behind = Places.Joins[Header];
  while (Behind != Nowhere && Places.InLoop[Loop][Behind])
    Behind = Places.Joins[Behind];
  const bool MeetBehind = mayMeetAt(Behind, Places.Parent[Loop]);
  if (MeetBehind)
    Stops.push_back({Behind});
  Stops.push_back({Header});
  while (Lanes != 0 && Fits) {
    go(Header, Lanes, /*IsInHeader=*/true);
    Lanes = std::exchange(Stops.back().Arrived, 0);
  }
  Stops.pop_back();
  if (!MeetBehind)
    return {Nowhere, 0};
  const uint32_t Met = Stops.pop_back_val().Arrived;
  return {Behind, Met};
}

void WarpReplay::go(uint32_t Block, uint32_t Lanes, bool IsInHeader) {
  const MeetingPlaces &Places = Code.Places;
  while (Lanes != 0 && Fits) {
    if (!std::exchange(IsInHeader, false)) {
      if (Stop *At = findStop(Block)) {
        At->Arrived |= Lanes;
        return;
      }
      if (const uint32_t Loop = Places.HeaderOf[Block]; Loop != Nowhere) {
        std::tie(Block, Lanes) = turn(Loop, Lanes);
        continue;
      }
    }
    execute(Block, Lanes);
    if (!Fits)
      return;
    SmallVector<std::pair<uint32_t, uint32_t>, 4> Sides;
    for (uint32_t Rest = Lanes; Rest; Rest &= Rest - 1) {
      const auto Lane = unsigned(countr_zero(Rest));
      const uint32_t To = blockOf(Lane);
      auto *Side = find_if(Sides, [&](auto &S) { return S.first == To; });
      if (To == Nowhere)
        continue;
      if (Side == Sides.end())
        Sides.push_back({To, 1u << Lane});
      else
        Side->second |= 1u << Lane;
    }
    if (Sides.empty())
      return;
    if (Sides.size() == 1) {
      std::tie(Block, Lanes) = Sides.front();
      continue;
    }
    ++Out[Block].Partings;
    const uint32_t Join = Places.Joins[Block];
    const bool Meet = mayMeetAt(Join, Places.LoopOf[Block]);
    if (Meet)
      Stops.push_back({Join});
    for (const auto &[To, Members] : Sides)
      go(To, Members, /*IsInHeader=*/false);
    if (!Meet)
      return;
    Block = Join;
    Lanes = Stops.pop_back_val().Arrived;
  }
}

GridPaths::GridPaths(const PathCode &Code, unsigned NumThreads,
                     uint64_t NumBlocks, std::vector<uint64_t> Numbers,
                     const PathLimits &Limits)
    : Code(Code), NumThreads(NumThreads), NumBlocks(NumBlocks), Limits(Limits),
      Numbers(std::move(Numbers)) {
  All.Blocks = Code.Blocks;
}

GridPaths::GridPaths(const PathCode &Code, unsigned NumThreads,
                     uint64_t NumBlocks)
    : GridPaths(Code, NumThreads, NumBlocks,
                NumBlocks > MostCounted ? spreadBlocks(NumBlocks, MostCounted)
                                        : std::vector<uint64_t>(),
                WholeBlocks) {}

BlockPaths *GridPaths::start(uint64_t Number) {
  if (!Numbers.empty() &&
      !std::binary_search(Numbers.begin(), Numbers.end(), Number))
    return nullptr;
  std::unique_lock<std::mutex> Held(Lock);
  if (!IsGood)
    return nullptr;
  if (Free.empty()) {
    Blocks.push_back(std::make_unique<BlockPaths>(NumThreads, Limits));
    Free.push_back(Blocks.back().get());
  }
  BlockPaths *Block = Free.back();
  Free.pop_back();
  Held.unlock();
  Block->start(Number);
  return Block;
}

void GridPaths::end(BlockPaths &Block) {
  std::vector<ExecutedBlock> Counted = Code.Blocks;
  bool Fits = !Block.isCut();
  uint64_t NumWarps = 0;
  for (unsigned First = 0; First < NumThreads && Fits; First += WarpLanes) {
    if (!Block.follows(First / WarpLanes))
      continue;
    Fits = WarpReplay(Code, Block, First,
                      std::min(WarpLanes, NumThreads - First), Counted)
               .run();
    ++NumWarps;
  }
  NumEvents += Block.numEvents();
  std::lock_guard<std::mutex> Held(Lock);
  Free.push_back(&Block);
  IsGood &= Fits;
  if (NumWarps == 0)
    return;
  ++NumCounted;
  NumWholeBlocks += NumWarps == Block.numWarps();
  double Work = 0;
  for (const ExecutedBlock &B : Counted)
    Work += double(B.Executions) / double(NumWarps);
  SumOfBlocks += Work;
  SumOfSquares += Work * Work;
  All.NumWarps += Block.numWarps();
  // The warps that were followed stand for all of their block: where a block
  // does much, fewer are.
  auto Add = [&](uint64_t &To, uint64_t Count) {
    To += Count * Block.numWarps() / NumWarps;
  };
  for (auto [To, From] : zip(All.Blocks, Counted)) {
    Add(To.Executions, From.Executions);
    Add(To.Partings, From.Partings);
    Add(To.Lanes, From.Lanes);
    for (auto [A, B] : zip(To.Accesses, From.Accesses)) {
      Add(A.Requests, B.Requests);
      Add(A.Sectors, B.Sectors);
    }
  }
}

std::optional<ExecutedCounts> GridPaths::take() {
  if (!IsGood || All.NumWarps == 0)
    return std::nullopt;
  All.IsWholeGrid = NumWholeBlocks == NumBlocks;
  const double Mean = SumOfBlocks / double(NumCounted);
  if (!All.IsWholeGrid && NumCounted > 1 && Mean > 0) {
    const double Variance =
        std::max(0.0, SumOfSquares / double(NumCounted) - Mean * Mean);
    All.SampledError = std::sqrt(Variance / double(NumCounted - 1)) / Mean;
  }
  return std::move(All);
}
