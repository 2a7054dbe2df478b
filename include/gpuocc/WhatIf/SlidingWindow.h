//===- SlidingWindow.h - Words that neighbouring threads reload -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Filters and stencils load what their neighbours load: a thread that computes
/// several outputs side by side keeps the words in registers, as a window that
/// slides over them.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_SLIDINGWINDOW_H
#define GPUOCC_WHATIF_SLIDINGWINDOW_H

#include "gpuocc/WhatIf/MergeWork.h"

namespace gpuocc {

/// By access, what \p M.Factor threads side by side have to load when one of
/// them does the work of all and loads each word once; all of it where threads
/// share no words, data decides which they are, or the kernel writes to the
/// array. Empty where no loads are shared, or threads work together in shared
/// memory.
///
/// Loads of neighbours along x come as vectors, of which one more may be
/// needed, since the window does not begin at an aligned word.
std::vector<WindowedLoad> windowedLoads(const KernelFacts &Facts,
                                        const ExecutionProfile &Profile,
                                        const Launch &L, const Merge &M);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_SLIDINGWINDOW_H
