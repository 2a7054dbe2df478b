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
#include "Walk/IndexRanges.h"
#include "Walk/LaneValue.h"
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
  bool gridIsKnown() const { return GridTaint == 0; }
  Dim3 block() const { return Block; }
  unsigned warpsPerBlock() const { return NumWarps; }

  uint64_t dynamicSharedBytes() const { return L.DynamicSharedBytes.Value; }

  /// The addresses of a memory; 0 bytes where its size is not known.
  struct Extent {
    uint64_t Start = 0, Bytes = 0;
  };
  Extent extentOf(MemorySpace Space) const;

  /// Chooses the warp that the special registers speak of; returns the lanes
  /// that hold threads.
  LaneMask selectWarp(Dim3 BlockIndex, unsigned WarpInBlock);

  LaneValue specialRegister(SpecialReg R) const;
  /// Result \p Result of \p Op, which is a Param.
  LaneValue parameter(const SliceOp &Op, unsigned Result);
  LaneValue symbol(uint32_t Index) const;
  /// An address in a window of its own, for a pointer that was loaded.
  static uint64_t loadedPointer(uint64_t Key);
  /// The address in the walk of what lay at \p Address when the kernel ran;
  /// \p Address where no device memory lies there.
  static uint64_t pointerWhenSeen(uint64_t Address);
  /// The address in the walk of the array that \p Word at \p Address, in a
  /// structure that is passed by value, leads to; \p Word where it is none.
  uint64_t pointerInStruct(uint64_t Address, uint64_t Word) const;

  /// The number of the selected block in the grid.
  uint64_t blockNumber() const {
    return BlockIndex.X + Grid.X * (BlockIndex.Y + Grid.Y * BlockIndex.Z);
  }
  uint64_t gridThreads() const { return Grid.count() * Block.count(); }
  /// \p Address, of an array, is in memory of the host.
  bool isHostMemory(uint64_t Address) const;
  /// The \p Bytes bytes at \p Address, in an array of the kernel, where the
  /// launch says what it holds.
  std::optional<uint64_t> recorded(uint64_t Address, unsigned Bytes);
  /// What the threads of sampled blocks read in this launch; null where nothing
  /// was seen.
  const SeenReads *seen() const { return Seen; }
  /// Where \p Address, in an array of the kernel, in a variable or behind a
  /// pointer that was loaded, was when it ran.
  std::optional<uint64_t> addressWhenSeen(uint64_t Address) const;
  /// Things that the grid works on, the range that loaded indices are drawn
  /// from: as many as it has threads, or as its threads reach when they go on
  /// by their number in a loop.
  uint64_t problemSize() const { return std::max(ProblemSize, gridThreads()); }
  /// The threads reach \p Count elements.
  void noteProblemSize(uint64_t Count) {
    ProblemSize = std::max(ProblemSize, Count);
  }

  /// Adds the trip count \p Taken of the loop at \p Location, which rests on
  /// \p Basis, other than a count.
  void assumeTripCount(uint32_t Loop, uint32_t Location, double Taken,
                       TripBasis Basis);
  /// Takes back what walks have said of trip counts: another walk replaces
  /// them.
  void dropTripAssumptions();
  /// The worst that the trip count of \p Loop rests on.
  TripBasis tripBasis(uint32_t Loop) const { return TripBases[Loop]; }
  /// What rests on the order in which the warps of the grid come to an atomic.
  TaintMask assumeOrder(uint32_t Access);
  /// Warps lose turns to each other at the compare-and-swap \p Access.
  void assumeSwapTurns(uint32_t Access);
  /// Arguments of mathematical functions are drawn. \returns the upper end of
  /// their range.
  double assumeMathArguments();
  /// Turns of a loop per entry, counted while the kernel ran.
  struct CountedTrips {
    /// Of the longest lane, and of the mean lane.
    double Longest = 1, MeanLane = 1;
  };
  /// Of the warp that is selected, where its block is known by itself, or of
  /// the mean warp that entered \p Loop; nothing where the launch gives another
  /// number or it was not counted.
  std::optional<CountedTrips> countedTrips(uint32_t Loop) const;
  /// The trip count of \p Loop is what was counted.
  void noteByTurns(uint32_t Loop) { IsByTurns[Loop] = true; }
  /// Loops of which noteByTurns() was told.
  unsigned numByTurns() const {
    return unsigned(std::count(IsByTurns.begin(), IsByTurns.end(), true));
  }
  /// What was counted in all blocks; null where nothing was.
  const CountedTurns *turns() const { return Turns; }
  /// The blocks that are known by themselves turn differently often in loops
  /// that were counted.
  bool turnsDecide() const;
  /// All that the threads of the selected block read is known where the kernel
  /// ran.
  bool knowsReads() const;
  /// Iterations per entry that the launch gives for \p Loop, or that were
  /// counted, or the default.
  double tripCountHint(uint32_t Loop, bool &IsDefault) const;

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

  const std::vector<Assumption> &assumptions() const { return Assumptions; }
  /// The assumptions that \p Taint names, in words; empty for none.
  std::string describe(TaintMask Taint) const;

private:
  TaintMask assume(uint64_t Key, Assumption A);
  /// Adds \p A unless there is one about the same.
  void assumeOnce(Assumption A);
  GuessedLaunch guessedLaunch() const {
    return {Grid, Block, DefaultArgument, Options.DefaultTripCount};
  }
  /// The first result of \p Op.
  LaneValue parameter(const SliceOp &Op);
  LaneValue assumedArgument(unsigned ParameterIndex, const SliceOp &Op);
  /// The member of a struct that \p Op reads, as the launch gives it.
  LaneValue memberValue(const ScalarArgument &Given, const SliceOp &Op) const;
  /// \p Bits bits from byte \p Inside on of parameter \p Index, where the
  /// launch gives its bytes.
  std::optional<uint64_t> structWord(unsigned Index, uint64_t Inside,
                                     unsigned Bits) const;
  /// That a variable still holds what the code says it begins with.
  void assumeTable(uint32_t Symbol);
  /// The \p Bytes bytes at \p Address, if the code says what is there.
  std::optional<uint64_t> tableWord(uint64_t Address, unsigned Bytes);
  /// The byte of parameter memory at \p Address, if that is in it.
  std::optional<uint64_t> parameterByteAt(uint64_t Address) const;
  /// The \p Bytes bytes from byte \p At of parameter memory on, likewise.
  std::optional<uint64_t> givenBytes(uint64_t At, unsigned Bytes) const;
  void chooseGrid(const Slice &S);
  /// The array that \p Address is in, by the offset of its address in parameter
  /// memory, and the bytes behind its start.
  std::optional<std::pair<uint64_t, uint64_t>> arrayAt(uint64_t Address) const;
  std::optional<uint64_t> variableWhenSeen(uint64_t Address) const;
  /// Notes that the array at \p Array is taken to be like its \p Parts.
  void assumeParts(uint64_t Array, const ArrayParts &Parts);

  const KernelFacts &Facts;
  const Launch &L;
  const RecordedMemory Memory;
  const SeenReads *Seen = nullptr;
  const CountedTurns *Turns = nullptr;
  /// The counted loops that each loop is.
  std::vector<std::vector<uint32_t>> LoopsInTurns;
  const LanesOptions &Options;
  const Slice &S;
  uint32_t ZeroArgument;
  Dim3 Grid, Block;
  unsigned NumWarps = 1;
  uint64_t ProblemSize = 0;
  int64_t DefaultArgument = 0;
  TaintMask GridTaint = 0;
  Dim3 BlockIndex;
  unsigned WarpInBlock = 0;
  LaneValue Tid[3];
  std::vector<Assumption> Assumptions;
  /// Key of each assumption that has a taint bit, by bit.
  std::vector<std::pair<uint64_t, uint32_t>> InputBits;
  /// What was taken for arguments that are not given, by offset and bits, and
  /// those of them that are integers, by offset.
  std::map<std::pair<int64_t, unsigned>, LaneValue> AssumedValues;
  std::map<int64_t, AssumedArgument> AssumedIntegers;
  /// Assumption of each loop, NoIndex for none.
  std::vector<uint32_t> TripAssumptions;
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
