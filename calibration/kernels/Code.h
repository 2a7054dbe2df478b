//===- Code.h - Loops of so much code --------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_KERNELS_CODE_H
#define GPUOCC_CALIBRATION_KERNELS_CODE_H

#include "Ptx.h"

namespace gpuocc::calibration {

/// Additions in a piece of longCode().
inline constexpr unsigned AdditionsPerPiece = 254;

/// A loop of \p Pieces pieces of independent additions of which an iteration
/// executes the first y: a piece is AdditionsPerPiece additions, a comparison
/// and a branch that leaves behind the y-th piece, 4 KiB where an instruction
/// takes 16 bytes.
TimedKernel longCode(unsigned Pieces);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_KERNELS_CODE_H
