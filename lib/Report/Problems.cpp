//===- Problems.cpp - Findings as gates and annotations see them ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Report/Problems.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Report/Selection.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <map>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

static double gainOf(const Problem &P) {
  return P.What->Gain ? *P.What->Gain : 0;
}

/// A total order: no two problems are of one rule at one place.
static bool byPlace(const Problem &A, const Problem &B) {
  auto Key = [](const Problem &P) {
    return std::tie(P.Place.File, P.Place.Line, P.Place.Column, P.What->Rule);
  };
  return Key(A) < Key(B);
}

/// Gives each problem its fingerprint. \p Problems are in the order of places.
static void addFingerprints(MutableArrayRef<Problem> Problems) {
  std::map<std::pair<RuleId, std::string>, unsigned> Ordinals;
  for (Problem &P : Problems) {
    std::string Kernel = baseName(P.Kernel->Facts.Demangled).str();
    unsigned Ordinal = Ordinals[{P.What->Rule, Kernel}]++;
    std::string Key =
        (ruleName(P.What->Rule) + "\n" + Kernel + "\n" + Twine(Ordinal)).str();
    P.Fingerprint = utohexstr(xxh3_64bits(Key), /*LowerCase=*/true, 16);
  }
}

/// By rule and place.
using ProblemMap =
    std::map<std::tuple<RuleId, std::string, unsigned, unsigned>, Problem>;

static void addProblems(const KernelReport &K, ProblemMap &Found) {
  for (const Finding &F : K.Findings) {
    if (F.Rule == RuleId::KernelVerdict || F.Remark != RemarkKind::Passed)
      continue;
    Problem New{&F, &K, placeToShow(F.Location), 1, {}};
    if (!New.Place.isValid())
      New.Place = K.Facts.Place;
    auto [Slot, IsNew] = Found.try_emplace(
        {F.Rule, New.Place.File, New.Place.Line, New.Place.Column}, New);
    if (IsNew)
      continue;
    // Several reasons of one launch are one entry.
    New.NumEntries =
        Slot->second.NumEntries + (Slot->second.Kernel != &K ? 1 : 0);
    if (gainOf(New) <= gainOf(Slot->second))
      Slot->second.NumEntries = New.NumEntries;
    else
      Slot->second = New;
  }
}

std::vector<Problem> gpuocc::collectProblems(const Report &R) {
  ProblemMap Found;
  for (const KernelReport &K : R.Refused)
    addProblems(K, Found);
  for (const KernelReport &K : R.Kernels)
    addProblems(K, Found);
  std::vector<Problem> Problems;
  for (auto &[Key, P] : Found)
    Problems.push_back(std::move(P));
  llvm::sort(Problems, byPlace);
  addFingerprints(Problems);
  llvm::sort(Problems, [](const Problem &A, const Problem &B) {
    auto Rank = [](const Problem &P) {
      const bool IsError = severityOf(*P.What) == Severity::Error;
      return std::make_pair(!IsError, -gainOf(P));
    };
    if (Rank(A) != Rank(B))
      return Rank(A) < Rank(B);
    return byPlace(A, B);
  });
  return Problems;
}
