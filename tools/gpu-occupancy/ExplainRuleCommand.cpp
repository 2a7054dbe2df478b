//===- ExplainRuleCommand.cpp - gpu-occupancy explain-rule ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "driver/Arguments.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Report/RuleNames.h"
#include "gpuocc/Report/RulePages.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral ExplainRuleUsage =
    "usage: gpu-occupancy explain-rule [NAME]\n"
    "\n"
    "Prints the page of a rule; without a name, all rules.\n";

static void listRules() {
  for (unsigned I = 0; I != NumRules; ++I)
    outs() << left_justify(ruleName(RuleId(I)), 20) << ruleTitle(RuleId(I))
           << '\n';
}

Expected<ExitStatus> gpuocc::runExplainRule(ArrayRef<StringRef> Arguments) {
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, ExplainRuleUsage, {});
  if (!Parsed)
    return Parsed.takeError();
  if (Parsed->Help)
    return StatusGood;
  if (Parsed->Positional.empty()) {
    listRules();
    return StatusGood;
  }
  if (Parsed->Positional.size() != 1)
    return createStringError("explain-rule takes one name");
  Expected<RuleId> Rule = findRule(Parsed->Positional.front());
  if (!Rule)
    return Rule.takeError();
  outs() << rulePage(*Rule);
  return StatusGood;
}
