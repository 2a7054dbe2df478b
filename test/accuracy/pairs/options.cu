//===- options.cu - Functions of full precision, and fast ones -*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Black and Scholes prices of European options: logarithm, exponential,
// division and square root as the language asks, and as the hardware has them.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

/// The cumulative normal distribution (Abramowitz and Stegun 26.2.17).
template <class Function>
__device__ float normal(float d, Function exponential) {
  float k = __fdividef(1.0f, 1.0f + 0.2316419f * fabsf(d));
  float tail =
      0.39894228f * exponential(-0.5f * d * d) * k *
      (0.31938153f +
       k * (-0.356563782f +
            k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  return d > 0 ? 1.0f - tail : tail;
}

__global__ void naive(float *call, const float *spot, const float *strike,
                      const float *years) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = spot[i], x = strike[i], t = years[i];
  float root = sqrtf(t);
  float d1 = (logf(s / x) + (0.02f + 0.5f * 0.09f) * t) / (0.3f * root);
  float d2 = d1 - 0.3f * root;
  auto exponential = [](float y) { return expf(y); };
  call[i] = s * normal(d1, exponential) -
            x * expf(-0.02f * t) * normal(d2, exponential);
}

__global__ void fixed(float *call, const float *spot, const float *strike,
                      const float *years) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = spot[i], x = strike[i], t = years[i];
  float root = __fsqrt_rn(t);
  float d1 = __fdividef(__logf(__fdividef(s, x)) + (0.02f + 0.5f * 0.09f) * t,
                        0.3f * root);
  float d2 = d1 - 0.3f * root;
  auto exponential = [](float y) { return __expf(y); };
  call[i] = s * normal(d1, exponential) -
            x * __expf(-0.02f * t) * normal(d2, exponential);
}

int main() {
  int count = 1 << 24;
  std::vector<float> values = noise(count);
  for (float &v : values)
    v = 10.0f + 20.0f * v;
  DeviceArray<float> spot(values), strike(values), years(values);
  DeviceArray<float> naiveCall(count), fixedCall(count);
  Pair pair("options");
  while (pair.next("naive"))
    naive<<<count / 256, 256>>>(naiveCall, spot, strike, years);
  while (pair.next("fixed"))
    fixed<<<count / 256, 256>>>(fixedCall, spot, strike, years);
  return compare(naiveCall.toHost(), fixedCall.toHost());
}
