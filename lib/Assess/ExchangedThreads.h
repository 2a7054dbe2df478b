//===- ExchangedThreads.h - A kernel with x and y exchanged -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_EXCHANGEDTHREADS_H
#define GPUOCC_LIB_ASSESS_EXCHANGEDTHREADS_H

#include "Price.h"
#include <optional>

namespace gpuocc {

/// A kernel whose threads have x and y exchanged, with the addresses of all
/// accesses evaluated anew.
struct ExchangedThreads {
  KernelVariant Kernel;
  Price Gain;
};

/// Nothing where x and y of \p C cannot be exchanged.
std::optional<ExchangedThreads> exchangedThreads(const Case &C);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_EXCHANGEDTHREADS_H
