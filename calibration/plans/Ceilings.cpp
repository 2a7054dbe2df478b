//===- Ceilings.cpp - Ceilings of the instruction roofline ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the measured numbers make of the whole chip, in giga warp instructions
// and giga transactions a second.
// Source: Ding and Williams 2019, section III: a transaction is 32 bytes of L1,
// L2 and DRAM and one wavefront of shared memory.
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "gpuocc/Support/InstClass.h"

using namespace llvm;

namespace gpuocc::calibration {

Error measureCeilings(Session &S) {
  Summary Clock = summarize(S.ClockSamples);
  double Ghz = Clock.Samples ? Clock.Median : S.G.facts().ClockKHz / 1e6;
  double Chip = Ghz * S.sms();
  json::Array Rows;
  auto Row = [&](const std::string &Name, const char *Kind, double Giga,
                 const std::string &From) {
    Rows.push_back(json::Array{Name, Kind, Giga, From});
  };
  if (std::optional<double> Schedulers =
          S.Db.value("chip", "schedulers_per_sm"))
    Row("issue", "instructions", *Schedulers * Chip,
        "one instruction a cycle and scheduler");

  // The class that gets the most out of each pipe.
  std::map<std::string, std::pair<double, std::string>> Pipes;
  if (const json::Object *Classes = S.Db.file().getObject("instructions"))
    for (const auto &Member : *Classes) {
      const json::Object *Entry = Member.second.getAsObject();
      if (!Entry || !Entry->getString("pipe"))
        continue;
      double Rate =
          S.Db.instructionValue(Member.first, "throughput_per_cycle_sm")
              .value_or(0);
      auto &Best = Pipes[Entry->getString("pipe")->str()];
      if (Rate > Best.first)
        Best = {Rate, StringRef(Member.first).str()};
    }
  for (const auto &[Pipe, Best] : Pipes)
    if (Best.first > 0 && Pipe != "issue")
      Row(Pipe, "instructions", Best.first * Chip, Best.second);

  struct Level {
    const char *Name, *Key;
    double Transactions; ///< per unit of the key
    bool Inverse;
  };
  static constexpr Level Levels[] = {
      {"l1", "l1_bytes_per_cycle_sm", 1.0 / 32, false},
      {"l2", "l2_read_bytes_per_cycle_sm", 1.0 / 32, false},
      {"dram", "dram_read_bytes_per_cycle_sm", 1.0 / 32, false},
      {"shared", "shared_wavefront_cycles", 1, true},
  };
  for (const Level &L : Levels)
    if (std::optional<double> Value = S.Db.value("memory", L.Key))
      Row(L.Name, "transactions",
          (L.Inverse ? 1 / *Value : *Value) * L.Transactions * Chip, L.Key);
  S.Db.setTable(
      "ceilings",
      json::Object{
          {"columns", json::Array{"name", "kind", "giga_per_second", "from"}},
          {"units", json::Array{"", "", "1e9/s", ""}},
          {"rows", std::move(Rows)},
          {"source", "rates per cycle and SM times SMs and clock "
                     "(Ding and Williams 2019)"},
          {"date", today()}});
  return Error::success();
}

} // namespace gpuocc::calibration
