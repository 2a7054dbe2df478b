//===- FollowWarps.cpp - Warps that run ahead of a launch -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FollowWarps.h"
#include "ReadSample.h"
#include "gpuocc/Support/RunInSubprocess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

/// Events of one launch: a tenth of a second to tell them and to bring lanes
/// together again.
static constexpr size_t MostOfLaunch = size_t(1) << 23;
/// Fewer say little.
static constexpr size_t LeastOfLaunch = size_t(1) << 16;
/// A block takes this part of them before fewer of its warps are followed.
static constexpr size_t PartOfBlock = 16;

/// Blocks wait here for what never comes, or run through memory that other
/// blocks would have filled.
static constexpr unsigned MostSeconds = 5;

size_t FollowBudget::take() {
  size_t Now = Left, Events = 0;
  do {
    Events = std::min(MostOfLaunch, Now / 4);
    if (Events < LeastOfLaunch)
      return 0;
  } while (!Left.compare_exchange_weak(Now, Now - Events));
  return Events;
}

bool gpuocc::execute::mayRunAhead(const CompiledKernel &Kernel,
                                  const ExecuteLaunch &Launch) {
  return !Launch.IsCooperative && Launch.SeenFile.empty() &&
         clusterOf(Kernel, Launch).count() == 1 &&
         none_of(Kernel.Host.Loops,
                 [](const TurnedLoop &L) { return L.IsHandedOut; });
}

/// Has the process print nothing, and end after some time whatever the program
/// does with signals.
static void becomeSilent() {
  std::signal(SIGALRM, SIG_DFL);
  sigset_t Alarm;
  sigemptyset(&Alarm);
  sigaddset(&Alarm, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &Alarm, nullptr);
  alarm(MostSeconds);
  const int Nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (Nothing < 0)
    return;
  dup2(Nothing, STDOUT_FILENO);
  dup2(Nothing, STDERR_FILENO);
}

/// \p Numbers in an order in which a part of them is as spread as all.
static std::vector<uint64_t> mixed(std::vector<uint64_t> Numbers) {
  llvm::sort(Numbers, [](uint64_t A, uint64_t B) {
    return xxh3_64bits(ArrayRef(reinterpret_cast<uint8_t *>(&A), sizeof(A))) <
           xxh3_64bits(ArrayRef(reinterpret_cast<uint8_t *>(&B), sizeof(B)));
  });
  return Numbers;
}

static void follow(const CompiledKernel &Kernel, const ExecuteLaunch &Launch,
                   const PathLimits &Limits) {
  const uint64_t NumBlocks = Launch.Grid.count();
  const std::vector<uint64_t> Numbers = spreadBlocks(NumBlocks, MostBlocks);
  GridPaths Paths(Kernel.Host.Paths, unsigned(Launch.Block.count()), NumBlocks,
                  Numbers, Limits);
  // Other threads may have held the lock of those of the program.
  BlockPlaces Places;
  GridRun Run(Kernel, Launch, Places, /*GridId=*/0);
  Run.only(mixed(Numbers));
  Run.count(Paths);
  DefaultThreadPool None(hardware_concurrency(1));
  if (Error E = Run.run(None, /*NumWorkers=*/1))
    return consumeError(std::move(E));
  if (const std::optional<ExecutedCounts> Counts = Paths.take())
    consumeError(Counts->write(Launch.FollowedFile));
}

void gpuocc::execute::followWarps(const CompiledKernel &Kernel,
                                  const ExecuteLaunch &Launch,
                                  FollowBudget &Budget) {
  if (Kernel.Host.Paths.Places.Parent.empty())
    return;
  const size_t Events = Budget.take();
  if (Events == 0)
    return;
  const PathLimits Limits = {Events / PartOfBlock, Events, Events};
  Expected<std::string> Ended = runInSubprocess([&](raw_ostream &) {
    becomeSilent();
    follow(Kernel, Launch, Limits);
  });
  // Without the file the launch is walked as if nothing had been followed.
  if (!Ended)
    consumeError(Ended.takeError());
}
