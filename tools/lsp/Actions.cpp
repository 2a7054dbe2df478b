//===- Actions.cpp - Edits that were tried --------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Actions.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/Problems.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Views/LaunchesToGive.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

/// The least predicted gain for which an edit is offered.
static constexpr double LeastGain = 1.01;

namespace {
/// Which cures a rule has.
struct CureRow {
  RuleId Rule;
  std::vector<Cure> (*Find)(const Patient &P);
};
} // namespace

static constexpr CureRow CureRows[] = {
    {RuleId::BankConflict, padRows},
    {RuleId::SlowInstruction, shortenConstants},
    {RuleId::SlowInstruction, multiplyPowers},
    {RuleId::OccupancyLimit, addLaunchBounds},
    {RuleId::NeededOccupancy, addLaunchBounds},
    {RuleId::LocalMemory, addLaunchBounds},
    {RuleId::UncoalescedAccess, swapThreads},
};

namespace {
/// A cure of whole kernels, and the rule whose findings ask for it too.
struct KernelCureRow {
  RuleId Rule;
  std::vector<Cure> (*Find)(const Launched &K);
};
} // namespace

static constexpr KernelCureRow KernelCureRows[] = {
    {RuleId::ReadOnly, addRestrict},
    {RuleId::LaunchShape, chooseBlock},
    {RuleId::WarpShuffle, addressInSequence},
    {RuleId::LaunchShape, strideGrid},
};

std::pair<size_t, size_t> Patient::wordsOfLine(unsigned OfLine) const {
  const size_t From = Text.offsetOf(lsp::Position(int(OfLine), 0));
  const size_t To = Text.offsetOf(lsp::Position(int(OfLine) + 1, 0));
  size_t First = 0;
  while (First != Words.size() && Words[First].Offset < From)
    ++First;
  size_t End = First;
  while (End != Words.size() && Words[End].Offset < To)
    ++End;
  return {First, End};
}

std::string editor::applyTo(StringRef Text, ArrayRef<Replacement> Edits) {
  std::vector<Replacement> Ordered(Edits.begin(), Edits.end());
  llvm::sort(Ordered, [](const Replacement &A, const Replacement &B) {
    return A.Offset < B.Offset;
  });
  std::string Out;
  size_t At = 0;
  for (const Replacement &R : Ordered) {
    Out += Text.slice(At, R.Offset);
    Out += R.Text;
    At = R.Offset + R.Length;
  }
  return Out + Text.drop_front(At).str();
}

/// The lines, from 0, of \p Shown where the kernel \p K is defined and where
/// it is launched.
static std::vector<int> linesOf(const KernelReport &K, const ShownFile &Shown) {
  std::vector<int> Lines;
  auto Add = [&](const SourcePlace &Place) {
    if (std::optional<lsp::Range> At = Shown.rangeOf(Place))
      Lines.push_back(At->start.line);
  };
  Add(K.Facts.Place);
  const LaunchOrigin &Origin = K.Launched.Block.Source;
  auto [File, Line] = Origin.place().rsplit(':');
  SourcePlace Launch;
  if (Origin.by() == GivenBy::HostCode &&
      File == sys::path::filename(Shown.file()) &&
      !Line.getAsInteger(10, Launch.Line)) {
    Launch.File = Shown.file().str();
    Add(Launch);
  }
  return Lines;
}

std::vector<Proposal> editor::proposalsFor(const Unit &Of,
                                           const ShownFile &Shown,
                                           const lsp::Range &Range,
                                           ArrayRef<Diagnostic> Diagnostics) {
  std::vector<Proposal> Out;
  // Edits of a text that does not compile cannot be tried.
  if (!Of.Good.What || Of.isStale())
    return Out;
  auto IsAsked = [&](int Line) {
    return Line >= Range.start.line && Line <= Range.end.line;
  };
  auto Add = [&](Cure C, const KernelReport &K) -> Proposal & {
    Proposal &New = Out.emplace_back();
    New.Edited = applyTo(Shown.text().text(), C.Edits);
    New.What = std::move(C);
    New.Kernel = baseName(K.Facts.Demangled).str();
    return New;
  };
  const TokenList Words(Shown.text().sharedText());
  for (const Problem &Problem : collectProblems(*Of.Good.What)) {
    std::optional<lsp::Range> Place = Shown.rangeOf(Problem.Place);
    if (!Place || !IsAsked(Place->start.line))
      continue;
    const Patient P{Problem, Shown, Shown.text(), Words,
                    unsigned(Place->start.line)};
    const auto *Told = find_if(Diagnostics, [&](const Diagnostic &D) {
      return D.Range == *Place && D.Code == ruleName(Problem.What->Rule);
    });
    auto AddFor = [&](Cure C, bool Suppresses) {
      Proposal &New = Add(std::move(C), *Problem.Kernel);
      New.Rule = Problem.What->Rule;
      New.Place = Problem.Place;
      New.Suppresses = Suppresses;
      if (Told != Diagnostics.end())
        New.Fixes = *Told;
    };
    for (const CureRow &Row : CureRows)
      if (Row.Rule == Problem.What->Rule)
        for (Cure &C : Row.Find(P))
          AddFor(std::move(C), /*Suppresses=*/false);
    for (const KernelCureRow &Row : KernelCureRows)
      if (Row.Rule == Problem.What->Rule)
        for (Cure &C : Row.Find({*Problem.Kernel, Shown.text()}))
          AddFor(std::move(C), /*Suppresses=*/false);
    for (Cure &C : suppressHere(P))
      AddFor(std::move(C), /*Suppresses=*/true);
  }
  std::set<std::string> Seen;
  for (const KernelReport &K : Of.Good.What->Kernels)
    if (any_of(linesOf(K, Shown), IsAsked) &&
        Seen.insert(baseName(K.Facts.Demangled).str()).second)
      for (const KernelCureRow &Row : KernelCureRows)
        for (Cure &C : Row.Find({K, Shown.text()}))
          if (none_of(Out, [&](const Proposal &P) {
                return P.What.Title == C.Title;
              }))
            Add(std::move(C), K);
  return Out;
}

/// The entries of the kernel \p Name in \p R.
static std::vector<const KernelReport *> entriesOf(const Report &R,
                                                   StringRef Name) {
  std::vector<const KernelReport *> Out;
  for (const KernelReport &K : R.Kernels)
    if (baseName(K.Facts.Demangled) == Name)
      Out.push_back(&K);
  return Out;
}

/// True when both launches start as many threads but for the rest of a block,
/// as far as that is known.
static bool isSameWork(const Launch &Before, const Launch &After) {
  if (!Before.Grid || !After.Grid)
    return bool(Before.Grid) == bool(After.Grid);
  const Dim3 &Grid = Before.Grid->Value;
  const uint64_t Old = Grid.count() * Before.threadsPerBlock();
  const uint64_t New = After.Grid->Value.count() * After.threadsPerBlock();
  const uint64_t Rest =
      Grid.Y * Grid.Z *
      std::max<uint64_t>(Before.threadsPerBlock(), After.threadsPerBlock());
  return std::max(Old, New) - std::min(Old, New) < Rest;
}

std::optional<Outcome> editor::outcomeOf(const Report &Before,
                                         const Report &After,
                                         const Proposal &Of) {
  const StringRef Kernel = Of.Kernel;
  const std::vector<const KernelReport *> Old = entriesOf(Before, Kernel);
  const std::vector<const KernelReport *> New = entriesOf(After, Kernel);
  if (Old.empty() || Old.size() != New.size())
    return std::nullopt;
  double OldNs = 0, NewNs = 0, OldCycles = 0, NewCycles = 0;
  bool HasTimes = true;
  for (const auto &[O, N] : zip_equal(Old, New)) {
    // What rests on an argument that is not given is not told.
    if (isUndecided(*O) || isUndecided(*N))
      return std::nullopt;
    HasTimes &= O->Predicted.Time && N->Predicted.Time;
    if (HasTimes) {
      OldNs += O->Predicted.Time->Ns;
      NewNs += N->Predicted.Time->Ns;
    }
    if ((!Of.What.SharesWork && !isSameWork(O->Launched, N->Launched)) ||
        O->Predicted.WarpsPerCycle <= 0 || N->Predicted.WarpsPerCycle <= 0)
      return std::nullopt;
    OldCycles += 1 / O->Predicted.WarpsPerCycle;
    NewCycles += 1 / N->Predicted.WarpsPerCycle;
  }
  if (Of.What.SharesWork && !HasTimes)
    return std::nullopt;
  const double Gain = HasTimes ? OldNs / NewNs : OldCycles / NewCycles;
  if (Gain < LeastGain)
    return std::nullopt;
  Outcome Out{Gain, formatRatio(Gain) + " faster"};
  if (HasTimes)
    Out.Words += ": " + formatTime(OldNs) + " to " + formatTime(NewNs);
  return Out;
}

/// Problems of \p Rule in \p R.
static size_t numProblems(const Report &R, RuleId Rule) {
  return size_t(count_if(collectProblems(R), [&](const Problem &P) {
    return P.What->Rule == Rule;
  }));
}

std::optional<CodeAction> editor::actionFor(const Proposal &P,
                                            const Unit &Before,
                                            const AnalysisResult &After,
                                            const Document &Text,
                                            StringRef Uri) {
  if (!After.What || !Before.Good.What)
    return std::nullopt;
  CodeAction Action;
  Action.Title = P.What.Title;
  if (P.Suppresses) {
    if (numProblems(*After.What, P.Rule) >=
        numProblems(*Before.Good.What, P.Rule))
      return std::nullopt;
  } else {
    std::optional<Outcome> Gained =
        outcomeOf(*Before.Good.What, *After.What, P);
    if (!Gained)
      return std::nullopt;
    Action.Title += " (predicted " + Gained->Words + ")";
    Action.IsPreferred = true;
  }
  if (!P.Fixes.Message.empty())
    Action.Fixes.push_back(P.Fixes);
  std::vector<lsp::TextEdit> &Edits = Action.Edits[Uri.str()];
  for (const Replacement &R : P.What.Edits)
    Edits.push_back({lsp::Range(Text.positionOf(R.Offset),
                                Text.positionOf(R.Offset + R.Length)),
                     R.Text});
  return Action;
}
