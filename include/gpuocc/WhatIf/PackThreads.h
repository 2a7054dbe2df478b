//===- PackThreads.h - Small blocks as lanes of large ones ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_PACKTHREADS_H
#define GPUOCC_WHATIF_PACKTHREADS_H

#include "gpuocc/WhatIf/Change.h"

namespace gpuocc {

/// A block of \p Threads threads does the work of as many blocks as have so
/// many. The code goes on to see the block and the thread that it was written
/// for, taken from the new ones by shifts and masks.
///
/// Fails unless blocks are rows of fewer than 32 threads, a power of two, that
/// do not work together. Addresses of the changed kernel have to be walked.
Change packThreads(unsigned Threads);

/// Each thread of blocks of \p Threads does alone what a block did together:
/// the code goes on with blocks of one thread, and needs no barriers, shuffles
/// and shared memory.
///
/// Fails unless blocks are rows of whole warps that read their extent, and of
/// which one thread writes one value. Addresses of the changed kernel have to
/// be walked; the work is the same where its loads are.
Change threadForBlock(unsigned Threads);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_PACKTHREADS_H
