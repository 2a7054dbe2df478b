//===- LaunchClaim.cpp - What one source says about a launch --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchClaim.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Kernel/OperationsBehind.h"
#include "gpuocc/Support/NearestKey.h"
#include "gpuocc/Support/Plural.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

static Error fail(StringRef Source, const KernelFacts &Facts,
                  const Twine &What) {
  return createStringError(Source + ": launch of '" +
                           baseName(Facts.Demangled) + "': " + What);
}

Error gpuocc::checkBlock(const Dim3 &Block, const KernelFacts &Facts,
                         StringRef Source) {
  auto [X, Y, Z] = Facts.Bounds.RequiredBlock;
  Dim3 Required = {X, std::max(Y, 1u), std::max(Z, 1u)};
  if (X != 0 && !(Block == Required))
    return fail(Source, Facts,
                "the kernel requires blocks of " + Twine(Required.X) + "x" +
                    Twine(Required.Y) + "x" + Twine(Required.Z));
  unsigned Most = Facts.Bounds.MaxThreads;
  if (Most != 0 && Block.count() > Most)
    return fail(Source, Facts,
                "a block of " + Twine(Block.count()) +
                    plural(double(Block.count()), " thread") +
                    " exceeds the launch bound of " + Twine(Most));
  return Error::success();
}

static void addVariables(const HostExpr &E, std::set<std::string> &Out) {
  if (E.What == HostExpr::Kind::Variable)
    Out.insert(E.Name);
  for (const HostExpr &Operand : E.Operands)
    addVariables(Operand, Out);
}

static std::set<std::string>
variablesIn(ArrayRef<const HostLaunch *> Launches) {
  std::set<std::string> Names;
  for (const HostLaunch *L : Launches) {
    for (const HostExtent &Extent : {L->Grid, L->Block})
      for (const HostExpr &E : Extent)
        addVariables(E, Names);
    addVariables(L->DynamicSharedBytes, Names);
    for (const auto &[Index, E] : L->Arguments)
      addVariables(E, Names);
    for (const auto &[Index, E] : L->ArrayBytes)
      addVariables(E, Names);
  }
  return Names;
}

/// The position of the parameter that \p Key names, or is; the number of
/// parameters when there is none.
static unsigned parameterIndex(StringRef Key, const KernelFacts &Facts) {
  unsigned Index = 0;
  if (!Key.getAsInteger(10, Index))
    return std::min<unsigned>(Index, Facts.Parameters.size());
  auto Named = find_if(Facts.Parameters,
                       [&](const Parameter &P) { return P.Name == Key; });
  return unsigned(Named - Facts.Parameters.begin());
}

/// Puts the bytes \p Digits of struct \p Key of \p Spec into \p Claim.
static Error addStruct(const LaunchSpec &Spec, StringRef Key, StringRef Digits,
                       const KernelFacts &Facts, LaunchClaim &Claim) {
  const unsigned Index = parameterIndex(Key, Facts);
  if (Index >= Facts.Parameters.size() || Facts.Parameters[Index].IsPointer)
    return fail(Spec.Source.text(), Facts,
                "struct '" + Key + "' is no parameter that is a struct");
  if (Digits.size() != 2 * Facts.Parameters[Index].SizeBytes)
    return fail(Spec.Source.text(), Facts,
                "struct '" + Key + "' has " +
                    Twine(Facts.Parameters[Index].SizeBytes) + " bytes, not " +
                    Twine(Digits.size() / 2));
  Claim.Said.StructBytes[Index] = {Digits.str(), Claim.Source};
  return Error::success();
}

/// Puts the file \p File of array \p Key, "NAME" or "POSITION" or one of them
/// with "+BYTES", of \p Spec into \p Claim.
/// The offset in parameter memory of the pointer that \p Key names.
static Expected<unsigned> pointerOffset(const LaunchSpec &Spec, StringRef Key,
                                        const KernelFacts &Facts) {
  auto [Name, Inside] = Key.split('+');
  const unsigned Index = parameterIndex(Name, Facts);
  unsigned Bytes = 0;
  const bool HasBytes = Inside.empty() || !Inside.getAsInteger(10, Bytes);
  auto IsPointer = [&](const Parameter &P) {
    return P.IsPointer ? Bytes == 0 : Bytes + 8 <= P.SizeBytes;
  };
  if (!HasBytes || Index >= Facts.Parameters.size() ||
      !IsPointer(Facts.Parameters[Index]))
    return fail(Spec.Source.text(), Facts,
                "memory '" + Key +
                    "' is no pointer; pointers are NAME, or "
                    "NAME+BYTES in a struct");
  return unsigned(Facts.Parameters[Index].OffsetBytes) + Bytes;
}

static Error addMemory(const LaunchSpec &Spec, StringRef Key, StringRef File,
                       const KernelFacts &Facts, LaunchClaim &Claim) {
  Expected<unsigned> Offset = pointerOffset(Spec, Key, Facts);
  if (!Offset)
    return Offset.takeError();
  Claim.Said.Memory[*Offset] = {File.str(), Claim.Source};
  return Error::success();
}

/// Puts member \p Key, "NAME+BYTES" or "POSITION+BYTES", of \p Spec into \p
/// Claim.
static Error addMember(const LaunchSpec &Spec, StringRef Key,
                       const ScalarArgument &Value, const KernelFacts &Facts,
                       LaunchClaim &Claim) {
  auto [Name, Offset] = Key.split('+');
  const unsigned Index = parameterIndex(Name, Facts);
  unsigned Bytes = 0;
  if (Offset.getAsInteger(10, Bytes) || Index >= Facts.Parameters.size() ||
      Facts.Parameters[Index].IsPointer ||
      Bytes >= Facts.Parameters[Index].SizeBytes)
    return fail(Spec.Source.text(), Facts,
                "argument '" + Key +
                    "' is no member of a parameter; members are "
                    "NAME+BYTES, by the offset in the struct");
  Claim.Said.Members[unsigned(Facts.Parameters[Index].OffsetBytes) + Bytes] = {
      Value, Claim.Source};
  return Error::success();
}

/// Fails where \p Value is an integer that parameter \p P cannot hold.
static Error checkFits(const LaunchSpec &Spec, StringRef Key,
                       const ScalarArgument &Value, const Parameter &P,
                       const KernelFacts &Facts) {
  const unsigned Bits = unsigned(P.SizeBytes * 8);
  if (Value.IsReal || P.IsFloat || P.IsPointer || Bits == 0 || Bits >= 64 ||
      isIntN(Bits, Value.Integer) || isUIntN(Bits, uint64_t(Value.Integer)))
    return Error::success();
  return fail(Spec.Source.text(), Facts,
              "argument '" + Key + "': " + Twine(Value.Integer) +
                  " does not fit into its " + Twine(Bits) + " bits");
}

/// The position that \p Key names: "2", "#2" and "arg2" are the same, unless a
/// parameter is named so.
static std::optional<unsigned> positionOf(StringRef Key,
                                          const KernelFacts &Facts) {
  if (any_of(Facts.Parameters,
             [&](const Parameter &P) { return P.Name == Key; }))
    return std::nullopt;
  unsigned Index = 0;
  if (!Key.consume_front("#"))
    Key.consume_front("arg");
  if (Key.getAsInteger(10, Index))
    return std::nullopt;
  return Index;
}

/// Puts argument \p Key of \p Spec into \p Claim.
static Error addArgument(const LaunchSpec &Spec, StringRef Key,
                         const ScalarArgument &Value, const KernelFacts &Facts,
                         const std::set<std::string> &HostNames,
                         LaunchClaim &Claim, std::vector<std::string> &Notes) {
  if (Key.contains('+'))
    return addMember(Spec, Key, Value, Facts, Claim);
  if (const std::optional<unsigned> Position = positionOf(Key, Facts)) {
    const unsigned Index = *Position;
    if (Index >= Facts.Parameters.size())
      return fail(Spec.Source.text(), Facts,
                  "argument " + Key + ": the kernel has " +
                      Twine(Facts.Parameters.size()) +
                      " parameters, counted from 0");
    Claim.Said.Arguments[Index] = {Value, Claim.Source};
    return checkFits(Spec, Key, Value, Facts.Parameters[Index], Facts);
  }
  SmallVector<StringRef, 8> Names;
  for (const auto &[I, P] : enumerate(Facts.Parameters)) {
    if (!P.Name.empty())
      Names.push_back(P.Name);
    if (P.Name == Key) {
      Claim.Said.Arguments[unsigned(I)] = {Value, Claim.Source};
      return checkFits(Spec, Key, Value, P, Facts);
    }
  }
  if (HostNames.count(Key.str())) {
    Claim.Variables[Key.str()] = Value;
    return Error::success();
  }
  if (Names.empty() && !Facts.Parameters.empty() &&
      Spec.Source.by() == GivenBy::Option)
    return fail(Spec.Source.text(), Facts,
                "no parameter is named '" + Key +
                    "': its parameters have no names; give their positions, " +
                    "from 0= to " + Twine(Facts.Parameters.size() - 1) + "=");
  if (Names.empty() && !Facts.Parameters.empty()) {
    Notes.push_back((Spec.Source.text() + ": argument '" + Key +
                     "' is not used: the module has no parameter names; "
                     "give its position (from 0) or compile with "
                     "-fno-discard-value-names")
                        .str());
    return Error::success();
  }
  if (Names.empty())
    return fail(Spec.Source.text(), Facts,
                "argument '" + Key + "': the kernel has no parameters");
  Names.append(HostNames.begin(), HostNames.end());
  // In an option the keys of the launch stand beside the arguments.
  if (Spec.Source.by() == GivenBy::Option)
    Names.append({"grid", "block", "cluster", "shared", "carveout"});
  return fail(Spec.Source.text(), Facts,
              "no parameter is named '" + Key + "'" + didYouMean(Key, Names));
}

Expected<LaunchClaim> gpuocc::claimOfSpec(const LaunchSpec &Spec,
                                          const KernelFacts &Facts,
                                          ArrayRef<const HostLaunch *> Launches,
                                          std::vector<std::string> &Notes) {
  LaunchClaim Claim(Spec.Source);
  if (Spec.Grid)
    Claim.Said.Grid = Sourced<Dim3>{*Spec.Grid, Spec.Source};
  if (Spec.Block)
    Claim.Said.Block = {*Spec.Block, Spec.Source};
  Claim.Said.Cluster = Spec.Cluster.value_or(Claim.Said.Cluster);
  if (Spec.CarveoutPercent)
    Claim.Said.CarveoutPercent = *Spec.CarveoutPercent;
  if (Spec.DynamicSharedBytes)
    Claim.Said.DynamicSharedBytes = {*Spec.DynamicSharedBytes, Spec.Source};
  if (Spec.Block)
    if (Error E = checkBlock(*Spec.Block, Facts, Spec.Source.text()))
      return std::move(E);
  // People may give more of the path than the base name.
  for (const auto &[Key, Trips] : Spec.TripCounts)
    Claim.Said.TripCounts[sys::path::filename(Key).str()] = {Trips,
                                                             Spec.Source};
  for (const auto &[Key, Places] : Spec.DistinctAddresses)
    Claim.Said.DistinctAddresses[sys::path::filename(Key).str()] = {
        Places, Spec.Source};
  for (const auto &[Key, Probability] : Spec.BranchProbabilities)
    Claim.Said.BranchProbabilities[sys::path::filename(Key).str()] = {
        Probability, Spec.Source};
  std::set<std::string> HostNames = variablesIn(Launches);
  for (const auto &[Key, Value] : Spec.Arguments)
    if (Error E = addArgument(Spec, Key, Value, Facts, HostNames, Claim, Notes))
      return std::move(E);
  for (const auto &[Key, File] : Spec.Memory)
    if (Error E = addMemory(Spec, Key, File, Facts, Claim))
      return std::move(E);
  for (const auto &[Key, Bytes] : Spec.ArrayBytes) {
    Expected<unsigned> Offset = pointerOffset(Spec, Key, Facts);
    if (!Offset)
      return Offset.takeError();
    Claim.Said.ArrayBytes[*Offset] = {Bytes, Claim.Source};
  }
  for (const std::string &Key : Spec.HostMemory) {
    Expected<unsigned> Offset = pointerOffset(Spec, Key, Facts);
    if (!Offset)
      return Offset.takeError();
    Claim.Said.HostMemory[*Offset] = {true, Claim.Source};
  }
  for (const auto &[Key, Digits] : Spec.StructBytes)
    if (Error E = addStruct(Spec, Key, Digits, Facts, Claim))
      return std::move(E);
  return Claim;
}

namespace {

/// Evaluates the parts of one launch.
class HostReader {
public:
  HostReader(LaunchClaim &Claim, HostVariables Variables)
      : Claim(Claim), Variables(std::move(Variables)) {}

  std::optional<Dim3> extent(StringRef What, const HostExtent &E) {
    uint64_t Values[3];
    for (size_t I = 0; I != 3; ++I) {
      std::optional<uint64_t> Value =
          positive(What, E[I], hostExtentText(E), /*Least=*/1);
      if (!Value)
        return std::nullopt;
      Values[I] = *Value;
    }
    return Dim3{Values[0], Values[1], Values[2]};
  }

  /// \p E, no less than \p Least; \p Text is what it is a part of.
  std::optional<uint64_t> positive(StringRef What, const HostExpr &E,
                                   const Twine &Text, int64_t Least) {
    Known<ScalarArgument> Value = evaluate(E, Variables);
    if (Value && !Value->IsReal && Value->Integer >= Least &&
        Value->Integer <= int64_t(UINT32_MAX))
      return uint64_t(Value->Integer);
    std::string Why = Value.reason();
    if (Value)
      Why = "'" + hostExprText(E) + "' is out of range";
    Claim.Said.Notes.push_back({What.str(), Text.str(), Why});
    return std::nullopt;
  }

  std::optional<ScalarArgument> value(const HostExpr &E) const {
    Known<ScalarArgument> Value = evaluate(E, Variables);
    return Value ? std::optional(*Value) : std::nullopt;
  }

private:
  LaunchClaim &Claim;
  HostVariables Variables;
};

} // namespace

/// Is the address of \p A computed from a number among \p Moved?
static bool movesWithNumber(const KernelFacts &Facts, const MemoryAccess &A,
                            ArrayRef<unsigned> Moved) {
  return anyOperationBehind(Facts, A.Base, [&](const Operation &Op) {
    return Op.What == Semantics::Param && any_of(Moved, [&](unsigned I) {
             return I < Facts.Parameters.size() &&
                    !Facts.Parameters[I].IsPointer &&
                    int64_t(Facts.Parameters[I].OffsetBytes) == Op.Imm;
           });
  });
}

/// Is the array at parameter offset \p Offset read, except where \p Stored
/// writes?
static bool isReadElsewhere(const KernelFacts &Facts, uint64_t Offset,
                            const MemoryAccess &Stored) {
  return any_of(Facts.Accesses, [&](const MemoryAccess &A) {
    const bool IsThere =
        A.Base == Stored.Base && A.OffsetBytes == Stored.OffsetBytes;
    return A.Kind != AccessKind::Store && isInArrays(A.Space) && !IsThere &&
           arrayOfAccess(Facts, A).value_or(Offset) == Offset;
  });
}

/// True if all that \p Facts write lies where parameters \p Moved point, or, in
/// arrays of which it reads nothing else, where numbers among them lead.
static bool writesApart(const KernelFacts &Facts, ArrayRef<unsigned> Moved) {
  return all_of(Facts.Accesses, [&](const MemoryAccess &A) {
    if (A.Kind == AccessKind::Load || A.Kind == AccessKind::AsyncCopy ||
        !isInArrays(A.Space))
      return true;
    const std::optional<uint64_t> Offset = arrayOfAccess(Facts, A);
    return Offset &&
           (any_of(Moved,
                   [&](unsigned I) {
                     return I < Facts.Parameters.size() &&
                            Facts.Parameters[I].OffsetBytes == *Offset;
                   }) ||
            (movesWithNumber(Facts, A, Moved) &&
             !isReadElsewhere(Facts, *Offset, A)));
  });
}

LaunchClaim gpuocc::claimOfHost(const HostLaunch &Host,
                                const KernelFacts &Facts,
                                const LaunchClaim *Above) {
  LaunchClaim Claim(LaunchOrigin::hostCode(sys::path::filename(Host.Place.File),
                                           Host.Place.Line));
  const LaunchOrigin &Source = Claim.Source;
  HostVariables Variables;
  if (Above) {
    Variables = Above->Variables;
    for (const auto &[Index, Value] : Above->Said.Arguments)
      if (auto Passed = Host.Arguments.find(Index);
          Passed != Host.Arguments.end())
        if (StringRef Name = variableOf(Passed->second); !Name.empty())
          Variables.try_emplace(Name.str(), Value.Value);
  }
  HostReader Read(Claim, std::move(Variables));
  if (std::optional<Dim3> Grid = Read.extent("grid", Host.Grid))
    Claim.Said.Grid = Sourced<Dim3>{*Grid, Source};
  if (std::optional<Dim3> Block = Read.extent("block", Host.Block))
    Claim.Said.Block = {*Block, Source};
  if (Host.Cluster)
    Claim.Said.Cluster =
        Read.extent("cluster", *Host.Cluster).value_or(Claim.Said.Cluster);
  if (std::optional<uint64_t> Bytes =
          Read.positive("dynamic shared memory", Host.DynamicSharedBytes,
                        hostExprText(Host.DynamicSharedBytes), /*Least=*/0))
    Claim.Said.DynamicSharedBytes = {*Bytes, Source};
  Claim.Said.Allowed = Host.Allowed;
  if (Host.InLoop && writesApart(Facts, Host.InLoop->Moved))
    if (std::optional<ScalarArgument> Turns = Read.value(Host.InLoop->Turns);
        Turns && !Turns->IsReal && Turns->Integer > 1)
      Claim.Said.LaunchesInLoop = uint64_t(Turns->Integer);
  for (const auto &[Index, E] : Host.Arguments)
    if (std::optional<ScalarArgument> Value = Read.value(E);
        Value && Index < Facts.Parameters.size())
      Claim.Said.Arguments[Index] = {*Value, Source};
  for (const auto &[Index, Members] : Host.Members)
    for (const auto &[Offset, E] : Members)
      if (std::optional<ScalarArgument> Value = Read.value(E);
          Value && Index < Facts.Parameters.size())
        Claim.Said.Members[unsigned(Facts.Parameters[Index].OffsetBytes) +
                           Offset] = {*Value, Source};
  for (const auto &[Index, E] : Host.ArrayBytes)
    if (std::optional<ScalarArgument> Value = Read.value(E);
        Value && !Value->IsReal && Value->Integer > 0 &&
        Index < Facts.Parameters.size())
      Claim.Said.ArrayBytes[unsigned(Facts.Parameters[Index].OffsetBytes)] = {
          uint64_t(Value->Integer), Source};
  return Claim;
}

LaunchClaim::LaunchClaim(LaunchOrigin Source)
    : Source(std::move(Source)), Said(undescribedLaunch()) {}

Launch gpuocc::undescribedLaunch() {
  Launch L;
  L.Block.Source = GivenBy::Nobody;
  L.DynamicSharedBytes = {0, GivenBy::Nobody};
  L.Cluster = {0, 0, 0};
  return L;
}

template <typename T> static bool isSaid(const Sourced<T> &V) {
  return V.Source.by() != GivenBy::Nobody;
}

void gpuocc::apply(const LaunchClaim &C, Launch &L) {
  const Launch &Said = C.Said;
  if (Said.Grid)
    L.Grid = Said.Grid;
  if (isSaid(Said.Block))
    L.Block = Said.Block;
  if (Said.Cluster.count() != 0)
    L.Cluster = Said.Cluster;
  if (Said.CarveoutPercent)
    L.CarveoutPercent = Said.CarveoutPercent;
  if (isSaid(Said.DynamicSharedBytes))
    L.DynamicSharedBytes = Said.DynamicSharedBytes;
  if (C.Source.by() == GivenBy::HostCode) {
    L.Allowed = Said.Allowed;
    L.LaunchesInLoop = Said.LaunchesInLoop;
  }
  auto Each = [&](auto Launch::*Values) {
    for (const auto &[Key, Value] : Said.*Values)
      (L.*Values)[Key] = Value;
  };
  Each(&Launch::Arguments);
  Each(&Launch::Members);
  Each(&Launch::StructBytes);
  Each(&Launch::Memory);
  Each(&Launch::ArrayBytes);
  Each(&Launch::HostMemory);
  Each(&Launch::TripCounts);
  Each(&Launch::DistinctAddresses);
  Each(&Launch::BranchProbabilities);
}

template <typename T>
static bool agree(const Sourced<T> &A, const Sourced<T> &B) {
  return !isSaid(A) || !isSaid(B) || A.Value == B.Value;
}

bool gpuocc::agree(const LaunchClaim &A, const LaunchClaim &B) {
  const Launch &OfA = A.Said, &OfB = B.Said;
  return (!OfA.Grid || !OfB.Grid || OfA.Grid->Value == OfB.Grid->Value) &&
         ::agree(OfA.Block, OfB.Block) &&
         ::agree(OfA.DynamicSharedBytes, OfB.DynamicSharedBytes);
}
