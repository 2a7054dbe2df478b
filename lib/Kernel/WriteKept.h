//===- WriteKept.h - Files of what is kept of launches ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_KERNEL_WRITEKEPT_H
#define GPUOCC_LIB_KERNEL_WRITEKEPT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuocc {

/// Writes file \p Path by \p Write. Fails where it cannot be written whole.
llvm::Error writeKept(llvm::StringRef Path,
                      llvm::function_ref<void(llvm::raw_ostream &)> Write);

} // namespace gpuocc

#endif // GPUOCC_LIB_KERNEL_WRITEKEPT_H
