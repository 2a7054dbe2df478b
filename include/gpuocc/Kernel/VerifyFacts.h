//===- VerifyFacts.h - Do the parts of facts fit together? -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_VERIFYFACTS_H
#define GPUOCC_KERNEL_VERIFYFACTS_H

#include "llvm/Support/Error.h"

namespace gpuocc {

struct KernelFacts;

/// Success when every index in \p Facts is in range or NoIndex where that is
/// allowed, and the blocks tile KernelFacts::Operations in order. Otherwise
/// an error that names the first part that does not fit.
llvm::Error verifyFacts(const KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_VERIFYFACTS_H
