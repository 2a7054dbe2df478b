//===- math_constants.h - Numbers of mathematics ---------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of the toolkit's header that sources use most.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CUDA_SHIM_MATH_CONSTANTS_H
#define GPUOCC_CUDA_SHIM_MATH_CONSTANTS_H

#define CUDART_INF_F __builtin_inff()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_ZERO_F 0.0f
#define CUDART_ONE_F 1.0f
#define CUDART_PI_F 3.14159265f
#define CUDART_PIO2_F 1.57079633f
#define CUDART_SQRT_TWO_F 1.41421356f
#define CUDART_LN2_F 0.69314718f
#define CUDART_INF __builtin_inf()
#define CUDART_NAN __builtin_nan("")
#define CUDART_ZERO 0.0
#define CUDART_ONE 1.0
#define CUDART_PI 3.14159265358979324
#define CUDART_PIO2 1.57079632679489662
#define CUDART_SQRT_TWO 1.41421356237309505
#define CUDART_LN2 0.69314718055994531

#endif // GPUOCC_CUDA_SHIM_MATH_CONSTANTS_H
