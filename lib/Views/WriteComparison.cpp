//===- WriteComparison.cpp - Two reports side by side ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Views/WriteComparison.h"
#include "GitHub.h"
#include "Markdown.h"
#include "PageParts.h"
#include "gpuocc/Page/Page.h"
#include "gpuocc/Report/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

static std::string timeText(const KernelSummary *K) {
  if (!K)
    return "-";
  if (K->CannotRun)
    return "cannot run";
  return K->TimeNs ? formatTime(*K->TimeNs) : "?";
}

/// "7.1 us to 4 us", or which side has no time.
static std::string timesText(const KernelSummary *Before,
                             const KernelSummary *After) {
  auto HasNone = [](const KernelSummary *K) {
    return K && !K->CannotRun && !K->TimeNs;
  };
  if (HasNone(Before) && HasNone(After))
    return "no time is known";
  if (HasNone(Before))
    return "no time was known before, now " + timeText(After);
  if (HasNone(After))
    return "no time is known any more, before " + timeText(Before);
  return timeText(Before) + " to " + timeText(After);
}

static std::string place(StringRef File, unsigned Line, unsigned Column) {
  return formatPlace({File.str(), Line, Column, ""});
}

static bool haveRatio(const KernelChange &C) {
  return C.Before && C.After && !C.Before->CannotRun && !C.After->CannotRun &&
         C.Kind != ChangeKind::Untimed;
}

static std::string ratioText(const KernelChange &C) {
  return haveRatio(C) ? formatv("{0:f2}x", C.Ratio).str() : std::string("-");
}

static unsigned countOf(ArrayRef<KernelChange> Changes, ChangeKind Kind) {
  return count_if(Changes,
                  [&](const KernelChange &C) { return C.Kind == Kind; });
}

/// "1 slower, 2 faster, 0 added, 0 removed, 5 unchanged", and in front of them
/// how many cannot run or be compared any more, if any.
static std::string totals(ArrayRef<KernelChange> Changes) {
  const unsigned NumBroken = countOf(Changes, ChangeKind::Broken);
  const unsigned NumUntimed = countOf(Changes, ChangeKind::Untimed);
  const unsigned NumFixed = countOf(Changes, ChangeKind::Fixed);
  const std::string Others =
      (NumBroken ? formatv("{0} cannot run, ", NumBroken).str() : "") +
      (NumUntimed ? formatv("{0} cannot compare, ", NumUntimed).str() : "") +
      (NumFixed ? formatv("{0} runs again, ", NumFixed).str() : "");
  return Others +
         formatv(
             "{0} slower, {1} faster, {2} added, {3} removed, {4} unchanged",
             countOf(Changes, ChangeKind::Slower),
             countOf(Changes, ChangeKind::Faster),
             countOf(Changes, ChangeKind::Added),
             countOf(Changes, ChangeKind::Removed),
             countOf(Changes, ChangeKind::Same))
             .str();
}

/// What changed beyond the thresholds, and what has new findings.
static std::vector<const KernelChange *>
worthTelling(ArrayRef<KernelChange> Changes) {
  std::vector<const KernelChange *> Told;
  for (const KernelChange &C : Changes)
    if (C.Kind != ChangeKind::Same || !C.Appeared.empty() || !C.Gone.empty())
      Told.push_back(&C);
  return Told;
}

static void writeFindings(StringRef Mark,
                          ArrayRef<const FindingSummary *> Findings,
                          raw_ostream &OS) {
  for (const FindingSummary *F : Findings) {
    OS << "    " << Mark << ' ';
    if (F->Line != 0)
      OS << place(F->File, F->Line, F->Column) << ": ";
    OS << F->Message << " [" << F->Rule << "]\n";
  }
}

static void writeText(ArrayRef<KernelChange> Changes, raw_ostream &OS) {
  for (const KernelChange *C : worthTelling(Changes)) {
    const KernelSummary &K = C->either();
    OS << left_justify((changeKindText(C->Kind) + " ").str(), 8)
       << left_justify(ratioText(*C), 8) << K.Demangled << " on " << K.Device
       << ", " << K.LaunchText << ": " << timesText(C->Before, C->After);
    if (haveRatio(*C) && C->Before->Limiter != C->After->Limiter)
      OS << ", bound by " << C->Before->Limiter << " to " << C->After->Limiter;
    OS << (C->DataDecides ? " (data decides)" : "") << '\n';
    writeFindings("+", C->Appeared, OS);
    writeFindings("-", C->Gone, OS);
  }
  OS << totals(Changes) << '\n';
}

static void writeMarkdownTable(ArrayRef<KernelChange> Changes,
                               raw_ostream &OS) {
  OS << "Predicted kernels: " << totals(Changes) << ".\n";
  std::vector<const KernelChange *> Told = worthTelling(Changes);
  if (Told.empty())
    return;
  OS << "\n| change | kernel | grid x block | device | before | after | ratio "
        "| "
        "lines |\n|---|---|---|---|---:|---:|---:|---|\n";
  for (const KernelChange *C : Told) {
    const KernelSummary &K = C->either();
    OS << "| " << changeKindText(C->Kind) << " | " << markdownCode(K.Demangled)
       << " | " << markdownText(K.LaunchText) << " | " << markdownText(K.Device)
       << " | " << timeText(C->Before) << " | " << timeText(C->After) << " | "
       << ratioText(*C) << " | ";
    ListSeparator Break("<br>");
    for (const FindingSummary *F : C->Appeared)
      OS << Break << "new: " << F->Rule << ' '
         << markdownText(place(F->File, F->Line, F->Column));
    for (const FindingSummary *F : C->Gone)
      OS << Break << "gone: " << F->Rule;
    OS << " |\n";
  }
}

static void writeAnnotations(ArrayRef<KernelChange> Changes, raw_ostream &OS) {
  for (const KernelChange &C : Changes) {
    if (C.Kind == ChangeKind::Broken)
      for (const FindingSummary &F : C.After->Findings)
        writeAnnotation({"error", F.File, F.Line, F.Column, F.Rule, F.Message},
                        OS);
    if (C.Kind != ChangeKind::Slower && C.Kind != ChangeKind::Untimed)
      continue;
    const KernelSummary &K = *C.After;
    if (C.Kind == ChangeKind::Untimed) {
      writeAnnotation({"warning", K.File, K.Line, 0, "cannot-compare",
                       "kernel '" + K.Demangled +
                           "' has no time any more; before, " +
                           timeText(C.Before) + " on " + K.Device},
                      OS);
      continue;
    }
    std::string Message =
        "kernel '" + K.Demangled + "' is predicted " + ratioText(C) +
        " as slow: " + timesText(C.Before, &K) + " on " + K.Device;
    writeAnnotation({"warning", K.File, K.Line, 0, "slowdown", Message}, OS);
    for (const FindingSummary *F : C.Appeared)
      writeAnnotation(
          {"warning", F->File, F->Line, F->Column, F->Rule, F->Message}, OS);
  }
}

static json::Value optional(std::optional<double> Value) {
  return Value ? json::Value(*Value) : nullptr;
}

static json::Array findingsToJSON(ArrayRef<const FindingSummary *> Findings) {
  json::Array Out;
  for (const FindingSummary *F : Findings)
    Out.push_back(json::Object{{"name", F->Rule},
                               {"file", F->File},
                               {"line", F->Line},
                               {"column", F->Column},
                               {"gain", optional(F->Gain)},
                               {"message", F->Message}});
  return Out;
}

static json::Value sideToJSON(const KernelSummary *K) {
  if (!K)
    return nullptr;
  return json::Object{{"predicted_time_ns", optional(K->TimeNs)},
                      {"cycles_per_warp", optional(K->CyclesPerWarp)},
                      {"limiter", K->Limiter},
                      {"cannot_run", K->CannotRun}};
}

static json::Object toJSON(ArrayRef<KernelChange> Changes) {
  json::Array Kernels;
  for (const KernelChange &C : Changes) {
    const KernelSummary &K = C.either();
    Kernels.push_back(json::Object{
        {"change", changeKindText(C.Kind)},
        {"name", K.Name},
        {"demangled", K.Demangled},
        {"device", K.Device},
        {"launch", K.LaunchText},
        {"file", K.File},
        {"line", K.Line},
        {"ratio", haveRatio(C) ? json::Value(C.Ratio) : json::Value(nullptr)},
        {"data_decides", C.DataDecides},
        {"before", sideToJSON(C.Before)},
        {"after", sideToJSON(C.After)},
        {"appeared", findingsToJSON(C.Appeared)},
        {"gone", findingsToJSON(C.Gone)}});
  }
  return json::Object{{"schema_version", 1}, {"kernels", std::move(Kernels)}};
}

static void writeJSON(ArrayRef<KernelChange> Changes, raw_ostream &OS) {
  OS << formatv("{0:2}\n", json::Value(toJSON(Changes)));
}

static void writeHtml(ArrayRef<KernelChange> Changes, raw_ostream &OS) {
  json::Object Data = toJSON(Changes);
  Data["totals"] = totals(Changes);
  writePage({"gpu-occupancy diff",
             comparisonBody().str(),
             comparisonScript(),
             {{"comparison", formatv("{0}", json::Value(std::move(Data)))}}},
            OS);
}

static constexpr ComparisonView Views[] = {{"text", writeText},
                                           {"json", writeJSON},
                                           {"markdown", writeMarkdownTable},
                                           {"github", writeAnnotations},
                                           {"html", writeHtml}};

ArrayRef<ComparisonView> gpuocc::comparisonViews() { return Views; }

const ComparisonView *gpuocc::findComparisonView(StringRef Name) {
  const ComparisonView *Found =
      find_if(Views, [&](const ComparisonView &V) { return V.Name == Name; });
  return Found == std::end(Views) ? nullptr : Found;
}
