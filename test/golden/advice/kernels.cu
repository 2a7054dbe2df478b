//===- kernels.cu - Kernels whose registers or blocks bound occupancy -----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each kernel keeps values of its own alive across a loop of one dependent
/// chain, so that the values decide how many warps an SM holds and the chain
/// how many it needs. nvidia-h200.csv beside this file has what an H200 makes
/// of every kernel under register limits and in blocks of other sizes.
///
//===----------------------------------------------------------------------===//

/// Kernel NAME: KEPT values of type TYPE, ROUNDS rounds of STEP, and blocks of
/// BLOCK threads.
#define KEEPING(NAME, KEPT, TYPE, BLOCK, ROUNDS, STEP)                         \
  extern "C" __global__ void NAME(float *out, const float *in, int n) {        \
    int i = blockIdx.x * BLOCK + threadIdx.x;                                  \
    TYPE kept[KEPT], x = in[i];                                                \
    _Pragma("unroll") for (int k = 0; k < KEPT; ++k) kept[k] =                 \
        in[(i + k * 65536) & (n - 1)];                                         \
    _Pragma("unroll 1") for (int j = 0; j < ROUNDS; ++j) x = STEP;             \
    _Pragma("unroll") for (int k = 0; k < KEPT; ++k) x =                       \
        x * kept[k] + TYPE(1.5);                                               \
    out[i] = x;                                                                \
  }

// One round of a chain.
#define SQUARE x *x + 0.5f
#define SQUARE_DOUBLE x *x + 0.5
#define SINE __sinf(x) + 0.5f
#define DIVIDE 1.0f / (x + 0.5f)
#define ROOT sqrtf(x) + 0.5f
#define HASH                                                                   \
  __int_as_float((__float_as_int(x) ^ (__float_as_int(x) >> 5)) * 1664525 &    \
                 0x3f7fffff)
#define CHASE in[(__float_as_int(x) * 2654435761u) & (n - 1)]

// Blocks of a size that the code fixes: launch bounds are what can be changed.
KEEPING(fma57f, 57, float, 512, 1024, SQUARE)
KEEPING(mufu57f, 57, float, 512, 256, SINE)
KEEPING(div53f, 53, float, 512, 64, DIVIDE)
KEEPING(div54f, 54, float, 512, 64, DIVIDE)
KEEPING(sqrt57f, 57, float, 512, 64, ROOT)
KEEPING(hash57f, 57, float, 512, 512, HASH)

// Blocks of any size, one of 512 threads on an SM.
KEEPING(fma58, 58, float, blockDim.x, 1024, SQUARE)
KEEPING(mufu58, 58, float, blockDim.x, 256, SINE)
KEEPING(div54, 54, float, blockDim.x, 64, DIVIDE)
KEEPING(sqrt54, 54, float, blockDim.x, 64, ROOT)
KEEPING(fp6431, 31, double, blockDim.x, 256, SQUARE_DOUBLE)
KEEPING(hash58, 58, float, blockDim.x, 512, HASH)

// More registers than two blocks of 256 threads leave.
KEEPING(fma124, 124, float, blockDim.x, 1024, SQUARE)
KEEPING(div122, 122, float, blockDim.x, 64, DIVIDE)
KEEPING(mufu124, 124, float, blockDim.x, 256, SINE)
KEEPING(fp6463, 63, double, blockDim.x, 256, SQUARE_DOUBLE)

// The largest blocks.
KEEPING(fma28, 28, float, blockDim.x, 1024, SQUARE)
KEEPING(mufu25, 25, float, blockDim.x, 256, SINE)

// Loads from all over the memory: a few warps keep it busy.
KEEPING(chase20, 20, float, blockDim.x, 16, CHASE)
KEEPING(chase58, 58, float, blockDim.x, 16, CHASE)

// As many warps as there can be.
KEEPING(fma4, 4, float, blockDim.x, 1024, SQUARE)
KEEPING(chase1, 1, float, blockDim.x, 16, CHASE)

void launches(float *out, const float *in) {
  const int n = 1 << 22;
  fma57f<<<n / 512, 512>>>(out, in, n);
  mufu57f<<<n / 512, 512>>>(out, in, n);
  div53f<<<n / 512, 512>>>(out, in, n);
  div54f<<<n / 512, 512>>>(out, in, n);
  sqrt57f<<<n / 512, 512>>>(out, in, n);
  hash57f<<<n / 512, 512>>>(out, in, n);
  fma58<<<n / 512, 512>>>(out, in, n);
  mufu58<<<n / 512, 512>>>(out, in, n);
  div54<<<n / 512, 512>>>(out, in, n);
  sqrt54<<<n / 512, 512>>>(out, in, n);
  fp6431<<<n / 512, 512>>>(out, in, n);
  hash58<<<n / 512, 512>>>(out, in, n);
  fma124<<<n / 256, 256>>>(out, in, n);
  div122<<<n / 256, 256>>>(out, in, n);
  mufu124<<<n / 256, 256>>>(out, in, n);
  fp6463<<<n / 256, 256>>>(out, in, n);
  fma28<<<n / 1024, 1024>>>(out, in, n);
  mufu25<<<n / 1024, 1024>>>(out, in, n);
  chase20<<<n / 1024, 1024>>>(out, in, n);
  chase58<<<n / 512, 512>>>(out, in, n);
  fma4<<<n / 64, 64>>>(out, in, n);
  chase1<<<n / 32, 32>>>(out, in, n);
}
