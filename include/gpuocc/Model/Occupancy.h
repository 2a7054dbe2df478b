//===- Occupancy.h - Blocks an SM can hold ---------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The occupancy calculator: how many blocks an SM holds at once, which
/// resource limits it, and the smallest change that gains a block.
///
/// Results equal cudaOccMaxActiveBlocksPerMultiprocessor of the toolkit's
/// cuda_occupancy.h on every input with partitioned global caching off (its
/// default). What that header does not know is added: clusters, the carve-out
/// that is enough, and next steps.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_OCCUPANCY_H
#define GPUOCC_MODEL_OCCUPANCY_H

#include "gpuocc/Device/ArchLimits.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuocc {

/// A resource that bounds the blocks of an SM. The order decides which one is
/// named when several bound alike: those no kernel can change come first.
enum class OccupancyLimiter : uint8_t {
  Warps,
  Blocks,
  Registers,
  Shared,
  Barriers,
  Cluster,
};

/// Number of values of OccupancyLimiter.
constexpr unsigned NumOccupancyLimiters = 6;

/// The word for \p L in reports: "warps", "blocks", "registers", "shared",
/// "barriers" or "cluster".
llvm::StringRef occupancyLimiterKey(OccupancyLimiter L);

/// As above; empty where no occupancy was predicted.
llvm::StringRef occupancyLimiterKey(std::optional<OccupancyLimiter> L);

/// May a block have more shared memory than SharedBytesPerBlock?
enum class SharedOptIn : uint8_t {
  /// Yes: the host sets cudaFuncAttributeMaxDynamicSharedMemorySize.
  Yes,
  /// No: it does not.
  No,
};

/// What one block of a kernel takes.
struct BlockResources {
  unsigned Threads = 0;
  unsigned RegistersPerThread = 0;
  uint64_t StaticSharedBytes = 0;
  uint64_t DynamicSharedBytes = 0;
  /// Block barriers (bar.sync identifiers) in use.
  unsigned Barriers = 1;
  /// Blocks of the cluster the block belongs to; 1 without clusters.
  unsigned ClusterBlocks = 1;
  /// The host's preferred shared memory carve-out, in percent of the most an
  /// SM has; absent leaves it to the driver.
  std::optional<unsigned> CarveoutPercent;
  SharedOptIn OptIn = SharedOptIn::Yes;

  uint64_t sharedBytes() const {
    return StaticSharedBytes + DynamicSharedBytes;
  }
};

/// How many blocks of one kind an SM holds.
struct Occupancy {
  unsigned BlocksPerSm = 0;
  unsigned WarpsPerBlock = 0;
  unsigned WarpsPerSm = 0;
  /// WarpsPerSm over the most an SM can hold.
  double Fraction = 0;

  /// Blocks each resource allows; absent where a resource sets no bound.
  std::array<std::optional<unsigned>, NumOccupancyLimiters> BlockLimits;
  /// The resources that allow BlocksPerSm and no more, in the order of the
  /// enumeration; never empty.
  std::vector<OccupancyLimiter> Limiters;

  /// Registers the hardware takes for a block, after rounding per warp.
  unsigned AllocatedRegistersPerBlock = 0;
  /// Shared memory the hardware takes for a block: used and reserved bytes,
  /// rounded.
  uint64_t AllocatedSharedBytesPerBlock = 0;
  /// Smallest size of the shared part of L1 that holds BlocksPerSm blocks, in
  /// bytes; absent where shared memory is apart from L1.
  std::optional<unsigned> CarveoutBytes;

  /// Keys of the limits that the database does not state and that were not
  /// applied; empty from sm_50 on.
  std::vector<llvm::StringRef> Unchecked;

  OccupancyLimiter limiter() const { return Limiters.front(); }
  std::optional<unsigned> blockLimit(OccupancyLimiter L) const {
    return BlockLimits[size_t(L)];
  }
};

/// The blocks of \p Block that an SM of \p Limits holds at once. A block that
/// cannot run at all gives 0 blocks; \see launchProblems for why.
///
/// \p Block.Threads > 0.
Occupancy occupancy(const ArchLimits &Limits, const BlockResources &Block);

/// Why a device of \p Limits cannot run \p Block: each limit it exceeds, with
/// both numbers ("block has 2048 threads, sm_90 allows 1024"). Empty when it
/// can.
std::vector<std::string> launchProblems(const ArchLimits &Limits,
                                        const BlockResources &Block);

/// A change of one resource of a block.
struct ResourceChange {
  /// Registers: registers per thread. Shared: bytes per block, static and
  /// dynamic together. Warps: threads per block. Barriers: barriers per block.
  OccupancyLimiter Resource = OccupancyLimiter::Registers;
  uint64_t From = 0;
  uint64_t To = 0;

  bool operator==(const ResourceChange &) const = default;
};

/// Changes that together raise occupancy, and what they raise it to.
struct OccupancyStep {
  std::vector<ResourceChange> Changes;
  unsigned BlocksPerSm = 0;
  unsigned WarpsPerSm = 0;

  bool operator==(const OccupancyStep &) const = default;
};

/// The smallest lowering of what limits \p Block with which an SM holds \p
/// Blocks of it; nothing where it holds as many, or where no lowering is
/// enough.
std::optional<OccupancyStep>
stepTo(const ArchLimits &Limits, const BlockResources &Block, unsigned Blocks);

/// The smallest changes with which an SM holds more than it does of \p Block:
///
///  - one step that lowers registers, shared memory or barriers by the least
///    that gains a block; several of them together when they bind alike;
///  - one step to the multiple of 32 threads nearest to the block's size (the
///    smaller of two) that gains warps, all else as it is.
///
/// A step that does not exist is left out; empty at full occupancy.
std::vector<OccupancyStep> nextSteps(const ArchLimits &Limits,
                                     const BlockResources &Block);

/// Most registers per thread with which an SM still holds \p Blocks blocks of
/// \p Block's other resources; nothing when no count does.
std::optional<unsigned> maxRegistersFor(const ArchLimits &Limits,
                                        const BlockResources &Block,
                                        unsigned Blocks);

/// Most shared memory per block, in bytes, with which an SM still holds
/// \p Blocks blocks of \p Block's other resources; nothing when none does.
std::optional<uint64_t> maxSharedBytesFor(const ArchLimits &Limits,
                                          const BlockResources &Block,
                                          unsigned Blocks);

} // namespace gpuocc

#endif // GPUOCC_MODEL_OCCUPANCY_H
