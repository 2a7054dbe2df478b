//===- Bursts.h - Instructions that warps issue in a row -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_KERNELS_BURSTS_H
#define GPUOCC_CALIBRATION_KERNELS_BURSTS_H

#include "Ptx.h"

namespace gpuocc::calibration {

enum class BurstKind {
  SpecialFunction, ///< MUFU.
  SharedLoad32,    ///< Lanes side by side, and so on of 64 and 128 bits;
  SharedLoad64,    ///< in = lane table of offsets into dynamic shared memory.
  SharedLoad128,
};

/// Most instructions of a burst.
inline constexpr unsigned MostInBurst = 20;

/// All warps of a block meet at a barrier, read the clock, issue \p Count
/// independent instructions that nothing waits for, and read the clock again.
/// Both clocks of a warp are written to its two 64-bit words
/// at x. Loads have
/// room for 16 warps. y = ~0, z = 0.
TimedKernel burst(BurstKind Kind, unsigned Count);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_KERNELS_BURSTS_H
