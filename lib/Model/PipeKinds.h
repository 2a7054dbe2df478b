//===- PipeKinds.h - How warps wait for pipes -------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_PIPEKINDS_H
#define GPUOCC_LIB_MODEL_PIPEKINDS_H

#include "gpuocc/Support/InstClass.h"

namespace gpuocc {

/// True if instructions of \p Pipe take as long as their unit lets them: who
/// uses the result waits at a scoreboard. The others take fixed times.
bool isTracked(Resource Pipe);

/// True if warps go on while their instructions wait for \p Pipe in its queue.
bool isQueued(Resource Pipe);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_PIPEKINDS_H
