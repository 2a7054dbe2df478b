//===- tables.cu - Searches, lists, queues and trees -----------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <algorithm>
#include <numeric>

__global__ void binarySearch(const int *keys, int n, const int *wanted,
                             int *at) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int key = wanted[i], low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (keys[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  at[i] = low;
}

__device__ unsigned mixed(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

__global__ void hashInsert(unsigned *keys, unsigned *values, unsigned mask,
                           const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned key = in[i] + 1, slot = mixed(key) & mask;
  while (true) {
    unsigned old = atomicCAS(&keys[slot], 0u, key);
    if (old == 0 || old == key) {
      values[slot] = i;
      return;
    }
    slot = (slot + 1) & mask;
  }
}

__global__ void hashProbe(const unsigned *keys, const unsigned *values,
                          unsigned mask, const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned key = in[i] + 1, slot = mixed(key) & mask;
  int found = -1;
  while (keys[slot] != 0) {
    if (keys[slot] == key) {
      found = values[slot];
      break;
    }
    slot = (slot + 1) & mask;
  }
  out[i] = found;
}

__global__ void chase(const int *next, int *out, int hops) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = i;
  for (int k = 0; k < hops; ++k)
    at = next[at];
  out[i] = at;
}

__global__ void listLengths(const int *head, const int *next, int *length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = 0;
  for (int at = head[i]; at >= 0; at = next[at])
    ++n;
  length[i] = n;
}

__global__ void compactByQueue(const int *in, int *queue, int *count,
                               int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] < limit)
    queue[atomicAdd(count, 1)] = in[i];
}

__global__ void workQueue(const int *work, int *next, int *done, int n) {
  __shared__ int item;
  while (true) {
    if (threadIdx.x == 0)
      item = atomicAdd(next, 1);
    __syncthreads();
    int mine = item;
    __syncthreads();
    if (mine >= n)
      return;
    float x = threadIdx.x;
    for (int k = 0; k < work[mine]; ++k)
      x = x * 0.99f + 0.5f;
    done[mine * blockDim.x + threadIdx.x] = (int)x;
  }
}

__global__ void breadthStep(const int *row, const int *column, int *level,
                            int depth, int n, int *more) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || level[v] != depth)
    return;
  for (int e = row[v]; e < row[v + 1]; ++e) {
    int to = column[e];
    if (level[to] < 0) {
      level[to] = depth + 1;
      *more = 1;
    }
  }
}

struct Node {
  float split;
  short feature, left;
};

__global__ void decisionTrees(const Node *nodes, int depth, int trees,
                              const float *rows, int features, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < trees; ++t) {
    int at = 0;
    for (int d = 0; d < depth; ++d) {
      Node node = nodes[(t << depth) + at];
      at = 2 * at + 1 + (rows[i * features + node.feature] > node.split);
    }
    sum += at;
  }
  out[i] = sum;
}

__global__ void bloomTest(const unsigned *filter, unsigned bits, const int *in,
                          unsigned char *maybe) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned h = mixed(in[i]), g = mixed(h) | 1;
  bool all = true;
  for (int k = 0; k < 6 && all; ++k) {
    unsigned b = (h + k * g) % bits;
    all = filter[b >> 5] >> (b & 31) & 1;
  }
  maybe[i] = all;
}

__global__ void unionSets(int *parent, const int *from, const int *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int a = from[i], b = to[i];
  while (true) {
    while (a != parent[a])
      a = parent[a];
    while (b != parent[b])
      b = parent[b];
    if (a == b)
      return;
    if (a < b) {
      int t = a;
      a = b;
      b = t;
    }
    int old = atomicCAS(&parent[a], a, b);
    if (old == a)
      return;
  }
}

int main() {
  const int n = 1 << 18;
  std::vector<int> sorted(4 * n);
  for (int &x : sorted)
    x = drawn() >> 4;
  std::sort(sorted.begin(), sorted.end());
  int *wanted = numbers(n, 1 << 28), *out = cleared<int>(4 * n);
  binarySearch<<<n / 256, 256>>>(uploaded(sorted), 4 * n, wanted, out);
  unsigned *keys = cleared<unsigned>(2 * n), *values = cleared<unsigned>(2 * n);
  hashInsert<<<n / 256, 256>>>(keys, values, 2 * n - 1, wanted);
  hashProbe<<<n / 128, 128>>>(keys, values, 2 * n - 1, wanted, out);

  std::vector<int> order(n), next(n);
  std::iota(order.begin(), order.end(), 0);
  for (int k = n - 1; k > 0; --k)
    std::swap(order[k], order[drawn() % k]);
  for (int k = 0; k < n; ++k)
    next[order[k]] = order[(k + 1) % n];
  chase<<<64, 64>>>(uploaded(next), out, 40);
  std::vector<int> heads(n / 4, -1), link(n);
  for (int k = 0; k < n; ++k) {
    int list = drawn() % (n / 4);
    link[k] = heads[list];
    heads[list] = k;
  }
  listLengths<<<n / 4 / 128, 128>>>(uploaded(heads), uploaded(link), out);
  int *count = cleared<int>(4);
  compactByQueue<<<n / 256, 256>>>(wanted, out, count, 1 << 26);
  std::vector<int> work(2000);
  for (int &x : work)
    x = drawn() % 3000;
  workQueue<<<264, 128>>>(uploaded(work), count + 1, out, 2000);

  std::vector<int> row(n + 1), column;
  for (int v = 0; v < n; ++v) {
    for (int e = drawn() % 9; e > 0; --e)
      column.push_back(drawn() % n);
    row[v + 1] = column.size();
  }
  std::vector<int> level(n, -1);
  level[0] = level[7] = 0;
  int *rows = uploaded(row), *columns = uploaded(column),
      *levels = uploaded(level), more = 1;
  for (int depth = 0; more && depth < 20; ++depth) {
    more = 0;
    cudaMemcpy(count + 2, &more, 4, cudaMemcpyHostToDevice);
    breadthStep<<<n / 256, 256>>>(rows, columns, levels, depth, n, count + 2);
    cudaMemcpy(&more, count + 2, 4, cudaMemcpyDeviceToHost);
  }

  std::vector<Node> nodes(20 << 8);
  for (Node &x : nodes)
    x = {(drawn() % 1000) / 1000.0f, (short)(drawn() % 16), 0};
  float *features = fractions(16 * n / 4);
  decisionTrees<<<n / 4 / 128, 128>>>(uploaded(nodes), 7, 20, features, 16,
                                      (float *)out);
  bloomTest<<<n / 256, 256>>>((unsigned *)numbers(1 << 15, ~0u), 32 << 15,
                              wanted, (unsigned char *)out);
  std::vector<int> own(n);
  std::iota(own.begin(), own.end(), 0);
  unionSets<<<n / 256, 256>>>(uploaded(own), numbers(n, n), numbers(n, n));
  return finished("tables");
}
