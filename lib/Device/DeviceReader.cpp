//===- DeviceReader.cpp - A device database from JSON ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JsonNode.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Device/MigrateDevice.h"
#include "gpuocc/Device/PtxNames.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/Support/NearestKey.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

static SmallVector<StringRef> resourceKeys() {
  SmallVector<StringRef> Keys;
  for (unsigned I = 0; I != NumResources; ++I)
    Keys.push_back(resourceKey(Resource(I)));
  return Keys;
}

static SmallVector<StringRef> instClassKeys() {
  SmallVector<StringRef> Keys;
  for (unsigned I = 0; I != NumInstClasses; ++I)
    Keys.push_back(instClassKey(InstClass(I)));
  return Keys;
}

static SmallVector<StringRef> quantityKeys(QuantitySection Section) {
  SmallVector<StringRef> Keys;
  for (const QuantityInfo &Info : quantityTable())
    if (Info.Section == Section)
      Keys.push_back(Info.Key);
  return Keys;
}

static std::string readText(const JsonNode &Parent, StringRef Key) {
  std::optional<JsonNode> Node = Parent.require(Key);
  return Node ? Node->text() : std::string();
}

static std::string readTextOr(const JsonNode &Parent, StringRef Key,
                              StringRef Default) {
  std::optional<JsonNode> Node = Parent.find(Key);
  return Node ? Node->text() : Default.str();
}

static NumberOrigin readOrigin(const JsonNode &Parent) {
  std::optional<JsonNode> Node = Parent.require("origin");
  if (!Node)
    return NumberOrigin::Assumed;
  std::string Word = Node->text();
  if (std::optional<NumberOrigin> Origin = parseNumberOrigin(Word))
    return *Origin;
  SmallVector<StringRef> Words(numberOriginKeys());
  Node->report("unknown origin '" + Word + "'" + didYouMean(Word, Words));
  return NumberOrigin::Assumed;
}

/// No count, rate, latency or size is below 0. Where it would be divided by, or
/// a wait would vanish, it is not 0 either: what is not known is left out.
static void checkValue(const JsonNode &Value, double Number, bool MayBeZero) {
  if (Number < 0)
    Value.report("the value is negative");
  else if (Number == 0 && !MayBeZero)
    Value.report("the value is 0; a number that is not known is left out");
}

static Number readNumber(const JsonNode &Node, StringRef Unit,
                         bool MayBeZero = true) {
  Node.checkKeys({"value", "unit", "origin", "source", "date", "samples",
                  "spread", "stable"});
  Number N;
  if (std::optional<JsonNode> Value = Node.require("value")) {
    N.Value = Value->number();
    checkValue(*Value, N.Value, MayBeZero);
  }
  if (std::optional<JsonNode> UnitNode = Node.require("unit")) {
    N.Unit = UnitNode->text();
    if (N.Unit != Unit)
      UnitNode->report("expected '" + Unit + "', found '" + N.Unit + "'");
  }
  N.Origin = readOrigin(Node);
  N.Source = readText(Node, "source");
  N.Date = readTextOr(Node, "date", "");
  if (std::optional<JsonNode> Samples = Node.find("samples"))
    N.Samples = Samples->count();
  if (std::optional<JsonNode> Spread = Node.find("spread"))
    N.Spread = Spread->number();
  if (std::optional<JsonNode> Stable = Node.find("stable"))
    N.Stable = Stable->flag();
  return N;
}

static std::optional<Number> readOptionalNumber(const JsonNode &Parent,
                                                StringRef Key, StringRef Unit,
                                                bool MayBeZero = true) {
  std::optional<JsonNode> Node = Parent.find(Key);
  return Node ? std::optional<Number>(readNumber(*Node, Unit, MayBeZero))
              : std::nullopt;
}

static Number readRequiredNumber(const JsonNode &Parent, StringRef Key,
                                 StringRef Unit) {
  std::optional<JsonNode> Node = Parent.require(Key);
  return Node ? readNumber(*Node, Unit) : Number();
}

static void readQuantities(const JsonNode &Top, QuantitySection Section,
                           DeviceModel &Device) {
  std::optional<JsonNode> Node = Top.find(quantitySectionKey(Section));
  if (!Node)
    return;
  for (const auto &[Key, Member] : Node->members()) {
    std::optional<Quantity> Q = parseQuantity(Section, Key);
    if (!Q)
      return Member.reportUnknownKey(Key, quantityKeys(Section));
    StringRef Unit = quantityInfo(*Q).Unit;
    Device.Quantities[*Q] =
        readNumber(Member, Unit, /*MayBeZero=*/Unit == "cycle");
  }
}

static std::vector<ThroughputPoint> readCurve(const JsonNode &Node) {
  std::vector<ThroughputPoint> Curve;
  for (const JsonNode &Element : Node.elements()) {
    Element.checkKeys({"ilp", "warps", "per_cycle_sm"});
    ThroughputPoint &Point = Curve.emplace_back();
    if (std::optional<JsonNode> Ilp = Element.require("ilp"))
      Point.Ilp = Ilp->count();
    if (std::optional<JsonNode> Warps = Element.require("warps"))
      Point.Warps = Warps->count();
    if (std::optional<JsonNode> PerCycle = Element.require("per_cycle_sm")) {
      Point.PerCycleSm = PerCycle->number();
      checkValue(*PerCycle, Point.PerCycleSm, /*MayBeZero=*/true);
    }
  }
  return Curve;
}

static SassCheck readSass(const JsonNode &Node) {
  Node.checkKeys({"opcode", "expected", "found", "verdict"});
  SassCheck Check;
  Check.Opcode = readText(Node, "opcode");
  if (std::optional<JsonNode> Expected = Node.require("expected"))
    Check.Expected = Expected->count();
  if (std::optional<JsonNode> Found = Node.require("found"))
    Check.Found = Found->count();
  Check.Verdict = readText(Node, "verdict");
  return Check;
}

static Resource readPipe(const JsonNode &Node, InstClass Class) {
  std::optional<JsonNode> PipeNode = Node.find("pipe");
  if (!PipeNode)
    return defaultPipe(Class);
  std::string Key = PipeNode->text();
  std::optional<Resource> Pipe = parseResource(Key);
  if (!Pipe)
    PipeNode->report("unknown pipe '" + Key + "'" +
                     didYouMean(Key, resourceKeys()));
  return Pipe.value_or(defaultPipe(Class));
}

static InstTiming readTiming(const JsonNode &Node, InstClass Class) {
  SmallVector<StringRef> Keys = {"pipe", "curve", "sass"};
  for (unsigned I = 0; I != NumTimingFields; ++I)
    Keys.push_back(timingFieldKey(TimingField(I)));
  Node.checkKeys(Keys);

  InstTiming Timing;
  Timing.Pipe = readPipe(Node, Class);
  for (unsigned I = 0; I != NumTimingFields; ++I) {
    auto Field = TimingField(I);
    timingField(Timing, Field) =
        readOptionalNumber(Node, timingFieldKey(Field), timingFieldUnit(Field),
                           /*MayBeZero=*/false);
  }
  if (std::optional<JsonNode> Curve = Node.find("curve"))
    Timing.Curve = readCurve(*Curve);
  if (std::optional<JsonNode> Sass = Node.find("sass"))
    Timing.Sass = readSass(*Sass);
  return Timing;
}

static void readInstructions(const JsonNode &Node, DeviceModel &Device) {
  for (const auto &[Key, Member] : Node.members()) {
    std::optional<InstClass> Class = parseInstClass(Key);
    if (!Class)
      return Member.reportUnknownKey(Key, instClassKeys());
    Device.Instructions[*Class] = readTiming(Member, *Class);
  }
}

static void readDependences(const JsonNode &Node, DeviceModel &Device) {
  for (const auto &[Key, Member] : Node.members()) {
    std::optional<Dependence> D = parseDependence(Key);
    if (!D)
      return Member.report(
          "expected '<class> -> <class>', the second with '.address' or "
          "'.predicate' after it where the result is used so, found '" +
          Key + "'");
    Device.Dependences[*D] = readNumber(Member, "cycle");
  }
}

static void readContention(const JsonNode &Node, DeviceModel &Device) {
  for (const auto &[Level, Member] : Node.members()) {
    Member.checkKeys({"a", "b", "c", "peak", "residual"});
    ContentionFit &Fit = Device.Contention[Level.str()];
    Fit.A = readRequiredNumber(Member, "a", "cycle");
    Fit.B = readRequiredNumber(Member, "b", "cycle");
    Fit.C = readRequiredNumber(Member, "c", "byte/cycle/SM");
    Fit.Peak = readOptionalNumber(Member, "peak", "byte/cycle/SM",
                                  /*MayBeZero=*/false);
    Fit.Residual = readOptionalNumber(Member, "residual", "cycle");
  }
}

static void readPtxInstructions(const JsonNode &Node, DeviceModel &Device) {
  for (const auto &[Name, Member] : Node.members()) {
    Member.checkKeys({"O3", "O0", "throughput_per_cycle_sm"});
    PtxTiming &Timing = Device.PtxInstructions[ptxOperation(Name).str()];
    Timing.O3 = readOptionalNumber(Member, "O3", "cycle");
    Timing.O0 = readOptionalNumber(Member, "O0", "cycle");
    Timing.Throughput = readOptionalNumber(Member, "throughput_per_cycle_sm",
                                           "warp_inst/cycle/SM");
  }
}

static std::vector<std::string> readTexts(const JsonNode &Parent,
                                          StringRef Key) {
  std::vector<std::string> Texts;
  if (std::optional<JsonNode> Node = Parent.require(Key))
    for (const JsonNode &Element : Node->elements())
      Texts.push_back(Element.text());
  return Texts;
}

static std::vector<json::Value> readRow(const JsonNode &Row, size_t Width) {
  std::vector<json::Value> Cells;
  for (const JsonNode &Cell : Row.elements()) {
    if (Cell.value().getAsArray() || Cell.value().getAsObject())
      Cell.report("expected a number, a string or null");
    if (Cell.value().getAsNumber())
      (void)Cell.number();
    Cells.push_back(Cell.value());
  }
  if (Cells.size() != Width)
    Row.report("expected a cell for each of the " + Twine(Width) +
               " columns, found " + Twine(Cells.size()));
  return Cells;
}

static DeviceTable readTable(const JsonNode &Node) {
  Node.checkKeys({"columns", "units", "rows", "source", "date"});
  DeviceTable Table;
  Table.Columns = readTexts(Node, "columns");
  Table.Units = readTexts(Node, "units");
  if (Table.Units.size() != Table.Columns.size())
    Node.report("expected a unit for each of the " +
                Twine(Table.Columns.size()) + " columns, found " +
                Twine(Table.Units.size()));
  if (std::optional<JsonNode> Rows = Node.require("rows"))
    for (const JsonNode &Row : Rows->elements())
      Table.Rows.push_back(readRow(Row, Table.Columns.size()));
  Table.Source = readText(Node, "source");
  Table.Date = readTextOr(Node, "date", "");
  return Table;
}

static void readTables(const JsonNode &Node, DeviceModel &Device) {
  for (const auto &[Name, Member] : Node.members())
    Device.Tables[Name.str()] = readTable(Member);
}

static void readRecord(const JsonNode &Node, DeviceModel &Device) {
  for (const auto &[Key, Member] : Node.members())
    Device.Record[Key.str()] = Member.text();
}

namespace {
struct SectionRow {
  StringLiteral Key;
  void (*Read)(const JsonNode &, DeviceModel &);
};
} // namespace

// The sections beside those of single quantities.
static constexpr SectionRow SectionRows[] = {
    {"record", readRecord},
    {"instructions", readInstructions},
    {"dependences", readDependences},
    {"contention", readContention},
    {"ptx_instructions", readPtxInstructions},
    {"tables", readTables},
};

/// The version of a file that migrateDevice() left as it was is missing or no
/// number.
static void readVersion(const JsonNode &Top) {
  if (std::optional<JsonNode> Node = Top.require("schema_version"))
    (void)Node->count();
}

Expected<DeviceModel> gpuocc::parseDeviceModel(StringRef Text,
                                               StringRef FileName) {
  Expected<json::Value> Value = parseJsonText(Text, FileName);
  if (!Value)
    return Value.takeError();
  if (json::Object *File = Value->getAsObject())
    if (Error E = migrateDevice(*File))
      return createFileError(FileName, std::move(E));
  JsonDiagnostics Diags(FileName);
  JsonNode Top(*Value, Diags);

  SmallVector<StringRef> Keys = {"schema_version", "name",    "display_name",
                                 "architecture",   "aliases", "relative"};
  for (unsigned I = 0; I != NumQuantitySections; ++I)
    Keys.push_back(quantitySectionKey(QuantitySection(I)));
  for (const SectionRow &Row : SectionRows)
    Keys.push_back(Row.Key);
  Top.checkKeys(Keys);

  DeviceModel Device;
  readVersion(Top);
  Device.Name = readText(Top, "name");
  Device.DisplayName = readText(Top, "display_name");
  Device.Architecture = readText(Top, "architecture");
  Device.Relative = readTextOr(Top, "relative", "");
  if (Top.find("aliases"))
    Device.Aliases = readTexts(Top, "aliases");
  for (unsigned I = 0; I != NumQuantitySections; ++I)
    readQuantities(Top, QuantitySection(I), Device);
  for (const SectionRow &Row : SectionRows)
    if (std::optional<JsonNode> Node = Top.find(Row.Key))
      Row.Read(*Node, Device);
  if (Diags.failed())
    return Diags.takeError();
  return Device;
}
