// Threads that load the same words are told to compute several outputs; threads
// that have nothing in common, and loops of different length, are not.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=product:grid=32x32,block=32x32,n=1024 \
// RUN:   -mllvm -gpu-occupancy-launch=rows:grid=1024,block=32x8 \
// RUN:   -mllvm -gpu-occupancy-launch=flagged:grid=128x512,block=32x8,n=4096 \
// RUN:   -mllvm -gpu-occupancy-launch=triangle:grid=256,block=32x8 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'product'
__global__ void product(float *c, const float *a, const float *b, int n) {
  __shared__ float tileA[32][32], tileB[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
  float sum = 0;
  for (int t = 0; t < n; t += 32) {
    tileA[y][x] = a[row * n + t + x];
    tileB[y][x] = b[(t + y) * n + column];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      // CHECK: MoreWorkPerThread.cu:[[@LINE+1]]:{{[0-9]+}}: remark: threads that differ in y alone repeat {{[0-9]+}} % of the instructions, {{[0-9]+}} % of the wavefronts of shared memory; let one thread compute 8 outputs along y, in blocks of 32x4 (about {{[0-9]+}} registers per thread instead of {{[0-9]+}}, {{[0-9]+}} warps per SM instead of {{[0-9]+}}). Estimated gain: {{[2-4]}}
      sum += tileA[y][k] * tileB[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// Bound by DRAM, which no thread loads twice.
// CHECK: remark: 'rows'
// CHECK-NOT: repeat
__global__ void rows(float *out, const float *in) {
  int at = (blockIdx.x * 8 + threadIdx.y) * 4096 + threadIdx.x;
#pragma unroll 8
  for (int k = 0; k < 128; ++k)
    out[at + k * 32] = in[at + k * 32] * 2;
}

// Merged threads would leave the loop at different times.
// CHECK: remark: 'triangle'
// CHECK-NOT: that differ in y alone
__global__ void triangle(float *out, const float *in) {
  float sum = 0;
  for (int k = 0; k < int(threadIdx.y) * 64; ++k)
    sum += in[k * 32 + threadIdx.x];
  out[(blockIdx.x * 8 + threadIdx.y) * 32 + threadIdx.x] = sum;
}

// Each output stores to the flag for itself, if it does.
// CHECK: remark: 'flagged'
// CHECK-NOT: Estimated gain: {{[3-9]}}
__global__ void flagged(const float *in, float *out, int *changed, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= n - 1 || y >= n - 1)
    return;
  float v = 0.25f * (in[y * n + x - 1] + in[y * n + x + 1] +
                     in[(y - 1) * n + x] + in[(y + 1) * n + x]);
  out[y * n + x] = v;
  if (fabsf(v - in[y * n + x]) > 1e-6f)
    *changed = 1;
}

// No launch is known, and blocks along y or z would do the same again.
// CHECK: remark: 'oneDimension'
// CHECK-NOT: that differ in {{[yz]}} alone
__global__ void oneDimension(float *out, const float *in) {
  __shared__ float tile[64];
  tile[threadIdx.x & 31] = in[threadIdx.x & 31];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 1000; ++k) {
    volatile float *at = tile;
    sum += at[(threadIdx.x + k) & 31];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Rows that neighbours along y load as well: in a loop, and one by one.
// CHECK: remark: 'columnMean'
__global__ void columnMean(float *out, const float *in) {
  int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 31; k++)
    // CHECK: MoreWorkPerThread.cu:[[@LINE+1]]:{{[0-9]+}}: remark: blocks that differ in y alone repeat {{[0-9]+}} % of the instructions, {{[0-9]+}} % of the sectors loaded; let one thread compute {{[48]}} outputs along y
    sum += in[(y + k) * 4096 + x];
  out[y * 4096 + x] = sum;
}

// What the kernel writes, others may read changed.
// CHECK: remark: 'inPlace'
// CHECK-NOT: of the sectors loaded
__global__ void inPlace(float *a) {
  int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 31; k++)
    sum += a[(y + k) * 4096 + x];
  a[y * 4096 + x] = sum;
}
