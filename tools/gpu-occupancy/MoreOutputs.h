//===- MoreOutputs.h - --also=FORM=FILE -------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPU_OCCUPANCY_MOREOUTPUTS_H
#define GPUOCC_TOOLS_GPU_OCCUPANCY_MOREOUTPUTS_H

#include "driver/Arguments.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace gpuocc {

/// One more file with what a command says, in a form of its own.
struct MoreOutput {
  std::string Form, File;
};

/// The option --also, which appends to \p Slot. FORM is one of \p Forms.
OptionRow alsoRow(std::vector<MoreOutput> &Slot,
                  std::vector<llvm::StringRef> Forms);

/// Fails where one of \p Outputs cannot be written, or is one of \p Inputs.
llvm::Error checkOutputs(llvm::ArrayRef<MoreOutput> Outputs,
                         llvm::ArrayRef<llvm::StringRef> Inputs);

/// Writes \p Outputs.
llvm::Error writeOutputs(
    llvm::ArrayRef<MoreOutput> Outputs,
    llvm::function_ref<void(llvm::StringRef Form, llvm::raw_ostream &)> Write);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPU_OCCUPANCY_MOREOUTPUTS_H
