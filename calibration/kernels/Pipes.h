//===- Pipes.h - Microkernels of two classes together ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Two instruction classes side by side: whether they share a pipe, and how
/// many issue slots one of them takes.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_KERNELS_PIPES_H
#define GPUOCC_CALIBRATION_KERNELS_PIPES_H

#include "Ptx.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc::calibration {

/// A class that stands for its pipe. Place holder '$': the chain.
struct PipeProbe {
  const char *Key;    ///< Key of InstClass.def.
  const char *Opcode; ///< SASS opcodes; '|' separates.
  const char *Step;   ///< PTX.
  /// Cycles that one instruction of a warp takes an SM of compute capability
  /// 9.0, of its manual's throughputs. The kernels of pairs are put together by
  /// them, so that they are known when the tool is built.
  double Cycles90;
};
llvm::ArrayRef<PipeProbe> pipeProbes();

/// An instruction that takes an issue slot and nothing else: what is left of a
/// warp's barrier where all lanes are there.
PipeProbe emptyProbe();

/// \p Groups groups a loop iteration of \p FirstCount of \p First and
/// \p SecondCount of \p Second, each in four chains of its own.
TimedKernel pipePair(const PipeProbe &First, unsigned FirstCount,
                     const PipeProbe &Second, unsigned SecondCount,
                     unsigned Groups);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_KERNELS_PIPES_H
