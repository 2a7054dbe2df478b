//===- LaunchInputs.cpp - What a launch gives to a warp -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/LaunchInputs.h"
#include "Slice/BranchProbability.h"
#include "Walk/WalkAddresses.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/LoadedPlaces.h"
#include "gpuocc/Kernel/OperationTraits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <bit>
#include <cmath>

using namespace gpuocc;
using namespace llvm;

namespace {

std::string numberText(double V) {
  std::string Text;
  raw_string_ostream OS(Text);
  if (V == std::floor(V) && std::fabs(V) < 1e15)
    OS << int64_t(V);
  else
    OS << format("%g", V);
  return Text;
}

Dim3 atLeastOne(Dim3 Extents) {
  return {std::max<uint64_t>(1, Extents.X), std::max<uint64_t>(1, Extents.Y),
          std::max<uint64_t>(1, Extents.Z)};
}

/// "256x1x1".
std::string extentsText(Dim3 Extents) {
  return utostr(Extents.X) + "x" + utostr(Extents.Y) + "x" + utostr(Extents.Z);
}

std::string parameterName(const Parameter &P, unsigned Index) {
  return P.Name.empty() ? "#" + utostr(Index) : P.Name;
}

/// The place of an access in the file of the kernel: atomics are functions of
/// a header.
std::string placeOfAccess(const KernelFacts &Facts, uint32_t Access) {
  const uint32_t Op = Facts.Accesses[Access].Op;
  const uint32_t Location =
      Op < Facts.Operations.size() ? Facts.Operations[Op].Location : NoIndex;
  if (Location < Facts.Locations.size())
    for (const SourcePlace &Place : Facts.Locations[Location].Places)
      if (Place.File == Facts.Place.File)
        return placeText(Place);
  return placeText(Facts.placeOf(Location));
}

} // namespace

/// \p A as a floating-point number of \p Bits bits.
static LaneValue realBits(const ScalarArgument &A, unsigned Bits) {
  double Value = A.IsReal ? A.Real : double(A.Integer);
  return LaneValue(Bits == 64 ? std::bit_cast<uint64_t>(Value)
                              : std::bit_cast<uint32_t>(float(Value)));
}

/// The share of the lanes that take the first target of branch \p I as \p L
/// gives it.
static std::optional<double> givenProbability(const KernelFacts &Facts,
                                              const Launch &L, uint32_t I) {
  const uint32_t Op = Facts.Branches[I].Op;
  if (Op >= Facts.Operations.size())
    return std::nullopt;
  auto It = L.BranchProbabilities.find(
      placeText(Facts.placeOf(Facts.Operations[Op].Location)));
  if (It == L.BranchProbabilities.end())
    return std::nullopt;
  const std::optional<BranchSide> Side = sideInSource(Facts, I);
  if (!Side)
    return std::nullopt;
  return Side->Target == 0 ? It->second.Value : 1 - It->second.Value;
}

LaunchInputs::LaunchInputs(const KernelFacts &Facts, const Launch &L,
                           const LanesOptions &Options, const Slice &S,
                           uint32_t ZeroArgument)
    : Facts(Facts), L(L), Seen(Options.seenIn(L)), Memory(Facts, L, Seen),
      Turns(Facts, L, Options.turnsIn(L)), Options(Options), S(S),
      ZeroArgument(ZeroArgument), Block(atLeastOne(L.Block.Value)),
      TripBases(Facts.Loops.size(), TripBasis::Counted),
      IsByTurns(Facts.Loops.size()) {
  if (L.Block.Source.by() == GivenBy::Nobody) {
    Assumption A;
    A.What = "block size";
    A.Taken = extentsText(Block);
    A.HowToSupply = "block in the configuration or --launch";
    Log.add(std::move(A));
  }
  const TaintMask GridTaint = chooseGrid();
  IsGridKnown = GridTaint == 0;
  Place = WarpPlace(Grid, Block, atLeastOne(L.Cluster), dynamicSharedBytes(),
                    GridTaint);
  if (!L.DistinctAddresses.empty())
    for (uint32_t I = 0; I < Facts.Accesses.size(); ++I) {
      auto It = L.DistinctAddresses.find(placeOfAccess(Facts, I));
      DistinctAddresses.push_back(
          It == L.DistinctAddresses.end() ? 0 : uint64_t(It->second.Value));
    }
  if (!L.BranchProbabilities.empty())
    for (uint32_t I = 0; I < Facts.Branches.size(); ++I)
      Probabilities.push_back(givenProbability(Facts, L, I));
}

TaintMask LaunchInputs::chooseGrid() {
  DefaultArgument = Options.DefaultArgument;
  if (L.Grid) {
    Grid = atLeastOne(L.Grid->Value);
    if (L.Grid->Source.by() != GivenBy::Nobody) {
      // An extent that is not given is most likely what the grid covers.
      DefaultArgument = int64_t(
          std::max({Grid.X * Block.X, Grid.Y * Block.Y, Grid.Z * Block.Z}));
      return 0;
    }
  } else {
    // Enough blocks to fill the machine many times, within the default extent.
    uint64_t Blocks = std::clamp<uint64_t>(
        uint64_t(std::max<int64_t>(1, Options.DefaultArgument)) / Block.count(),
        1, std::max<uint64_t>(1, Options.DefaultGridBlocks));
    unsigned Dims = unsigned(S.UsesCtaId[0]) + S.UsesCtaId[1] + S.UsesCtaId[2];
    uint64_t Side =
        Dims < 2 ? Blocks
                 : std::max<uint64_t>(1, uint64_t(std::floor(std::pow(
                                             double(Blocks), 1.0 / Dims))));
    uint64_t *Extent[3] = {&Grid.X, &Grid.Y, &Grid.Z};
    if (Dims == 0)
      Grid.X = Side;
    for (unsigned D = 0; D < 3; ++D)
      if (S.UsesCtaId[D])
        *Extent[D] = Side;
  }
  Assumption A;
  A.What = "grid size";
  A.Taken = extentsText(Grid);
  A.HowToSupply = "grid in the configuration or --launch";
  return Log.addInput(~uint64_t(0), std::move(A));
}

/// The guess about \p About number \p Index for launch \p L.
static std::optional<Guess> guessFor(const KernelFacts &Facts, const Slice &S,
                                     const GuessedLaunch &L, Question About,
                                     int64_t Index) {
  return guess({Facts, {}, &S.Roles, &L}, S.Used, About, Index);
}

/// "... at a.cu:18", or what stands for the place where there is none.
static std::string atPlaceOf(const KernelFacts &Facts, uint32_t Access) {
  const std::string Place = placeOfAccess(Facts, Access);
  return Place.empty() ? " without a source line" : " at " + Place;
}

static uint32_t locationOf(const KernelFacts &Facts, uint32_t Access) {
  const uint32_t Op = Facts.Accesses[Access].Op;
  return Op < Facts.Operations.size() ? Facts.Operations[Op].Location : NoIndex;
}

void LaunchInputs::noteBlocksLookedAt(uint64_t Count) {
  if (Count >= Grid.count())
    return;
  Assumption A;
  A.What = "blocks whose work recorded data decides";
  A.Taken = "as " + utostr(Count) + " of " + utostr(Grid.count()) +
            " that were looked at; others may work more";
  Log.add(std::move(A));
}

void LaunchInputs::assumeSwapTurns(uint32_t Access) {
  SwapsAssumed.resize(Facts.Accesses.size());
  if (SwapsAssumed[Access])
    return;
  SwapsAssumed[Access] = true;
  const std::optional<Guess> Lost =
      guessFor(Facts, S, guessedLaunch(), Question::Swap, Access);
  if (!Lost)
    return;
  Assumption A;
  A.What = "turns that compare-and-swaps of a block take from each other" +
           atPlaceOf(Facts, Access);
  A.Taken = numberText(Lost->Value) + " for each other warp on the word";
  A.Location = locationOf(Facts, Access);
  A.setGuess(*Lost);
  Log.add(std::move(A));
}

void LaunchInputs::assumeTable(uint32_t Symbol) {
  TablesAssumed.resize(Facts.Symbols.size());
  if (TablesAssumed[Symbol])
    return;
  TablesAssumed[Symbol] = true;
  Assumption A;
  A.What = "contents of " + Facts.Symbols[Symbol].Name;
  A.Taken = "as the code initializes it";
  Log.add(std::move(A));
}

double LaunchInputs::assumeMathArguments() {
  if (MathArgumentsEnd)
    return *MathArgumentsEnd;
  const std::optional<Guess> End =
      guessFor(Facts, S, guessedLaunch(), Question::MathArgument, NoIndex);
  assert(End && "only guessed arguments are drawn");
  Assumption A;
  A.What = "arguments of mathematical functions that rest on data";
  A.Taken = "spread from 0 to " + numberText(End->Value);
  A.HowToSupply = "memory in the configuration";
  A.setGuess(*End);
  Log.add(std::move(A));
  return *(MathArgumentsEnd = End->Value);
}

TaintMask LaunchInputs::assumeOrder(uint32_t Access) {
  Assumption A;
  A.What = "numbers that atomics on a counter return";
  A.Taken = "those of the warps of the grid, from 0";
  A.HowToSupply = "trip_counts in the configuration, for loops that they end";
  if (const std::optional<Guess> Order =
          guessFor(Facts, S, guessedLaunch(), Question::Counter, Access))
    A.setGuess(*Order);
  return Log.addInput(~uint64_t(1), std::move(A));
}

/// AssumedArgument::Another. Multiples that are no powers of two keep what is
/// aligned aligned, and rows apart in the channels of DRAM.
static int64_t anotherValue(const AssumedArgument &A,
                            const ParameterRole &Role) {
  // Offsets of rows are often computed in 32 bits.
  constexpr int64_t OfOffset = 9, OfOther = 65;
  const int64_t Times =
      Role.Bounded.empty() && Role.PitchOf == NoIndex ? OfOther : OfOffset;
  const int64_t Most = A.SizeBytes >= 8 ? INT64_MAX : INT32_MAX;
  const int64_t Value = std::max<int64_t>(1, A.Value);
  return Value > Most / Times ? Most : Value * Times;
}

LaneValue LaunchInputs::assumedArgument(unsigned Index, const SliceOp &Op) {
  auto [Known, IsNew] = AssumedValues.try_emplace({Op.Imm, Op.Bits});
  if (!IsNew)
    return Known->second;
  const Parameter &P = Facts.Parameters[Index];
  auto It = S.Roles.find(Op.Imm);
  const ParameterRole Role = It == S.Roles.end() ? ParameterRole() : It->second;
  ScalarArgument Taken;
  Taken.IsReal = P.IsFloat || Role.IsReal;
  std::optional<Guess> Likely;
  if (Index != ZeroArgument) {
    GuessedLaunch Launched = guessedLaunch();
    Launched.Ranges = rangesOfRole(Facts, Role, Grid, Block);
    Likely = guessFor(Facts, S, Launched, Question::Argument, Op.Imm);
    Taken.Integer = Likely ? int64_t(Likely->Value) : DefaultArgument;
    Taken.Real = 1;
  }
  const uint64_t Inside = uint64_t(Op.Imm) - P.OffsetBytes;
  AssumedArgument Of;
  Of.OffsetBytes = unsigned(Op.Imm);
  Of.SizeBytes = Op.Bits / 8;
  Of.Name = parameterName(P, Index);
  Of.Value = Taken.Integer;
  Of.Another = anotherValue(Of, Role);
  if (!Role.IsStart && !Role.IsCount && !Taken.IsReal)
    Of.ExtentOf = Role.Dimensions;
  Assumption A;
  A.HowToSupply = "arguments in the configuration or --launch";
  if (P.SizeBytes > 8 || Inside > 0) {
    Of.Name += "+" + utostr(Inside);
    A.HowToSupply = "'" + Of.Name + "' among the " + A.HowToSupply;
  }
  A.What = "argument " + Of.Name;
  A.Taken = numberText(Taken.IsReal ? Taken.Real : double(Taken.Integer));
  if (Likely && !Taken.IsReal)
    A.setGuess(*Likely);
  LaneValue V = Taken.IsReal
                    ? realBits(Taken, Op.Bits)
                    : LaneValue(uint64_t(Taken.Integer) & lowBits(Op.Bits));
  V.Base = Log.addInput(Index | Inside << 32, std::move(A));
  if (!Taken.IsReal)
    AssumedIntegers.try_emplace(Op.Imm, std::move(Of));
  return Known->second = V;
}

std::vector<AssumedArgument> LaunchInputs::assumedArguments() const {
  std::vector<AssumedArgument> Arguments;
  for (const auto &[Offset, Argument] : AssumedIntegers)
    Arguments.push_back(Argument);
  return Arguments;
}

LaneValue LaunchInputs::memberValue(const ScalarArgument &Given,
                                    const SliceOp &Op) const {
  auto It = S.Roles.find(Op.Imm);
  if (Given.IsReal || (It != S.Roles.end() && It->second.IsReal))
    return realBits(Given, Op.Bits);
  return LaneValue(uint64_t(Given.Integer) & lowBits(Op.Bits));
}

std::optional<uint64_t> LaunchInputs::recorded(uint64_t Address,
                                               unsigned Bytes) {
  const std::optional<LaunchMemory::KnownWord> Known =
      Memory.read(Address, Bytes);
  if (!Known)
    return std::nullopt;
  if (Known->Table != NoIndex)
    assumeTable(Known->Table);
  if (Known->Parts)
    assumeParts(Known->Array, *Known->Parts);
  if (Known->Rows)
    assumeRows(*Known->Rows);
  return Known->Word;
}

std::string LaunchInputs::newlyAssumed(uint64_t Array) {
  if (!PartsAssumed.insert(Array).second)
    return "";
  const auto P = find_if(Facts.Parameters, [&](const Parameter &Of) {
    return Array - Of.OffsetBytes < Of.SizeBytes;
  });
  return P == Facts.Parameters.end()
             ? ""
             : parameterName(*P, unsigned(P - Facts.Parameters.begin()));
}

void LaunchInputs::assumeRows(const RowStarts &Rows) {
  const std::string Name = newlyAssumed(Rows.Array);
  if (Name.empty())
    return;
  Assumption A;
  A.What = "length of the rows that begin where " + Name + " says";
  A.Taken = numberText(Rows.elementsPerRow()) +
            " each, as arrays have room for " + utostr(Rows.NumElements) +
            " elements of " + utostr(Rows.NumRows) + " rows";
  A.HowToSupply = "memory in the configuration";
  Guess Mean;
  Mean.By = Mechanism::TripCounts;
  Mean.Evidence = "the sizes of arrays that a loop goes through";
  A.setGuess(Mean);
  Log.add(std::move(A));
}

void LaunchInputs::assumeParts(uint64_t Array, const ArrayParts &Parts) {
  const std::string Name = newlyAssumed(Array);
  if (Name.empty())
    return;
  constexpr unsigned MiBLog2 = 20;
  Assumption A;
  A.What = "contents of " + Name;
  A.Taken = "as in the " + utostr(Parts.NumParts * Parts.PartBytes >> MiBLog2) +
            " of " + utostr(Parts.ArrayBytes >> MiBLog2) +
            " MiB that are recorded, spread evenly";
  Log.add(std::move(A));
}

std::vector<uint32_t> LaunchInputs::assumedStarts() const {
  std::vector<uint32_t> Indices;
  Log.forEachInput([&](uint64_t Key) {
    const uint32_t Index = uint32_t(Key);
    if (Index >= Facts.Parameters.size() || is_contained(Indices, Index))
      return;
    auto Role = S.Roles.find(
        int64_t(Facts.Parameters[Index].OffsetBytes + (Key >> 32)));
    if (Role != S.Roles.end() && Role->second.Dimensions != 0)
      Indices.push_back(Index);
  });
  return Indices;
}

LaneValue LaunchInputs::parameter(const SliceOp &Op, unsigned Result) {
  if (Result == 0)
    return parameter(Op);
  SliceOp Part = Op;
  Part.Imm = parameterByteOf(Facts.Operations[Op.Op], Result);
  return parameter(Part);
}

LaneValue LaunchInputs::parameter(const SliceOp &Op) {
  uint64_t Offset = uint64_t(Op.Imm);
  for (unsigned I = 0; I < Facts.Parameters.size(); ++I) {
    const Parameter &P = Facts.Parameters[I];
    if (Offset < P.OffsetBytes || Offset >= P.OffsetBytes + P.SizeBytes)
      continue;
    uint64_t Inside = Offset - P.OffsetBytes;
    if (auto Member = L.Members.find(unsigned(Offset));
        Member != L.Members.end())
      return memberValue(Member->second.Value, Op);
    const std::optional<uint64_t> Word = Memory.structWord(I, Inside, Op.Bits);
    // The address of an array says nothing; whether there is one does. A stride
    // of bytes is added to an address as it is, too.
    if (Word && (!Op.IsPointerRoot || !mayBeAddress(*Word)))
      return LaneValue(*Word);
    auto Given = L.Arguments.find(I);
    if (P.IsPointer && Given != L.Arguments.end())
      return LaneValue(uint64_t(Given->second.Value.Integer));
    if (P.IsPointer || (Op.IsPointerRoot && P.SizeBytes > 8)) {
      LaneValue V(memberStart(I, Inside));
      auto It = L.PointerAlignment.find(I);
      // The object starts at the weakest place that its alignment allows.
      if (P.IsPointer && It != L.PointerAlignment.end() &&
          It->second.Value > 0 && It->second.Value < 256)
        V.V[0] += It->second.Value;
      return V;
    }
    auto It = L.Arguments.find(I);
    if (P.IsFloat)
      return It == L.Arguments.end() ? assumedArgument(I, Op)
                                     : realBits(It->second.Value, Op.Bits);
    if (It != L.Arguments.end() && !It->second.Value.IsReal) {
      unsigned Shift = unsigned(std::min<uint64_t>(Inside * 8, 63));
      return LaneValue(uint64_t(It->second.Value.Integer) >> Shift &
                       lowBits(Op.Bits));
    }
    return assumedArgument(I, Op);
  }
  LaneValue V;
  V.Base = OpaqueTaint;
  return V;
}

LaneValue LaunchInputs::symbol(uint32_t Index) const {
  if (Index >= Facts.Symbols.size())
    return LaneValue();
  const Symbol &S = Facts.Symbols[Index];
  if (S.Space == MemorySpace::Shared)
    return LaneValue(sharedStart() + (S.IsDynamicShared
                                          ? Facts.StaticSharedBytes
                                          : S.OffsetBytes));
  if (S.Space == MemorySpace::Local)
    return LaneValue(localStart() + S.OffsetBytes);
  return LaneValue(symbolStart(Index));
}

/// Bytes of local memory that the stack frame of a thread takes.
static uint64_t frameBytes(const KernelFacts &Facts) {
  uint64_t Bytes = 0;
  for (const Symbol &S : Facts.Symbols)
    if (S.Space == MemorySpace::Local)
      Bytes = std::max(Bytes, S.OffsetBytes + S.SizeBytes);
  return Bytes;
}

LaunchInputs::Extent LaunchInputs::extentOf(MemorySpace Space) const {
  if (Space == MemorySpace::Shared)
    return {sharedStart(), Facts.StaticSharedBytes + dynamicSharedBytes()};
  if (Space == MemorySpace::Local)
    return {localStart(), frameBytes(Facts)};
  return {};
}

LaunchInputs::Extent LaunchInputs::arrayAround(uint64_t Address) const {
  const std::optional<ArrayByte> At = arrayAt(Facts, Address);
  if (!At)
    return {};
  const auto Said = L.ArrayBytes.find(unsigned(At->Array));
  return Said == L.ArrayBytes.end()
             ? Extent()
             : Extent{Address - At->Byte, Said->second.Value};
}

bool LaunchInputs::knowsReads() const {
  return Seen && !Seen->isCut() &&
         std::binary_search(Seen->numbers().begin(), Seen->numbers().end(),
                            Place.blockNumber());
}

double LaunchInputs::tripCountHint(uint32_t Loop, bool &IsDefault) const {
  IsDefault = false;
  if (const std::optional<double> Given = Turns.given(Loop))
    return *Given;
  if (const auto Counted = countedTrips(Loop))
    return Counted->Longest;
  IsDefault = true;
  const std::optional<Guess> Likely =
      guessFor(Facts, S, guessedLaunch(), Question::TripCount, Loop);
  return Likely ? std::max(1.0, Likely->Value) : 1;
}

/// What follows a trip count that rests on \p Basis.
static StringRef whyOf(TripBasis Basis) {
  switch (Basis) {
  case TripBasis::Counted:
  case TripBasis::Guessed:
    return "";
  case TripBasis::AtMost:
    return ", data does not end it early";
  case TripBasis::Scattered:
    return " in the mean of the warps that were walked; others may go on "
           "longer";
  case TripBasis::NotReached:
    return ", its end was not reached";
  }
  llvm_unreachable("no basis of a trip count");
}

void LaunchInputs::assumeTripCount(uint32_t Loop, uint32_t Location,
                                   double Taken, TripBasis Basis) {
  if (Loop >= TripBases.size())
    return;
  TripBases[Loop] = std::max(TripBases[Loop], Basis);
  if (Log.hasTripCount(Loop))
    return;
  const StringRef Why = whyOf(Basis);
  std::string Place = placeText(Facts.placeOf(Location));
  Assumption A;
  A.What = Place.empty() ? "trip count of a loop without a source line"
                         : "trip count of the loop at " + Place;
  A.Taken = numberText(Taken) + Why.str();
  A.HowToSupply = "trip_counts in the configuration";
  A.Location = Location;
  if (std::optional<Guess> Likely =
          guessFor(Facts, S, guessedLaunch(), Question::TripCount, Loop);
      Likely && Why.empty())
    A.setGuess(*Likely);
  Log.addTripCount(Loop, std::move(A));
}

void LaunchInputs::dropTripAssumptions() {
  Log.dropTripCounts();
  fill(TripBases, TripBasis::Counted);
}

void LaunchInputs::assumeDrawnAddresses(const ExecutionProfile &Profile) {
  double Sectors = 0;
  // Unrolling repeats an access, and a line may have several.
  StringMap<double> OfPlace;
  for (uint32_t I = 0; I < Profile.Accesses.size(); ++I) {
    const AccessProfile &A = Profile.Accesses[I];
    const double Of = A.RequestsPerWarp * A.SectorsPerRequest;
    Sectors += Of;
    if (!A.IsInOrder || A.DrawnAddresses)
      OfPlace[atPlaceOf(Facts, I)] += Of;
  }
  for (uint32_t I = 0; I < Profile.Accesses.size(); ++I) {
    const AccessProfile &A = Profile.Accesses[I];
    if (A.IsInOrder && !A.DrawnAddresses)
      continue;
    const std::string Place = atPlaceOf(Facts, I);
    const bool IsLarge = isAtomic(Facts.Accesses[I].Kind) ||
                         (isInArrays(Facts.Accesses[I].Space) &&
                          OfPlace[Place] >= NamedPlacesShare * Sectors);
    if (IsLarge && goesWhereDataLead(Facts.Accesses[I], A)) {
      Assumption Led;
      Led.What = "place that loaded data lead to" + Place;
      Led.Taken = "a sector for each lane, which L1 does not have";
      Led.Location = locationOf(Facts, I);
      Log.add(std::move(Led));
      continue;
    }
    if (!A.DrawnAddresses || distinctAddresses(I) > 0 || !IsLarge)
      continue;
    const std::optional<Guess> Likely =
        guessFor(Facts, S, guessedLaunch(), Question::LoadedIndex, I);
    Assumption Drawn;
    Drawn.What = "data-dependent address";
    if (Likely && S.Accesses[I].IsInRuns)
      Drawn.What += " of runs of half a warp";
    Drawn.What += Place;
    Drawn.Taken = (Likely ? "uniform over " : "in order over ") +
                  numberText(*A.DrawnAddresses) + " places";
    Drawn.HowToSupply = "places in the configuration";
    Drawn.Location = locationOf(Facts, I);
    if (Likely)
      Drawn.setGuess(*Likely);
    Log.add(std::move(Drawn));
  }
}
