//===- MergeDevices.cpp - One device from several runs --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/MergeDevices.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

/// Members of `record` with which numbers are not those of the model.
static constexpr StringLiteral Unusual[] = {"mig", "power_limit",
                                            "clocks_lowered"};

static Error checkRuns(ArrayRef<DeviceModel> Runs) {
  if (Runs.size() < 2)
    return createStringError("merging takes at least two runs, not " +
                             Twine(Runs.size()));
  const DeviceModel &First = Runs.front();
  for (const DeviceModel &Run : Runs) {
    if (Run.DisplayName != First.DisplayName ||
        Run.Architecture != First.Architecture)
      return createStringError("runs of different models cannot be merged: '" +
                               First.DisplayName + "' (" + First.Architecture +
                               ") and '" + Run.DisplayName + "' (" +
                               Run.Architecture + ")");
    const Number *Mine = Run.find(Quantity::SmCount),
                 *Theirs = First.find(Quantity::SmCount);
    if (Mine && Theirs && Mine->Value != Theirs->Value)
      return createStringError(
          "runs of '" + First.DisplayName + "' have " +
          formatv("{0:f0} and {1:f0} SMs", Theirs->Value, Mine->Value) +
          ": one is of a part of a GPU");
    for (StringRef Key : Unusual)
      if (auto It = Run.Record.find(Key.str()); It != Run.Record.end())
        return createStringError("a run of '" + Run.DisplayName +
                                 "' cannot be merged: record." + Key + ": " +
                                 It->second);
  }
  return Error::success();
}

static double medianOf(std::vector<double> Values) {
  llvm::sort(Values);
  const size_t Half = Values.size() / 2;
  return Values.size() % 2 ? Values[Half]
                           : (Values[Half - 1] + Values[Half]) / 2;
}

/// The run whose throughput of DRAM is the (lower) median; the first one where
/// none states it.
static const DeviceModel &typicalRun(ArrayRef<DeviceModel> Runs) {
  std::vector<std::pair<double, const DeviceModel *>> ByRate;
  for (const DeviceModel &Run : Runs)
    if (const Number *N = Run.find(Quantity::DramReadBytesPerCycle))
      ByRate.push_back({N->Value, &Run});
  if (ByRate.empty())
    return Runs.front();
  // Of runs with the same rate, the first one comes first.
  llvm::sort(ByRate);
  return *ByRate[(ByRate.size() - 1) / 2].second;
}

namespace {
/// Merges the numbers below one section of databases.
class Merger {
public:
  explicit Merger(std::vector<MergedNumber> &Numbers) : Numbers(Numbers) {}

  /// \p Into and the same section \p Runs of each run.
  void merge(const std::string &Place, json::Object &Into,
             ArrayRef<const json::Object *> Runs);

private:
  void mergeNumber(const std::string &Place, json::Object &Into,
                   ArrayRef<const json::Object *> Runs);

  std::vector<MergedNumber> &Numbers;
};
} // namespace

static bool isNumber(const json::Object &O) { return O.get("value"); }

void Merger::merge(const std::string &Place, json::Object &Into,
                   ArrayRef<const json::Object *> Runs) {
  std::set<std::string> Keys;
  for (const json::Object *Run : Runs)
    for (const auto &Member : *Run)
      Keys.insert(Member.first.str());
  for (const std::string &Key : Keys) {
    SmallVector<const json::Object *> Have;
    const json::Value *Any = nullptr;
    for (const json::Object *Run : Runs)
      if (const json::Value *Value = Run->get(Key)) {
        Any = Value;
        if (Value->getAsObject())
          Have.push_back(Value->getAsObject());
      }
    if (!Into.get(Key))
      Into[Key] = *Any;
    json::Object *Mine = Into.getObject(Key);
    if (!Mine || Have.empty())
      continue;
    const std::string Here = Place + "." + Key;
    if (isNumber(*Mine))
      mergeNumber(Here, *Mine, Have);
    else
      merge(Here, *Mine, Have);
  }
}

void Merger::mergeNumber(const std::string &Place, json::Object &Into,
                         ArrayRef<const json::Object *> Runs) {
  std::vector<double> Values;
  for (const json::Object *Run : Runs)
    Values.push_back(Run->getNumber("value").value_or(0));
  MergedNumber N{Place, *min_element(Values), medianOf(Values),
                 *max_element(Values)};
  Into["value"] = N.Median;
  if (Values.size() > 1)
    Into["source"] =
        formatv("{0}; median of {1} runs",
                Into.getString("source").value_or(""), Values.size())
            .str();
  if (Into.getString("origin") == "measured") {
    int64_t Samples = 0;
    double Spread = N.width() / 2;
    bool Stable = N.width() <= SettledWidth;
    std::string Date;
    for (const json::Object *Run : Runs) {
      Samples += Run->getInteger("samples").value_or(0);
      Spread = std::max(Spread, Run->getNumber("spread").value_or(0));
      Stable &= Run->getBoolean("stable").value_or(true);
      Date = std::max(Date, Run->getString("date").value_or("").str());
    }
    Into["samples"] = Samples;
    Into["spread"] = std::min(1.0, Spread);
    Into["stable"] = Stable;
    Into["date"] = Date;
  }
  Numbers.push_back(std::move(N));
}

Expected<MergedDevice> gpuocc::mergeDevices(ArrayRef<DeviceModel> Runs) {
  if (Error E = checkRuns(Runs))
    return std::move(E);
  std::vector<json::Value> Files;
  for (const DeviceModel &Run : Runs)
    Files.push_back(toJSON(Run));
  json::Value Whole = toJSON(typicalRun(Runs));
  MergedDevice Merged;
  Merger M(Merged.Numbers);
  for (StringRef Section : {"chip", "memory", "runtime", "instructions",
                            "dependences", "ptx_instructions"}) {
    SmallVector<const json::Object *> Have;
    for (const json::Value &File : Files)
      if (const json::Object *O = File.getAsObject()->getObject(Section))
        Have.push_back(O);
    if (Have.empty())
      continue;
    json::Value &Into = (*Whole.getAsObject())[Section];
    if (!Into.getAsObject())
      Into = json::Object();
    M.merge(Section.str(), *Into.getAsObject(), Have);
  }
  Expected<DeviceModel> Device =
      parseDeviceModel(formatv("{0}", Whole).str(), "merged runs");
  if (!Device)
    return Device.takeError();
  Device->Record["runs"] = utostr(Runs.size());
  Merged.Device = std::move(*Device);
  return Merged;
}
