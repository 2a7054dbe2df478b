//===- Diagnostics.cpp - Findings as diagnostics --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "gpuocc/Config/Config.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/Problems.h"
#include "gpuocc/Report/RuleNames.h"
#include "gpuocc/Support/Paths.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

static lsp::DiagnosticSeverity shownSeverity(const Finding &F,
                                             const Settings &Set) {
  if (severityOf(F) == Severity::Error)
    return lsp::DiagnosticSeverity::Error;
  if (!F.Gain)
    return lsp::DiagnosticSeverity::Information;
  if (*F.Gain >= Set.WarningGain)
    return lsp::DiagnosticSeverity::Warning;
  return *F.Gain >= Set.InformationGain ? lsp::DiagnosticSeverity::Information
                                        : lsp::DiagnosticSeverity::Hint;
}

/// \p Place as the text stands now; nothing where it was edited.
static std::optional<lsp::Location> locationOf(const SourcePlace &Place,
                                               const ShownFile &Shown) {
  lsp::Position At(int(Place.Line) - 1, int(std::max(Place.Column, 1u)) - 1);
  if (Shown.contains(Place)) {
    std::optional<lsp::Range> Range = Shown.rangeOf(Place);
    if (!Range)
      return std::nullopt;
    At = Range->start;
  }
  Expected<lsp::URIForFile> Uri =
      lsp::URIForFile::fromFile(absolutePath(Place.File));
  if (!Uri) {
    consumeError(Uri.takeError());
    return std::nullopt;
  }
  return lsp::Location(*Uri, lsp::Range(At));
}

/// The places through which the code came into the kernel by inlining.
static std::vector<lsp::DiagnosticRelatedInformation>
relatedPlaces(const Problem &P, const ShownFile &Shown) {
  std::vector<lsp::DiagnosticRelatedInformation> Related;
  auto Add = [&](const SourcePlace &Place, std::string Message) {
    if (std::optional<lsp::Location> Location = locationOf(Place, Shown))
      Related.emplace_back(std::move(*Location), std::move(Message));
  };
  for (const SourcePlace &Place : P.What->Location.Places)
    if (Place.isValid() && !(Place == P.Place))
      Add(Place, "in '" + Place.Function + "'");
  if (const SourcePlace &Kernel = P.Kernel->Facts.Place;
      Kernel.isValid() && !(Kernel == P.Place))
    Add(Kernel, "kernel '" + P.Kernel->Facts.Demangled + "'");
  return Related;
}

static std::string messageOf(const Problem &P, bool IsStale) {
  std::string Text = P.What->text();
  if (P.NumEntries > 1)
    Text += " (worst of " + formatCount(P.NumEntries, "launch or instance") +
            " of '" + P.Kernel->Facts.Demangled + "')";
  if (IsStale)
    Text += " [stale: of the last text that compiled]";
  return Text;
}

/// Why the text as it stands now has no report.
static std::optional<Diagnostic> problemOf(const Unit &Of,
                                           const ShownFile &Shown) {
  if (!Of.isStale())
    return std::nullopt;
  Diagnostic D;
  D.Severity = lsp::DiagnosticSeverity::Error;
  D.Message = "not analyzed: " + Of.Problem;
  if (!Of.Error)
    return D;
  if (absolutePath(Of.Error->File) == Shown.file()) {
    const size_t At = Shown.text().offsetOf(Of.Error->Line, Of.Error->Column);
    D.Range = lsp::Range(Shown.text().positionOf(At));
    D.Message = "not analyzed: " + Of.Error->Message;
    return D;
  }
  D.Message = "not analyzed: " + Of.Error->File + ":" +
              std::to_string(Of.Error->Line) + ": " + Of.Error->Message;
  return D;
}

std::vector<Diagnostic>
editor::diagnosticsOf(const Unit &Of, const ShownFile &Shown,
                      const Settings &Set,
                      function_ref<std::string(RuleId)> PageOf) {
  std::vector<Diagnostic> Out;
  if (std::optional<Diagnostic> Problem = problemOf(Of, Shown))
    Out.push_back(std::move(*Problem));
  if (!Of.Good.What)
    return Out;
  for (const Problem &P : collectProblems(*Of.Good.What)) {
    std::optional<lsp::Range> Range = Shown.rangeOf(P.Place);
    if (!Range)
      continue;
    Diagnostic D;
    D.Range = *Range;
    D.Severity = shownSeverity(*P.What, Set);
    D.Code = ruleName(P.What->Rule).str();
    D.CodePage = PageOf(P.What->Rule);
    D.Message = messageOf(P, Of.isStale());
    D.Related = relatedPlaces(P, Shown);
    Out.push_back(std::move(D));
  }
  return Out;
}

std::vector<Diagnostic> editor::configurationDiagnostics(const Document &Text,
                                                         StringRef Path) {
  const std::vector<StringRef> Rules = ruleNames();
  Expected<Config> Read = parseConfig(Text.text(), Path, Rules);
  if (Read)
    return {};
  Diagnostic D;
  D.Severity = lsp::DiagnosticSeverity::Error;
  D.Message = toString(Read.takeError());
  // "FILE:LINE:COLUMN: error: what"
  StringRef Rest = D.Message;
  Rest.consume_front(Path);
  unsigned Line = 0, Column = 0;
  if (!Rest.consume_front(":") || Rest.consumeInteger(10, Line))
    return {D};
  if (Rest.consume_front(":"))
    Rest.consumeInteger(10, Column);
  Rest = Rest.ltrim(": ");
  Rest.consume_front("error: ");
  const lsp::Position At = Text.positionOf(Text.offsetOf(Line, Column));
  D.Range = lsp::Range(
      At, Text.positionOf(Text.offsetOf(lsp::Position(At.line, INT_MAX))));
  D.Message = Rest.str();
  return {D};
}
