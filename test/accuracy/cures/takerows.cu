//===- takerows.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A thread copies a row that an index names; cure: a lane copies a column.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *table, const int *ids, float *out, int dim,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float *row = table + (size_t)ids[i] * dim;
  for (int d = 0; d < dim; d++)
    out[(size_t)i * dim + d] = row[d];
}
__global__ void fast(const float *table, const int *ids, float *out, int dim,
                     int n) {
  int i = blockIdx.x * blockDim.y + threadIdx.y;
  if (i >= n)
    return;
  const float *row = table + (size_t)ids[i] * dim;
  for (int d = threadIdx.x; d < dim; d += blockDim.x)
    out[(size_t)i * dim + d] = row[d];
}
int main() {
  const int n = 1 << 18, dim = 96, words = 50000;
  std::vector<int> v(n);
  for (int i = 0; i < n; i++)
    v[i] = unsigned(i) * 2654435761u % words;
  int *ids = zeros<int>(n);
  cudaMemcpy(ids, v.data(), n * 4, cudaMemcpyHostToDevice);
  float *table = numbers<float>(words * dim),
        *out = numbers<float>((size_t)n * dim);
  timeLaunches("takerows,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(table, ids, out, dim, n); });
  timeLaunches("takerows,fast", beginClean,
               [&] { fast<<<n / 8, dim3(32, 8)>>>(table, ids, out, dim, n); });
}
