//===- row_sums.cu - Rows read by threads, and by warps --------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread adds up a row of a matrix: neighbouring lanes are a row apart.
// The mended kernel reads the transposed matrix.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

__global__ void naive(float *sums, const float *rows, int count, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < length; ++k)
    sum += rows[(long)i * length + k];
  sums[i] = sum;
}

__global__ void fixed(float *sums, const float *columns, int count,
                      int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < length; ++k)
    sum += columns[(long)k * count + i];
  sums[i] = sum;
}

int main() {
  int count = 1 << 18, length = 150;
  std::vector<float> rows = noise(std::size_t(count) * length);
  std::vector<float> columns(rows.size());
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < length; ++k)
      columns[std::size_t(k) * count + i] = rows[std::size_t(i) * length + k];
  DeviceArray<float> deviceRows(rows), deviceColumns(columns);
  DeviceArray<float> naiveSums(count), fixedSums(count);
  Pair pair("row_sums");
  while (pair.next("naive"))
    naive<<<count / 256, 256>>>(naiveSums, deviceRows, count, length);
  while (pair.next("fixed"))
    fixed<<<count / 256, 256>>>(fixedSums, deviceColumns, count, length);
  return compare(naiveSums.toHost(), fixedSums.toHost());
}
