//===- Lint.cpp - Checks and comparison of databases ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Database.h"
#include "gpuocc/Device/DeviceModel.h"
#include "stats/Plausible.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>
#include <functional>
#include <map>

using namespace llvm;

namespace gpuocc::calibration {

/// Calls \p Visit for each number below \p O, in order of place.
static void forEachNumber(
    const json::Object &O, const std::string &Place,
    function_ref<void(const std::string &, const json::Object &)> Visit) {
  std::map<std::string, const json::Value *> Members;
  for (const auto &M : O)
    Members[StringRef(M.first).str()] = &M.second;
  for (const auto &[Name, V] : Members) {
    const json::Object *Child = V->getAsObject();
    if (!Child || Name == "tables" || Name == "record" || Name == "sass")
      continue;
    std::string Here = Place.empty() ? Name : Place + "." + Name;
    if (Child->get("value") || Child->get("unit"))
      Visit(Here, *Child);
    else
      forEachNumber(*Child, Here, Visit);
  }
}

std::vector<std::string> lintDatabase(const json::Object &File) {
  std::vector<std::string> Problems;
  auto Complain = [&](const Twine &Text) { Problems.push_back(Text.str()); };
  if (File.getInteger("schema_version") != DeviceSchemaVersion)
    Complain("schema_version: expected " + Twine(DeviceSchemaVersion));
  for (const char *Name : {"name", "display_name", "architecture"})
    if (!File.getString(Name))
      Complain(Twine(Name) + ": expected a string");
  for (const char *Name : {"record", "chip", "instructions", "memory"})
    if (File.get(Name) && !File.getObject(Name))
      Complain(Twine(Name) + ": expected an object");

  static const StringSet<> Origins = {"measured", "vendor", "paper", "derived",
                                      "assumed"};
  bool AnyMeasured = false;
  forEachNumber(File, "", [&](const std::string &Place, const json::Object &N) {
    std::optional<double> Value = N.getNumber("value");
    if (!Value || !std::isfinite(*Value))
      Complain(Place + ".value: expected a finite number");
    else if (*Value < 0 && N.getString("origin") != "measured")
      Complain(Place + ".value: expected a number that is not negative");
    // What a fit has for parameters may be any number.
    else if (N.getString("origin") == "measured" &&
             !StringRef(Place).starts_with("contention."))
      if (std::optional<std::string> Why =
              whyImplausible(*Value, N.getString("unit").value_or("")))
        Complain(Place + ".value: " + *Why);
    for (const char *Name : {"unit", "source"})
      if (N.getString(Name).value_or("").empty())
        Complain(Place + "." + Name + ": expected a string");
    StringRef Origin = N.getString("origin").value_or("");
    if (!Origins.contains(Origin))
      Complain(Place +
               ".origin: expected measured, vendor, paper, derived or "
               "assumed, found '" +
               Origin + "'");
    AnyMeasured |= Origin == "measured";
    if (Origin == "measured")
      for (const char *Name : {"date", "samples", "spread", "stable"})
        if (!N.get(Name))
          Complain(Place + "." + Name + ": missing in a measured number");
  });

  if (AnyMeasured && !File.getObject("record"))
    Complain("record: missing beside measured numbers");

  if (const json::Object *Tables = File.getObject("tables"))
    for (const auto &T : *Tables) {
      const json::Object *Table = T.second.getAsObject();
      const json::Array *Columns = Table ? Table->getArray("columns") : nullptr;
      const json::Array *Rows = Table ? Table->getArray("rows") : nullptr;
      StringRef Name = T.first;
      if (!Columns || !Rows) {
        Complain("tables." + Name + ": expected columns and rows");
        continue;
      }
      for (const json::Value &Row : *Rows)
        if (!Row.getAsArray() || Row.getAsArray()->size() != Columns->size())
          Complain("tables." + Name + ": a row has not one cell a column");
    }
  return Problems;
}

namespace {
struct Compared {
  double Value;
  bool Unstable;
};
} // namespace

/// Calls \p Visit for the cells of the table of latencies from class to class,
/// with their places.
static void
forEachCrossLatency(const json::Object &File,
                    function_ref<void(const std::string &, double)> Visit) {
  const json::Object *Tables = File.getObject("tables");
  const json::Object *T =
      Tables ? Tables->getObject("cross_class_latency") : nullptr;
  const json::Array *Columns = T ? T->getArray("columns") : nullptr;
  const json::Array *Rows = T ? T->getArray("rows") : nullptr;
  if (!Columns || !Rows)
    return;
  for (const json::Value &Row : *Rows) {
    const json::Array *Cells = Row.getAsArray();
    if (!Cells || Cells->empty() || Cells->size() != Columns->size())
      continue;
    StringRef Producer = Cells->front().getAsString().value_or("");
    for (size_t I = 1; I < Cells->size(); ++I)
      if (std::optional<double> Cycles = (*Cells)[I].getAsNumber())
        Visit(("cross_class_latency." + Producer + " -> " +
               (*Columns)[I].getAsString().value_or(""))
                  .str(),
              *Cycles);
  }
}

static std::map<std::string, Compared> numbersOf(const json::Object &File) {
  std::map<std::string, Compared> Numbers;
  forEachNumber(File, "", [&](const std::string &Place, const json::Object &N) {
    // How well a fit follows its points is no property of the GPU.
    if (StringRef(Place).ends_with(".residual"))
      return;
    Numbers[Place] = {N.getNumber("value").value_or(0),
                      N.getBoolean("stable") == false};
  });
  forEachCrossLatency(File, [&](const std::string &Place, double Cycles) {
    Numbers[Place] = {Cycles, false};
  });
  return Numbers;
}

Comparison compareDatabases(const json::Object &Left,
                            const json::Object &Right) {
  std::map<std::string, Compared> L = numbersOf(Left), R = numbersOf(Right);
  Comparison C;
  for (const auto &[Place, Mine] : L) {
    auto Other = R.find(Place);
    if (Other == R.end()) {
      C.OnlyLeft.push_back(Place);
      continue;
    }
    Difference D;
    D.Place = Place;
    D.Left = Mine.Value;
    D.Right = Other->second.Value;
    D.Unstable = Mine.Unstable || Other->second.Unstable;
    D.Relative = D.Left == D.Right ? 0
                                   : std::fabs(D.Right - D.Left) /
                                         std::max(std::fabs(D.Left), 1e-12);
    bool IsLatency = StringRef(Place).contains("latency") ||
                     StringRef(Place).contains("dependences");
    D.Allowed = IsLatency ? 0.01 : 0.02;
    C.Common.push_back(std::move(D));
  }
  for (const auto &[Place, Value] : R)
    if (!L.count(Place))
      C.OnlyRight.push_back(Place);
  return C;
}

} // namespace gpuocc::calibration
