//===- concatrows.cu - A kernel with one finding --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A thread copies a padded row of its own length to where it belongs; cure: a
/// warp does.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *padded, const int *starts, float *packed,
                     int width, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  int from = starts[r], length = starts[r + 1] - from;
  for (int k = 0; k < length; k++)
    packed[from + k] = padded[(size_t)r * width + k];
}
__global__ void fast(const float *padded, const int *starts, float *packed,
                     int width, int rows) {
  int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (r >= rows)
    return;
  int from = starts[r], length = starts[r + 1] - from;
  for (int k = lane; k < length; k += 32)
    packed[from + k] = padded[(size_t)r * width + k];
}
int main() {
  const int rows = 65536, width = 128;
  std::vector<int> s(rows + 1);
  for (int r = 0; r < rows; r++)
    s[r + 1] = s[r] + 32 + (unsigned(r) * 2654435761u >> 25) * 3 / 4;
  int *starts = zeros<int>(rows + 1);
  cudaMemcpy(starts, s.data(), (rows + 1) * 4, cudaMemcpyHostToDevice);
  float *padded = numbers<float>(rows * width),
        *packed = numbers<float>(rows * width);
  timeLaunches("concatrows,slow", beginClean, [&] {
    slow<<<rows / 128, 128>>>(padded, starts, packed, width, rows);
  });
  timeLaunches("concatrows,fast", beginClean, [&] {
    fast<<<rows / 8, 256>>>(padded, starts, packed, width, rows);
  });
}
