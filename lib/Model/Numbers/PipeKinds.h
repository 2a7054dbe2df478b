//===- PipeKinds.h - Pipes and the waits for them ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_NUMBERS_PIPEKINDS_H
#define GPUOCC_LIB_MODEL_NUMBERS_PIPEKINDS_H

#include "gpuocc/Support/InstClass.h"

namespace gpuocc {

class Numbers;

/// What instructions of a scheduler wait in for their pipe, while their warps
/// go on.
struct PipeQueue {
  /// 0 if warps wait themselves.
  unsigned Entries = 0;
  /// Cycles that an instruction takes from its issue to an idle pipe. It keeps
  /// its entry until the pipe is done with it.
  double DelayCycles = 0;
};

/// True if instructions of \p Pipe take as long as their unit lets them: who
/// uses the result waits at a scoreboard. The others take fixed times.
bool isTracked(Resource Pipe);

/// What warps leave their instructions to \p Pipe in and go on; no entries if
/// they wait for it themselves.
///
/// Source: up to 16 warps of an H200 that issue 1 to 20 instructions in a row
/// and read the clock (calibration/results/nvidia-h200/2026-11-22T0004). Of
/// four warps of a scheduler the third waits until the pipe is done with the
/// first special function, and 5 cycles more. 13 to 14 accesses of shared
/// memory of each scheduler wait, whatever they take at its banks; 10 stores.
PipeQueue queueOf(Resource Pipe, Numbers &N);

/// True for units of which each scheduler has one: those with fixed times, and
/// that of special functions. Those of LSU, ADU and CBU serve all.
bool isOfScheduler(Resource Pipe);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_NUMBERS_PIPEKINDS_H
