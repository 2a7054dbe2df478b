//===- volume.cu - threads along the slowest of three dimensions *- CUDA
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

struct Dims {
  int nx, ny, nz;
};
__global__ void slow(const float *in, float *out, Dims d) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < d.nx && y < d.ny && z < d.nz) {
    size_t at = ((size_t)x * d.ny + y) * d.nz + z;
    out[at] = 0.5f * in[at] + 1.0f;
  }
}
__global__ void fast(const float *in, float *out, Dims d) {
  int z = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int x = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < d.nx && y < d.ny && z < d.nz) {
    size_t at = ((size_t)x * d.ny + y) * d.nz + z;
    out[at] = 0.5f * in[at] + 1.0f;
  }
}
int main() {
  Dims d = {256, 256, 256};
  float *a = numbers<float>(256 * 256 * 256),
        *b = numbers<float>(256 * 256 * 256);
  timeLaunches("volume,slow", beginClean,
               [&] { slow<<<dim3(32, 32, 32), dim3(8, 8, 8)>>>(a, b, d); });
  timeLaunches("volume,fast", beginClean,
               [&] { fast<<<dim3(8, 64, 128), dim3(32, 4, 2)>>>(a, b, d); });
}
