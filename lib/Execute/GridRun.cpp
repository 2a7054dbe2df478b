//===- GridRun.cpp - The blocks of a launch on the cores ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridRun.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <sys/resource.h>
#include <thread>

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

/// What calls of a thread need beside its variables: the C library prints and
/// computes on the same stack.
static constexpr uint64_t BaseStackBytes = 64 << 10;

static uint64_t stackBytesOf(const CompiledKernel &Kernel) {
  return BaseStackBytes + 2 * Kernel.Host.StackBytes;
}

/// Fewer threads run sooner on the core that launches them.
static constexpr uint64_t MostThreadsAlone = 4096;

/// Threads that draw from what they share at the same time: as many as an H200
/// holds. Each has touched a page of its stack or two.
static constexpr uint64_t MostInTurn = 132 * 2048;

/// Threads that draw at the same time, each with \p StackBytes of address
/// space: stacks take half of what the process may have.
static uint64_t mostInTurn(uint64_t StackBytes) {
  rlimit Limit = {};
  if (getrlimit(RLIMIT_AS, &Limit) != 0 || Limit.rlim_cur == RLIM_INFINITY)
    return MostInTurn;
  return std::min<uint64_t>(MostInTurn, Limit.rlim_cur / 2 / StackBytes);
}

/// Where there is no room, one more starts in so many rounds: those that draw
/// may wait for it.
static constexpr unsigned RoundsOfFull = 256;

ExecuteExtent gpuocc::execute::clusterOf(const CompiledKernel &Kernel,
                                         const ExecuteLaunch &Launch) {
  const uint32_t *Own = Kernel.Host.Cluster;
  return Launch.Cluster.count() != 0 ? Launch.Cluster
                                     : ExecuteExtent{Own[0], Own[1], Own[2]};
}

GridRun::GridRun(const CompiledKernel &Kernel, const ExecuteLaunch &Launch,
                 BlockPlaces &Places, uint64_t GridId)
    : Kernel(Kernel), Launch(Launch), Places(Places),
      NumBlocks(Launch.Grid.count()),
      NumTogether(clusterOf(Kernel, Launch).count()),
      NumThreads(unsigned(Launch.Block.count())),
      MostTogether(mostInTurn(stackBytesOf(Kernel))) {
  Common.BlockSize[0] = Launch.Block.X;
  Common.BlockSize[1] = Launch.Block.Y;
  Common.BlockSize[2] = Launch.Block.Z;
  Common.GridSize[0] = Launch.Grid.X;
  Common.GridSize[1] = Launch.Grid.Y;
  Common.GridSize[2] = Launch.Grid.Z;
  const ExecuteExtent Cluster = clusterOf(Kernel, Launch);
  Common.ClusterSize[0] = Cluster.X;
  Common.ClusterSize[1] = Cluster.Y;
  Common.ClusterSize[2] = Cluster.Z;
  for (unsigned D = 0; D != 3; ++D)
    Common.NumClusters[D] = Common.GridSize[D] / Common.ClusterSize[D];
  Common.ClusterBlocks = uint32_t(NumTogether);
  Common.DynamicSharedBytes = uint32_t(Launch.DynamicSharedBytes);
  Common.SharedBytes =
      uint32_t(Kernel.StaticSharedBytes + Launch.DynamicSharedBytes);
  Common.GridId = GridId;
  Common.AssertionFailed = &AssertionFailed;
  if (Launch.IsCooperative)
    Common.GridWorkspace = Workspace;
}

/// The place \p Number, x first, in \p Extent.
static void unfold(uint64_t Number, const uint32_t (&Extent)[3],
                   uint32_t (&Out)[3]) {
  Out[0] = uint32_t(Number % Extent[0]);
  Out[1] = uint32_t(Number / Extent[0] % Extent[1]);
  Out[2] = uint32_t(Number / Extent[0] / Extent[1]);
}

std::optional<uint64_t> GridRun::take(bool HoldsBlocks) {
  constexpr std::chrono::microseconds Pause(50);
  uint64_t Number = Next;
  while (goesOn() && Number < NumBlocks / NumTogether &&
         (Only.empty() || !Paths || Paths->goesOn()))
    if (!hasToWait(Number)) {
      if (Next.compare_exchange_weak(Number, Number + 1))
        return Number;
    } else {
      // Those that the core holds have to end as well.
      if (HoldsBlocks)
        return std::nullopt;
      std::this_thread::sleep_for(Pause);
      Number = Next;
    }
  return std::nullopt;
}

bool GridRun::hasToWait(uint64_t Number) const {
  const uint64_t First =
      Sample ? Sample->firstLast() / NumTogether : ~uint64_t(0);
  return Number >= First && NumEnded < First * NumTogether && !BlocksWait;
}

void GridRun::place(BlockState &Block, uint64_t Number, uint32_t Rank) {
  unfold(Only.empty() ? Number : Only[Number], Block.NumClusters,
         Block.ClusterIndex);
  unfold(Rank, Block.ClusterSize, Block.InCluster);
  Block.ClusterRank = Rank;
  for (unsigned D = 0; D != 3; ++D)
    Block.Index[D] =
        Block.ClusterIndex[D] * Block.ClusterSize[D] + Block.InCluster[D];
  const uint32_t *Size = Block.GridSize;
  const uint64_t InGrid =
      Block.Index[0] +
      uint64_t(Size[0]) * (Block.Index[1] + uint64_t(Size[1]) * Block.Index[2]);
  Block.Seen = Sample ? Sample->find(InGrid) : nullptr;
  Block.Turns = Turns ? Turns->start(InGrid) : nullptr;
  Block.Paths = Paths ? Paths->start(InGrid) : nullptr;
}

void GridRun::noteEnd(BlockState &Block) {
  ++NumEnded;
  if (Block.Turns)
    Turns->end(*Block.Turns);
  if (Block.Paths)
    Paths->end(*Block.Paths);
}

// Functions that are compiled at run time have no type in front of them.
LLVM_NO_SANITIZE("function")
void GridRun::runInTurn(unsigned Worker) {
  auto Place = Places.take(Common.SharedBytes, 0, 0);
  if (!Place) {
    consumeError(Place.takeError());
    return end(Outcome::NoMemory);
  }
  std::jmp_buf Failed;
  // Changed between setjmp and longjmp, but read before only.
  BlockState Block = Common;
  Block.Shared = Place->Shared->start();
  Block.Worker = Worker;
  Block.Failed = &Failed;
  if (setjmp(Failed) == 0) {
    FaultGuard::enter(&Block);
    for (std::optional<uint64_t> Number;
         goesOn() && (Number = take(/*HoldsBlocks=*/false));)
      for (uint32_t Rank = 0; Rank != NumTogether && goesOn(); ++Rank) {
        place(Block, *Number, Rank);
        reinterpret_cast<BlockEntry>(kernelOf(Block).Entry)(&Block,
                                                            Launch.Arguments);
        noteEnd(Block);
      }
  } else {
    end(Outcome::Failed);
  }
  Places.giveBack(std::move(*Place));
}

bool GridRun::start(BlockState &Block, std::vector<BlockPlace> &Active) {
  const CompiledKernel &Runs = kernelOf(Block);
  auto Place = Places.take(Common.SharedBytes, NumThreads, stackBytesOf(Runs));
  if (!Place) {
    consumeError(Place.takeError());
    end(Outcome::NoMemory);
    return false;
  }
  Block.Shared = Place->Shared->start();
  Place->Run->start(Block, reinterpret_cast<ThreadEntry>(Runs.Entry),
                    Launch.Arguments);
  if (Block.Cluster)
    Block.Cluster->Blocks[Block.ClusterRank] = &Place->Run->block();
  Active.push_back(std::move(*Place));
  return true;
}

bool GridRun::startNext(std::vector<BlockPlace> &Active, unsigned Worker) {
  const std::optional<uint64_t> Number = take(/*HoldsBlocks=*/!Active.empty());
  if (!Number)
    return false;
  BlockState Block = Common;
  Block.Worker = Worker;
  if (NumTogether > 1) {
    std::lock_guard<std::mutex> Held(ClusterLock);
    Clusters.push_back(std::make_unique<ClusterState>());
    Block.Cluster = Clusters.back().get();
    Block.Cluster->NumThreads = uint32_t(NumTogether) * NumThreads;
  }
  for (uint32_t Rank = 0; Rank != NumTogether; ++Rank) {
    place(Block, *Number, Rank);
    if (!start(Block, Active))
      return false;
  }
  return true;
}

bool GridRun::mayStart(size_t NumActive) const {
  return Next < NumBlocks / NumTogether &&
         (NumActive + 1) * NumThreads * Common.NumWorkers <= MostTogether;
}

void GridRun::runWithStacks(unsigned Worker) {
  std::vector<BlockPlace> Active;
  size_t Turn = 0;
  // Rounds in which some drew, and there was no room for others.
  unsigned FullRounds = 0;
  bool IsFull = false;
  while (goesOn()) {
    if (Turn >= Active.size()) {
      FullRounds += IsFull;
      const bool MustWait =
          IsFull && !Active.empty() && FullRounds % RoundsOfFull != 0;
      IsFull = false;
      const bool IsStarted = !MustWait && startNext(Active, Worker);
      if (Active.empty() || !goesOn())
        break;
      Turn = IsStarted ? Active.size() - 1 : 0;
    }
    FaultGuard::enter(&Active[Turn].Run->block());
    switch (Active[Turn].Run->run()) {
    case BlockRun::Status::Done:
      noteEnd(Active[Turn].Run->block());
      Places.giveBack(std::move(Active[Turn]));
      Active.erase(Active.begin() + ptrdiff_t(Turn));
      break;
    case BlockRun::Status::Waits:
      BlocksWait = true;
      ++Turn;
      break;
    case BlockRun::Status::HadTurn:
      // Others come to it as well, as far as there is room: the last ones, too.
      BlocksWait = true;
      IsFull = !mayStart(Active.size());
      Turn = IsFull ? Turn + 1 : Active.size();
      break;
    case BlockRun::Status::Stuck:
      return end(Outcome::Stuck);
    case BlockRun::Status::Failed:
      return end(Outcome::Failed);
    }
  }
}

void GridRun::noteFault(const Fault &F) {
  std::lock_guard<std::mutex> Held(FaultLock);
  if (!Faulted)
    Faulted = F;
}

void GridRun::noteOutside(const Fault &F) {
  std::lock_guard<std::mutex> Held(FaultLock);
  if (!Outside)
    Outside = F;
}

static std::string placeText(const uint32_t (&At)[3]) {
  return "(" + std::to_string(At[0]) + ", " + std::to_string(At[1]) + ", " +
         std::to_string(At[2]) + ")";
}

static std::string accessText(const Fault &F, StringRef Where) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "accesses address " << format_hex(uintptr_t(F.Address), 0) << ", "
     << Where << ", in block " << placeText(F.Block);
  if (F.KnowsThread)
    OS << ", thread " << placeText(F.Thread);
  return Text;
}

/// What CUDA calls an illegal memory access.
static Error illegalAccess(const Fault &F) {
  return make_error<KernelFailure>(KernelFailureKind::IllegalAddress,
                                   accessText(F, "where no memory is"));
}

std::string GridRun::warning() const {
  return Outside ? accessText(*Outside, "outside of all allocations") +
                       "; a GPU, with pages of 2 MiB, may not notice"
                 : "";
}

void GridRun::work(unsigned Worker) {
  const FaultGuard Guard;
  if (Kernel.Host.HasStacks)
    runWithStacks(Worker);
  else
    runInTurn(Worker);
  FaultGuard::enter(nullptr);
  if (Guard.fault())
    noteFault(*Guard.fault());
  if (Guard.outside())
    noteOutside(*Guard.outside());
}

Error GridRun::run(ThreadPoolInterface &Pool, unsigned NumWorkers) {
  if (NumBlocks == 1 || NumBlocks * NumThreads <= MostThreadsAlone)
    NumWorkers = 1;
  NumWorkers = unsigned(std::min<uint64_t>(NumWorkers, NumBlocks));
  Common.NumWorkers = NumWorkers;
  if (NumWorkers == 1) {
    work(0);
  } else {
    for (unsigned W = 0; W != NumWorkers; ++W)
      Pool.async([this, W] { work(W); });
    Pool.wait();
  }
  switch (Result) {
  case Outcome::Good:
    return Error::success();
  case Outcome::Failed:
    if (Faulted)
      return illegalAccess(*Faulted);
    if (AssertionFailed)
      return make_error<KernelFailure>(KernelFailureKind::Assertion,
                                       "has an assertion that does not hold");
    return make_error<KernelFailure>(KernelFailureKind::Launch, "trapped");
  case Outcome::Stuck:
    return make_error<KernelFailure>(
        KernelFailureKind::Launch,
        "has threads that wait for others that never come");
  case Outcome::NoMemory:
    return createStringError("no memory is left for shared memory");
  }
  llvm_unreachable("every outcome has its return");
}
