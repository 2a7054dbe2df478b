//===- blackscholes.cu - A kernel with one finding ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Options are priced by accurate functions; cure: the hardware's.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__device__ float normal(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float c = 0.39894228f * expf(-0.5f * d * d) * k *
            (0.31938153f +
             k * (-0.35656378f +
                  k * (1.78147794f + k * (-1.82125598f + k * 1.33027443f))));
  return d > 0 ? 1.0f - c : c;
}
__global__ void slow(const float *price, const float *strike, float *call,
                     int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = price[i], x = strike[i], sum = 0;
  for (int k = 1; k <= steps; k++) {
    float years = 0.25f * k, root = sqrtf(years);
    float d = (logf(s / x) + 0.065f * years) / (0.3f * root);
    sum += s * normal(d) - x * expf(-0.02f * years) * normal(d - 0.3f * root);
  }
  call[i] = sum;
}
__device__ float fastNormal(float d) {
  float k = __fdividef(1.0f, 1.0f + 0.2316419f * fabsf(d));
  float c = 0.39894228f * __expf(-0.5f * d * d) * k *
            (0.31938153f +
             k * (-0.35656378f +
                  k * (1.78147794f + k * (-1.82125598f + k * 1.33027443f))));
  return d > 0 ? 1.0f - c : c;
}
__global__ void fast(const float *price, const float *strike, float *call,
                     int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = price[i], x = strike[i], sum = 0;
  float ratio = __logf(__fdividef(s, x));
  for (int k = 1; k <= steps; k++) {
    float years = 0.25f * k, root = __fsqrt_rn(years);
    float d = __fdividef(ratio + 0.065f * years, 0.3f * root);
    sum += s * fastNormal(d) -
           x * __expf(-0.02f * years) * fastNormal(d - 0.3f * root);
  }
  call[i] = sum;
}
__global__ void fill(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = 20 + (unsigned(i) * 2654435761u >> 8) / 16777216.0f * 10;
  b[i] = 18 + (unsigned(i) * 2246822519u >> 8) / 16777216.0f * 14;
}
int main() {
  const int n = 1 << 22;
  float *a = numbers<float>(n), *b = numbers<float>(n), *c = numbers<float>(n);
  fill<<<n / 256, 256>>>(a, b);
  timeLaunches("blackscholes,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, c, 12, n); });
  timeLaunches("blackscholes,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, c, 12, n); });
}
