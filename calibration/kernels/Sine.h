//===- Sine.h - Sine and cosine to full precision --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// PTX has approximate sines only; those of full precision are sequences of a
/// math library. These are sequences of the same kind: the argument is reduced
/// by a multiple of pi/2, and polynomials give the rest.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_KERNELS_SINE_H
#define GPUOCC_CALIBRATION_KERNELS_SINE_H

namespace gpuocc::calibration {

enum class Wave { Sine, Cosine, Tangent };

/// What the argument is. A regular one is reduced by fused multiply-adds (Cody
/// and Waite); beyond 105615 the bits of 2/pi that matter are multiplied with
/// it (Payne and Hanek).
enum class Argument { Regular, Huge };

/// $d = sin($d), cos($d) or tan($d) in 32 bits; sine and cosine within 1.4
/// units in the last place of a finite argument. For Huge, the exponent of $d
/// is made one that is beyond 105615 first.
const char *sine32(Wave W, Argument A);

/// The same in 64 bits; the module needs TwoOverPi.
const char *sine64(Wave W, Argument A);

/// The table that sine64() reads: 2/pi in words of 64 bits behind two of zeros.
extern const char *const TwoOverPi;

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_KERNELS_SINE_H
