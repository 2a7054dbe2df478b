//===- black_scholes.cu - Needed occupancy against instructions -*- CUDA
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prices of European options by the formula of Black and Scholes (1973). Shows
// what special functions cost: compiled with -ffast-math each is one
// instruction, otherwise a short program. While memory is the limit, the
// shorter code has the same throughput at a lower latency and needs fewer
// warps (Volkov 2016, section 3.10).
//
// Usage: black_scholes [options]
//
//===----------------------------------------------------------------------===//

#include "example.h"
#include <cmath>

/// Cumulative normal distribution: Abramowitz and Stegun, 26.2.17.
__device__ float normalCdf(float d) {
  float t = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float tail =
      0.39894228f * expf(-0.5f * d * d) * t *
      (0.31938153f +
       t * (-0.356563782f +
            t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
  return d > 0.0f ? 1.0f - tail : tail;
}

__global__ void blackScholes(float *call, float *put, const float *price,
                             const float *strike, const float *years,
                             float rate, float volatility, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = price[i], x = strike[i], t = years[i];
  float spread = volatility * sqrtf(t);
  float d1 =
      (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / spread;
  float present = x * expf(-rate * t);
  float cdf1 = normalCdf(d1), cdf2 = normalCdf(d1 - spread);
  call[i] = s * cdf1 - present * cdf2;
  put[i] = present * (1.0f - cdf2) - s * (1.0f - cdf1);
}

int main(int argc, char **argv) {
  int n = argumentOr(argc, argv, 1, 1 << 22);
  std::vector<float> price(n), strike(n), years(n);
  for (int i = 0; i < n; ++i) {
    price[i] = 5.0f + static_cast<float>(i % 25);
    strike[i] = 1.0f + static_cast<float>(i % 99);
    years[i] = 0.25f + 0.25f * static_cast<float>(i % 39);
  }
  DeviceArray<float> devicePrice(price), deviceStrike(strike),
      deviceYears(years), deviceCall(n), devicePut(n);
  float rate = 0.02f;

  blackScholes<<<(n + 127) / 128, 128>>>(deviceCall, devicePut, devicePrice,
                                         deviceStrike, deviceYears, rate, 0.3f,
                                         n);
  finish("blackScholes");

  // Put-call parity: call - put = price - present value of the strike.
  bool right = true;
  std::vector<float> call = deviceCall.toHost(), put = devicePut.toHost();
  for (int i = 0; i < n; ++i) {
    float parity = price[i] - strike[i] * std::exp(-rate * years[i]);
    right &= std::fabs(call[i] - put[i] - parity) < 1e-3f;
  }
  return verdict("blackScholes", right) ? 0 : 1;
}
