//===- densebatch.cu - A kernel with one finding --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A dense layer for a batch, a thread an output, weights of an output side
/// by side; cure: weights of an input side by side.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *x, const float *w, const float *bias,
                     float *y, int batch, int inputs, int outputs) {
  int o = blockIdx.x * blockDim.x + threadIdx.x;
  int b = blockIdx.y * blockDim.y + threadIdx.y;
  if (o >= outputs || b >= batch)
    return;
  float sum = bias[o];
  for (int i = 0; i < inputs; i++)
    sum += x[b * inputs + i] * w[o * inputs + i];
  y[b * outputs + o] = sum > 0 ? sum : 0;
}
__global__ void fast(const float *x, const float *w, const float *bias,
                     float *y, int batch, int inputs, int outputs) {
  int o = blockIdx.x * blockDim.x + threadIdx.x;
  int b = blockIdx.y * blockDim.y + threadIdx.y;
  if (o >= outputs || b >= batch)
    return;
  float sum = bias[o];
  for (int i = 0; i < inputs; i++)
    sum += x[b * inputs + i] * w[i * outputs + o];
  y[b * outputs + o] = sum > 0 ? sum : 0;
}
int main() {
  const int batch = 1024, inputs = 512, outputs = 1024;
  float *x = numbers<float>(batch * inputs),
        *w = numbers<float>(inputs * outputs);
  float *bias = numbers<float>(outputs), *y = numbers<float>(batch * outputs);
  dim3 block(32, 8), grid(outputs / 32, batch / 8);
  timeLaunches("densebatch,slow", beginClean, [&] {
    slow<<<grid, block>>>(x, w, bias, y, batch, inputs, outputs);
  });
  timeLaunches("densebatch,fast", beginClean, [&] {
    fast<<<grid, block>>>(x, w, bias, y, batch, inputs, outputs);
  });
}
