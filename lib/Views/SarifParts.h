//===- SarifParts.h - What all SARIF logs have ------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Parts of a SARIF 2.1.0 log (OASIS 2020) that the report and the gate share.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_VIEWS_SARIFPARTS_H
#define GPUOCC_VIEWS_SARIFPARTS_H

#include "gpuocc/Report/Report.h"
#include "llvm/Support/JSON.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace gpuocc::sarif {

/// \p Text; what is no UTF-8 is replaced.
llvm::json::Value text(llvm::StringRef Text);

/// An object `message` or `multiformatMessageString`.
llvm::json::Object message(llvm::StringRef Text);

/// The description of \p Rule with its page.
llvm::json::Object describeRule(RuleId Rule);

/// Writes the log of one \p Run.
void writeLog(llvm::json::Object Run, llvm::raw_ostream &OS);

} // namespace gpuocc::sarif

#endif // GPUOCC_VIEWS_SARIFPARTS_H
