//===- DeviceWriter.cpp - A device database as JSON -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/DeviceModel.h"

using namespace gpuocc;
using namespace llvm;

json::Value gpuocc::toJSON(const Number &N) {
  json::Object O{{"value", N.Value},
                 {"unit", N.Unit},
                 {"origin", numberOriginKey(N.Origin)},
                 {"source", N.Source}};
  if (!N.Date.empty())
    O["date"] = N.Date;
  if (N.Samples)
    O["samples"] = N.Samples;
  if (N.Spread != 0)
    O["spread"] = N.Spread;
  if (N.Origin == NumberOrigin::Measured || !N.Stable)
    O["stable"] = N.Stable;
  return O;
}

static void put(json::Object &O, StringRef Key,
                const std::optional<Number> &N) {
  if (N)
    O[Key] = toJSON(*N);
}

/// An empty section is left out.
static void putSection(json::Object &Top, StringRef Key, json::Object Section) {
  if (!Section.empty())
    Top[Key] = std::move(Section);
}

static json::Object quantities(const DeviceModel &Device,
                               QuantitySection Section) {
  json::Object O;
  for (const auto &[Q, N] : Device.Quantities)
    if (quantityInfo(Q).Section == Section)
      O[quantityInfo(Q).Key] = toJSON(N);
  return O;
}

static json::Value timing(const InstTiming &Timing) {
  json::Object O{{"pipe", resourceKey(Timing.Pipe)}};
  for (unsigned I = 0; I != NumTimingFields; ++I)
    put(O, timingFieldKey(TimingField(I)), timingField(Timing, TimingField(I)));
  if (!Timing.Curve.empty()) {
    json::Array Curve;
    for (const ThroughputPoint &Point : Timing.Curve)
      Curve.push_back(json::Object{{"ilp", Point.Ilp},
                                   {"warps", Point.Warps},
                                   {"per_cycle_sm", Point.PerCycleSm}});
    O["curve"] = std::move(Curve);
  }
  if (Timing.Sass)
    O["sass"] = json::Object{{"opcode", Timing.Sass->Opcode},
                             {"expected", Timing.Sass->Expected},
                             {"found", Timing.Sass->Found},
                             {"verdict", Timing.Sass->Verdict}};
  return O;
}

static json::Value fit(const ContentionFit &Fit) {
  json::Object O{
      {"a", toJSON(Fit.A)}, {"b", toJSON(Fit.B)}, {"c", toJSON(Fit.C)}};
  put(O, "peak", Fit.Peak);
  put(O, "residual", Fit.Residual);
  return O;
}

static json::Value table(const DeviceTable &Table) {
  json::Array Rows;
  for (const std::vector<json::Value> &Row : Table.Rows)
    Rows.push_back(json::Array(Row));
  json::Object O{{"columns", json::Array(Table.Columns)},
                 {"units", json::Array(Table.Units)},
                 {"rows", std::move(Rows)},
                 {"source", Table.Source}};
  if (!Table.Date.empty())
    O["date"] = Table.Date;
  return O;
}

json::Value gpuocc::toJSON(const DeviceModel &Device) {
  json::Object Top{{"schema_version", DeviceSchemaVersion},
                   {"name", Device.Name},
                   {"display_name", Device.DisplayName},
                   {"architecture", Device.Architecture}};
  if (!Device.Aliases.empty())
    Top["aliases"] = json::Array(Device.Aliases);
  if (!Device.Relative.empty())
    Top["relative"] = Device.Relative;
  for (unsigned I = 0; I != NumQuantitySections; ++I) {
    auto Section = QuantitySection(I);
    putSection(Top, quantitySectionKey(Section), quantities(Device, Section));
  }

  json::Object Record, Instructions, Dependences, Contention, Ptx, Tables;
  for (const auto &[Key, Text] : Device.Record)
    Record[Key] = Text;
  for (const auto &[Class, Timing] : Device.Instructions)
    Instructions[instClassKey(Class)] = timing(Timing);
  for (const auto &[D, N] : Device.Dependences)
    Dependences[dependenceKey(D)] = toJSON(N);
  for (const auto &[Level, Fit] : Device.Contention)
    Contention[Level] = fit(Fit);
  for (const auto &[Name, Timing] : Device.PtxInstructions) {
    json::Object O;
    put(O, "O3", Timing.O3);
    put(O, "O0", Timing.O0);
    put(O, "throughput_per_cycle_sm", Timing.Throughput);
    Ptx[Name] = std::move(O);
  }
  for (const auto &[Name, Table] : Device.Tables)
    Tables[Name] = table(Table);

  putSection(Top, "record", std::move(Record));
  putSection(Top, "instructions", std::move(Instructions));
  putSection(Top, "dependences", std::move(Dependences));
  putSection(Top, "contention", std::move(Contention));
  putSection(Top, "ptx_instructions", std::move(Ptx));
  putSection(Top, "tables", std::move(Tables));
  return Top;
}
