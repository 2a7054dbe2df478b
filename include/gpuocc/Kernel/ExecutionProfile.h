//===- ExecutionProfile.h - How often, and by which lanes -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The facts of a kernel evaluated for one launch: execution counts, lane
/// addresses and lane conditions, averaged over the warps of the grid. Filled
/// by gpuocc/Lanes, read by the model. All vectors are parallel to those of
/// KernelFacts.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_EXECUTIONPROFILE_H
#define GPUOCC_KERNEL_EXECUTIONPROFILE_H

#include "gpuocc/Kernel/Guess.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Launch.h"

namespace gpuocc {

/// How far a number can be trusted.
enum class Exactness : uint8_t {
  /// Follows from the code and the given launch alone.
  Exact,
  /// Rests on assumptions that the profile names.
  Assumed,
  /// Between two bounds.
  Range,
  /// Depends on loaded data.
  DataDependent,
  Unknown
};

/// Classes of DESIGN.md section 5.
enum class BranchClass : uint8_t {
  /// Same way in every warp.
  Uniform,
  /// Differs between warps, never within one.
  WarpUniform,
  /// Bounds check: only warps at an edge diverge.
  Guard,
  /// A known fraction of executions diverges.
  Partial,
  /// Most executions diverge.
  Divergent,
  DataDependent
};

/// Words of the report: "data-dependent", "warp-uniform", ...
llvm::StringRef exactnessText(Exactness E);
llvm::StringRef branchClassText(BranchClass C);

/// Parts of the memory system that lane addresses are folded with. Each value
/// comes from the device database, or from its rows of fallback numbers; where
/// there is no device they are those of Volta.
struct MemoryGeometry {
  unsigned SectorBytes = 32;
  unsigned LineBytes = 128;
  /// They serve L1-resident global data as well: loads of 4 bytes 8 bytes apart
  /// take two passes, 12 bytes apart one (gpu-strides on an H200: 2.01 and 1.63
  /// cycles; 16 banks of 8 bytes would take two both times).
  unsigned SharedBanks = 32;
  unsigned SharedBankBytes = 4;
  /// Lines of a request that L1 looks up in a cycle where its banks of tags are
  /// not known.
  unsigned TagLinesPerCycle = 4;
  /// L1 looks up the lines of a request in banks of tags, one line of each in a
  /// cycle. A bit of the number of a line's bank is the parity of the
  /// line's number (address over LineBytes) under a mask. 0: not known.
  std::array<uint64_t, 2> TagBankMasks = {};
  /// Cache sizes; 0 if unknown.
  uint64_t L1Bytes = 0;
  uint64_t L2Bytes = 0;
  /// What a miss of L2 brings from DRAM (H200: loads of lone sectors at strides
  /// of 64 bytes read twice what they ask for, at strides of 32 bytes half of
  /// them hit L2; Nsight Compute, 2026-11-21).
  unsigned DramFetchBytes = 64;
  /// Parts of L2 that each keep a copy of what the SMs next to them read.
  unsigned L2Partitions = 1;
  unsigned SmCount = 1;
  unsigned ResidentBlocksPerSm = 1;

  /// What all banks of shared memory serve at once.
  unsigned sharedPassBytes() const { return SharedBanks * SharedBankBytes; }
};

/// How often one block of code runs.
struct BlockProfile {
  /// Executions by a warp (with at least one active lane, or predicated into a
  /// block that has one), mean over warps.
  double ExecutionsPerWarp = 0;
  /// Mean fraction of the 32 lanes that are active.
  double ActiveLaneFraction = 1;
  bool operator==(const BlockProfile &) const = default;
};

/// Lane addresses of one memory access.
struct AccessProfile {
  /// Executed warp instructions, and those with at least one active lane.
  double ExecutionsPerWarp = 0;
  double RequestsPerWarp = 0;
  double ActiveLanes = 32;
  /// Means over requests. Ideal: the fewest that the active lanes and the
  /// width need, as the hardware counters' "ideal".
  double SectorsPerRequest = 0;
  double IdealSectorsPerRequest = 0;
  double LinesPerRequest = 0;
  /// Shared: passes through the banks. Global: passes through the L1 data
  /// stage.
  double WavefrontsPerRequest = 0;
  double IdealWavefrontsPerRequest = 0;
  /// Distinct addresses per request (atomics, constant memory).
  double DistinctAddressesPerRequest = 0;
  /// Most lanes on one address, mean over requests (atomics).
  double LanesPerAddress = 0;
  /// Turns that the lanes of a request take one after the other, mean over
  /// requests (atomics). L2 serves different words of a sector together: most
  /// lanes on one word of a sector, summed over sectors. Shared memory: most
  /// lanes at one bank.
  double SerializedPasses = 0;
  /// Shared: sectors of the shared memory of other blocks of the cluster.
  double OtherBlocksSectorsPerRequest = 0;
  /// Of loads, lines there: each of each block counts.
  double OtherBlocksLinesPerRequest = 0;
  /// Words that loaded indices choose from, each as likely as the others.
  Known<double> DrawnAddresses = Known<double>::unknown("no loaded index");
  /// False where loaded indices, or what nobody evaluated, choose the
  /// addresses, so that requests that follow each other are far apart. Loaded
  /// conditions that choose lanes leave what is left in order.
  bool IsInOrder = true;
  /// Distinct sectors that the whole grid reaches with this access (atomics,
  /// and stores that come apart from those of other warps).
  Known<double> GridSectors = Known<double>::unknown("no global atomic");
  /// Bytes from the lowest to behind the highest of them.
  Known<double> GridSpanBytes = Known<double>::unknown("no global atomic");
  /// The same two of the blocks that run together (loads and atomics of global
  /// memory whose addresses are known, or drawn).
  Known<double> WaveSectors = Known<double>::unknown("not evaluated");
  Known<double> WaveSpanBytes = Known<double>::unknown("not evaluated");
  /// It leads to memory of the host, behind the bus.
  bool IsHostMemory = false;
  /// Bytes of a line that the whole grid writes, mean over the lines that it
  /// reaches, by all stores to the object together (stores).
  Known<double> WrittenLineBytes = Known<double>::unknown("no store");
  /// Share of the sectors it writes that loads of the grid bring to L2 as well
  /// (stores).
  double LoadedFraction = 0;
  /// Fraction of the stored sectors of which L2 fetches the rest from DRAM,
  /// since it lets go of them before other stores have filled them (stores to
  /// known places).
  Known<double> RestFetchedFraction = Known<double>::unknown("no store");
  /// Bytes from lane to lane when it is the same for all neighbours.
  Known<int64_t> LaneStrideBytes = Known<int64_t>::unknown("not evaluated");
  Exactness Exact = Exactness::Unknown;
  /// Why it is not exact.
  std::string Reason;
  /// The lane pattern in words: "lanes 0..31 touch 32 sectors, 128 B apart".
  std::string Pattern;
  /// Fractions of the sectors of this access that hit L1, and of those that
  /// miss L1 that hit L2, with the reason.
  double L1HitFraction = 0;
  double L2HitFraction = 0;
  /// Fraction of the sectors that L2 is asked for although the SM has just had
  /// them: loads that L1 must not answer.
  double AskedAgainFraction = 0;
  /// Fraction of the requests that wait for L2 or DRAM: a sector misses L1, or
  /// hits a line whose fetch is still under way.
  double L1WaitFraction = 1;
  /// The same of a warp's first request, of its second and third, of its fourth
  /// to seventh, and so on, the last one of all that follow: what warps that
  /// make few requests wait for may be in L1 for those that make many. Empty
  /// where all warps make as many, or wait as often in all.
  std::vector<double> L1WaitsByRequest;
  /// Fraction of these waiting requests that miss nothing themselves: access
  /// number AwaitedAccess, which the warp has issued before in the same stretch
  /// of code, has asked for all that is under way (loads).
  double AwaitsOtherFraction = 0;
  uint32_t AwaitedAccess = NoIndex;
  /// Fraction of the sectors that hit L2 that wait all the same, for a fetch
  /// from DRAM under way for another SM.
  double L2WaitFraction = 0;
  /// Blocks that run together and read a line that L2 is asked for, mean over
  /// the lines (loads).
  double BlocksPerLine = 1;
  /// Fraction of the waiting requests whose missing sectors came to L2 with a
  /// neighbour that the SM asked for before: L2 fetches more than a sector.
  double FetchedAlongFraction = 0;
  /// Fraction of the lines of the requests for which L2 is visited anew: not
  /// when L1 has what is asked for, and not right after other sectors of the
  /// line were asked for.
  double LineVisitFraction = 1;
  /// Fraction of these visits that need not go on to DRAM, since the fetch of a
  /// neighbour brought all that they ask for (loads).
  double VisitsFetchedAlongFraction = 0;
  /// Fraction of the stored sectors that leave L1 together with what earlier
  /// stores of the warp put there, so that L2 sees them once.
  double MergedStoreFraction = 0;
  std::string ReuseReason;
  bool operator==(const AccessProfile &) const = default;
};

/// Lane conditions of one branch.
struct BranchProfile {
  double ExecutionsPerWarp = 0;
  /// Executions whose active lanes go different ways.
  double DivergentFraction = 0;
  /// Active lanes for which the (possibly negated) condition holds.
  double TakenLaneFraction = 0;
  BranchClass Class = BranchClass::Uniform;
  Exactness Exact = Exactness::Unknown;
  std::string Reason;
  bool operator==(const BranchProfile &) const = default;
};

/// Where the iterations of a loop were found.
enum class TripBasis : uint8_t {
  /// The walk came to the end, or the code or the launch says it.
  Counted,
  /// A condition bounds them, and data may end the loop earlier.
  AtMost,
  /// Of some warps of the grid; other warps may go on any time longer.
  Scattered,
  /// The walk did not come to the end, which nothing bounds.
  NotReached,
  /// Data alone ends it.
  Guessed
};

/// "counted", "at-most", ...
llvm::StringRef tripBasisText(TripBasis B);

/// Iterations of one loop.
struct LoopProfile {
  /// Body executions per entry, mean over entries (longest lane of the warp).
  double TripCount = 1;
  /// Mean over lanes divided by the longest lane; 1 when lanes agree.
  double LaneBalance = 1;
  Exactness Exact = Exactness::Unknown;
  std::string Reason;
  TripBasis Basis = TripBasis::Counted;
  bool operator==(const LoopProfile &) const = default;
};

/// One warp whose whole path was walked; kept to see imbalance.
struct WarpSample {
  /// Warps of a block go to the schedulers of an SM in turn.
  static constexpr unsigned NumTurns = 4;
  Dim3 BlockIndex;
  unsigned WarpInBlock = 0;
  /// Warps of the grid that this one stands for.
  double Weight = 1;
  /// The same by turn: warps whose place in their block leaves that remainder.
  std::array<double, NumTurns> WeightOfTurn = {};
  /// Executions of each block of code.
  std::vector<double> BlockExecutions;
  /// Of each memory access, the share of the executions of its block in which
  /// some lane is active: predicated sides and guards. Empty: as in the mean
  /// warp.
  std::vector<double> RequestShares;
  bool operator==(const WarpSample &) const = default;
};

/// A value that nobody supplied, what was taken instead, and how to supply it.
struct Assumption {
  /// "argument n", "trip count of the loop at a.cu:34", "alignment of p".
  std::string What;
  std::string Taken;
  std::string HowToSupply;
  uint32_t Location = NoIndex;
  /// Of a guess: its name and what speaks for it (see Guess.h). Empty for what
  /// is a default.
  std::string GuessedBy = {};
  std::string Evidence = {};
  /// Names \p G as what was taken.
  void setGuess(const Guess &G);
  bool operator==(const Assumption &) const = default;
};

/// How a branch goes that loaded data decides, which is unknown. One of the
/// assumptions says it in words.
struct BranchProbabilityProfile {
  /// Its key in Launch::BranchProbabilities: "bfs.cu:25".
  std::string Place;
  /// Where the side begins that the share speaks of.
  unsigned Line = 0;
  /// Executions of the branch that are taken to go there, of all.
  double Share = 0;
  /// Instructions per warp that all of its executions going the one way have
  /// more than all of them going the other; a rough number for code that no
  /// walked warp gets to.
  double InstructionsPerWarp = 0;
  /// Predicted time of the launch if all go where now none do.
  Known<double> OtherwiseNs = Known<double>::unknown("not evaluated");
  /// Instructions or time differ so much that data decides what the kernel
  /// does.
  bool Decides = false;
  bool operator==(const BranchProbabilityProfile &) const = default;
};

/// ExecutionProfile::SampledError from which it is named as an assumption.
inline constexpr double NoticedError = 0.01;

/// A division or root whose operands are known (SlowPath.h).
struct SlowPathProfile {
  /// Index in KernelFacts::Operations.
  uint32_t Op = 0;
  /// Of its executions by a warp, those in which some lane takes the slow path.
  double Share = 0;
  bool operator==(const SlowPathProfile &) const = default;
};

/// The facts of one kernel under one launch.
struct ExecutionProfile {
  std::vector<BlockProfile> Blocks;
  std::vector<AccessProfile> Accesses;
  std::vector<BranchProfile> Branches;
  std::vector<LoopProfile> Loops;
  std::vector<WarpSample> Samples;
  std::vector<Assumption> Assumptions;
  /// Branches on loaded data among them.
  std::vector<BranchProbabilityProfile> BranchProbabilities;
  std::vector<SlowPathProfile> SlowPaths;
  /// Standard error of the instructions or sectors of the grid, whichever is
  /// larger, as a share: blocks differ, and not all were walked.
  double SampledError = 0;
  /// Warps that ran, as which loops are executed whose ends no walk came to; 0
  /// where none are.
  uint64_t NumWarpsRan = 0;
  /// Distinct bytes of global memory read and written by the whole grid, as
  /// far as known (cold misses).
  Known<double> FootprintReadBytes = Known<double>::unknown("not evaluated");
  Known<double> FootprintWrittenBytes = Known<double>::unknown("not evaluated");
  bool operator==(const ExecutionProfile &) const = default;
};

} // namespace gpuocc

#endif // GPUOCC_KERNEL_EXECUTIONPROFILE_H
