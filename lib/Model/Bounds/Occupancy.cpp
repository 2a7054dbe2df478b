//===- Occupancy.cpp - Blocks an SM can hold ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Device/FallbackNumber.h"
#include "gpuocc/Support/Plural.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace gpuocc;
using namespace llvm;

using BlockLimit = std::optional<unsigned>;

static constexpr unsigned LanesPerWarp = 32;

static constexpr StringLiteral LimiterKeys[] = {
    "warps", "blocks", "registers", "shared", "barriers", "cluster"};
static_assert(std::size(LimiterKeys) == NumOccupancyLimiters);

StringRef gpuocc::occupancyLimiterKey(OccupancyLimiter L) {
  return LimiterKeys[size_t(L)];
}

StringRef gpuocc::occupancyLimiterKey(std::optional<OccupancyLimiter> L) {
  return L ? occupancyLimiterKey(*L) : StringRef();
}

static unsigned warpsPerBlock(const BlockResources &Block) {
  return divideCeil(Block.Threads, LanesPerWarp);
}

static unsigned registersPerWarp(const ArchLimits &Limits,
                                 const BlockResources &Block) {
  return alignTo(uint64_t(Block.RegistersPerThread) * LanesPerWarp,
                 *Limits.RegisterAllocationUnit);
}

/// Blocks whose warps find registers when the register file of an SM is split
/// into \p Parts and a warp lies in one of them.
static unsigned blocksInRegisterFile(const ArchLimits &Limits,
                                     const BlockResources &Block,
                                     unsigned Parts) {
  unsigned WarpsPerPart =
      *Limits.RegistersPerSm / Parts / registersPerWarp(Limits, Block);
  return WarpsPerPart * Parts / warpsPerBlock(Block);
}

static BlockLimit warpLimit(const ArchLimits &Limits,
                            const BlockResources &Block) {
  if (Limits.MaxThreadsPerBlock && Block.Threads > *Limits.MaxThreadsPerBlock)
    return 0;
  return *Limits.MaxWarpsPerSm / warpsPerBlock(Block);
}

static BlockLimit slotLimit(const ArchLimits &Limits,
                            const BlockResources &Block) {
  return Limits.MaxBlocksPerSm;
}

/// A launch is checked as if the warps of a block were spread evenly over
/// WarpAllocationGranularity parts, also where an SM has fewer (GP100).
static BlockLimit registerLimit(const ArchLimits &Limits,
                                const BlockResources &Block) {
  if (!Limits.RegistersPerSm || !Limits.RegistersPerBlock ||
      !Limits.RegisterAllocationUnit || !Limits.SubpartitionsPerSm ||
      !Limits.WarpAllocationGranularity ||
      !Limits.MaxAllocatedRegistersPerThread)
    return std::nullopt;
  if (Block.RegistersPerThread == 0)
    return std::nullopt;
  if (Block.RegistersPerThread > *Limits.MaxAllocatedRegistersPerThread)
    return 0;
  unsigned Granularity = *Limits.WarpAllocationGranularity;
  uint64_t Checked = uint64_t(registersPerWarp(Limits, Block)) *
                     alignTo(warpsPerBlock(Block), Granularity);
  if (Checked > *Limits.RegistersPerBlock ||
      blocksInRegisterFile(Limits, Block, Granularity) == 0)
    return 0;
  return blocksInRegisterFile(Limits, Block, *Limits.SubpartitionsPerSm);
}

static bool knowsShared(const ArchLimits &Limits) {
  return Limits.SharedBytesPerSm && Limits.SharedBytesPerBlock &&
         Limits.SharedBytesPerBlockOptin &&
         Limits.ReservedSharedBytesPerBlock && Limits.SharedAllocationUnit;
}

static uint64_t allocatedShared(const ArchLimits &Limits,
                                const BlockResources &Block) {
  return alignTo(Block.sharedBytes() + *Limits.ReservedSharedBytesPerBlock,
                 *Limits.SharedAllocationUnit);
}

/// What a block itself may use, reserved bytes not counted.
static uint64_t sharedPerBlock(const ArchLimits &Limits, SharedOptIn OptIn) {
  switch (OptIn) {
  case SharedOptIn::Yes:
    return *Limits.SharedBytesPerBlockOptin;
  case SharedOptIn::No:
    return *Limits.SharedBytesPerBlock;
  }
  llvm_unreachable("both answers are above");
}

/// The smallest size the shared part of L1 can have that holds \p Bytes.
static uint64_t carveoutFor(const ArchLimits &Limits, uint64_t Bytes) {
  auto Step = llvm::lower_bound(Limits.SharedCarveoutBytes, Bytes);
  return Step == Limits.SharedCarveoutBytes.end() ? *Limits.SharedBytesPerSm
                                                  : *Step;
}

/// Shared memory of an SM when blocks take \p Allocated bytes each: what the
/// host prefers, or the least that holds one block if that is more.
static uint64_t sharedCapacity(const ArchLimits &Limits,
                               const BlockResources &Block,
                               uint64_t Allocated) {
  if (Limits.SharedCarveoutBytes.empty() || !Block.CarveoutPercent)
    return *Limits.SharedBytesPerSm;
  uint64_t Preferred =
      uint64_t(*Block.CarveoutPercent) * *Limits.SharedBytesPerSm / 100;
  return carveoutFor(Limits, std::max(Preferred, Allocated));
}

static BlockLimit sharedLimit(const ArchLimits &Limits,
                              const BlockResources &Block) {
  if (!knowsShared(Limits))
    return std::nullopt;
  uint64_t Allocated = allocatedShared(Limits, Block);
  if (Allocated >
      sharedPerBlock(Limits, Block.OptIn) + *Limits.ReservedSharedBytesPerBlock)
    return 0;
  if (Allocated == 0)
    return std::nullopt;
  return sharedCapacity(Limits, Block, Allocated) / Allocated;
}

static BlockLimit barrierLimit(const ArchLimits &Limits,
                               const BlockResources &Block) {
  if (!Limits.BarriersPerSm || Block.Barriers == 0)
    return std::nullopt;
  return *Limits.BarriersPerSm / Block.Barriers;
}

/// Most blocks of a cluster; 1 where the architecture has none.
static unsigned maxClusterBlocks(const ArchLimits &Limits) {
  return Limits.MaxClusterBlocksNonPortable.value_or(
      limitOrDefault(Limits, &ArchLimits::MaxClusterBlocks));
}

/// Clusters spread over several SMs, so a legal one leaves each SM its blocks.
static BlockLimit clusterLimit(const ArchLimits &Limits,
                               const BlockResources &Block) {
  if (Block.ClusterBlocks <= maxClusterBlocks(Limits))
    return std::nullopt;
  return 0;
}

using LimitFunction = BlockLimit(const ArchLimits &, const BlockResources &);

// In the order of OccupancyLimiter.
static constexpr LimitFunction *LimitFunctions[] = {
    warpLimit,   slotLimit,    registerLimit,
    sharedLimit, barrierLimit, clusterLimit};
static_assert(std::size(LimitFunctions) == NumOccupancyLimiters);

static std::optional<unsigned> carveout(const ArchLimits &Limits,
                                        const BlockResources &Block,
                                        const Occupancy &O) {
  if (Limits.SharedCarveoutBytes.empty() || O.BlocksPerSm == 0)
    return std::nullopt;
  uint64_t Allocated = O.AllocatedSharedBytesPerBlock;
  if (Block.CarveoutPercent)
    return sharedCapacity(Limits, Block, Allocated);
  return carveoutFor(Limits, O.BlocksPerSm * Allocated);
}

Occupancy gpuocc::occupancy(const ArchLimits &Limits,
                            const BlockResources &Block) {
  assert(Block.Threads > 0 && "a block has threads");
  assert(Limits.MaxWarpsPerSm && "every architecture states its warps");
  Occupancy O;
  O.WarpsPerBlock = warpsPerBlock(Block);
  O.Unchecked = Limits.missingForOccupancy();
  for (unsigned I = 0; I != NumOccupancyLimiters; ++I)
    O.BlockLimits[I] = LimitFunctions[I](Limits, Block);

  // The warp limit always exists, so this is no guess.
  O.BlocksPerSm = *O.blockLimit(OccupancyLimiter::Warps);
  for (BlockLimit Limit : O.BlockLimits)
    O.BlocksPerSm = std::min(O.BlocksPerSm, Limit.value_or(O.BlocksPerSm));
  for (unsigned I = 0; I != NumOccupancyLimiters; ++I)
    if (O.BlockLimits[I] == O.BlocksPerSm)
      O.Limiters.push_back(OccupancyLimiter(I));

  O.WarpsPerSm = O.BlocksPerSm * O.WarpsPerBlock;
  O.Fraction = double(O.WarpsPerSm) / *Limits.MaxWarpsPerSm;
  if (Limits.RegisterAllocationUnit)
    O.AllocatedRegistersPerBlock =
        registersPerWarp(Limits, Block) * O.WarpsPerBlock;
  if (knowsShared(Limits))
    O.AllocatedSharedBytesPerBlock = allocatedShared(Limits, Block);
  O.CarveoutBytes = carveout(Limits, Block, O);
  return O;
}

std::vector<std::string> gpuocc::launchProblems(const ArchLimits &Limits,
                                                const BlockResources &Block) {
  std::vector<std::string> Problems;
  auto Check = [&](uint64_t Has, const char *What,
                   std::optional<unsigned> Allowed, const char *Where = "") {
    if (Allowed && Has > *Allowed)
      Problems.push_back("block has " + std::to_string(Has) + " " + What +
                         ", " + Limits.Name + " allows " +
                         std::to_string(*Allowed) + Where);
  };
  Check(Block.Threads, "threads", Limits.MaxThreadsPerBlock);
  if (Problems.empty())
    Check(warpsPerBlock(Block), "warps", Limits.MaxWarpsPerSm, " per SM");
  Check(Block.RegistersPerThread, "registers per thread",
        Limits.MaxAllocatedRegistersPerThread);
  Check(Block.ClusterBlocks, "blocks in its cluster", maxClusterBlocks(Limits));
  Check(Block.Barriers, "barriers", Limits.MaxBarriersPerBlock);
  if (knowsShared(Limits))
    Check(Block.sharedBytes(), "bytes of shared memory",
          sharedPerBlock(Limits, Block.OptIn),
          Block.OptIn == SharedOptIn::No ? " without opting in to more" : "");
  if (Problems.empty() && registerLimit(Limits, Block) == 0)
    Problems.push_back("block has " + std::to_string(warpsPerBlock(Block)) +
                       " " + plural(warpsPerBlock(Block), "warp") + " of " +
                       std::to_string(registersPerWarp(Limits, Block)) +
                       " registers, " + Limits.Name + " allows " +
                       std::to_string(*Limits.RegistersPerBlock) +
                       " per block, warps rounded up to a multiple of " +
                       std::to_string(*Limits.WarpAllocationGranularity));
  return Problems;
}

/// Most registers per thread whose own limit is \p Blocks or more.
static std::optional<unsigned> registersAllowing(const ArchLimits &Limits,
                                                 BlockResources Block,
                                                 unsigned Blocks) {
  for (unsigned R = Limits.MaxRegistersPerThread.value_or(0); R != 0; --R) {
    Block.RegistersPerThread = R;
    if (registerLimit(Limits, Block).value_or(Blocks) >= Blocks)
      return R;
  }
  return std::nullopt;
}

/// Most shared bytes whose own limit is \p Blocks or more.
static std::optional<uint64_t> sharedAllowing(const ArchLimits &Limits,
                                              BlockResources Block,
                                              unsigned Blocks) {
  if (!knowsShared(Limits))
    return std::nullopt;
  uint64_t Unit = *Limits.SharedAllocationUnit;
  uint64_t Reserved = *Limits.ReservedSharedBytesPerBlock;
  uint64_t Most = sharedPerBlock(Limits, Block.OptIn) + Reserved;
  Block.StaticSharedBytes = 0;
  for (uint64_t Allocated = alignDown(Most, Unit); Allocated >= Reserved;
       Allocated -= Unit) {
    Block.DynamicSharedBytes = Allocated - Reserved;
    if (sharedLimit(Limits, Block).value_or(Blocks) >= Blocks)
      return Block.DynamicSharedBytes;
    if (Allocated < Unit)
      break;
  }
  return std::nullopt;
}

/// Most barriers whose own limit is \p Blocks or more.
static std::optional<uint64_t> barriersAllowing(const ArchLimits &Limits,
                                                const BlockResources &Block,
                                                unsigned Blocks) {
  uint64_t Most = Limits.BarriersPerSm.value_or(0) / std::max(Blocks, 1u);
  return Most ? std::optional<uint64_t>(Most) : std::nullopt;
}

std::optional<unsigned> gpuocc::maxRegistersFor(const ArchLimits &Limits,
                                                const BlockResources &Block,
                                                unsigned Blocks) {
  BlockResources Lean = Block;
  Lean.RegistersPerThread = 0;
  if (occupancy(Limits, Lean).BlocksPerSm < Blocks)
    return std::nullopt;
  return registersAllowing(Limits, Block, Blocks);
}

std::optional<uint64_t> gpuocc::maxSharedBytesFor(const ArchLimits &Limits,
                                                  const BlockResources &Block,
                                                  unsigned Blocks) {
  BlockResources Lean = Block;
  Lean.StaticSharedBytes = Lean.DynamicSharedBytes = 0;
  if (occupancy(Limits, Lean).BlocksPerSm < Blocks)
    return std::nullopt;
  return sharedAllowing(Limits, Block, Blocks);
}

/// What \p Resource has to be lowered to for \p Blocks blocks.
static std::optional<ResourceChange> loweringFor(OccupancyLimiter Resource,
                                                 const ArchLimits &Limits,
                                                 const BlockResources &Block,
                                                 unsigned Blocks) {
  uint64_t From = 0;
  std::optional<uint64_t> To;
  switch (Resource) {
  case OccupancyLimiter::Registers:
    From = Block.RegistersPerThread;
    To = registersAllowing(Limits, Block, Blocks);
    break;
  case OccupancyLimiter::Shared:
    From = Block.sharedBytes();
    To = sharedAllowing(Limits, Block, Blocks);
    break;
  case OccupancyLimiter::Barriers:
    From = Block.Barriers;
    To = barriersAllowing(Limits, Block, Blocks);
    break;
  case OccupancyLimiter::Warps:
  case OccupancyLimiter::Blocks:
  case OccupancyLimiter::Cluster:
    return std::nullopt;
  }
  if (!To)
    return std::nullopt;
  return ResourceChange{Resource, From, *To};
}

static void apply(const ResourceChange &Change, BlockResources &Block) {
  switch (Change.Resource) {
  case OccupancyLimiter::Registers:
    Block.RegistersPerThread = Change.To;
    break;
  case OccupancyLimiter::Shared:
    Block.StaticSharedBytes = 0;
    Block.DynamicSharedBytes = Change.To;
    break;
  case OccupancyLimiter::Barriers:
    Block.Barriers = Change.To;
    break;
  case OccupancyLimiter::Warps:
    Block.Threads = Change.To;
    break;
  case OccupancyLimiter::Blocks:
  case OccupancyLimiter::Cluster:
    llvm_unreachable("no step changes these");
  }
}

static OccupancyStep stepOf(std::vector<ResourceChange> Changes,
                            const ArchLimits &Limits, BlockResources Block) {
  for (const ResourceChange &Change : Changes)
    apply(Change, Block);
  Occupancy After = occupancy(Limits, Block);
  return {std::move(Changes), After.BlocksPerSm, After.WarpsPerSm};
}

static std::optional<OccupancyStep> loweringStep(const ArchLimits &Limits,
                                                 const BlockResources &Block,
                                                 const Occupancy &Now,
                                                 unsigned Blocks) {
  std::vector<ResourceChange> Changes;
  for (OccupancyLimiter Binding : Now.Limiters) {
    std::optional<ResourceChange> Change =
        loweringFor(Binding, Limits, Block, Blocks);
    if (!Change)
      return std::nullopt;
    Changes.push_back(*Change);
  }
  return stepOf(std::move(Changes), Limits, Block);
}

static std::optional<OccupancyStep> blockSizeStep(const ArchLimits &Limits,
                                                  const BlockResources &Block,
                                                  const Occupancy &Now) {
  std::optional<OccupancyStep> Best;
  auto Distance = [&](uint64_t Threads) {
    return Threads > Block.Threads ? Threads - Block.Threads
                                   : Block.Threads - Threads;
  };
  for (unsigned Threads = LanesPerWarp;
       Threads <= Limits.MaxThreadsPerBlock.value_or(0);
       Threads += LanesPerWarp) {
    OccupancyStep Step = stepOf(
        {{OccupancyLimiter::Warps, Block.Threads, Threads}}, Limits, Block);
    if (Step.WarpsPerSm > Now.WarpsPerSm &&
        (!Best || Distance(Threads) < Distance(Best->Changes[0].To)))
      Best = std::move(Step);
  }
  return Best;
}

std::optional<OccupancyStep> gpuocc::stepTo(const ArchLimits &Limits,
                                            const BlockResources &Block,
                                            unsigned Blocks) {
  const Occupancy Now = occupancy(Limits, Block);
  if (Blocks <= Now.BlocksPerSm)
    return std::nullopt;
  std::optional<OccupancyStep> Step = loweringStep(Limits, Block, Now, Blocks);
  // What does not bind yet may bind before.
  if (Step && Step->BlocksPerSm < Blocks)
    return std::nullopt;
  return Step;
}

std::vector<OccupancyStep> gpuocc::nextSteps(const ArchLimits &Limits,
                                             const BlockResources &Block) {
  Occupancy Now = occupancy(Limits, Block);
  std::vector<OccupancyStep> Steps;
  if (std::optional<OccupancyStep> Step =
          loweringStep(Limits, Block, Now, Now.BlocksPerSm + 1))
    Steps.push_back(std::move(*Step));
  if (std::optional<OccupancyStep> Step = blockSizeStep(Limits, Block, Now))
    Steps.push_back(std::move(*Step));
  return Steps;
}
