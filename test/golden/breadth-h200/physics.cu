//===- physics.cu - Particles, fields and graphs ---------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common.h"

__constant__ int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ float wt[9] = {4 / 9.f,  1 / 9.f,  1 / 9.f,  1 / 9.f, 1 / 9.f,
                            1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};

__global__ void latticeStep(const float *in, float *out, int w, int h,
                            float omega) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  float f[9], rho = 0, ux = 0, uy = 0;
  for (int k = 0; k < 9; ++k) {
    int sx = (x - ex[k] + w) % w, sy = (y - ey[k] + h) % h;
    f[k] = in[k * w * h + sy * w + sx] + 0.5f;
    rho += f[k];
    ux += f[k] * ex[k];
    uy += f[k] * ey[k];
  }
  ux /= rho;
  uy /= rho;
  for (int k = 0; k < 9; ++k) {
    float e = ex[k] * ux + ey[k] * uy;
    float eq =
        wt[k] * rho * (1 + 3 * e + 4.5f * e * e - 1.5f * (ux * ux + uy * uy));
    out[k * w * h + y * w + x] = f[k] + omega * (eq - f[k]);
  }
}

// Forces of near particles by lists of neighbours; those too far are left out.
__global__ void pairForces(const float4 *at, const int *neighbour, int most,
                           float3 *force, int n, float cut) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 p = at[i];
  float3 f = {0, 0, 0};
  for (int k = 0; k < most; ++k) {
    float4 q = at[neighbour[k * n + i]];
    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z,
          r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < cut && r2 > 0) {
      float i2 = 1 / r2, i6 = i2 * i2 * i2, s = i6 * (i6 - 0.5f) * i2;
      f.x += s * dx;
      f.y += s * dy;
      f.z += s * dz;
    }
  }
  force[i] = f;
}

__global__ void depositCharge(const float2 *at, float *grid, int side, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = at[i].x * (side - 1), y = at[i].y * (side - 1);
  int cx = (int)x, cy = (int)y;
  float ax = x - cx, ay = y - cy;
  atomicAdd(&grid[cy * side + cx], (1 - ax) * (1 - ay));
  atomicAdd(&grid[cy * side + cx + 1], ax * (1 - ay));
  atomicAdd(&grid[(cy + 1) * side + cx], (1 - ax) * ay);
  atomicAdd(&grid[(cy + 1) * side + cx + 1], ax * ay);
}

__global__ void cellCounts(const float3 *at, int *count, int cells, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float3 p = at[i];
  int c = ((int)(p.z * cells) * cells + (int)(p.y * cells)) * cells +
          (int)(p.x * cells);
  atomicAdd(&count[c], 1);
}

__global__ void raysAgainstTriangles(const float3 *origin, const float *tri,
                                     int count, int *hit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float3 o = origin[i];
  float best = 1e30f;
  int at = -1;
  for (int t = 0; t < count; ++t) {
    const float *v = tri + 9 * t;
    float ax = v[3] - v[0], ay = v[4] - v[1], az = v[5] - v[2];
    float bx = v[6] - v[0], by = v[7] - v[1], bz = v[8] - v[2];
    float px = -by, py = bx, det = ax * px + ay * py;
    if (fabsf(det) < 1e-6f)
      continue;
    float inv = 1 / det, sx = o.x - v[0], sy = o.y - v[1], sz = o.z - v[2];
    float u = (sx * px + sy * py) * inv;
    if (u < 0 || u > 1)
      continue;
    float qx = sy * az - sz * ay, qy = sz * ax - sx * az,
          qz = sx * ay - sy * ax;
    float w = qz * inv;
    if (w < 0 || u + w > 1)
      continue;
    float d = (bx * qx + by * qy + bz * qz) * inv;
    if (d < best) {
      best = d;
      at = t;
    }
  }
  hit[i] = at;
}

__global__ void wave3d(const float *p, const float *q, float *r, int n) {
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y,
      z = blockIdx.z * 8 + threadIdx.z;
  if (x < 2 || y < 2 || z < 2 || x >= n - 2 || y >= n - 2 || z >= n - 2)
    return;
  int at = (z * n + y) * n + x;
  float s = -7.5f * p[at];
  s += 1.33f * (p[at - 1] + p[at + 1] + p[at - n] + p[at + n] + p[at - n * n] +
                p[at + n * n]);
  s -= 0.083f * (p[at - 2] + p[at + 2] + p[at - 2 * n] + p[at + 2 * n] +
                 p[at - 2 * n * n] + p[at + 2 * n * n]);
  r[at] = 2 * p[at] - q[at] + 0.1f * s;
}

__global__ void rankPush(const int *row, const int *column, const float *rank,
                         float *next, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n)
    return;
  int from = row[v], to = row[v + 1];
  float share = 0.85f * rank[v] / max(to - from, 1);
  for (int e = from; e < to; ++e)
    atomicAdd(&next[column[e]], share);
}

__global__ void relax(const int *row, const int *column, const int *weight,
                      int *distance, int *changed, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n)
    return;
  int own = distance[v];
  if (own == 1 << 29)
    return;
  for (int e = row[v]; e < row[v + 1]; ++e)
    if (atomicMin(&distance[column[e]], own + weight[e]) > own + weight[e])
      *changed = 1;
}

__global__ void colorFirstFit(const int *row, const int *column, int *color,
                              int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n)
    return;
  unsigned used = 0;
  for (int e = row[v]; e < row[v + 1]; ++e)
    if (column[e] < v && color[column[e]] >= 0)
      used |= 1u << color[column[e]];
  color[v] = __ffs(~used) - 1;
}

__global__ void dctBlocks(const float *in, float *out, int w) {
  __shared__ float tile[8][9], part[8][9];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * 8 + y) * w + blockIdx.x * 8 + x];
  __syncthreads();
  float s = 0;
  for (int k = 0; k < 8; ++k)
    s += tile[y][k] * cosf((2 * k + 1) * x * 0.19634954f);
  part[y][x] = s;
  __syncthreads();
  s = 0;
  for (int k = 0; k < 8; ++k)
    s += part[k][x] * cosf((2 * k + 1) * y * 0.19634954f);
  out[(blockIdx.y * 8 + y) * w + blockIdx.x * 8 + x] = s;
}

__global__ void kmeansAssign(const float *points, const float *centre, int k,
                             int dims, int n, int *label) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float best = 1e30f;
  int at = 0;
  for (int c = 0; c < k; ++c) {
    float d = 0;
    for (int j = 0; j < dims; ++j) {
      float t = points[i * dims + j] - centre[c * dims + j];
      d += t * t;
    }
    if (d < best) {
      best = d;
      at = c;
    }
  }
  label[i] = at;
}

int main() {
  const int n = 1 << 18;
  float *f = fractions(16 * n), *g = cleared<float>(16 * n);
  latticeStep<<<dim3(16, 128), dim3(32, 4)>>>(f, g, 512, 512, 1.1f);
  pairForces<<<n / 8 / 128, 128>>>((float4 *)f, numbers(32 * n / 8, n / 8), 32,
                                   (float3 *)g, n / 8, 0.3f);
  depositCharge<<<n / 256, 256>>>((float2 *)f, g, 300, n);
  cellCounts<<<n / 256, 256>>>((float3 *)f, (int *)g, 16, n);
  raysAgainstTriangles<<<16384 / 128, 128>>>((float3 *)f, f + n, 500, (int *)g);
  wave3d<<<dim3(16, 16, 16), dim3(8, 8, 8)>>>(f, f + 8 * n, g, 128);
  const int vertices = 1 << 16;
  std::vector<int> row(vertices + 1), column, weight;
  for (int v = 0; v < vertices; ++v) {
    int degree = drawn() % 100 ? 2 + drawn() % 8 : 200;
    for (int e = 0; e < degree; ++e) {
      column.push_back(drawn() % vertices);
      weight.push_back(1 + drawn() % 50);
    }
    row[v + 1] = column.size();
  }
  int *rows = uploaded(row), *columns = uploaded(column),
      *weights = uploaded(weight);
  rankPush<<<vertices / 256, 256>>>(rows, columns, f, g, vertices);
  std::vector<int> far(vertices, 1 << 29);
  far[3] = 0;
  int *distance = uploaded(far), *flag = cleared<int>(1), changed = 1;
  for (int k = 0; changed && k < 30; ++k) {
    cudaMemset(flag, 0, 4);
    relax<<<vertices / 128, 128>>>(rows, columns, weights, distance, flag,
                                   vertices);
    cudaMemcpy(&changed, flag, 4, cudaMemcpyDeviceToHost);
  }
  int *color = uploaded(std::vector<int>(vertices, -1));
  colorFirstFit<<<vertices / 128, 128>>>(rows, columns, color, vertices);
  dctBlocks<<<dim3(128, 64), dim3(8, 8)>>>(f, g, 1024);
  kmeansAssign<<<n / 4 / 256, 256>>>(f, f + n, 20, 16, n / 4, (int *)g);
  return finished("physics");
}
