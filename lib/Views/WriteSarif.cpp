//===- WriteSarif.cpp - The report as SARIF 2.1.0 -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileNames.h"
#include "SarifParts.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/Problems.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Report/RulePages.h"
#include "gpuocc/Views/ReportView.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;
using sarif::message;
using sarif::text;

/// Name of the folder that relative paths start at, in `originalUriBaseIds`.
static constexpr StringLiteral BaseId = "SRCROOT";

/// Where a reader of the log finds what the rules are about.
static constexpr StringLiteral InformationUri = GPUOCC_HOMEPAGE;

static json::Object physicalLocation(const SourcePlace &Place,
                                     const ViewOptions &Options) {
  std::string File = fileBelow(Place.File, Options.BaseDirectory);
  json::Object Artifact{{"uri", fileUri(File)}};
  if (!StringRef(File).starts_with("/"))
    Artifact["uriBaseId"] = BaseId;
  json::Object Region{{"startLine", Place.Line}};
  if (Place.Column != 0)
    Region["startColumn"] = Place.Column;
  return json::Object{{"artifactLocation", std::move(Artifact)},
                      {"region", std::move(Region)}};
}

/// The places through which \p F came into the kernel by inlining, but for the
/// one that is shown.
static json::Array relatedLocations(const Finding &F, const SourcePlace &Shown,
                                    const ViewOptions &Options) {
  json::Array Out;
  for (const SourcePlace &Place : F.Location.Places)
    if (Place.isValid() && !(Place == Shown))
      Out.push_back(
          json::Object{{"id", int64_t(Out.size())},
                       {"message", message("in '" + Place.Function + "'")},
                       {"physicalLocation", physicalLocation(Place, Options)}});
  return Out;
}

static StringRef levelOf(const Finding &F) {
  switch (severityOf(F)) {
  case Severity::Note:
    return "note";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    return "error";
  }
  llvm_unreachable("all severities are handled");
}

/// What follows from code and launch alone is not exact where nobody gave the
/// launch.
static Exactness exactnessOf(const Finding &F, const KernelReport &K) {
  const bool IsGiven = K.Launched.Grid && K.Launched.Block.Source.isGiven();
  return F.Exact == Exactness::Exact && !IsGiven ? Exactness::Assumed : F.Exact;
}

/// What replaces what, as SARIF has it.
static json::Array fixes(const SourceEdit &E, const ViewOptions &Options) {
  SourcePlace Place;
  Place.File = E.File;
  Place.Line = 1;
  json::Object Where = physicalLocation(Place, Options);
  json::Array Replacements;
  for (const TextChange &C : E.Changes)
    Replacements.push_back(json::Object{
        {"deletedRegion", json::Object{{"startLine", C.Line},
                                       {"startColumn", C.Column},
                                       {"endLine", C.EndLine},
                                       {"endColumn", C.EndColumn}}},
        {"insertedContent", message(C.Text)}});
  json::Object Change{
      {"artifactLocation", std::move(*Where.get("artifactLocation"))},
      {"replacements", std::move(Replacements)}};
  return json::Array{json::Object{
      {"description", message(E.Title + " (predicted " + E.Price + ")")},
      {"artifactChanges", json::Array{std::move(Change)}}}};
}

static json::Object result(const Problem &P, const ViewOptions &Options) {
  const Finding &F = *P.What;
  std::string Text = F.text();
  if (P.NumEntries > 1)
    Text += " (worst of " + formatCount(P.NumEntries, "launch or instance") +
            " of '" + P.Kernel->Facts.Demangled + "')";
  json::Object Location{
      {"logicalLocations",
       json::Array{
           json::Object{{"fullyQualifiedName", text(P.Kernel->Facts.Demangled)},
                        {"decoratedName", text(P.Kernel->Facts.Name)},
                        {"kind", "function"}}}}};
  if (P.Place.isValid())
    Location["physicalLocation"] = physicalLocation(P.Place, Options);
  json::Object Properties{
      {"device", text(P.Kernel->Device)},
      {"exactness", exactnessText(exactnessOf(F, *P.Kernel))},
      {"gain", nullptr}};
  if (F.Gain)
    Properties["gain"] = *F.Gain;
  json::Object Out{
      {"ruleId", ruleName(F.Rule)},
      {"ruleIndex", int64_t(F.Rule)},
      {"level", levelOf(F)},
      {"message", message(Text)},
      {"locations", json::Array{std::move(Location)}},
      {"partialFingerprints", json::Object{{"gpuOccupancy/v1", P.Fingerprint}}},
      {"properties", std::move(Properties)}};
  if (F.Edit)
    Out["fixes"] = fixes(*F.Edit, Options);
  if (json::Array Related = relatedLocations(F, P.Place, Options);
      !Related.empty())
    Out["relatedLocations"] = std::move(Related);
  return Out;
}

static json::Array rules() {
  json::Array Out;
  for (unsigned I = 0; I != NumRules; ++I) {
    json::Object Rule = sarif::describeRule(RuleId(I));
    Rule["defaultConfiguration"] = json::Object{{"level", "note"}};
    Out.push_back(std::move(Rule));
  }
  return Out;
}

/// The verdict on each kernel, and what could not be analyzed.
static json::Array notifications(const Report &R) {
  json::Array Out;
  for (const KernelReport &K : R.Kernels)
    for (const Finding &F : K.Findings) {
      bool IsVerdict = F.Rule == RuleId::KernelVerdict;
      if (!IsVerdict && F.Remark != RemarkKind::Missed)
        continue;
      Out.push_back(json::Object{
          {"level", IsVerdict ? "none" : "note"},
          {"message", message(F.text())},
          {"associatedRule", json::Object{{"id", ruleName(F.Rule)},
                                          {"index", int64_t(F.Rule)}}}});
    }
  return Out;
}

Error gpuocc::writeSarif(const Report &R, const ViewOptions &Options,
                         raw_ostream &OS) {
  json::Array Results;
  for (const Problem &P : collectProblems(R))
    Results.push_back(result(P, Options));
  auto [Name, Version] = StringRef(R.Tool).split(' ');
  json::Object Driver{{"name", text(Name)},
                      {"informationUri", InformationUri},
                      {"rules", rules()}};
  if (!Version.empty())
    Driver["version"] = text(Version);
  json::Object Run{
      {"tool", json::Object{{"driver", std::move(Driver)}}},
      {"invocations", json::Array{json::Object{
                          {"executionSuccessful", true},
                          {"toolExecutionNotifications", notifications(R)}}}},
      {"results", std::move(Results)}};
  if (!Options.BaseDirectory.empty())
    Run["originalUriBaseIds"] = json::Object{
        {BaseId, json::Object{{"uri", fileUri(Options.BaseDirectory + "/")}}}};
  sarif::writeLog(std::move(Run), OS);
  return Error::success();
}
