//===- DeviceLint.cpp - Checks that a database is plausible ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/DeviceLint.h"
#include "JsonNode.h"
#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Device/DeviceNumbers.h"
#include "gpuocc/Device/FallbackNumber.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

/// Measured rates may pass a hardware limit by their own error.
static constexpr double MeasurementTolerance = 1.02;

namespace {
class Linter {
public:
  explicit Linter(const DeviceModel &Device) : Device(Device) {}

  std::vector<LintProblem> run();

private:
  void add(const Twine &Place, const Twine &Message) {
    Problems.push_back({Place.str(), Message.str()});
  }
  void checkIdentity();
  void checkNumber(const Twine &Place, const Number &N);
  void checkTiming(InstClass Class, const InstTiming &Timing);
  void checkOrder();
  void checkCrossClassLatency();

  const DeviceModel &Device;
  std::vector<LintProblem> Problems;
};

/// A pair of quantities of which the first is never the larger.
struct OrderRow {
  Quantity Smaller, Larger;
};
} // namespace

static constexpr OrderRow OrderRows[] = {
    {Quantity::L1HitLatency, Quantity::L2HitLatency},
    {Quantity::L2NearLatency, Quantity::L2HitLatency},
    {Quantity::L2HitLatency, Quantity::L2FarLatency},
    {Quantity::L2HitLatency, Quantity::DramLatency},
    {Quantity::ConstantL1Latency, Quantity::ConstantL15Latency},
    {Quantity::DramReadBytesPerCycle, Quantity::L2ReadBytesPerCycle},
    {Quantity::L2ReadBytesPerCycle, Quantity::L1BytesPerCycle},
    {Quantity::L1SectorBytes, Quantity::L1LineBytes},
    {Quantity::MaxSharedBytesPerSm, Quantity::L1SharedBytesPerSm},
    {Quantity::BranchNotTaken, Quantity::BranchTaken},
};

static std::string shortText(double Value) {
  std::string Text;
  raw_string_ostream(Text) << format("%.6g", Value);
  return Text;
}

static bool isDate(StringRef Date) {
  return Date.size() == 10 && Date[4] == '-' && Date[7] == '-' &&
         all_of(Date, [](char C) { return isDigit(C) || C == '-'; });
}

static std::string quantityPlace(Quantity Q) {
  const QuantityInfo &Info = quantityInfo(Q);
  return (quantitySectionKey(Info.Section) + jsonPlaceStep(Info.Key)).str();
}

void Linter::checkIdentity() {
  auto IsNameChar = [](char C) {
    return isDigit(C) || (isAlpha(C) && isLower(C)) || C == '-';
  };
  if (Device.Name.empty() || !all_of(Device.Name, IsNameChar))
    add("name", "'" + Device.Name +
                    "' is not made of lower-case letters, digits and '-'");
  if (Device.DisplayName.empty())
    add("display_name", "is empty");
  if (Expected<const ArchLimits &> Limits = archLimits(Device.Architecture);
      !Limits)
    add("architecture", toString(Limits.takeError()));
}

void Linter::checkNumber(const Twine &Place, const Number &N) {
  if (!std::isfinite(N.Value) || N.Value < 0)
    add(Place, "value " + shortText(N.Value) + " is negative or not finite");
  if (N.Source.empty())
    add(Place,
        "source is empty: say which kernel, or which document and table");
  if (N.Origin != NumberOrigin::Measured)
    return;
  if (!isDate(N.Date))
    add(Place, "measured on '" + N.Date + "': expected a date as 2026-11-21");
  if (N.Samples == 0)
    add(Place, "measured, but samples is missing or 0");
  if (!(N.Spread >= 0 && N.Spread <= 1))
    add(Place, "spread " + shortText(N.Spread) +
                   " is not a fraction of the value from 0 to 1");
}

void Linter::checkTiming(InstClass Class, const InstTiming &Timing) {
  std::string Place = "instructions" + jsonPlaceStep(instClassKey(Class));
  for (unsigned I = 0; I != NumTimingFields; ++I) {
    auto Field = TimingField(I);
    const std::optional<Number> &N = timingField(Timing, Field);
    if (N && N->Value == 0)
      add(Place + jsonPlaceStep(timingFieldKey(Field)),
          "value is 0; a number that is not known is left out");
  }
  if (!Timing.ThroughputPerCycleSm)
    return;
  double Peak = Timing.ThroughputPerCycleSm->Value;
  if (Known<double> Schedulers = Device.get(Quantity::SchedulersPerSm)) {
    double Rate = *Schedulers *
                  Device.get(Quantity::IssuePerScheduler)
                      .valueOr(defaultNumber(Quantity::IssuePerScheduler)) *
                  Device.get(Quantity::IssueWidth)
                      .valueOr(defaultNumber(Quantity::IssueWidth));
    if (Peak > Rate * MeasurementTolerance)
      add(Place + ".throughput_per_cycle_sm",
          shortText(Peak) + " is above the " + shortText(Rate) +
              " that the schedulers can issue");
  }
  for (const auto &[Index, Point] : enumerate(Timing.Curve))
    if (Point.PerCycleSm > Peak * MeasurementTolerance)
      add(Place + ".curve[" + Twine(Index) + "]",
          shortText(Point.PerCycleSm) + " is above throughput_per_cycle_sm " +
              shortText(Peak));
}

void Linter::checkOrder() {
  for (const OrderRow &Row : OrderRows) {
    const Number *Smaller = Device.find(Row.Smaller);
    const Number *Larger = Device.find(Row.Larger);
    if (Smaller && Larger &&
        Smaller->Value > Larger->Value * MeasurementTolerance)
      add(quantityPlace(Row.Smaller), shortText(Smaller->Value) + " is above " +
                                          quantityPlace(Row.Larger) + " " +
                                          shortText(Larger->Value));
  }
}

void Linter::checkCrossClassLatency() {
  const DeviceTable *Table = Device.table(CrossClassLatencyTable);
  if (!Table)
    return;
  std::string Place = "tables" + jsonPlaceStep(CrossClassLatencyTable);
  for (const auto &[Index, Row] : enumerate(Table->Rows)) {
    std::string Producer = Row.empty()
                               ? std::string()
                               : Row.front().getAsString().value_or("").str();
    for (size_t I = 1; I < std::min(Row.size(), Table->Columns.size()); ++I) {
      if (Row[I].kind() == json::Value::Null)
        continue;
      std::string Key = Producer + " -> " + Table->Columns[I],
                  Cell = Place + ".rows[" + std::to_string(Index) + "][" +
                         std::to_string(I) + "]";
      std::optional<double> Cycles = Row[I].getAsNumber();
      if (!parseDependence(Key))
        add(Cell, "'" + Key + "' names no classes of instructions");
      else if (!Cycles || !std::isfinite(*Cycles) || *Cycles <= 0)
        add(Cell, "'" + Key + "' is no number of cycles above 0");
    }
  }
}

std::vector<LintProblem> Linter::run() {
  checkIdentity();
  for (const PlacedNumber &P : allNumbers(Device))
    checkNumber(P.Place, *P.N);
  for (const auto &[Class, Timing] : Device.Instructions)
    checkTiming(Class, Timing);
  checkOrder();
  checkCrossClassLatency();
  return std::move(Problems);
}

std::vector<LintProblem> gpuocc::lintDevice(const DeviceModel &Device) {
  return Linter(Device).run();
}
