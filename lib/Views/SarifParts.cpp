//===- SarifParts.cpp - What all SARIF logs have --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SarifParts.h"
#include "gpuocc/Report/RulePages.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

json::Value sarif::text(StringRef Text) { return json::fixUTF8(Text); }

json::Object sarif::message(StringRef Text) {
  return json::Object{{"text", text(Text)}};
}

json::Object sarif::describeRule(RuleId Rule) {
  return json::Object{{"id", ruleName(Rule)},
                      {"shortDescription", message(ruleTitle(Rule))},
                      {"help", json::Object{{"text", rulePage(Rule)},
                                            {"markdown", rulePage(Rule)}}}};
}

void sarif::writeLog(json::Object Run, raw_ostream &OS) {
  Run["columnKind"] = "unicodeCodePoints";
  const json::Value Log =
      json::Object{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                   {"version", "2.1.0"},
                   {"runs", json::Array{std::move(Run)}}};
  OS << formatv("{0:2}\n", Log);
}
