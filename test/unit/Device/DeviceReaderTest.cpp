//===- DeviceReaderTest.cpp - Reading and writing device databases --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gpuocc;
using namespace llvm;
using ::testing::HasSubstr;

namespace {

// Every section and every optional part.
constexpr StringLiteral Complete = R"({
  "schema_version": 2,
  "name": "test-gpu", "display_name": "Test GPU", "architecture": "sm_90",
  "record": {"tool": "hand", "date": "2026-11-21"},
  "chip": {
    "sm_count": {"value": 132, "unit": "count", "origin": "vendor", "source": "driver"}
  },
  "memory": {
    "l2_hit_latency_cycles": {"value": 265.5, "unit": "cycle", "origin": "measured",
      "source": "kernel l2_walk", "date": "2026-11-21", "samples": 25, "spread": 0.002, "stable": false}
  },
  "runtime": {
    "launch_gap_ns": {"value": 900, "unit": "ns", "origin": "assumed", "source": "like its sibling"}
  },
  "instructions": {
    "fp32.fma": {
      "pipe": "fma",
      "latency_cycles": {"value": 4, "unit": "cycle", "origin": "paper", "source": "P, Table 1"},
      "throughput_per_cycle_sm": {"value": 4, "unit": "warp_inst/cycle/SM", "origin": "vendor", "source": "guide"},
      "curve": [{"ilp": 1, "warps": 4, "per_cycle_sm": 0.98}],
      "sass": {"opcode": "FFMA", "expected": 512, "found": 512, "verdict": "as claimed"}
    },
    "ld.global": {"issue_cycles": {"value": 2, "unit": "cycle", "origin": "derived", "source": "x / y"}}
  },
  "dependences": {
    "fp32.fma -> ld.global.address": {"value": 6, "unit": "cycle", "origin": "paper", "source": "P"},
    "fp32.setp -> select.predicate": {"value": 5, "unit": "cycle", "origin": "paper", "source": "P"},
    "fp32.fma -> int.add": {"value": 5, "unit": "cycle", "origin": "paper", "source": "P"}
  },
  "contention": {
    "dram_read": {
      "a": {"value": 600, "unit": "cycle", "origin": "paper", "source": "P"},
      "b": {"value": 30, "unit": "cycle", "origin": "paper", "source": "P"},
      "c": {"value": 15, "unit": "byte/cycle/SM", "origin": "paper", "source": "P"},
      "peak": {"value": 14, "unit": "byte/cycle/SM", "origin": "paper", "source": "P"}
    }
  },
  "ptx_instructions": {
    "div.rn.f32": {"O3": {"value": 100, "unit": "cycle", "origin": "paper", "source": "P"}}
  },
  "tables": {
    "stride": {"columns": ["stride", "level"], "units": ["word", ""],
               "rows": [[1, "L1"], [2.5, null]], "source": "kernel stride"}
  }
})";

DeviceModel parsed(StringRef Text) {
  Expected<DeviceModel> Device = parseDeviceModel(Text, "test.json");
  if (!Device) {
    ADD_FAILURE() << toString(Device.takeError());
    return {};
  }
  return *Device;
}

std::string errorOf(StringRef Text) {
  Expected<DeviceModel> Device = parseDeviceModel(Text, "test.json");
  return Device ? "no error" : toString(Device.takeError());
}

/// A database with \p Sections beside the names.
std::string with(StringRef Sections) {
  return (R"({"schema_version": 1, "name": "n", "display_name": "N", )"
          R"("architecture": "sm_90", )" +
          Sections + "}")
      .str();
}

} // namespace

TEST(DeviceReader, ReadsEverySection) {
  DeviceModel Device = parsed(Complete);
  EXPECT_EQ(Device.Name, "test-gpu");
  EXPECT_EQ(Device.DisplayName, "Test GPU");
  EXPECT_EQ(Device.Architecture, "sm_90");
  EXPECT_EQ(Device.Record.at("tool"), "hand");
  EXPECT_EQ(*Device.get(Quantity::SmCount), 132);

  const Number *Latency = Device.find(Quantity::L2HitLatency);
  ASSERT_TRUE(Latency);
  EXPECT_EQ(Latency->Value, 265.5);
  EXPECT_EQ(Latency->Origin, NumberOrigin::Measured);
  EXPECT_EQ(Latency->Source, "kernel l2_walk");
  EXPECT_EQ(Latency->Date, "2026-11-21");
  EXPECT_EQ(Latency->Samples, 25u);
  EXPECT_EQ(Latency->Spread, 0.002);
  EXPECT_FALSE(Latency->Stable);

  const InstTiming *Fma = Device.timing(InstClass::FFma);
  ASSERT_TRUE(Fma);
  EXPECT_EQ(Fma->Pipe, Resource::Fma);
  ASSERT_EQ(Fma->Curve.size(), 1u);
  EXPECT_EQ(Fma->Curve[0].PerCycleSm, 0.98);
  EXPECT_EQ(Fma->Sass->Opcode, "FFMA");

  ASSERT_TRUE(Device.contention("dram_read"));
  EXPECT_EQ(Device.contention("dram_read")->C.Value, 15);
  EXPECT_FALSE(Device.contention("l2_read"));
  EXPECT_EQ(Device.PtxInstructions.at("div.rn.f32").O3->Value, 100);
  ASSERT_TRUE(Device.table("stride"));
  EXPECT_EQ(Device.table("stride")->Rows[0][1], json::Value("L1"));
}

TEST(DeviceReader, JsonAndBackIsTheSameDevice) {
  DeviceModel Device = parsed(Complete);
  std::string Text = formatv("{0:2}", toJSON(Device));
  EXPECT_EQ(parsed(Text), Device);
}

TEST(DeviceModel, MissingNumbersSayWhatIsMissing) {
  DeviceModel Device = parsed(Complete);
  EXPECT_EQ(Device.get(Quantity::DramLatency).reason(),
            "device 'test-gpu' has no memory.dram_latency_cycles");
  EXPECT_EQ(Device.get(InstClass::DFma, TimingField::LatencyCycles).reason(),
            "device 'test-gpu' has no latency_cycles of fp64.fma");
}

TEST(DeviceModel, LatencyPrefersTheDependence) {
  DeviceModel Device = parsed(Complete);
  EXPECT_EQ(*Device.latency(InstClass::FFma, InstClass::FFma), 4);
  EXPECT_EQ(*Device.latency(InstClass::FFma, InstClass::IAdd3), 5);
  EXPECT_EQ(*Device.latency(InstClass::FFma, InstClass::LdGlobal), 4);
  EXPECT_EQ(*Device.latency(InstClass::FFma, InstClass::LdGlobal,
                            OperandUse::Address),
            6);
  EXPECT_FALSE(Device.latency(InstClass::DFma, InstClass::DFma));
}

TEST(DeviceModel, PipeFallsBackToTheTable) {
  DeviceModel Device = parsed(Complete);
  EXPECT_EQ(Device.pipe(InstClass::FFma), Resource::Fma);
  EXPECT_EQ(Device.pipe(InstClass::MufuRcp), Resource::Xu);
}

TEST(DeviceModel, LatenciesOfPairsComeFromTheTableFirst) {
  DeviceModel Device;
  DeviceTable &Table = Device.Tables[CrossClassLatencyTable.str()];
  Table.Columns = {"producer", "fp32.add", "int.logic", "ld.global.address"};
  Table.Rows = {{"fp32.add", 3, 5, nullptr}, {"int.logic", 6, 3, 7}};
  const Dependence AddToLogic{InstClass::FAdd, InstClass::Lop3},
      LogicToAdd{InstClass::Lop3, InstClass::FAdd},
      LogicToAddress{InstClass::Lop3, InstClass::LdGlobal, OperandUse::Address},
      AddToAddress{InstClass::FAdd, InstClass::LdGlobal, OperandUse::Address};
  Device.Dependences[AddToLogic].Value = 4;
  Device.Dependences[AddToAddress].Value = 8;
  std::map<Dependence, double> Expected = {
      {AddToLogic, 5}, {LogicToAdd, 6}, {LogicToAddress, 7}, {AddToAddress, 8}};
  std::map<Dependence, double> Found;
  Device.forEachPair(
      [&](const Dependence &D, double Cycles) { Found[D] = Cycles; });
  EXPECT_EQ(Found, Expected);
}

TEST(Dependence, KeyAndBack) {
  for (OperandUse Use :
       {OperandUse::Value, OperandUse::Address, OperandUse::Predicate}) {
    Dependence D{InstClass::FFma, InstClass::LdGlobal, Use};
    EXPECT_EQ(parseDependence(dependenceKey(D)), D);
  }
  EXPECT_EQ(parseDependence("fp32.fma -> nothing"), std::nullopt);
  EXPECT_EQ(parseDependence("fp32.fma"), std::nullopt);
}

TEST(DeviceReaderError, NamesFilePlaceAndNearestKey) {
  EXPECT_EQ(errorOf(with(R"("memory": {"l2_hit_latency": 1})")),
            "'test.json': memory.l2_hit_latency: unknown key "
            "'l2_hit_latency'; did you mean 'l2_hit_latency_cycles'?");
  EXPECT_EQ(errorOf(with(R"("instructions": {"fp32.fam": {}})")),
            "'test.json': instructions[\"fp32.fam\"]: unknown key "
            "'fp32.fam'; did you mean 'fp32.fma'?");
  EXPECT_EQ(errorOf(with(R"("chips": {})")),
            "'test.json': chips: unknown key 'chips'; did you mean 'chip'?");
}

TEST(DeviceReaderError, NumbersThatNoDeviceHas) {
  auto Sms = [](StringRef Value) {
    return errorOf(with((R"("chip": {"sm_count": {"value": )" + Value +
                         R"(, "unit": "count", "origin": "vendor",
            "source": "s"}})")
                            .str()));
  };
  EXPECT_EQ(Sms("-132"),
            "'test.json': chip.sm_count.value: the value is negative");
  EXPECT_EQ(Sms("0"), "'test.json': chip.sm_count.value: the value is 0; a "
                      "number that is not known is left out");
  EXPECT_EQ(Sms("1e400"), "'test.json': chip.sm_count.value: expected a "
                          "number, found one that is too large");
  EXPECT_EQ(errorOf(with(R"("tables": {"t": {"columns": ["c"], "units": [""],
            "rows": [[1e400]], "source": "s"}})")),
            "'test.json': tables.t.rows[0][0]: expected a number, found one "
            "that is too large");
}

TEST(DeviceReaderError, WrongUnitSaysTheRightOne) {
  EXPECT_EQ(errorOf(with(R"("chip": {"sm_count": {"value": 1, "unit":
            "byte", "origin": "vendor", "source": "s"}})")),
            "'test.json': chip.sm_count.unit: expected 'count', found 'byte'");
}

TEST(DeviceReaderError, WrongOriginPipeAndDependence) {
  EXPECT_EQ(errorOf(with(R"("chip": {"sm_count": {"value": 1, "unit":
            "count", "origin": "mesured", "source": "s"}})")),
            "'test.json': chip.sm_count.origin: unknown origin 'mesured'; "
            "did you mean 'measured'?");
  EXPECT_EQ(errorOf(with(R"("instructions": {"fp32.fma": {"pipe": "fmas"}})")),
            "'test.json': instructions[\"fp32.fma\"].pipe: unknown pipe "
            "'fmas'; did you mean 'fma'?");
  EXPECT_THAT(errorOf(with(R"("dependences": {"fp32.fma": 4})")),
              HasSubstr("expected '<class> -> <class>'"));
}

TEST(DeviceReaderError, MissingAndMistypedParts) {
  EXPECT_EQ(errorOf("{}"), "'test.json': 'schema_version' is missing");
  EXPECT_EQ(errorOf("[]"), "'test.json': expected an object, found an array");
  EXPECT_EQ(errorOf(with(R"("chip": {"sm_count": 132})")),
            "'test.json': chip.sm_count: expected an object, found a number");
  EXPECT_EQ(errorOf(with(R"("chip": {"sm_count": {"value": "1", "unit":
            "count", "origin": "vendor", "source": "s"}})")),
            "'test.json': chip.sm_count.value: expected a number, found a "
            "string");
  EXPECT_EQ(errorOf(with(R"("chip": {"sm_count": {"unit":
            "count", "origin": "vendor", "source": "s"}})")),
            "'test.json': chip.sm_count: 'value' is missing");
}

TEST(DeviceReaderError, TableRowsMatchTheirColumns) {
  EXPECT_EQ(errorOf(with(R"("tables": {"t": {"columns": ["a", "b"], "units":
            ["", ""], "rows": [[1, 2], [3]], "source": "s"}})")),
            "'test.json': tables.t.rows[1]: expected a cell for each of the 2 "
            "columns, found 1");
}

TEST(DeviceReaderError, BrokenJsonNamesTheFile) {
  EXPECT_THAT(errorOf("{\"schema_version\": 1,"), HasSubstr("'test.json': ["));
}
