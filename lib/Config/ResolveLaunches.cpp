//===- ResolveLaunches.cpp - The launches of a kernel ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Config/ResolveLaunches.h"
#include "LaunchClaim.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Kernel/ReadBytes.h"
#include "gpuocc/Support/NearestKey.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

using namespace gpuocc;
using namespace llvm;

/// Threads of a block that is not given: large enough to fill an SM with few
/// blocks, small enough for every kernel without launch bounds.
static constexpr uint64_t FallbackBlockThreads = 256;

bool gpuocc::matchesKernel(const LaunchSpec &Spec, const KernelFacts &Facts) {
  StringRef Pattern = Spec.Kernel;
  if (isKernelRegex(Pattern)) {
    Regex Expression(Pattern.drop_front().drop_back());
    return Expression.match(Facts.Name) ||
           Expression.match(qualifiedName(Facts.Demangled));
  }
  return Pattern == Facts.Name || Pattern == nameInSource(Facts.Name) ||
         Pattern == Facts.Demangled ||
         Pattern == qualifiedName(Facts.Demangled) ||
         Pattern == qualifiedName(Facts.Demangled).split('<').first ||
         Pattern == baseName(Facts.Demangled) ||
         (Pattern.starts_with("_Z") &&
          comparableName(Pattern) == comparableName(Facts.Name));
}

Error gpuocc::checkKernelsExist(ArrayRef<LaunchSpec> Options,
                                ArrayRef<KernelFacts> Kernels) {
  for (const LaunchSpec &Spec : Options) {
    if (any_of(Kernels, [&](const KernelFacts &Facts) {
          return matchesKernel(Spec, Facts);
        }))
      continue;
    SmallVector<StringRef, 8> Names;
    for (const KernelFacts &Facts : Kernels)
      Names.push_back(baseName(Facts.Demangled));
    if (Names.empty())
      return createStringError("launch of '" + Spec.Kernel +
                               "': the module has no kernels");
    return createStringError("launch of '" + Spec.Kernel + "': no such kernel" +
                             didYouMean(Spec.Kernel, Names));
  }
  return Error::success();
}

/// "32x8x1".
static std::string text(const Dim3 &D) {
  return std::to_string(D.X) + "x" + std::to_string(D.Y) + "x" +
         std::to_string(D.Z);
}

static std::string text(uint64_t Bytes) { return std::to_string(Bytes) + " B"; }

static std::string text(const ScalarArgument &A) {
  return A.IsReal ? formatv("{0}", A.Real).str() : std::to_string(A.Integer);
}

namespace {

/// Turns what sources claim into launches of one kernel.
class Resolver {
public:
  Resolver(const KernelFacts &Facts, const Config &File)
      : Facts(Facts), File(File) {}

  /// The launch that \p Claims describe, the first of which has precedence.
  /// \p Heard, also in order of precedence, holds these and what else was said
  /// and does not count.
  Launch resolve(ArrayRef<const LaunchClaim *> Claims,
                 ArrayRef<const LaunchClaim *> Heard) const {
    Launch L = undescribedLaunch();
    L.Block = fallbackBlock();
    L.Cluster = requiredCluster();
    for (const LaunchClaim *C : reverse(Claims))
      apply(*C, L);
    for (const LaunchClaim *C : Claims)
      for (const LaunchNote &Open : C->Said.Notes)
        addOpen(*C, Open, L);
    addContradictions(
        "grid", Heard,
        [](const Launch &Said) { return Said.Grid ? &*Said.Grid : nullptr; },
        L);
    addContradictions(
        "block", Heard, [](const Launch &Said) { return &Said.Block; }, L);
    addContradictions(
        "dynamic shared memory", Heard,
        [](const Launch &Said) { return &Said.DynamicSharedBytes; }, L);
    addArgumentContradictions(Heard, L);
    return L;
  }

private:
  Sourced<Dim3> fallbackBlock() const {
    auto [X, Y, Z] = Facts.Bounds.RequiredBlock;
    if (X != 0)
      return {{X, std::max(Y, 1u), std::max(Z, 1u)}, GivenBy::RequiredBlock};
    unsigned Most = Facts.Bounds.MaxThreads;
    if (File.DefaultBlock &&
        (Most == 0 || File.DefaultBlock->Value.count() <= Most))
      return *File.DefaultBlock;
    if (Most != 0)
      return {{Most, 1, 1}, GivenBy::LaunchBounds};
    return {{FallbackBlockThreads, 1, 1}, GivenBy::Nobody};
  }

  Dim3 requiredCluster() const {
    auto [X, Y, Z] = Facts.Bounds.Cluster;
    return {std::max(X, 1u), std::max(Y, 1u), std::max(Z, 1u)};
  }

  /// Tells of \p Open unless somebody else supplied the value.
  static void addOpen(const LaunchClaim &C, const LaunchNote &Open, Launch &L) {
    std::string Taken;
    if (Open.What == "grid") {
      if (L.Grid)
        return;
      L.Grid =
          Known<Sourced<Dim3>>::unknown("the grid is " + Open.Said + " (" +
                                        C.Source.text() + ") and " + Open.Why);
      Taken = "as large as it takes";
    } else if (Open.What == "block") {
      if (L.Block.Source.isGiven())
        return;
      Taken = text(L.Block.Value) + " (" + L.Block.Source.text() + ")";
    } else if (Open.What == "dynamic shared memory") {
      if (L.DynamicSharedBytes.Source.isGiven())
        return;
      Taken = text(L.DynamicSharedBytes.Value);
    } else {
      return;
    }
    L.Notes.push_back(
        {Open.What + " " + Open.Said + " (" + C.Source.text() + ")", Taken,
         Open.Why + "; give it as an argument"});
  }

  /// Notes where \p Said, values with their sources, contradict the first.
  static void
  addContradiction(StringRef What,
                   ArrayRef<std::pair<std::string, std::string>> Said,
                   Launch &L) {
    if (all_of(Said, [&](const auto &S) { return S.first == Said[0].first; }))
      return;
    std::string Others;
    for (const auto &[Value, Source] : Said.drop_front())
      Others += (Twine(Others.empty() ? "against " : ", ") + Value + " (" +
                 Source + ")")
                    .str();
    L.Notes.push_back({What.str(), Said[0].first + " (" + Said[0].second + ")",
                       std::move(Others)});
  }

  /// \p Value is a pointer to what a claim says, null or from nobody where it
  /// says nothing.
  template <typename ValueOf>
  static void addContradictions(StringRef What,
                                ArrayRef<const LaunchClaim *> Claims,
                                ValueOf Value, Launch &L) {
    SmallVector<std::pair<std::string, std::string>, 4> Said;
    for (const LaunchClaim *C : Claims)
      if (const auto *V = Value(C->Said);
          V && V->Source.by() != GivenBy::Nobody)
        Said.push_back({text(V->Value), C->Source.text()});
    addContradiction(What, Said, L);
  }

  void addArgumentContradictions(ArrayRef<const LaunchClaim *> Claims,
                                 Launch &L) const {
    for (const auto &[Index, Value] : L.Arguments) {
      SmallVector<std::pair<std::string, std::string>, 4> Said;
      for (const LaunchClaim *C : Claims)
        if (auto Found = C->Said.Arguments.find(Index);
            Found != C->Said.Arguments.end())
          Said.push_back({text(Found->second.Value), C->Source.text()});
      StringRef Name = Index < Facts.Parameters.size()
                           ? StringRef(Facts.Parameters[Index].Name)
                           : StringRef();
      addContradiction(Name.empty() ? "argument " + std::to_string(Index)
                                    : "argument '" + Name.str() + "'",
                       Said, L);
    }
  }

  const KernelFacts &Facts;
  const Config &File;
};

} // namespace

/// True when both say the same, whoever said it.
static bool sameValues(const Launch &A, const Launch &B) {
  auto Same = [](const auto &Of, const auto &Other) {
    return Of.size() == Other.size() &&
           std::equal(Of.begin(), Of.end(), Other.begin(),
                      [](const auto &X, const auto &Y) {
                        return X.first == Y.first &&
                               X.second.Value == Y.second.Value;
                      });
  };
  bool SameGrid = bool(A.Grid) == bool(B.Grid) &&
                  (!A.Grid || A.Grid->Value == B.Grid->Value);
  return SameGrid && A.Block.Value == B.Block.Value &&
         A.DynamicSharedBytes.Value == B.DynamicSharedBytes.Value &&
         A.Cluster == B.Cluster && A.CarveoutPercent == B.CarveoutPercent &&
         A.Allowed == B.Allowed && A.TripCounts == B.TripCounts &&
         A.DistinctAddresses == B.DistinctAddresses &&
         A.BranchProbabilities == B.BranchProbabilities &&
         Same(A.Members, B.Members) && Same(A.StructBytes, B.StructBytes) &&
         Same(A.Memory, B.Memory) && Same(A.HostMemory, B.HostMemory) &&
         Same(A.ArrayBytes, B.ArrayBytes) && Same(A.Arguments, B.Arguments);
}

Expected<ResolvedLaunches>
gpuocc::resolveLaunches(const KernelFacts &Facts, const Config &File,
                        ArrayRef<LaunchSpec> Options,
                        ArrayRef<HostLaunch> HostLaunches) {
  ResolvedLaunches Out;
  SmallVector<const HostLaunch *, 4> Hosts;
  for (const HostLaunch &Host : HostLaunches)
    if (comparableName(Host.Kernel) == comparableName(Facts.Name))
      Hosts.push_back(&Host);

  // Options take the place of the file, whose word is then only compared.
  std::vector<LaunchClaim> FromOptions, FromFile;
  for (auto [Specs, Claims] : {std::pair(Options, &FromOptions),
                               std::pair(ArrayRef(File.Launches), &FromFile)})
    for (const LaunchSpec &Spec : Specs) {
      if (!matchesKernel(Spec, Facts))
        continue;
      Expected<LaunchClaim> Claim = claimOfSpec(Spec, Facts, Hosts, Out.Notes);
      if (!Claim)
        return Claim.takeError();
      Claims->push_back(std::move(*Claim));
    }
  ArrayRef<LaunchClaim> Users = FromOptions.empty() ? FromFile : FromOptions;
  ArrayRef<LaunchClaim> Below =
      FromOptions.empty() ? ArrayRef<LaunchClaim>() : ArrayRef(FromFile);

  Resolver Resolve(Facts, File);
  auto Add = [&](const LaunchClaim *User, const LaunchClaim *Host) {
    SmallVector<const LaunchClaim *, 4> Claims, Heard;
    if (User)
      Claims.push_back(User);
    if (Host)
      Claims.push_back(Host);
    Heard = Claims;
    // A file that describes this launch among others does not contradict it.
    if (none_of(Below, [&](const LaunchClaim &C) { return agree(*User, C); }))
      for (const LaunchClaim &C : reverse(Below))
        Heard.insert(Heard.begin() + 1, &C);
    Launch L = Resolve.resolve(Claims, Heard);
    clearUnreadBytes(Facts, L);
    if (none_of(Out.Launches,
                [&](const Launch &Other) { return sameValues(L, Other); }))
      Out.Launches.push_back(std::move(L));
  };

  // One turn without a user when nobody described a launch.
  for (size_t I = 0; I != std::max<size_t>(Users.size(), 1); ++I) {
    const LaunchClaim *User = Users.empty() ? nullptr : &Users[I];
    std::vector<LaunchClaim> FromHost;
    for (const HostLaunch *Host : Hosts) {
      FromHost.push_back(claimOfHost(*Host, Facts, User));
    }
    bool SomeAgree = User && any_of(FromHost, [&](const LaunchClaim &Host) {
                       return agree(*User, Host);
                     });
    bool Added = false;
    for (const LaunchClaim &Host : FromHost)
      if (!SomeAgree || agree(*User, Host)) {
        Add(User, &Host);
        Added = true;
      }
    if (!Added)
      Add(User, nullptr);
  }
  return Out;
}
