//===- SourceEdits.h - Edits of a source that pay ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_SOURCEEDITS_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_SOURCEEDITS_H

#include "gpuocc/Report/Report.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gpuocc {

/// Gives findings of \p R, the report on the CUDA source \p File, the edits
/// that mend them: those of the language server's code actions. Each is
/// compiled, with the options \p Given of `analyze` and \p CompilerOptions, and
/// stays only where the predictions get better. What is no CUDA source has
/// none. Fails when a trial cannot be prepared.
llvm::Error addEdits(Report &R, llvm::StringRef File,
                     llvm::ArrayRef<std::string> Given,
                     llvm::ArrayRef<llvm::StringRef> CompilerOptions);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_SOURCEEDITS_H
