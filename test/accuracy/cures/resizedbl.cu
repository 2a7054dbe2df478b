//===- resizedbl.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An image is enlarged with weights that are doubles; cure: floats.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, float *out, int w, int h, double sx,
                     double sy) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  int ow = gridDim.x * blockDim.x;
  double fx = x * sx, fy = y * sy;
  int x0 = (int)fx, y0 = (int)fy, x1 = min(x0 + 1, w - 1),
      y1 = min(y0 + 1, h - 1);
  double u = fx - x0, v = fy - y0;
  double top = in[y0 * w + x0] * (1 - u) + in[y0 * w + x1] * u;
  double low = in[y1 * w + x0] * (1 - u) + in[y1 * w + x1] * u;
  out[y * ow + x] = top * (1 - v) + low * v;
}
__global__ void fast(const float *in, float *out, int w, int h, float sx,
                     float sy) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  int ow = gridDim.x * blockDim.x;
  float fx = x * sx, fy = y * sy;
  int x0 = (int)fx, y0 = (int)fy, x1 = min(x0 + 1, w - 1),
      y1 = min(y0 + 1, h - 1);
  float u = fx - x0, v = fy - y0;
  float top = in[y0 * w + x0] * (1 - u) + in[y0 * w + x1] * u;
  float low = in[y1 * w + x0] * (1 - u) + in[y1 * w + x1] * u;
  out[y * ow + x] = top * (1 - v) + low * v;
}
int main() {
  float *in = numbers<float>(1536 * 1536), *out = numbers<float>(4096 * 4096);
  timeLaunches("resizedbl,slow", beginClean, [&] {
    slow<<<dim3(16, 4096), 256>>>(in, out, 1536, 1536, 0.375, 0.375);
  });
  timeLaunches("resizedbl,fast", beginClean, [&] {
    fast<<<dim3(16, 4096), 256>>>(in, out, 1536, 1536, 0.375f, 0.375f);
  });
}
