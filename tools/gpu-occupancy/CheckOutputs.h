//===- CheckOutputs.h - What -o may name ------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPU_OCCUPANCY_CHECKOUTPUTS_H
#define GPUOCC_TOOLS_GPU_OCCUPANCY_CHECKOUTPUTS_H

#include "AnalyzeProject.h"
#include "llvm/Support/Error.h"

namespace gpuocc {

/// Before the work: fails where \p Output cannot be written or is one of
/// \p Inputs, a file that \p Options or a configuration name for them, or the
/// compilation database \p Build, which may be empty.
llvm::Error checkOutputBefore(llvm::StringRef Output,
                              llvm::ArrayRef<llvm::StringRef> Inputs,
                              const AssessFileOptions &Options,
                              llvm::StringRef Build = "");

/// Behind the work: fails where \p Output is a file that it read: a source in
/// one of the folders, or a header.
llvm::Error checkOutputAfter(llvm::StringRef Output, const Report &Made,
                             llvm::ArrayRef<std::string> Read = {});

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPU_OCCUPANCY_CHECKOUTPUTS_H
