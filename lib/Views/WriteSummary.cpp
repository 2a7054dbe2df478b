//===- WriteSummary.cpp - One screen over all kernels ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileNames.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/Problems.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Support/Printable.h"
#include "gpuocc/Views/LaunchesToGive.h"
#include "gpuocc/Views/ReportView.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace gpuocc;
using namespace llvm;

/// Quiet kernels that are named.
static constexpr size_t ShownQuiet = 5;

/// Columns of the names of kernels; the least where lines have an end.
static constexpr size_t LeastNameColumns = 28, MostNameColumns = 48;

/// Columns in front of what stands on a line of its own.
static constexpr unsigned PlaceIndent = 19;

namespace {

/// The launches and template instances of one kernel.
struct KernelGroup {
  /// The slowest of them or, without times, the one that runs most (instances
  /// that this GPU never gets often do nothing), and the one with the best
  /// finding.
  const KernelReport *Slowest = nullptr;
  const KernelReport *Worst = nullptr;
  const Finding *Best = nullptr;
  size_t NumEntries = 0;

  std::string name() const {
    return printable(baseName(Slowest->Facts.Demangled));
  }
  /// The name, and of how many launches and instances.
  std::string nameAndCount() const {
    return name() +
           (NumEntries > 1 ? " (" + std::to_string(NumEntries) + ")" : "");
  }
  bool hasGain() const { return Best != nullptr; }
  /// Whose numbers are shown.
  const KernelReport &shown() const { return Worst ? *Worst : *Slowest; }
};

} // namespace

static double timeOf(const KernelReport &K) {
  return K.Predicted.Time ? K.Predicted.Time->Ns : 0;
}

/// Nanoseconds that mending the best finding saves; without a time, what it
/// saves of one.
static double saving(const KernelGroup &G) {
  double Gain = *G.Best->Gain;
  double Time = timeOf(*G.Worst);
  return (Time > 0 ? Time : 1) * (1 - 1 / Gain);
}

static void addTo(KernelGroup &G, const KernelReport &K) {
  ++G.NumEntries;
  auto Weight = [](const KernelReport &Of) {
    return std::pair(timeOf(Of), Of.Predicted.InstructionsPerWarp);
  };
  if (!G.Slowest || Weight(K) > Weight(*G.Slowest))
    G.Slowest = &K;
  for (const Finding &F : K.Findings) {
    if (!F.Gain || *F.Gain <= 1 || ruleRemarkKind(F.Rule) != RemarkKind::Passed)
      continue;
    KernelGroup Other = G;
    Other.Worst = &K;
    Other.Best = &F;
    if (!G.Best || saving(Other) > saving(G))
      G = Other;
  }
}

/// The kernels of \p R, in the order of the report.
static std::vector<KernelGroup> groupsOf(const Report &R) {
  std::map<std::tuple<StringRef, StringRef, StringRef>, size_t> Indexes;
  std::vector<KernelGroup> Groups;
  for (const KernelReport &K : R.Kernels) {
    auto [Slot, IsNew] = Indexes.try_emplace(
        {baseName(K.Facts.Demangled), K.Facts.Place.File, K.Device},
        Groups.size());
    if (IsNew)
      Groups.emplace_back();
    addTo(Groups[Slot->second], K);
  }
  return Groups;
}

/// \p Text in at most \p Width bytes; 0 is no limit.
static std::string cut(std::string Text, size_t Width) {
  if (Width == 0 || Text.size() <= Width)
    return Text;
  size_t End = Width > 3 ? Width - 3 : 0;
  // No character of UTF-8 is cut into pieces.
  while (End != 0 && (Text[End] & 0xC0) == 0x80)
    --End;
  return Text.substr(0, End) + "...";
}

/// Assumptions stand behind the numbers of \p K.
static bool isUnsure(const KernelReport &K) {
  return !K.Profile.Assumptions.empty() || !K.Predicted.Time;
}

/// Columns for the names of \p Groups.
static size_t nameColumns(ArrayRef<KernelGroup> Groups,
                          const ViewOptions &Options) {
  size_t Longest = LeastNameColumns;
  for (const KernelGroup &G : Groups)
    Longest = std::max(Longest, G.nameAndCount().size());
  return Options.Columns == 0 ? std::min(Longest, MostNameColumns)
                              : LeastNameColumns;
}

static std::string placeText(SourcePlace Place, const ViewOptions &Options) {
  Place.File = fileBelow(Place.File, Options.BaseDirectory);
  return printable(formatPlace(Place));
}

/// A row that ends with where to change what; that is on the next line where
/// this one has no room.
static void writeRow(StringRef Numbers, StringRef Change,
                     const ViewOptions &Options, raw_ostream &OS) {
  if (Options.Columns == 0 || Numbers.size() + Change.size() <= Options.Columns)
    OS << (Numbers + Change).str() << '\n';
  else
    OS << cut(Numbers.rtrim().str(), Options.Columns) << '\n'
       << cut(std::string(PlaceIndent, ' ') + Change.str(), Options.Columns)
       << '\n';
}

/// The name of \p G in \p Width columns; its count is not cut away.
static std::string nameIn(const KernelGroup &G, size_t Width) {
  const std::string Count = G.nameAndCount().substr(G.name().size());
  return cut(G.name(), Width - std::min(Width, Count.size())) + Count;
}

static void writeGroup(const KernelGroup &G, size_t Width,
                       const ViewOptions &Options, raw_ostream &OS) {
  const KernelReport &K = G.shown();
  std::string Line;
  raw_string_ostream Row(Line);
  Row << right_justify((isUnsure(K) ? "~" : "") +
                           (K.Predicted.Time ? formatTime(K.Predicted.Time->Ns)
                                             : std::string("?")),
                       10)
      << right_justify(formatRatio(*G.Best->Gain), 7) << "  "
      << left_justify(nameIn(G, Width), Width) << ' '
      << left_justify(resourceKey(K.Predicted.Diagnosed.Unit), 9)
      << right_justify(formatWarps(K.Predicted.Needed.P90), 9) << '/'
      << left_justify(std::to_string(K.Predicted.WarpsPerSm), 4);
  writeRow(Line,
           placeText(placeToShow(G.Best->Location), Options) + ": " +
               ruleName(G.Best->Rule).str(),
           Options, OS);
}

static void writeQuiet(ArrayRef<KernelGroup> Groups, const ViewOptions &Options,
                       raw_ostream &OS) {
  if (Groups.empty())
    return;
  OS << formatCount(Groups.size(), "kernel") << " with nothing to gain: ";
  ListSeparator Comma;
  for (const KernelGroup &G : Groups.take_front(ShownQuiet)) {
    OS << Comma << G.name();
    if (G.Slowest->Predicted.Time)
      OS << ' ' << formatTime(timeOf(*G.Slowest));
    if (std::string Place = placeText(G.Slowest->Facts.Place, Options);
        !Place.empty())
      OS << " (" << Place << ')';
  }
  OS << (Groups.size() > ShownQuiet ? ", ..." : "") << '\n';
}

/// The first finding of \p G that names something to change.
static const Finding *firstToChange(const KernelGroup &G) {
  if (G.Best)
    return G.Best;
  for (const Finding &F : G.shown().Findings)
    if (F.Remark == RemarkKind::Passed && F.Rule != RuleId::KernelVerdict)
      return &F;
  return nullptr;
}

/// How deep in loops the place of \p F is.
static unsigned loopDepth(const KernelReport &K, const Finding *F) {
  if (!F || F->Access >= K.Facts.Accesses.size())
    return 0;
  const uint32_t Op = K.Facts.Accesses[F->Access].Op;
  if (Op >= K.Facts.Operations.size())
    return 0;
  const uint32_t Loop = K.Facts.Blocks[K.Facts.Operations[Op].Block].Loop;
  return Loop < K.Facts.Loops.size() ? K.Facts.Loops[Loop].Depth : 0;
}

/// What is known of kernels whose launch or arguments nobody gave; first those
/// with something to change, in innermost loops, and those of CUDA's own
/// libraries last.
static void writeUntimed(std::vector<KernelGroup> Groups,
                         const ViewOptions &Options, raw_ostream &OS) {
  if (Groups.empty())
    return;
  llvm::sort(Groups, [](const KernelGroup &A, const KernelGroup &B) {
    auto Rank = [](const KernelGroup &G) {
      const Finding *F = firstToChange(G);
      return std::make_tuple(isCudaTemplate(G.Slowest->Facts.Place.File),
                             F == nullptr, -int(loopDepth(G.shown(), F)),
                             F && F->Gain ? -*F->Gain : 0.0, G.name(),
                             G.Slowest);
    };
    return Rank(A) < Rank(B);
  });
  const size_t Width = nameColumns(Groups, Options);
  OS << " registers  warps   gain  "
     << left_justify("kernels without a time", Width)
     << "  first of what to change\n";
  for (const KernelGroup &G : Groups) {
    const KernelReport &K = G.shown();
    const Finding *First = firstToChange(G);
    std::string Line;
    raw_string_ostream Row(Line);
    Row << right_justify(std::to_string(K.Facts.Resources.RegistersPerThread),
                         10)
        << right_justify(std::to_string(K.Predicted.WarpsPerSm), 7)
        << right_justify(First && First->Gain ? formatRatio(*First->Gain) : "-",
                         7)
        << "  " << left_justify(nameIn(G, Width), Width) << "  ";
    writeRow(Line,
             placeText(First ? placeToShow(First->Location) : K.Facts.Place,
                       Options) +
                 (First ? ": " + ruleName(First->Rule).str() : ""),
             Options, OS);
  }
}

/// A line for each place that launches what cannot run.
static void writeRefused(const Report &R, const ViewOptions &Options,
                         raw_ostream &OS) {
  for (const Problem &P : collectProblems(R)) {
    if (severityOf(*P.What) != Severity::Error)
      continue;
    SourcePlace Place = P.Place;
    Place.File = fileBelow(Place.File, Options.BaseDirectory);
    if (Place.isValid())
      OS << printable(formatPlace(Place)) << ": ";
    OS << "error: " << printable(P.What->text()) << '\n';
  }
}

Error gpuocc::writeSummary(const Report &R, const ViewOptions &Options,
                           raw_ostream &OS) {
  writeRefused(R, Options, OS);
  std::vector<KernelGroup> Groups = groupsOf(R);
  if (Groups.empty() && !R.Refused.empty())
    return Error::success();
  if (Groups.empty()) {
    OS << "no kernels\n";
    return Error::success();
  }
  std::vector<KernelGroup> WithoutTime;
  copy_if(Groups, std::back_inserter(WithoutTime),
          [](const KernelGroup &G) { return !G.shown().Predicted.Time; });
  erase_if(Groups,
           [](const KernelGroup &G) { return !G.shown().Predicted.Time; });
  auto Quiet = std::partition(Groups.begin(), Groups.end(),
                              [](const KernelGroup &G) { return G.hasGain(); });
  llvm::sort(Groups.begin(), Quiet,
             [](const KernelGroup &A, const KernelGroup &B) {
               return std::make_tuple(-saving(A), A.name(), A.Slowest) <
                      std::make_tuple(-saving(B), B.name(), B.Slowest);
             });
  llvm::sort(
      Quiet, Groups.end(), [](const KernelGroup &A, const KernelGroup &B) {
        return std::make_tuple(-timeOf(*A.Slowest), A.name(), A.Slowest) <
               std::make_tuple(-timeOf(*B.Slowest), B.name(), B.Slowest);
      });
  const size_t Width =
      nameColumns(ArrayRef(Groups).take_front(Quiet - Groups.begin()), Options);
  if (Quiet != Groups.begin())
    OS << "      time   gain  "
       << left_justify("kernel (launches, instances)", Width)
       << " bound by      needs/has best change\n";
  for (const KernelGroup &G : make_range(Groups.begin(), Quiet))
    writeGroup(G, Width, Options, OS);
  writeQuiet(ArrayRef(Groups).drop_front(Quiet - Groups.begin()), Options, OS);
  writeUntimed(WithoutTime, Options, OS);
  if (std::string Text = suppressedText(R); !Text.empty())
    OS << Text << '\n';
  if (any_of(Groups, [](const KernelGroup &G) { return isUnsure(G.shown()); }))
    OS << "~ rests on assumptions that --format=text names\n";
  if (size_t Number = count_if(WithoutTime, [](const KernelGroup &G) {
        return bool(G.shown().OverSizes);
      }))
    OS << formatCount(double(Number), "kernel")
       << (Number == 1 ? " has" : " have")
       << " times over sizes instead, which --details prints\n";
  if (std::string Text = howToGetTimes(R); !Text.empty())
    OS << Text << '\n';
  return Error::success();
}
