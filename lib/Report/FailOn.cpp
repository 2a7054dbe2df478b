//===- FailOn.cpp - What a gate does not let pass -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Report/FailOn.h"
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

Error gpuocc::addCriterion(StringRef Text, FailOn &Out) {
  auto [Kind, Value] = Text.split(':');
  if (Kind == "gain")
    return parseFactor(Value, Out.Gain);
  if (Kind == "slowdown")
    return parseFactor(Value, Out.Slowdown);
  if (Kind == "rule")
    return readRule(Value, Out.Rules);
  return createStringError("'" + Text +
                           "' is none of gain:FACTOR, rule:NAME and "
                           "slowdown:FACTOR");
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
    if (C.Ratio >= changeThreshold(*Criteria.Slowdown, C.DataDecides))
      Failures.push_back(&C);
  return Failures;
}
