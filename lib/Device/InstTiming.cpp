//===- InstTiming.cpp - How a device times an instruction class -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/InstTiming.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/Twine.h"

using namespace gpuocc;
using namespace llvm;

namespace {
struct TimingFieldRow {
  std::optional<Number> InstTiming::*Member;
  StringLiteral Key, Unit, Description;
};

struct OperandUseRow {
  OperandUse Use;
  StringLiteral Suffix;
};
} // namespace

static constexpr TimingFieldRow TimingFieldRows[] = {
    {&InstTiming::LatencyCycles, "latency_cycles", "cycle",
     "issue to the earliest issue of a dependent instruction of the same "
     "class"},
    {&InstTiming::IssueCycles, "issue_cycles", "cycle",
     "cycles between issues of independent instructions of one warp alone"},
    {&InstTiming::ThroughputPerCycleSm, "throughput_per_cycle_sm",
     "warp_inst/cycle/SM",
     "warp instructions per cycle and SM at the best occupancy and ILP"},
    {&InstTiming::IssueSlots, "issue_slots", "count",
     "scheduler slots one instruction takes; absent means 1"},
    {&InstTiming::AluCycles, "alu_cycles", "cycle",
     "cycles of its scheduler's ALU that one instruction of another pipe "
     "takes, too; absent means none"},
    {&InstTiming::NeededWarps, "needed_warps", "warp",
     "fewest warps per SM that reach 95 % of the peak at ILP 1"},
};
static_assert(std::size(TimingFieldRows) == NumTimingFields);

static constexpr StringLiteral Arrow = " -> ";

// Value comes last: its suffix is empty and matches every text.
static constexpr OperandUseRow OperandUseRows[] = {
    {OperandUse::Address, ".address"},
    {OperandUse::Predicate, ".predicate"},
    {OperandUse::Value, ""},
};

StringRef gpuocc::timingFieldKey(TimingField Field) {
  return TimingFieldRows[size_t(Field)].Key;
}

StringRef gpuocc::timingFieldUnit(TimingField Field) {
  return TimingFieldRows[size_t(Field)].Unit;
}

StringRef gpuocc::timingFieldDescription(TimingField Field) {
  return TimingFieldRows[size_t(Field)].Description;
}

const std::optional<Number> &gpuocc::timingField(const InstTiming &Timing,
                                                 TimingField Field) {
  return Timing.*TimingFieldRows[size_t(Field)].Member;
}

std::optional<Number> &gpuocc::timingField(InstTiming &Timing,
                                           TimingField Field) {
  return Timing.*TimingFieldRows[size_t(Field)].Member;
}

std::string gpuocc::dependenceKey(const Dependence &D) {
  std::string Key =
      (instClassKey(D.Producer) + Twine(Arrow) + instClassKey(D.Consumer))
          .str();
  for (const OperandUseRow &Row : OperandUseRows)
    if (Row.Use == D.Use)
      Key += Row.Suffix;
  return Key;
}

std::optional<Dependence> gpuocc::parseConsumer(StringRef Key) {
  for (const OperandUseRow &Row : OperandUseRows) {
    StringRef ClassKey = Key;
    if (!ClassKey.consume_back(Row.Suffix))
      continue;
    if (std::optional<InstClass> Class = parseInstClass(ClassKey))
      return Dependence{InstClass::Unknown, *Class, Row.Use};
  }
  return std::nullopt;
}

std::optional<Dependence> gpuocc::parseDependence(StringRef Key) {
  size_t ArrowAt = Key.find(Arrow);
  if (ArrowAt == StringRef::npos)
    return std::nullopt;
  std::optional<InstClass> Producer = parseInstClass(Key.take_front(ArrowAt));
  std::optional<Dependence> D =
      parseConsumer(Key.drop_front(ArrowAt + Arrow.size()));
  if (!Producer || !D)
    return std::nullopt;
  D->Producer = *Producer;
  return D;
}
