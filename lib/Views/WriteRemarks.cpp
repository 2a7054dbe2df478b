//===- WriteRemarks.cpp - Findings as compilers write them ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileNames.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/Problems.h"
#include "gpuocc/Support/Printable.h"
#include "gpuocc/Views/ReportView.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

/// Blanks in front of the further lines of a message.
static constexpr unsigned Indent = 6;
/// Lines narrower than that are not broken.
static constexpr unsigned LeastColumns = 40;

namespace {

/// Sources, each read once.
class SourceTexts {
public:
  explicit SourceTexts(const ViewOptions &Options) : Options(Options) {}

  /// Line \p Number of \p File without its end; absent where there is none.
  std::optional<StringRef> line(StringRef File, unsigned Number) {
    if (!Options.ReadSource || Number == 0)
      return std::nullopt;
    auto [Slot, IsNew] = Texts.try_emplace(File);
    if (IsNew)
      Slot->second = Options.ReadSource(File);
    if (!Slot->second)
      return std::nullopt;
    StringRef Rest = *Slot->second;
    for (unsigned I = 1; I != Number && !Rest.empty(); ++I)
      Rest = Rest.split('\n').second;
    if (Rest.empty())
      return std::nullopt;
    return Rest.split('\n').first.rtrim('\r');
  }

private:
  const ViewOptions &Options;
  StringMap<std::optional<std::string>> Texts;
};

} // namespace

/// The message of \p F with its gain in front: "1.75x (then bound by latency):
/// 32-way bank conflict ...".
static std::string messageOf(const Finding &F) {
  const auto Gain =
      find_if(F.Message, [](const Evidence &E) { return E.Key == "Gain"; });
  if (!F.Gain || Gain == F.Message.end())
    return F.text();
  std::string Front, Behind;
  for (const Evidence &E : make_range(F.Message.begin(), Gain))
    Front += E.RecordOnly ? "" : E.Text;
  for (const Evidence &E : make_range(Gain, F.Message.end()))
    Behind += E.RecordOnly ? "" : E.Text;
  StringRef Message = Front;
  Message.consume_back(". Estimated gain: ");
  return printable(Behind + ": " + Message.str());
}

/// Writes \p Text, broken between words where it would pass \p Columns; the
/// line is \p At characters long by now. 0 columns are no limit.
static void writeWrapped(StringRef Text, size_t At, unsigned Columns,
                         raw_ostream &OS) {
  if (Columns < LeastColumns) {
    OS << Text;
    return;
  }
  SmallVector<StringRef, 32> Words;
  Text.split(Words, ' ');
  for (size_t I = 0; I != Words.size(); ++I) {
    if (I != 0 && At + 1 + Words[I].size() > Columns) {
      OS << '\n';
      OS.indent(Indent);
      At = Indent;
    } else if (I != 0) {
      OS << ' ';
      ++At;
    }
    OS << Words[I];
    At += Words[I].size();
  }
}

/// The line of \p Place with a caret below its column, as clang prints it. A
/// window of the line where it is wider than the terminal.
static void writeExcerpt(StringRef Line, const SourcePlace &Place,
                         unsigned Columns, raw_ostream &OS) {
  std::string Text = Line.str();
  llvm::replace(Text, '\t', ' ');
  size_t Caret = Place.Column == 0 ? 0 : Place.Column - 1;
  if (Caret >= Text.size())
    return;
  constexpr unsigned Margin = 8;
  if (Columns >= LeastColumns && Text.size() > Columns - Margin) {
    const size_t Width = Columns - Margin;
    size_t First = Caret > Width / 2 ? Caret - Width / 2 : 0;
    First = std::min(First, Text.size() - Width);
    Text = Text.substr(First, Width);
    Caret -= First;
  }
  OS << right_justify(std::to_string(Place.Line), 5) << " | " << printable(Text)
     << "\n      | ";
  if (Place.Column != 0) {
    OS.indent(Caret);
    OS.changeColor(raw_ostream::GREEN, /*Bold=*/true);
    OS << '^';
    OS.resetColor();
  }
  OS << '\n';
}

static void writeProblem(const Problem &P, const ViewOptions &Options,
                         SourceTexts &Sources, raw_ostream &OS) {
  SourcePlace Shown = P.Place;
  Shown.File = fileBelow(Shown.File, Options.BaseDirectory);
  std::string Place = printable(formatPlace(Shown));
  std::string Message = messageOf(*P.What);
  Message += " [" + ruleName(P.What->Rule).str() + "]";
  if (P.NumEntries > 1)
    Message += " (worst of " + std::to_string(P.NumEntries) +
               " launches and instances of '" +
               printable(baseName(P.Kernel->Facts.Demangled)) + "')";
  if (!Place.empty()) {
    OS.changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
    OS << Place << ": ";
  }
  const bool IsError = severityOf(*P.What) == Severity::Error;
  const StringRef Kind = IsError ? "error" : "remark";
  OS.changeColor(IsError ? raw_ostream::RED : raw_ostream::BLUE,
                 /*Bold=*/true);
  OS << Kind << ": ";
  OS.resetColor();
  OS.changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  writeWrapped(Message, Place.size() + Kind.size() + StringRef(": : ").size(),
               Options.Columns, OS);
  OS.resetColor();
  OS << '\n';
  if (std::optional<StringRef> Line = Sources.line(P.Place.File, P.Place.Line))
    writeExcerpt(*Line, P.Place, Options.Columns, OS);
}

Error gpuocc::writeRemarks(const Report &R, const ViewOptions &Options,
                           raw_ostream &OS) {
  OS.enable_colors(Options.Colors);
  SourceTexts Sources(Options);
  std::vector<Problem> Problems = collectProblems(R);
  for (const Problem &P : Problems)
    writeProblem(P, Options, Sources, OS);
  OS << formatCount(double(Problems.size()), "finding") << '\n';
  if (std::string Text = suppressedText(R); !Text.empty())
    OS << Text << '\n';
  return Error::success();
}
