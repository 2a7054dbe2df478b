//===- bilateral.cu - weights of distance from a table ---------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, float *out, int w, int h, float near,
                     float like) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float me = in[y * w + x], sum = 0, all = 0;
  for (int j = -4; j <= 4; j++)
    for (int i = -4; i <= 4; i++) {
      int cx = min(max(x + i, 0), w - 1), cy = min(max(y + j, 0), h - 1);
      float v = in[cy * w + cx];
      float place = expf(-(i * i + j * j) / (2 * near * near));
      float value = expf(-(v - me) * (v - me) / (2 * like * like));
      sum += place * value * v;
      all += place * value;
    }
  out[y * w + x] = sum / all;
}
__global__ void fast(const float *in, const float *__restrict__ weight,
                     float *out, int w, int h, float scale) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float me = in[y * w + x], sum = 0, all = 0;
  for (int j = -4; j <= 4; j++)
    for (int i = -4; i <= 4; i++) {
      int cx = min(max(x + i, 0), w - 1), cy = min(max(y + j, 0), h - 1);
      float v = in[cy * w + cx];
      float value =
          weight[(j + 4) * 9 + i + 4] * __expf((v - me) * (v - me) * scale);
      sum += value * v;
      all += value;
    }
  out[y * w + x] = sum / all;
}
__global__ void draw(float *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  p[i] = 0.1f + ((x ^ x >> 15) * 2246822519u >> 8) * 6e-8f;
}
int main() {
  const int w = 2048, h = 2048;
  float *in = numbers<float>(w * h), *out = numbers<float>(w * h);
  float *weight = numbers<float>(81);
  dim3 grid(w / 16, h / 16), block(16, 16);
  draw<<<w * h / 256, 256>>>(in);
  timeLaunches("bilateral,slow", beginClean,
               [&] { slow<<<grid, block>>>(in, out, w, h, 3.0f, 0.1f); });
  timeLaunches("bilateral,fast", beginClean,
               [&] { fast<<<grid, block>>>(in, weight, out, w, h, -50.0f); });
}
