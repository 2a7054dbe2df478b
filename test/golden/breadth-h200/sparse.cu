//===- sparse.cu - Sparse matrices and segments ----------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common.h"

__global__ void csrByThread(const int *row, const int *column,
                            const float *value, const float *x, float *y,
                            int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n)
    return;
  float s = 0;
  for (int e = row[r]; e < row[r + 1]; ++e)
    s += value[e] * x[column[e]];
  y[r] = s;
}

__global__ void csrByWarp(const int *row, const int *column,
                          const double *value, const double *x, double *y,
                          int n) {
  int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (r >= n)
    return;
  double s = 0;
  for (int e = row[r] + lane; e < row[r + 1]; e += 32)
    s += value[e] * x[column[e]];
  for (int o = 16; o; o /= 2)
    s += __shfl_down_sync(~0u, s, o);
  if (lane == 0)
    y[r] = s;
}

__global__ void ellRows(const int *column, const float *value, const float *x,
                        float *y, int n, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < width; ++k) {
    int c = column[k * n + r];
    if (c >= 0)
      s += value[k * n + r] * x[c];
  }
  y[r] = s;
}

__global__ void cooAtomics(const int *r, const int *c, const float *value,
                           const float *x, float *y, int entries) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < entries)
    atomicAdd(&y[r[e]], value[e] * x[c[e]]);
}

__global__ void diagonals(const int *offset, int count, const float *value,
                          const float *x, float *y, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int d = 0; d < count; ++d) {
    int c = r + offset[d];
    if (c >= 0 && c < n)
      s += value[d * n + r] * x[c];
  }
  y[r] = s;
}

__global__ void blockRows4(const int *row, const int *column,
                           const float *value, const float *x, float *y) {
  int lane = threadIdx.x % 16, r = (blockIdx.x * blockDim.x + threadIdx.x) / 16;
  int i = lane / 4, j = lane % 4;
  float s = 0;
  for (int b = row[r]; b < row[r + 1]; ++b)
    s += value[b * 16 + lane] * x[column[b] * 4 + j];
  s += __shfl_xor_sync(~0u, s, 1);
  s += __shfl_xor_sync(~0u, s, 2);
  if (j == 0)
    y[r * 4 + i] = s;
}

__global__ void columnDegrees(const int *column, int *degree, int entries) {
  for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < entries;
       e += gridDim.x * blockDim.x)
    atomicAdd(&degree[column[e]], 1);
}

__global__ void segmentMax(const int *start, const float *value, float *out) {
  int from = start[blockIdx.x], to = start[blockIdx.x + 1];
  float best = -1;
  for (int e = from + threadIdx.x; e < to; e += blockDim.x)
    best = fmaxf(best, value[e]);
  __shared__ float line[64];
  line[threadIdx.x] = best;
  __syncthreads();
  for (int s = 32; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      line[threadIdx.x] = fmaxf(line[threadIdx.x], line[threadIdx.x + s]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = line[0];
}

__global__ void countTriangles(const int *row, const int *column, int *count,
                               int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n)
    return;
  int found = 0;
  for (int e = row[v]; e < row[v + 1]; ++e) {
    int w = column[e], a = row[v], b = row[w];
    while (a < row[v + 1] && b < row[w + 1]) {
      int x = column[a], y = column[b];
      found += x == y;
      a += x <= y;
      b += y <= x;
    }
  }
  if (found)
    atomicAdd(count, found);
}

int main() {
  const int n = 1 << 16;
  std::vector<int> row(n + 1), column, rows, ell(24 * n, -1);
  for (int r = 0; r < n; ++r) {
    int width = drawn() % 24, c = drawn() % 200;
    for (int e = 0; e < width; ++e, c = (c + 1 + drawn() % 5000) % n) {
      ell[e * n + r] = c;
      column.push_back(c);
      rows.push_back(r);
    }
    row[r + 1] = column.size();
  }
  int entries = column.size(), *dr = uploaded(row), *dc = uploaded(column);
  float *x = fractions(4 * n), *y = cleared<float>(4 * n),
        *value = fractions(24 * n);
  csrByThread<<<n / 128, 128>>>(dr, dc, value, x, y, n);
  std::vector<int> longRow(4097), longColumn;
  for (int r = 0; r < 4096; ++r) {
    for (int e = 50 + drawn() % 200; e > 0; --e)
      longColumn.push_back(drawn() % n);
    longRow[r + 1] = longColumn.size();
  }
  csrByWarp<<<4096 * 32 / 256, 256>>>(uploaded(longRow), uploaded(longColumn),
                                      cleared<double>(longColumn.size()),
                                      cleared<double>(n), (double *)y, 4096);
  ellRows<<<n / 256, 256>>>(uploaded(ell), value, x, y, n, 24);
  cooAtomics<<<(entries + 255) / 256, 256>>>(uploaded(rows), dc, value, x, y,
                                             entries);
  diagonals<<<n / 256, 256>>>(
      uploaded(std::vector<int>{-300, -17, -1, 0, 1, 17, 300}), 7, value, x, y,
      n);
  std::vector<int> blockRow(n / 4 + 1), blockColumn;
  for (int r = 0; r < n / 4; ++r) {
    for (int e = drawn() % 6; e > 0; --e)
      blockColumn.push_back(drawn() % (n / 4));
    blockRow[r + 1] = blockColumn.size();
  }
  blockRows4<<<n / 4 * 16 / 128, 128>>>(
      uploaded(blockRow), uploaded(blockColumn),
      fractions(blockColumn.size() * 16), x, y);
  columnDegrees<<<132, 512>>>(dc, cleared<int>(n), entries);
  segmentMax<<<4096, 64>>>(uploaded(longRow), value, y);
  countTriangles<<<n / 128, 128>>>(dr, dc, cleared<int>(1), n / 4);
  return finished("sparse");
}
