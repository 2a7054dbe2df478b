//===- AccessTable.cpp - How exactly accesses are known -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessTable.h"
#include "gpuocc/Report/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

using namespace gpuocc;
using namespace llvm;

/// Reasons that are printed of each degree.
static constexpr unsigned MaxReasons = 8;

static std::string replaceAll(std::string Text, const Regex &Pattern,
                              StringRef By) {
  std::string Result;
  SmallVector<StringRef, 2> Found;
  StringRef Rest = Text;
  while (Pattern.match(Rest, &Found)) {
    size_t Begin = size_t(Found[0].data() - Rest.data());
    Result += Rest.substr(0, Begin);
    Result += By;
    Rest = Rest.substr(Begin + Found[0].size());
  }
  return Result + Rest.str();
}

std::string gpuocc::generalReason(StringRef Reason) {
  static const std::pair<Regex, StringRef> Patterns[] = {
      {Regex("argument [^ ]+ = [-0-9.e+]+(, assumes argument [^ ]+ = "
             "[-0-9.e+]+)*"),
       "arguments"},
      {Regex("grid size = [0-9x]+"), "grid size"},
      {Regex("[^ ]+:[0-9]+"), "a place"},
      {Regex("[0-9]+(\\.[0-9]+)?(e[-+]?[0-9]+)?"), "N"},
  };
  std::string Text = Reason.str();
  for (const auto &[Pattern, By] : Patterns)
    Text = replaceAll(std::move(Text), Pattern, By);
  return Text;
}

/// Where an access is written, and what it does there; memory of one place
/// that is both read and written counts twice.
static std::string placeKey(StringRef File, const KernelFacts &Facts,
                            const MemoryAccess &A) {
  SourcePlace Place = A.Op < Facts.Operations.size()
                          ? Facts.placeOf(Facts.Operations[A.Op].Location)
                          : SourcePlace();
  // Without a place, kernel and operation stand for it.
  std::string Key = Place.isValid()
                        ? formatPlace(Place)
                        : (File + ":" + Facts.Name + ":" + Twine(A.Op)).str();
  return Key + " " + memorySpaceText(A.Space).str() + " " +
         accessKindText(A.Kind).str();
}

void AccessTable::add(StringRef File, const KernelReport &R) {
  ++NumLaunches;
  for (size_t I = 0; I != R.Facts.Accesses.size(); ++I) {
    const AccessProfile &P = R.Profile.Accesses[I];
    ++Instructions[size_t(P.Exact)];
    if (P.Exact == Exactness::Exact && P.SectorsPerRequest == 0 &&
        P.ExecutionsPerWarp == 0)
      ++NumNeverExecuted;
    if (P.Exact != Exactness::Exact)
      ++Reasons[size_t(P.Exact)][generalReason(P.Reason)];
    auto [At, New] = ByPlace.try_emplace(
        placeKey(File, R.Facts, R.Facts.Accesses[I]), P.Exact);
    if (!New)
      At->second = std::max(At->second, P.Exact);
  }
}

ExactnessCounts AccessTable::sourceAccesses() const {
  ExactnessCounts Counts = {};
  for (const auto &[Place, Exact] : ByPlace)
    ++Counts[size_t(Exact)];
  return Counts;
}

static unsigned sumOf(const ExactnessCounts &Counts) {
  return std::accumulate(Counts.begin(), Counts.end(), 0u);
}

static void printCounts(StringRef What, const ExactnessCounts &Counts,
                        raw_ostream &OS) {
  const unsigned Sum = sumOf(Counts);
  OS << formatv("  {0,-22}{1,7}", What, Sum);
  for (unsigned E = 0; E != NumExactness; ++E)
    OS << formatv("{0,8} {1,6}", Counts[E],
                  Sum ? "(" + formatPercent(double(Counts[E]) / Sum) + ")"
                      : "");
  OS << '\n';
}

void gpuocc::printAccesses(StringRef Suite, const AccessTable &Table,
                           raw_ostream &OS) {
  OS << formatv("{0}, {1}:\n  {2,-22}{3,7}", Suite,
                (Twine(Table.numLaunches()) + " launches of kernels").str(), "",
                "all");
  for (unsigned E = 0; E != NumExactness; ++E)
    OS << formatv("{0,15}", exactnessText(Exactness(E)));
  OS << '\n';
  printCounts("memory instructions", Table.instructions(), OS);
  printCounts("accesses as written", Table.sourceAccesses(), OS);
  OS << formatv("  of the exact instructions {0} are never executed\n",
                Table.numNeverExecuted());
  for (unsigned E = unsigned(Exactness::Exact) + 1; E != NumExactness; ++E) {
    std::vector<std::pair<unsigned, StringRef>> Sorted;
    for (const auto &[Reason, Count] : Table.reasons(Exactness(E)))
      Sorted.push_back({Count, Reason});
    llvm::sort(Sorted, [](const auto &A, const auto &B) {
      return A.first != B.first ? A.first > B.first : A.second < B.second;
    });
    for (size_t I = 0; I < Sorted.size() && I != MaxReasons; ++I)
      OS << formatv("  {0,-15}{1,7}  {2}\n", exactnessText(Exactness(E)),
                    Sorted[I].first, Sorted[I].second);
    if (Sorted.size() > MaxReasons) {
      unsigned Others = 0;
      for (const auto &[Count, Reason] : drop_begin(Sorted, MaxReasons))
        Others += Count;
      OS << formatv("  {0,-15}{1,7}  {2} more reasons\n",
                    exactnessText(Exactness(E)), Others,
                    Sorted.size() - MaxReasons);
    }
  }
}

void gpuocc::writeAccesses(const AccessTable &Table, json::OStream &J) {
  auto Write = [&](StringRef Key, const ExactnessCounts &Counts) {
    J.attributeObject(Key, [&] {
      for (unsigned E = 0; E != NumExactness; ++E)
        J.attribute(exactnessText(Exactness(E)), Counts[E]);
    });
  };
  J.attribute("launches", Table.numLaunches());
  Write("instructions", Table.instructions());
  Write("source_accesses", Table.sourceAccesses());
  J.attribute("never_executed", Table.numNeverExecuted());
  J.attributeObject("reasons", [&] {
    for (unsigned E = unsigned(Exactness::Exact) + 1; E != NumExactness; ++E)
      J.attributeObject(exactnessText(Exactness(E)), [&] {
        for (const auto &[Reason, Count] : Table.reasons(Exactness(E)))
          J.attribute(Reason, Count);
      });
  });
}
