//===- FailOn.cpp - What a gate does not let pass -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Report/FailOn.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Report/RuleNames.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

Error gpuocc::parseFactor(StringRef Text, std::optional<double> &Out) {
  double Factor = 0;
  if (Text.getAsDouble(Factor) || !std::isfinite(Factor) || Factor < 1)
    return createStringError("'" + Text +
                             "' is no factor of at least 1, such as 1.3");
  Out = Factor;
  return Error::success();
}

static Error readRule(StringRef Text, std::vector<RuleId> &Out) {
  Expected<RuleId> Rule = findRule(Text);
  if (!Rule)
    return Rule.takeError();
  Out.push_back(*Rule);
  return Error::success();
}

namespace {

/// How a number of a kernel is called, and how a criterion on it is written.
struct CountRow {
  CountedResource Resource;
  StringLiteral Word;
  std::optional<uint64_t> ResourceCounts::*Value;
  StringLiteral Sign, Unit;
};

/// Each criterion by its word.
struct CriterionRow {
  StringLiteral Word;
  Error (*Read)(StringRef Value, FailOn &Out);
};

} // namespace

static constexpr CountRow CountRows[] = {
    {CountedResource::Registers, "registers", &ResourceCounts::Registers, "+",
     ""},
    {CountedResource::Spills, "spills", &ResourceCounts::SpillBytes, "+", ""},
    {CountedResource::Stack, "stack", &ResourceCounts::StackBytes, "+", ""},
    {CountedResource::Shared, "shared", &ResourceCounts::SharedBytes, "+", ""},
    {CountedResource::Occupancy, "occupancy", &ResourceCounts::BlocksPerSm, "-",
     "block"},
};

static const CountRow &rowOf(CountedResource R) {
  return *find_if(CountRows,
                  [&](const CountRow &Row) { return Row.Resource == R; });
}

StringRef gpuocc::countedResourceKey(CountedResource R) {
  return rowOf(R).Word;
}

std::optional<uint64_t> gpuocc::countOf(const ResourceCounts &Counts,
                                        CountedResource R) {
  return Counts.*rowOf(R).Value;
}

/// "+8" and "-1block".
static Error readCount(StringRef Value, const CountRow &Row, FailOn &Out) {
  StringRef Number = Value;
  uint64_t Most = 0;
  if (!Number.consume_front(Row.Sign) || Number.consumeInteger(10, Most) ||
      (!Number.empty() && Number != Row.Unit &&
       Number != (Row.Unit + "s").str()))
    return createStringError("'" + Value + "' is not as in '" + Row.Word + ":" +
                             Row.Sign + "1" + Row.Unit + "'");
  Out.MostWorse[Row.Resource] = Most;
  return Error::success();
}

template <CountedResource R>
static Error readCountOf(StringRef Value, FailOn &Out) {
  return readCount(Value, rowOf(R), Out);
}

/// Of a criterion that has no value.
static Error checkNoValue(StringRef Word, StringRef Value) {
  return Value.empty() ? Error::success()
                       : createStringError("'" + Word + "' has no value");
}

static constexpr CriterionRow Criteria[] = {
    {"gain",
     [](StringRef Value, FailOn &Out) { return parseFactor(Value, Out.Gain); }},
    {"rule",
     [](StringRef Value, FailOn &Out) { return readRule(Value, Out.Rules); }},
    {"slowdown", [](StringRef Value,
                    FailOn &Out) { return parseFactor(Value, Out.Slowdown); }},
    {"registers", readCountOf<CountedResource::Registers>},
    {"spills", readCountOf<CountedResource::Spills>},
    {"stack", readCountOf<CountedResource::Stack>},
    {"shared", readCountOf<CountedResource::Shared>},
    {"occupancy", readCountOf<CountedResource::Occupancy>},
    {"cannot-run",
     [](StringRef Value, FailOn &Out) {
       Out.CannotRun = true;
       return checkNoValue("cannot-run", Value);
     }},
    {"cannot-compare",
     [](StringRef Value, FailOn &Out) {
       Out.CannotCompare = true;
       return checkNoValue("cannot-compare", Value);
     }},
    {"advisory",
     [](StringRef Value, FailOn &Out) {
       Out.Rules.push_back(RuleId::AssemblerAdvisory);
       return checkNoValue("advisory", Value);
     }},
};

std::vector<StringRef> gpuocc::criterionWords() {
  std::vector<StringRef> Words;
  for (const CriterionRow &Row : Criteria)
    Words.push_back(Row.Word);
  return Words;
}

Error gpuocc::addCriterion(StringRef Text, FailOn &Out) {
  auto [Word, Value] = Text.split(':');
  for (const CriterionRow &Row : Criteria)
    if (Word == Row.Word)
      return Row.Read(Value, Out);
  return createStringError(
      "'" + Text +
      "' is none of gain:FACTOR, rule:NAME, slowdown:FACTOR, registers:+N, "
      "spills:+N, stack:+N, shared:+N, occupancy:-Nblocks, cannot-run, "
      "cannot-compare and advisory");
}

Error gpuocc::addCriteria(StringRef Text, FailOn &Out) {
  SmallVector<StringRef, 8> Parts;
  Text.split(Parts, ',');
  for (StringRef Part : Parts)
    if (Error E = addCriterion(Part.trim(), Out))
      return E;
  return Error::success();
}

std::vector<CountedResource> gpuocc::worseCounts(const KernelChange &Change,
                                                 const FailOn &Criteria) {
  std::vector<CountedResource> Worse;
  if (!Change.Before || !Change.After)
    return Worse;
  for (const auto &[Resource, Most] : Criteria.MostWorse) {
    auto Old = countOf(Change.Before->Resources, Resource);
    auto New = countOf(Change.After->Resources, Resource);
    if (!Old || !New)
      continue;
    if (Resource == CountedResource::Occupancy)
      std::swap(Old, New);
    if (*New > *Old && *New - *Old > Most)
      Worse.push_back(Resource);
  }
  return Worse;
}

std::vector<const Problem *> gpuocc::failures(ArrayRef<Problem> Problems,
                                              const FailOn &Criteria) {
  std::vector<const Problem *> Failures;
  for (const Problem &P : Problems) {
    bool Gains =
        Criteria.Gain && P.What->Gain && *P.What->Gain >= *Criteria.Gain;
    if (Gains || is_contained(Criteria.Rules, P.What->Rule))
      Failures.push_back(&P);
  }
  return Failures;
}

std::vector<const KernelChange *>
gpuocc::failures(ArrayRef<KernelChange> Changes, const FailOn &Criteria) {
  std::vector<const KernelChange *> Failures;
  if (!Criteria.Slowdown)
    return Failures;
  for (const KernelChange &C : Changes)
    if (C.Kind != ChangeKind::Untimed &&
        isSlower(C.Ratio, changeThreshold(*Criteria.Slowdown, C.DataDecides)))
      Failures.push_back(&C);
  return Failures;
}
