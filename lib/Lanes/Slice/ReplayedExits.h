//===- ReplayedExits.h - Exits computed without the loop --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_SLICE_REPLAYEDEXITS_H
#define GPUOCC_LIB_LANES_SLICE_REPLAYEDEXITS_H

#include "Slice/Slice.h"

namespace gpuocc {

/// Fills LoopForm::Replay of every loop of \p S, whose exits are known: those
/// that no closed form solves are looked at.
void findReplayedExits(const KernelFacts &Facts, Slice &S);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_SLICE_REPLAYEDEXITS_H
