//===- ExchangeThreads.h - x and y of threads exchanged ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_EXCHANGETHREADS_H
#define GPUOCC_WHATIF_EXCHANGETHREADS_H

#include "gpuocc/WhatIf/Change.h"

namespace gpuocc {

/// Threads take the work of x for that of y and the other way round. A kernel
/// that reads the extents of its block keeps the block and has another grid;
/// another one has its block turned. The lanes of all accesses lie elsewhere
/// then: the profile is to be evaluated anew.
Change exchangeThreads();

} // namespace gpuocc

#endif // GPUOCC_WHATIF_EXCHANGETHREADS_H
