//===- GateForms.cpp - What machines read of a gate -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GateForms.h"
#include "FileNames.h"
#include "SarifParts.h"
#include "gpuocc/Report/Report.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Report/RulePages.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace gpuocc;
using namespace llvm;
using sarif::message;
using sarif::text;

/// The criterion as the id of a rule: without blanks.
static std::string ruleId(StringRef Criterion) {
  std::string Id = Criterion.str();
  std::replace(Id.begin(), Id.end(), ' ', '-');
  return Id;
}

/// The description of \p Criterion, with the page of its rule if it is one.
static json::Object ruleOf(StringRef Criterion) {
  for (unsigned I = 0; I != NumRules; ++I)
    if (ruleName(RuleId(I)) == Criterion)
      return sarif::describeRule(RuleId(I));
  return json::Object{
      {"id", text(ruleId(Criterion))},
      {"shortDescription", message(("kernels: " + Criterion).str())}};
}

static json::Object sarifResult(const GateEntry &Entry) {
  json::Object Out{{"ruleId", text(ruleId(Entry.Criterion))},
                   {"level", Entry.IsFault ? "error" : "note"},
                   {"message", message(Entry.Message)},
                   {"partialFingerprints",
                    json::Object{{"gpuOccupancyGate/v1", Entry.Fingerprint}}}};
  if (!Entry.File.empty()) {
    json::Object Region{{"startLine", int64_t(std::max(1u, Entry.Line))}};
    if (Entry.Column != 0)
      Region["startColumn"] = Entry.Column;
    Out["locations"] = json::Array{json::Object{
        {"physicalLocation",
         json::Object{
             {"artifactLocation",
              json::Object{{"uri", fileUri(fileBelow(Entry.File, ""))}}},
             {"region", std::move(Region)}}}}};
  }
  return Out;
}

void gpuocc::writeGateSarif(ArrayRef<GateEntry> Entries, raw_ostream &OS) {
  std::set<StringRef> Criteria;
  json::Array Results, Rules;
  for (const GateEntry &Entry : Entries) {
    if (Criteria.insert(Entry.Criterion).second)
      Rules.push_back(ruleOf(Entry.Criterion));
    Results.push_back(sarifResult(Entry));
  }
  sarif::writeLog(
      json::Object{
          {"tool",
           json::Object{{"driver", json::Object{{"name", "gpu-occupancy"},
                                                {"rules", std::move(Rules)}}}}},
          {"results", std::move(Results)}},
      OS);
}

/// Launches that cannot run are worse than kernels that got slower.
static StringRef codeQualitySeverity(const GateEntry &Entry) {
  if (!Entry.IsFault)
    return "info";
  const bool CannotRun =
      Entry.Criterion == ruleName(RuleId::CannotRun) ||
      Entry.Criterion == lockVerdictText(LockVerdict::CannotRun);
  return CannotRun ? "blocker" : "major";
}

void gpuocc::writeCodeQuality(ArrayRef<GateEntry> Entries, raw_ostream &OS) {
  json::Array Issues;
  for (const GateEntry &Entry : Entries) {
    // Each issue has a path; the repository stands for one that is not known.
    const std::string Path =
        Entry.File.empty() ? "." : fileBelow(Entry.File, "");
    Issues.push_back(json::Object{
        {"description", text(Entry.Message)},
        {"check_name", text(ruleId(Entry.Criterion))},
        {"fingerprint", Entry.Fingerprint},
        {"severity", codeQualitySeverity(Entry)},
        {"location",
         json::Object{
             {"path", text(Path)},
             {"lines",
              json::Object{{"begin", int64_t(std::max(1u, Entry.Line))}}}}}});
  }
  OS << formatv("{0:2}\n", json::Value(std::move(Issues)));
}
