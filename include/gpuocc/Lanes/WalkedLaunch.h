//===- WalkedLaunch.h - What caches may ask of walked warps ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The addresses of many warps of a launch: what they reach, what they share,
/// and the lines of one warp in program order. Estimates of caches are made of
/// these; Lanes itself knows no cache.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LANES_WALKEDLAUNCH_H
#define GPUOCC_LANES_WALKEDLAUNCH_H

#include "gpuocc/Lanes/ProfileLanes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <compare>
#include <memory>
#include <vector>

namespace gpuocc {

class LaunchInputs;
struct Slice;

constexpr unsigned WarpLanes = 32;

/// Synthetic addresses: each object lies in its own window, 2^ObjectWindowLog2
/// bytes apart, so an address names its object.
constexpr unsigned ObjectWindowLog2 = 40;

/// Ascending places in one grid dimension where behaviour changes: block
/// indices [Cuts[i], Cuts[i+1]) behave alike. The first is 0, the last the
/// extent.
using GridCuts = std::array<std::vector<uint64_t>, 3>;

/// The bytes that an access reaches: runs of Width at multiples of Step from
/// Low to High.
struct AddressRange {
  uint64_t Low = ~uint64_t(0), High = 0;
  uint64_t Step = 0, Width = 1;
  bool isEmpty() const { return Low >= High; }
  auto operator<=>(const AddressRange &) const = default;

  void add(uint64_t Address, uint64_t Bytes);
  void add(const AddressRange &Other);
  /// Distinct bytes of sectors.
  double bytes(unsigned SectorBytes) const;
};

/// Groups of accesses that are counted together: for each access those that it
/// belongs to.
struct AccessGroups {
  std::vector<llvm::SmallVector<unsigned, 2>> OfAccess;
  unsigned Count = 0;
};

/// Blocks that follow each other, counted along x, then y, then z.
struct BlockRun {
  uint64_t First = 0, Count = 0;
};

/// Some sectors of one line.
struct LineTouch {
  uint64_t Line = 0;
  /// Sectors touched, and of these the ones written as a whole.
  uint8_t Sectors = 0, Whole = 0;
  /// Of local memory.
  bool IsLocal = false;
};

/// One request in a trace: lines Touches[First, First + Count).
struct TraceEvent {
  uint32_t Access = 0;
  uint32_t First = 0, Count = 0;
  double Weight = 1;
  /// Turns of its loop between its last request and this one, in which its
  /// place moved on evenly.
  uint64_t TurnsLeftOut = 0;
  /// It goes to local memory.
  bool IsLocal = false;
  /// Its warp went through a fence of the GPU since its last request.
  bool IsBehindFence = false;
  /// Barriers of the block that its warp has passed.
  uint32_t Barriers = 0;
};

/// The cached requests of one warp in program order.
struct WarpTrace {
  std::vector<TraceEvent> Events;
  std::vector<LineTouch> Touches;
  /// Barriers of the block that the warp passes in all.
  uint32_t Barriers = 0;
};

/// True for spaces whose requests may go through L1.
bool isCachedSpace(MemorySpace S);

/// True if the requests of \p A to L1 are in the trace of a warp.
bool isTraced(const MemoryAccess &A);

/// \p Count blocks in the middle of \p Grid.
BlockRun middleRun(Dim3 Grid, uint64_t Count);

/// The blocks of \p Run that reach farthest where addresses grow with the index
/// of the block: the first and the last, and the ends of the row between them.
std::vector<Dim3> farthestOf(Dim3 Grid, BlockRun Run);

/// A launch whose warps were walked. Refers to what it is made of.
class WalkedLaunch {
public:
  WalkedLaunch(const KernelFacts &Facts, const Slice &S, LaunchInputs &Inputs,
               const MemoryGeometry &Geometry, const LanesOptions &Options,
               const GridCuts &Cuts)
      : Facts(Facts), S(S), Inputs(Inputs), Geometry(Geometry),
        Options(Options), Cuts(Cuts) {}

  const KernelFacts &facts() const { return Facts; }
  const MemoryGeometry &geometry() const { return Geometry; }
  const LanesOptions &options() const { return Options; }
  Dim3 grid() const;
  unsigned warpsPerBlock() const;
  uint64_t dynamicSharedBytes() const;
  /// \p Address, of an object, is in memory of the host.
  bool isHostMemory(uint64_t Address) const;
  /// The innermost loop around \p Access.
  uint32_t loopOf(size_t Access) const;

  /// The blocks whose warps reach as far as all blocks of the grid do: the
  /// middle, the corners, and those of the cell of alike blocks around the
  /// middle, as guards often let no block at a corner reach anything.
  std::vector<Dim3> farthestBlocks() const;

  /// What the warps \p Warps of \p Blocks reach with each access, and, if
  /// \p WholeBlock, the other warps of the first of the blocks.
  std::vector<AddressRange> findRanges(llvm::ArrayRef<Dim3> Blocks,
                                       llvm::ArrayRef<unsigned> Warps,
                                       bool WholeBlock = false) const;

  /// Adds to \p Ranges, which the blocks at the ends of \p Run reach, what
  /// those between reach with accesses that \p Profile says are in order.
  /// Behind a mask, a modulo or a hash the blocks at the ends may all reach the
  /// same lines. A few blocks drawn evenly tell, and if one goes beyond the
  /// ends, more are walked.
  ///
  /// \returns the accesses whose addresses do not grow evenly with the number
  /// of the block: that go beyond the ends, or, in a grid of one dimension, lie
  /// elsewhere than between them.
  std::vector<bool> addBetween(BlockRun Run, llvm::ArrayRef<unsigned> Warps,
                               const ExecutionProfile &Profile,
                               std::vector<AddressRange> &Ranges) const;

  /// For each group the sectors that a block in the middle of the grid brings,
  /// per sector that its requests ask for. A sector that several of its
  /// requests ask for counts once, and one that n of the blocks next to it ask
  /// for as well counts as 1 / (n + 1): halos, and sectors that two blocks meet
  /// on. What blocks further away share is not seen, so that this is an upper
  /// bound.
  ///
  /// \returns 1 for a group of which the block asks for nothing.
  std::vector<double> distinctShares(const AccessGroups &Groups) const;

  /// For each access of \p Wanted the distinct sectors that a warp of blocks in
  /// the middle of \p Run reaches, per sector that it asks for: those of blocks
  /// that follow each other, as many as show what comes back soon.
  ///
  /// \returns 1 for the others.
  std::vector<double>
  distinctSharesAlong(BlockRun Run, const std::vector<bool> &Wanted) const;

private:
  friend class WarpTraces;

  const KernelFacts &Facts;
  const Slice &S;
  LaunchInputs &Inputs;
  const MemoryGeometry &Geometry;
  const LanesOptions &Options;
  const GridCuts &Cuts;
};

/// Walks warps for the lines that they touch. A warp finds in memory what those
/// walked before it have stored.
class WarpTraces {
public:
  explicit WarpTraces(const WalkedLaunch &Of);
  ~WarpTraces();

  /// Warp \p Warp of \p Block, \p Iterations of each loop, in \p Stretches
  /// where their places are known, and about \p MaxSteps evaluated operations
  /// of it. Warps with the same \p Key have the same local memory.
  WarpTrace trace(Dim3 Block, unsigned Warp, unsigned Iterations,
                  uint64_t MaxSteps, uint64_t Key, unsigned Stretches = 1);
  /// Operations that the last trace evaluated.
  uint64_t lastSteps() const { return LastSteps; }

private:
  struct State;
  std::unique_ptr<State> Walks;
  uint64_t LastSteps = 0;
};

/// Fills what a profile says of caches.
using EstimateReuse =
    llvm::function_ref<void(const WalkedLaunch &, ExecutionProfile &)>;

/// profileLanes() with what \p Reuse says of caches.
ExecutionProfile profileLanes(const KernelFacts &Facts, const Launch &L,
                              const MemoryGeometry &Geometry,
                              const LanesOptions &Options, EstimateReuse Reuse);

} // namespace gpuocc

#endif // GPUOCC_LANES_WALKEDLAUNCH_H
