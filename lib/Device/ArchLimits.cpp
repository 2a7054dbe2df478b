//===- ArchLimits.cpp - What an architecture can hold per SM --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/ArchLimits.h"
#include "EmbeddedFiles.h"
#include "JsonNode.h"
#include "UnitGroups.h"
#include "gpuocc/Support/NearestKey.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace gpuocc;
using namespace llvm;

static constexpr ArchLimitInfo LimitRows[] = {
#define ARCH_LIMIT(Member, Key, Unit, Needed, Description)                     \
  {&ArchLimits::Member, Key, Unit, Needed, Description},
#include "gpuocc/Device/ArchLimit.def"
};

static constexpr unsigned ArchSchemaVersion = 1;

ArrayRef<ArchLimitInfo> gpuocc::archLimitTable() { return LimitRows; }

std::vector<StringRef> ArchLimits::missingForOccupancy() const {
  std::vector<StringRef> Missing;
  for (const ArchLimitInfo &Row : LimitRows)
    if (Row.NeededForOccupancy && !(this->*Row.Member))
      Missing.push_back(Row.Key);
  return Missing;
}

static std::vector<std::string> readSources(const JsonNode &Node,
                                            const JsonNode &Documents) {
  std::vector<std::string> Sources;
  for (const JsonNode &Element : Node.elements()) {
    std::string Key = Element.text();
    if (std::optional<JsonNode> Document = Documents.find(Key))
      Sources.push_back(Document->text());
    else
      Element.report("no entry '" + Key + "' in the file's 'sources'");
  }
  return Sources;
}

static std::map<std::string, double> readUnits(const JsonNode &Node) {
  std::map<std::string, double> Units;
  SmallVector<StringRef> Keys(unitGroupKeys());
  Node.checkKeys(Keys);
  for (const auto &[Key, Member] : Node.members()) {
    double Value = Member.number();
    if (!(Value > 0))
      Member.report("expected a number above 0; a group of units that is not "
                    "there is left out");
    Units[Key.str()] = Value;
  }
  return Units;
}

static std::vector<InstClass> readClasses(const JsonNode &Node) {
  std::vector<InstClass> Classes;
  for (const JsonNode &Element : Node.elements()) {
    std::string Key = Element.text();
    if (std::optional<InstClass> Class = parseInstClass(Key))
      Classes.push_back(*Class);
    else
      Element.report("'" + Key + "' is no class of instructions");
  }
  return Classes;
}

/// What the derivation of devices needs, beside the limits.
static void readMachine(const JsonNode &Node, const JsonNode &Documents,
                        ArchLimits &Limits) {
  if (std::optional<JsonNode> Default = Node.find("default_device"))
    Limits.DefaultDevice = Default->text();
  if (std::optional<JsonNode> Units = Node.find("units")) {
    Limits.Units = readUnits(*Units);
    if (std::optional<JsonNode> Sources = Node.require("units_sources"))
      Limits.UnitsSources = readSources(*Sources, Documents);
  }
  if (std::optional<JsonNode> Lacks = Node.find("lacks"))
    Limits.Lacks = readClasses(*Lacks);
}

static ArchLimits readArch(const JsonNode &Node, const JsonNode &Documents) {
  SmallVector<StringRef> Keys = {
      "name",  "family",        "sources",        "shared_carveout_bytes",
      "units", "units_sources", "default_device", "lacks"};
  for (const ArchLimitInfo &Row : LimitRows)
    Keys.push_back(Row.Key);
  Node.checkKeys(Keys);

  ArchLimits Limits;
  if (std::optional<JsonNode> Name = Node.require("name"))
    Limits.Name = Name->text();
  if (std::optional<JsonNode> Family = Node.require("family"))
    Limits.Family = Family->text();
  if (std::optional<JsonNode> Sources = Node.require("sources"))
    Limits.Sources = readSources(*Sources, Documents);
  for (const ArchLimitInfo &Row : LimitRows)
    if (std::optional<JsonNode> Limit = Node.find(Row.Key))
      Limits.*Row.Member = Limit->count();
  if (!Limits.MaxWarpsPerSm)
    Node.report("'max_warps_per_sm' is missing");
  if (std::optional<JsonNode> Steps = Node.find("shared_carveout_bytes"))
    for (const JsonNode &Step : Steps->elements())
      Limits.SharedCarveoutBytes.push_back(Step.count());
  if (!llvm::is_sorted(Limits.SharedCarveoutBytes))
    Node.report("shared_carveout_bytes is not ascending");
  readMachine(Node, Documents, Limits);
  return Limits;
}

Expected<std::vector<ArchLimits>> gpuocc::parseArchLimits(StringRef Text,
                                                          StringRef FileName) {
  Expected<json::Value> Value = parseJsonText(Text, FileName);
  if (!Value)
    return Value.takeError();
  JsonDiagnostics Diags(FileName);
  JsonNode Top(*Value, Diags);
  Top.checkKeys({"schema_version", "sources", "architectures"});
  if (std::optional<JsonNode> Version = Top.require("schema_version"))
    if (Version->count() != ArchSchemaVersion)
      Version->report("expected " + Twine(ArchSchemaVersion));
  std::optional<JsonNode> Documents = Top.require("sources");
  std::optional<JsonNode> Array = Top.require("architectures");
  std::vector<ArchLimits> All;
  if (Documents && Array)
    for (const JsonNode &Element : Array->elements())
      All.push_back(readArch(Element, *Documents));
  if (Diags.failed())
    return Diags.takeError();
  return All;
}

ArrayRef<ArchLimits> gpuocc::allArchLimits() {
  static const std::vector<ArchLimits> All = [] {
    Expected<std::vector<ArchLimits>> Parsed =
        parseArchLimits(embeddedArchitectures(), "architectures.json");
    if (!Parsed)
      reportFatalInternalError(Parsed.takeError());
    return std::move(*Parsed);
  }();
  return All;
}

Expected<const ArchLimits &> gpuocc::archLimits(StringRef Arch) {
  // "sm_90a" and "sm_100f": an architecture with specific features.
  StringRef Base = Arch;
  if (!Base.empty() && StringRef("af").contains(Base.back()))
    Base = Base.drop_back();
  SmallVector<StringRef> Names;
  for (const ArchLimits &Limits : allArchLimits()) {
    if (Limits.Name == Base)
      return Limits;
    Names.push_back(Limits.Name);
  }
  return createStringError(inconvertibleErrorCode(),
                           "unknown architecture '" + Arch + "'" +
                               didYouMean(Arch, Names));
}

const ArchLimits &gpuocc::archLimitsOrNone(StringRef Arch) {
  static const ArchLimits None;
  Expected<const ArchLimits &> Limits = archLimits(Arch);
  if (Limits)
    return *Limits;
  consumeError(Limits.takeError());
  return None;
}
