//===- maxout.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One thread for all outputs of a row; cure: a thread for each output.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, float *out, int *which, int rows,
                     int outs, int pieces) {
  for (int b = blockIdx.x * blockDim.x + threadIdx.x; b < rows;
       b += gridDim.x * blockDim.x)
    for (int o = 0; o < outs; o++) {
      const float *p = in + (b * outs + o) * pieces;
      float best = p[0];
      int at = 0;
      for (int k = 1; k < pieces; k++)
        if (p[k] > best) {
          best = p[k];
          at = k;
        }
      out[b * outs + o] = best;
      which[b * outs + o] = at;
    }
}
__global__ void fast(const float *in, float *out, int *which, int rows,
                     int outs, int pieces) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * outs;
       i += gridDim.x * blockDim.x) {
    const float *p = in + i * pieces;
    float best = p[0];
    int at = 0;
    for (int k = 1; k < pieces; k++)
      if (p[k] > best) {
        best = p[k];
        at = k;
      }
    out[i] = best;
    which[i] = at;
  }
}
int main() {
  const int rows = 4096, outs = 256, pieces = 3;
  float *a = numbers<float>(rows * outs * pieces),
        *b = numbers<float>(rows * outs);
  int *w = zeros<int>(rows * outs);
  timeLaunches("maxout,slow", beginClean,
               [&] { slow<<<rows / 128, 128>>>(a, b, w, rows, outs, pieces); });
  timeLaunches("maxout,fast", beginClean, [&] {
    fast<<<rows * outs / 128, 128>>>(a, b, w, rows, outs, pieces);
  });
}
