//===- Words.cpp - Names of rules, text of findings -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Report/RuleNames.h"
#include "gpuocc/Support/NearestKey.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <iterator>

using namespace gpuocc;
using namespace llvm;

namespace {

struct RuleRow {
  StringLiteral Name;
  RemarkKind Remark;
  StringLiteral Title;
};

} // namespace

static constexpr RuleRow RuleRows[] = {
#define RULE(Enum, Remark, Title) {#Enum, RemarkKind::Remark, Title},
#include "gpuocc/Report/Rules.def"
};
static_assert(std::size(RuleRows) == NumRules);

StringRef gpuocc::ruleName(RuleId R) { return RuleRows[size_t(R)].Name; }
StringRef gpuocc::ruleTitle(RuleId R) { return RuleRows[size_t(R)].Title; }

std::vector<StringRef> gpuocc::ruleNames() {
  std::vector<StringRef> Names;
  for (const RuleRow &Row : RuleRows)
    Names.push_back(Row.Name);
  return Names;
}

Expected<RuleId> gpuocc::findRule(StringRef Name) {
  const RuleRow *Found =
      find_if(RuleRows, [&](const RuleRow &Row) { return Row.Name == Name; });
  if (Found != std::end(RuleRows))
    return RuleId(Found - RuleRows);
  return createStringError("there is no rule '" + Name + "'" +
                           didYouMean(Name, ruleNames()));
}

Severity gpuocc::severityOf(const Finding &F) {
  if (F.Rule == RuleId::CannotRun)
    return Severity::Error;
  return F.Gain ? Severity::Warning : Severity::Note;
}

void Report::append(Report Other) {
  llvm::move(Other.Kernels, std::back_inserter(Kernels));
  llvm::move(Other.Refused, std::back_inserter(Refused));
}

RemarkKind gpuocc::ruleRemarkKind(RuleId R) {
  return RuleRows[size_t(R)].Remark;
}

StringRef gpuocc::remarkKindKey(RemarkKind K) {
  switch (K) {
  case RemarkKind::Passed:
    return "passed";
  case RemarkKind::Analysis:
    return "analysis";
  case RemarkKind::Missed:
    return "missed";
  }
  llvm_unreachable("covered switch");
}

std::string Finding::text() const {
  std::string Text;
  for (const Evidence &E : Message)
    if (!E.RecordOnly)
      Text += E.Text;
  return printable(Text);
}
