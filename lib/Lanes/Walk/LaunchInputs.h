//===- LaunchInputs.h - What a launch gives to a warp -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Values of parameters, symbols and special registers for one launch, and
/// the list of those that nobody supplied.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_LAUNCHINPUTS_H
#define GPUOCC_LIB_LANES_WALK_LAUNCHINPUTS_H

#include "Slice/Slice.h"
#include "Walk/AssumptionLog.h"
#include "Walk/IndexRanges.h"
#include "Walk/LaunchMemory.h"
#include "Walk/LaunchTurns.h"
#include "Walk/WarpPlace.h"
#include "gpuocc/Lanes/AssumedArguments.h"
#include "gpuocc/Lanes/WalkedLaunch.h"
#include <algorithm>
#include <map>
#include <set>

namespace gpuocc {

class LaunchInputs {
public:
  /// \p ZeroArgument: the parameter that is taken as 0 if nobody supplied it,
  /// NoIndex for none.
  LaunchInputs(const KernelFacts &Facts, const Launch &L,
               const LanesOptions &Options, const Slice &S,
               uint32_t ZeroArgument = NoIndex);

  Dim3 grid() const { return Grid; }
  /// The grid is that of the launch, not assumed.
  bool gridIsKnown() const { return IsGridKnown; }
  Dim3 block() const { return Block; }
  unsigned warpsPerBlock() const { return Place.warpsPerBlock(); }
  uint64_t gridThreads() const { return Grid.count() * Block.count(); }
  uint64_t dynamicSharedBytes() const { return L.DynamicSharedBytes.Value; }

  /// Chooses the warp that the special registers speak of; returns the lanes
  /// that hold threads.
  LaneMask selectWarp(Dim3 BlockIndex, unsigned WarpInBlock) {
    return Place.select(BlockIndex, WarpInBlock);
  }
  /// The number of the selected block in the grid.
  uint64_t blockNumber() const { return Place.blockNumber(); }
  LaneValue specialRegister(SpecialReg R) const {
    return Place.specialRegister(R);
  }

  /// Result \p Result of \p Op, which is a Param.
  LaneValue parameter(const SliceOp &Op, unsigned Result);
  LaneValue symbol(uint32_t Index) const;
  /// The addresses of a memory; 0 bytes where its size is not known.
  struct Extent {
    uint64_t Start = 0, Bytes = 0;
  };
  Extent extentOf(MemorySpace Space) const;
  /// The array that \p Address is in; 0 bytes where nobody said its size.
  Extent arrayAround(uint64_t Address) const;

  /// What the launch says of memory.
  const LaunchMemory &memory() const { return Memory; }
  /// The \p Bytes bytes at \p Address, where the launch or the code says what
  /// is there; what that rests on becomes an assumption.
  std::optional<uint64_t> recorded(uint64_t Address, unsigned Bytes);
  /// What the threads of sampled blocks read in this launch; null where nothing
  /// was seen.
  const SeenReads *seen() const { return Seen; }
  /// All that the threads of the selected block read is known where the kernel
  /// ran.
  bool knowsReads() const;

  /// Elements that the grid works on, the range that loaded indices are drawn
  /// from: as many as it has threads, or as its threads reach when they go on
  /// by their number in a loop.
  uint64_t problemSize() const { return std::max(ProblemSize, gridThreads()); }
  /// The threads reach \p Count elements.
  void noteProblemSize(uint64_t Count) {
    ProblemSize = std::max(ProblemSize, Count);
  }

  /// What the launch says of its loops.
  const LaunchTurns &turns() const { return Turns; }
  /// Turns of \p Loop that were counted in the selected warp.
  std::optional<LaunchTurns::CountedTrips> countedTrips(uint32_t Loop) const {
    return Turns.counted(Loop, Place.blockNumber(), Place.warp());
  }
  /// Iterations per entry that the launch gives for \p Loop, or that were
  /// counted, or the default.
  double tripCountHint(uint32_t Loop, bool &IsDefault) const;
  /// The trip count of \p Loop is what was counted.
  void noteByTurns(uint32_t Loop) { IsByTurns[Loop] = true; }
  /// Loops of which noteByTurns() was told.
  unsigned numByTurns() const {
    return unsigned(std::count(IsByTurns.begin(), IsByTurns.end(), true));
  }
  /// The worst that the trip count of \p Loop rests on.
  TripBasis tripBasis(uint32_t Loop) const { return TripBases[Loop]; }

  /// Words that the launch lets data-dependent addresses of \p Access choose
  /// from; 0 if it says nothing.
  uint64_t distinctAddresses(uint32_t Access) const {
    return Access < DistinctAddresses.size() ? DistinctAddresses[Access] : 0;
  }
  /// Share of the lanes that take the first target of \p Branch as the launch
  /// says, if it does.
  std::optional<double> probability(uint32_t Branch) const {
    return Branch < Probabilities.size() ? Probabilities[Branch] : std::nullopt;
  }
  llvm::ArrayRef<std::optional<double>> givenProbabilities() const {
    return Probabilities;
  }
  /// A walk took \p Count steps (see LanesOptions::StepsTaken).
  void countSteps(uint64_t Count) const {
    if (Options.StepsTaken)
      *Options.StepsTaken += Count;
  }

  /// Adds the trip count \p Taken of the loop at \p Location, which rests on
  /// \p Basis, other than a count.
  void assumeTripCount(uint32_t Loop, uint32_t Location, double Taken,
                       TripBasis Basis);
  /// Takes back what walks have said of trip counts: another walk replaces
  /// them.
  void dropTripAssumptions();
  /// What rests on the order in which the warps of the grid come to an atomic.
  TaintMask assumeOrder(uint32_t Access);
  /// Warps lose turns to each other at the compare-and-swap \p Access.
  void assumeSwapTurns(uint32_t Access);
  /// Arguments of mathematical functions are drawn. \returns the upper end of
  /// their range.
  double assumeMathArguments();
  /// The work of \p Count blocks of the grid was looked up; an assumption if
  /// there are more.
  void noteBlocksLookedAt(uint64_t Count);
  /// Adds an assumption for each access of \p Profile of some weight whose
  /// places were drawn and not given.
  void assumeDrawnAddresses(const ExecutionProfile &Profile);

  /// The parameters whose values were assumed and that indices are compared
  /// with, in the order of their use.
  std::vector<uint32_t> assumedStarts() const;
  /// The integer arguments that were read and not given, by offset.
  std::vector<AssumedArgument> assumedArguments() const;
  std::vector<Assumption> assumptions() const { return Log.list(); }
  /// The assumptions that \p Taint names, in words; empty for none.
  std::string describe(TaintMask Taint) const { return Log.describe(Taint); }

private:
  GuessedLaunch guessedLaunch() const {
    return {Grid, Block, DefaultArgument, Options.DefaultTripCount};
  }
  /// \returns what the extents of the grid rest on.
  TaintMask chooseGrid();
  /// The first result of \p Op.
  LaneValue parameter(const SliceOp &Op);
  LaneValue assumedArgument(unsigned ParameterIndex, const SliceOp &Op);
  /// The member of a struct that \p Op reads, as the launch gives it.
  LaneValue memberValue(const ScalarArgument &Given, const SliceOp &Op) const;
  /// That a variable still holds what the code says it begins with.
  void assumeTable(uint32_t Symbol);
  /// Notes that the array at \p Array is taken to be like its \p Parts.
  void assumeParts(uint64_t Array, const ArrayParts &Parts);
  void assumeRows(const RowStarts &Rows);
  /// The name of the array whose address is at \p Array in parameter memory;
  /// empty where there is none, or where it was asked for before.
  std::string newlyAssumed(uint64_t Array);

  const KernelFacts &Facts;
  const Launch &L;
  const SeenReads *Seen;
  const LaunchMemory Memory;
  const LaunchTurns Turns;
  const LanesOptions &Options;
  const Slice &S;
  uint32_t ZeroArgument;
  Dim3 Grid, Block;
  bool IsGridKnown = true;
  WarpPlace Place;
  uint64_t ProblemSize = 0;
  int64_t DefaultArgument = 0;
  AssumptionLog Log;
  /// What was taken for arguments that are not given, by offset and bits, and
  /// those of them that are integers, by offset.
  std::map<std::pair<int64_t, unsigned>, LaneValue> AssumedValues;
  std::map<int64_t, AssumedArgument> AssumedIntegers;
  /// What the trip count of each loop rests on.
  std::vector<TripBasis> TripBases;
  std::vector<bool> IsByTurns;
  /// Arrays of whose parts there is an assumption, by the offset of the address
  /// in parameter memory.
  std::set<uint64_t> PartsAssumed;
  /// Compare-and-swaps that have an assumption, by access.
  std::vector<bool> SwapsAssumed;
  /// Variables that have one, by symbol.
  std::vector<bool> TablesAssumed;
  /// Of drawn arguments, when the first was drawn.
  std::optional<double> MathArgumentsEnd;
  /// By access; empty if the launch gives none.
  std::vector<uint64_t> DistinctAddresses;
  /// By branch; empty if the launch gives none.
  std::vector<std::optional<double>> Probabilities;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_LAUNCHINPUTS_H
