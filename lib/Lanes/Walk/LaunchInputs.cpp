//===- LaunchInputs.cpp - What a launch gives to a warp -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/LaunchInputs.h"
#include "Slice/BranchProbability.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/DeviceAddresses.h"
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

/// First windows of the kinds of objects.
enum Window : uint64_t {
  SharedWindow = 1,
  LocalWindow = 2,
  FirstSymbolWindow = 16,
  FirstParameterWindow = 1 << 12,
  FirstLoadedWindow = 1 << 16,
  /// Of pointers whose values were seen: the addresses of the run lie behind.
  SeenWindow = 1 << 20
};

uint64_t windowStart(uint64_t Window) { return Window << ObjectWindowLog2; }

/// Where the array begins whose address is at byte \p Inside of parameter \p
/// Index: members of a structure get windows of their own.
uint64_t memberWindow(unsigned Index, uint64_t Inside) {
  return windowStart(FirstParameterWindow + uint64_t(Index) * 256 +
                     Inside / 8 % 256);
}

std::string numberText(double V) {
  std::string Text;
  raw_string_ostream OS(Text);
  if (V == std::floor(V) && std::fabs(V) < 1e15)
    OS << int64_t(V);
  else
    OS << format("%g", V);
  return Text;
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

/// The \p Bytes bytes from byte \p At on of what has hexadecimal \p Digits, two
/// a byte; nothing behind their end, nor where they are none.
static std::optional<uint64_t> wordOf(StringRef Digits, uint64_t At,
                                      unsigned Bytes) {
  if (At > Digits.size() || (At + Bytes) * 2 > Digits.size())
    return std::nullopt;
  uint64_t Word = 0;
  for (unsigned Byte = Bytes; Byte-- != 0;) {
    uint8_t Value = 0;
    if (!tryGetHexFromNibbles(Digits[(At + Byte) * 2],
                              Digits[(At + Byte) * 2 + 1], Value))
      return std::nullopt;
    Word = Word << 8 | Value;
  }
  return Word;
}

LaunchInputs::LaunchInputs(const KernelFacts &Facts, const Launch &L,
                           const LanesOptions &Options, const Slice &S,
                           uint32_t ZeroArgument)
    : Facts(Facts), L(L), Memory(L), Seen(Options.seenIn(L)),
      Turns(Options.turnsIn(L)), Options(Options), S(S),
      ZeroArgument(ZeroArgument), Block(L.Block.Value),
      TripAssumptions(Facts.Loops.size(), NoIndex),
      TripBases(Facts.Loops.size(), TripBasis::Counted),
      IsByTurns(Facts.Loops.size()) {
  Block.X = std::max<uint64_t>(1, Block.X);
  Block.Y = std::max<uint64_t>(1, Block.Y);
  Block.Z = std::max<uint64_t>(1, Block.Z);
  if (Turns)
    LoopsInTurns = Turns->match(Facts);
  NumWarps = unsigned(
      std::min<uint64_t>((Block.count() + WarpLanes - 1) / WarpLanes, 32));
  if (L.Block.Source.by() == GivenBy::Nobody) {
    Assumption A;
    A.What = "block size";
    A.Taken = utostr(Block.X) + "x" + utostr(Block.Y) + "x" + utostr(Block.Z);
    A.HowToSupply = "block in the configuration or --launch";
    Assumptions.push_back(std::move(A));
  }
  chooseGrid(S);
  if (!L.DistinctAddresses.empty())
    for (uint32_t I = 0; I < Facts.Accesses.size(); ++I) {
      auto It = L.DistinctAddresses.find(placeOfAccess(Facts, I));
      DistinctAddresses.push_back(
          It == L.DistinctAddresses.end() ? 0 : uint64_t(It->second.Value));
    }
  for (uint32_t I = 0;
       I < Facts.Branches.size() && !L.BranchProbabilities.empty(); ++I) {
    const uint32_t Op = Facts.Branches[I].Op;
    auto It = Op < Facts.Operations.size()
                  ? L.BranchProbabilities.find(
                        placeText(Facts.placeOf(Facts.Operations[Op].Location)))
                  : L.BranchProbabilities.end();
    const std::optional<BranchSide> Side = It == L.BranchProbabilities.end()
                                               ? std::nullopt
                                               : sideInSource(Facts, I);
    std::optional<double> &Share = Probabilities.emplace_back();
    if (Side)
      Share = Side->Target == 0 ? It->second.Value : 1 - It->second.Value;
  }
}

void LaunchInputs::chooseGrid(const Slice &S) {
  DefaultArgument = Options.DefaultArgument;
  if (L.Grid) {
    Grid = L.Grid->Value;
    Grid.X = std::max<uint64_t>(1, Grid.X);
    Grid.Y = std::max<uint64_t>(1, Grid.Y);
    Grid.Z = std::max<uint64_t>(1, Grid.Z);
    if (L.Grid->Source.by() != GivenBy::Nobody) {
      // An extent that is not given is most likely what the grid covers.
      DefaultArgument = int64_t(
          std::max({Grid.X * Block.X, Grid.Y * Block.Y, Grid.Z * Block.Z}));
      return;
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
  A.Taken = utostr(Grid.X) + "x" + utostr(Grid.Y) + "x" + utostr(Grid.Z);
  A.HowToSupply = "grid in the configuration or --launch";
  GridTaint = assume(~uint64_t(0), std::move(A));
}

TaintMask LaunchInputs::assume(uint64_t Key, Assumption A) {
  for (unsigned Bit = 0; Bit < InputBits.size(); ++Bit)
    if (InputBits[Bit].first == Key)
      return TaintMask(1) << std::min(Bit, LastInputBit);
  unsigned Bit = unsigned(InputBits.size());
  InputBits.push_back({Key, uint32_t(Assumptions.size())});
  Assumptions.push_back(std::move(A));
  return TaintMask(1) << std::min(Bit, LastInputBit);
}

/// The guess about \p About number \p Index for launch \p L.
static std::optional<Guess> guessFor(const KernelFacts &Facts, const Slice &S,
                                     const GuessedLaunch &L, Question About,
                                     int64_t Index) {
  return guess({Facts, {}, &S.Roles, &L}, S.Used, About, Index);
}

void LaunchInputs::assumeOnce(Assumption A) {
  if (none_of(Assumptions,
              [&](const Assumption &Other) { return Other.What == A.What; }))
    Assumptions.push_back(std::move(A));
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
  assumeOnce(std::move(A));
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
  assumeOnce(std::move(A));
}

void LaunchInputs::assumeTable(uint32_t Symbol) {
  TablesAssumed.resize(Facts.Symbols.size());
  if (TablesAssumed[Symbol])
    return;
  TablesAssumed[Symbol] = true;
  Assumption A;
  A.What = "contents of " + Facts.Symbols[Symbol].Name;
  A.Taken = "as the code initializes it";
  assumeOnce(std::move(A));
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
  assumeOnce(std::move(A));
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
  return assume(~uint64_t(1), std::move(A));
}

LaneMask LaunchInputs::selectWarp(Dim3 Index, unsigned Warp) {
  BlockIndex = Index;
  WarpInBlock = Warp;
  LaneMask Present = 0;
  uint64_t Threads = Block.count();
  for (LaneValue &T : Tid)
    T.Uniform = false;
  for (unsigned Lane = 0; Lane < WarpLanes; ++Lane) {
    uint64_t Thread = uint64_t(Warp) * WarpLanes + Lane;
    if (Thread < Threads)
      Present |= LaneMask(1) << Lane;
    Tid[0].V[Lane] = Thread % Block.X;
    Tid[1].V[Lane] = Thread / Block.X % Block.Y;
    Tid[2].V[Lane] = Thread / (Block.X * Block.Y);
  }
  for (LaneValue &T : Tid)
    T.Uniform = std::all_of(T.V.begin(), T.V.end(),
                            [&](uint64_t V) { return V == T.V[0]; });
  return Present;
}

LaneValue LaunchInputs::specialRegister(SpecialReg R) const {
  auto PerLane = [](auto Compute) {
    LaneValue V;
    V.Uniform = false;
    for (unsigned Lane = 0; Lane < WarpLanes; ++Lane)
      V.V[Lane] = Compute(Lane) & 0xffffffffu;
    return V;
  };
  auto OfGrid = [&](uint64_t Extent) {
    LaneValue V(Extent);
    V.Base = GridTaint;
    return V;
  };
  const Dim3 Cluster = {std::max<uint64_t>(L.Cluster.X, 1),
                        std::max<uint64_t>(L.Cluster.Y, 1),
                        std::max<uint64_t>(L.Cluster.Z, 1)};
  switch (R) {
  case SpecialReg::TidX:
    return Tid[0];
  case SpecialReg::TidY:
    return Tid[1];
  case SpecialReg::TidZ:
    return Tid[2];
  case SpecialReg::NTidX:
    return LaneValue(Block.X);
  case SpecialReg::NTidY:
    return LaneValue(Block.Y);
  case SpecialReg::NTidZ:
    return LaneValue(Block.Z);
  case SpecialReg::CtaIdX:
    return LaneValue(BlockIndex.X);
  case SpecialReg::CtaIdY:
    return LaneValue(BlockIndex.Y);
  case SpecialReg::CtaIdZ:
    return LaneValue(BlockIndex.Z);
  case SpecialReg::NCtaIdX:
    return OfGrid(Grid.X);
  case SpecialReg::NCtaIdY:
    return OfGrid(Grid.Y);
  case SpecialReg::NCtaIdZ:
    return OfGrid(Grid.Z);
  case SpecialReg::ClusterCtaIdX:
    return LaneValue(BlockIndex.X % Cluster.X);
  case SpecialReg::ClusterCtaIdY:
    return LaneValue(BlockIndex.Y % Cluster.Y);
  case SpecialReg::ClusterCtaIdZ:
    return LaneValue(BlockIndex.Z % Cluster.Z);
  case SpecialReg::ClusterNCtaIdX:
    return LaneValue(Cluster.X);
  case SpecialReg::ClusterNCtaIdY:
    return LaneValue(Cluster.Y);
  case SpecialReg::ClusterNCtaIdZ:
    return LaneValue(Cluster.Z);
  case SpecialReg::ClusterIdX:
    return LaneValue(BlockIndex.X / Cluster.X);
  case SpecialReg::ClusterIdY:
    return LaneValue(BlockIndex.Y / Cluster.Y);
  case SpecialReg::ClusterIdZ:
    return LaneValue(BlockIndex.Z / Cluster.Z);
  case SpecialReg::NClusterIdX:
    return OfGrid(Grid.X / Cluster.X);
  case SpecialReg::NClusterIdY:
    return OfGrid(Grid.Y / Cluster.Y);
  case SpecialReg::NClusterIdZ:
    return OfGrid(Grid.Z / Cluster.Z);
  case SpecialReg::ClusterCtaRank:
    return LaneValue((uint64_t(BlockIndex.Z % Cluster.Z) * Cluster.Y +
                      BlockIndex.Y % Cluster.Y) *
                         Cluster.X +
                     BlockIndex.X % Cluster.X);
  case SpecialReg::ClusterNCtaRank:
    return LaneValue(Cluster.count());
  case SpecialReg::LaneId:
    return PerLane([](uint64_t Lane) { return Lane; });
  case SpecialReg::WarpId:
    return LaneValue(WarpInBlock);
  case SpecialReg::NWarpId:
    return LaneValue(NumWarps);
  case SpecialReg::LaneMaskEq:
    return PerLane([](uint64_t Lane) { return uint64_t(1) << Lane; });
  case SpecialReg::LaneMaskLt:
    return PerLane([](uint64_t Lane) { return (uint64_t(1) << Lane) - 1; });
  case SpecialReg::LaneMaskLe:
    return PerLane([](uint64_t Lane) { return (uint64_t(2) << Lane) - 1; });
  case SpecialReg::LaneMaskGt:
    return PerLane([](uint64_t Lane) { return ~((uint64_t(2) << Lane) - 1); });
  case SpecialReg::LaneMaskGe:
    return PerLane([](uint64_t Lane) { return ~((uint64_t(1) << Lane) - 1); });
  case SpecialReg::DynamicSharedBytes:
    return LaneValue(L.DynamicSharedBytes.Value);
  case SpecialReg::WarpSize:
    return LaneValue(WarpLanes);
  case SpecialReg::None:
  case SpecialReg::SmId:
  case SpecialReg::Clock:
  case SpecialReg::GlobalTimer:
  case SpecialReg::Other:
    break;
  }
  LaneValue V;
  V.Base = OpaqueTaint;
  return V;
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
  V.Base = assume(Index | Inside << 32, std::move(A));
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

std::optional<std::pair<uint64_t, uint64_t>>
LaunchInputs::arrayAt(uint64_t Address) const {
  const uint64_t Window = Address >> ObjectWindowLog2;
  if (Window < FirstParameterWindow || Window >= FirstLoadedWindow)
    return std::nullopt;
  const uint64_t Index = (Window - FirstParameterWindow) / 256;
  const uint64_t Inside = (Window - FirstParameterWindow) % 256 * 8;
  if (Index >= Facts.Parameters.size())
    return std::nullopt;
  return std::pair(Facts.Parameters[Index].OffsetBytes + Inside,
                   Address - windowStart(Window));
}

bool LaunchInputs::isHostMemory(uint64_t Address) const {
  const auto Place = arrayAt(Address);
  return Place && L.HostMemory.count(unsigned(Place->first)) != 0;
}

/// May \p Word of a recorded structure be an address? Device memory begins
/// below all that a program maps on its own.
static bool mayBeAddress(uint64_t Word) {
  constexpr uint64_t EndOfUserSpace = uint64_t(1) << 47;
  return Word >= FirstDeviceAddress && Word < EndOfUserSpace;
}

std::optional<uint64_t> LaunchInputs::parameterByteAt(uint64_t Address) const {
  const uint64_t Index = (Address >> ObjectWindowLog2) - FirstSymbolWindow;
  if (Index >= Facts.Symbols.size() ||
      Facts.Symbols[Index].Space != MemorySpace::Param)
    return std::nullopt;
  return Address - windowStart(FirstSymbolWindow + Index);
}

std::optional<uint64_t> LaunchInputs::givenBytes(uint64_t At,
                                                 unsigned Bytes) const {
  // Members that are given one by one take precedence, and are not put together
  // here.
  const auto Member = L.Members.lower_bound(unsigned(At));
  if (Member != L.Members.end() && Member->first < At + Bytes)
    return std::nullopt;
  for (const auto &[I, P] : enumerate(Facts.Parameters))
    if (At - P.OffsetBytes < P.SizeBytes)
      return structWord(unsigned(I), At - P.OffsetBytes, Bytes * 8);
  return std::nullopt;
}

uint64_t LaunchInputs::pointerInStruct(uint64_t Address, uint64_t Word) const {
  const std::optional<uint64_t> Byte = parameterByteAt(Address);
  if (!Byte || !mayBeAddress(Word))
    return Word;
  for (const auto &[I, P] : enumerate(Facts.Parameters))
    if (*Byte - P.OffsetBytes < P.SizeBytes)
      return memberWindow(unsigned(I), *Byte - P.OffsetBytes);
  return Word;
}

std::optional<uint64_t> LaunchInputs::tableWord(uint64_t Address,
                                                unsigned Bytes) {
  const uint64_t Index = (Address >> ObjectWindowLog2) - FirstSymbolWindow;
  if (Index >= Facts.Symbols.size())
    return std::nullopt;
  const Symbol &Table = Facts.Symbols[Index];
  const std::optional<uint64_t> Word = wordOf(
      Table.Contents, Address - windowStart(FirstSymbolWindow + Index), Bytes);
  if (Word && !Table.IsReadOnly)
    assumeTable(uint32_t(Index));
  return Word;
}

std::optional<uint64_t> LaunchInputs::recorded(uint64_t Address,
                                               unsigned Bytes) {
  if (const std::optional<uint64_t> Byte = parameterByteAt(Address))
    return givenBytes(*Byte, Bytes);
  if (const std::optional<uint64_t> Word = tableWord(Address, Bytes))
    return Word;
  if (Memory.isEmpty())
    return std::nullopt;
  const auto Place = arrayAt(Address);
  const ArrayContents *Array = Place ? Memory.find(Place->first) : nullptr;
  if (!Array)
    return std::nullopt;
  const std::optional<uint64_t> Word = Array->read(Place->second, Bytes);
  if (Word && Array->isBetweenParts(Place->second, Bytes))
    assumeParts(Place->first, *Array->parts());
  return Word;
}

void LaunchInputs::assumeParts(uint64_t Array, const ArrayParts &Parts) {
  if (!PartsAssumed.insert(Array).second)
    return;
  const auto P = find_if(Facts.Parameters, [&](const Parameter &Of) {
    return Array - Of.OffsetBytes < Of.SizeBytes;
  });
  if (P == Facts.Parameters.end())
    return;
  constexpr unsigned MiBLog2 = 20;
  Assumption A;
  A.What = "contents of " +
           parameterName(*P, unsigned(P - Facts.Parameters.begin()));
  A.Taken = "as in the " + utostr(Parts.NumParts * Parts.PartBytes >> MiBLog2) +
            " of " + utostr(Parts.ArrayBytes >> MiBLog2) +
            " MiB that are recorded, spread evenly";
  assumeOnce(std::move(A));
}

uint64_t LaunchInputs::pointerWhenSeen(uint64_t Address) {
  return Address >= FirstDeviceAddress && Address < EndOfDevice
             ? windowStart(SeenWindow) + Address
             : Address;
}

std::optional<uint64_t> LaunchInputs::variableWhenSeen(uint64_t Address) const {
  const uint64_t Index = (Address >> ObjectWindowLog2) - FirstSymbolWindow;
  if (Index >= Facts.Symbols.size())
    return std::nullopt;
  auto Variable = Seen->Variables.find(Facts.Symbols[Index].Name);
  if (Variable == Seen->Variables.end())
    return std::nullopt;
  return Variable->second + (Address - windowStart(FirstSymbolWindow + Index));
}

std::optional<uint64_t> LaunchInputs::addressWhenSeen(uint64_t Address) const {
  if (!Seen)
    return std::nullopt;
  if (Address >= windowStart(SeenWindow))
    return Address - windowStart(SeenWindow);
  const auto Place = arrayAt(Address);
  if (!Place)
    return variableWhenSeen(Address);
  auto Array = Seen->ArrayAddresses.find(Place->first);
  if (Array == Seen->ArrayAddresses.end())
    return std::nullopt;
  return Array->second + Place->second;
}

std::optional<uint64_t>
LaunchInputs::structWord(unsigned Index, uint64_t Inside, unsigned Bits) const {
  auto It = L.StructBytes.find(Index);
  const std::optional<uint64_t> Word =
      It == L.StructBytes.end()
          ? std::nullopt
          : wordOf(It->second.Value, Inside, std::max(1u, Bits / 8));
  return Word ? std::optional(*Word & lowBits(Bits)) : std::nullopt;
}

std::vector<uint32_t> LaunchInputs::assumedStarts() const {
  std::vector<uint32_t> Indices;
  for (const auto &[Key, Assumed] : InputBits) {
    const uint32_t Index = uint32_t(Key);
    if (Index >= Facts.Parameters.size() || is_contained(Indices, Index))
      continue;
    auto Role = S.Roles.find(
        int64_t(Facts.Parameters[Index].OffsetBytes + (Key >> 32)));
    if (Role != S.Roles.end() && Role->second.Dimensions != 0)
      Indices.push_back(Index);
  }
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
    const std::optional<uint64_t> Word = structWord(I, Inside, Op.Bits);
    // The address of an array says nothing; whether there is one does. A stride
    // of bytes is added to an address as it is, too.
    if (Word && (!Op.IsPointerRoot || !mayBeAddress(*Word)))
      return LaneValue(*Word);
    auto Given = L.Arguments.find(I);
    if (P.IsPointer && Given != L.Arguments.end())
      return LaneValue(uint64_t(Given->second.Value.Integer));
    if (P.IsPointer || (Op.IsPointerRoot && P.SizeBytes > 8)) {
      LaneValue V(memberWindow(I, Inside));
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
    return LaneValue(windowStart(SharedWindow) + (S.IsDynamicShared
                                                      ? Facts.StaticSharedBytes
                                                      : S.OffsetBytes));
  if (S.Space == MemorySpace::Local)
    return LaneValue(windowStart(LocalWindow) + S.OffsetBytes);
  return LaneValue(windowStart(FirstSymbolWindow + Index));
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
    return {windowStart(SharedWindow),
            Facts.StaticSharedBytes + dynamicSharedBytes()};
  if (Space == MemorySpace::Local)
    return {windowStart(LocalWindow), frameBytes(Facts)};
  return {};
}

uint64_t LaunchInputs::loadedPointer(uint64_t Key) {
  return windowStart(FirstLoadedWindow + (scramble(Key) & 0xffff));
}

/// The hint for \p Loop. Compilers disagree on the line where a loop starts;
/// its condition stands where a branch leaves it.
static std::map<std::string, Sourced<double>>::const_iterator
findTripCount(const KernelFacts &Facts, uint32_t LoopIndex, const Launch &L) {
  const Loop &Of = Facts.Loops[LoopIndex];
  auto It = L.TripCounts.find(placeText(Facts.placeOf(Of.Location)));
  if (It != L.TripCounts.end() || L.TripCounts.empty())
    return It;
  for (const Branch &B : Facts.Branches) {
    if (B.Op >= Facts.Operations.size() ||
        Facts.Blocks[B.Block].Loop != LoopIndex ||
        all_of(B.Targets, [&](uint32_t Target) {
          return is_contained(Of.Blocks, Target);
        }))
      continue;
    It = L.TripCounts.find(
        placeText(Facts.placeOf(Facts.Operations[B.Op].Location)));
    if (It != L.TripCounts.end())
      return It;
  }
  return It;
}

std::optional<LaunchInputs::CountedTrips>
LaunchInputs::countedTrips(uint32_t Loop) const {
  if (!Turns || LoopsInTurns[Loop].empty() ||
      findTripCount(Facts, Loop, L) != L.TripCounts.end())
    return std::nullopt;
  auto Of = [](const TurnCount &T) {
    return CountedTrips{std::max(1.0, T.Turns / T.Entries),
                        std::max(1.0, T.MeanLaneTurns / T.Entries)};
  };
  const std::optional<TurnCount> OfWarp =
      Turns->ofWarp(blockNumber(), WarpInBlock, LoopsInTurns[Loop]);
  if (OfWarp && OfWarp->Entries > 0)
    return Of(*OfWarp);
  const TurnCount OfGrid = Turns->ofGrid(LoopsInTurns[Loop]);
  if (OfGrid.Entries > 0)
    return Of(OfGrid);
  return std::nullopt;
}

bool LaunchInputs::turnsDecide() const {
  if (!Turns)
    return false;
  // Blocks that differ by less work alike.
  constexpr double Noticeable = 1.01;
  for (const std::vector<uint32_t> &Loops : LoopsInTurns) {
    double Most = 0, Sum = 0;
    for (const CountedBlock &B : Turns->Blocks) {
      double OfBlock = 0;
      for (unsigned W = 0; W != NumWarps; ++W)
        if (const auto T = Turns->ofWarp(B.Number, W, Loops))
          OfBlock += T->Turns;
      Most = std::max(Most, OfBlock);
      Sum += OfBlock;
    }
    if (Most * double(Turns->Blocks.size()) > Noticeable * Sum)
      return true;
  }
  return false;
}

bool LaunchInputs::knowsReads() const {
  return Seen && !Seen->isCut() &&
         std::binary_search(Seen->numbers().begin(), Seen->numbers().end(),
                            blockNumber());
}

double LaunchInputs::tripCountHint(uint32_t Loop, bool &IsDefault) const {
  auto It = findTripCount(Facts, Loop, L);
  IsDefault = It == L.TripCounts.end();
  if (!IsDefault)
    return std::max(1.0, It->second.Value);
  if (const std::optional<CountedTrips> Counted = countedTrips(Loop)) {
    IsDefault = false;
    return Counted->Longest;
  }
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
  if (Loop >= TripAssumptions.size())
    return;
  TripBases[Loop] = std::max(TripBases[Loop], Basis);
  if (TripAssumptions[Loop] != NoIndex)
    return;
  const StringRef Why = whyOf(Basis);
  TripAssumptions[Loop] = uint32_t(Assumptions.size());
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
  Assumptions.push_back(std::move(A));
}

void LaunchInputs::dropTripAssumptions() {
  for (uint32_t &Dropped : TripAssumptions) {
    if (Dropped == NoIndex)
      continue;
    const uint32_t Place = std::exchange(Dropped, NoIndex);
    Assumptions.erase(Assumptions.begin() + Place);
    for (auto &[Key, Other] : InputBits)
      Other -= Other > Place;
    for (uint32_t &Other : TripAssumptions)
      Other -= Other != NoIndex && Other > Place;
  }
  fill(TripBases, TripBasis::Counted);
}

void LaunchInputs::assumeDrawnAddresses(const ExecutionProfile &Profile) {
  /// Share of the sectors of a kernel from which on an assumption is named.
  constexpr double NamedShare = 0.05;
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
                          OfPlace[Place] >= NamedShare * Sectors);
    if (IsLarge && goesWhereDataLead(Facts.Accesses[I], A)) {
      Assumption Led;
      Led.What = "place that loaded data lead to" + Place;
      Led.Taken = "a sector for each lane, which L1 does not have";
      Led.Location = locationOf(Facts, I);
      assumeOnce(std::move(Led));
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
    assumeOnce(std::move(Drawn));
  }
}

std::string LaunchInputs::describe(TaintMask Taint) const {
  std::string Text;
  auto Append = [&](StringRef Part) {
    if (!Text.empty())
      Text += ", ";
    Text += Part;
  };
  if (Taint & DataTaint)
    Append("depends on loaded data");
  if (Taint & OpaqueTaint)
    Append("depends on a value that is not evaluated");
  if (Taint & ApproximateTaint)
    Append("depends on an approximate function");
  if (Taint & TripTaint)
    Append("depends on an assumed trip count");
  for (unsigned Bit = 0; Bit < InputBits.size() && Bit <= LastInputBit; ++Bit)
    if ((Taint >> Bit) & 1) {
      const Assumption &A = Assumptions[InputBits[Bit].second];
      Append("assumes " + A.What + " = " + A.Taken);
    }
  if (Taint & EffortTaint)
    Append("extrapolated from a sample");
  return Text;
}
