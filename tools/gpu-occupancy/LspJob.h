//===- LspJob.h - One analysis for the language server ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_LSPJOB_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_LSPJOB_H

#include "gpuocc/Support/ExitStatus.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gpuocc {

/// The first argument of `gpu-occupancy lsp` where it is such an analysis: the
/// server starts itself anew for each, so that an analysis can be stopped, and
/// can neither end the server nor make it grow.
constexpr llvm::StringLiteral LspJobWord = "--job";

/// Analyzes a file as `analyze` does and writes the report to standard output
/// (\see writeJobOutput). Takes the options of `analyze` for a file, those of
/// SourceShortcuts, and the keys of reports that the server has.
llvm::Expected<ExitStatus> runLspJob(llvm::ArrayRef<llvm::StringRef> Arguments);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_LSPJOB_H
