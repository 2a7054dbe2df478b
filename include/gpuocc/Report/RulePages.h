//===- RulePages.h - The documentation of each rule -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_REPORT_RULEPAGES_H
#define GPUOCC_REPORT_RULEPAGES_H

#include "gpuocc/Report/Report.h"
#include "llvm/ADT/StringRef.h"

namespace gpuocc {

/// The page docs/rules/<Rule>.md, Markdown, as it was when this was built.
llvm::StringRef rulePage(RuleId Rule);

} // namespace gpuocc

#endif // GPUOCC_REPORT_RULEPAGES_H
