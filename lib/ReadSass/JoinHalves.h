//===- JoinHalves.h - Numbers of 64 bits in two registers -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READSASS_JOINHALVES_H
#define GPUOCC_LIB_READSASS_JOINHALVES_H

#include "gpuocc/Kernel/KernelFacts.h"

namespace gpuocc {

/// Machine code computes addresses in halves: the lower one with a carry that
/// the upper one takes. Writes them beside that as one number, which tells
/// where an address comes from and how it goes on from iteration to iteration.
/// Each Semantics::Pack of halves that belong together becomes a copy of their
/// number, which waits for the halves.
void joinHalves(KernelFacts &Facts);

/// Lets guarded accesses have the addresses that they have in the lanes that
/// execute them, where both are chosen by the same predicate.
void dropSidesOfGuards(KernelFacts &Facts);

/// Marks the parameters of 8 bytes that addresses of \p Facts start from.
void findPointers(KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_LIB_READSASS_JOINHALVES_H
