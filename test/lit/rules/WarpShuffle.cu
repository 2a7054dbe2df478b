// Sums by halves in shared memory are told to shuffle, in a loop and unrolled;
// prefix sums, sums of columns and what shuffles already are not.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=/./:grid=65536,block=256 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'looped'
__global__ void looped(float *sums, const float *in) {
  __shared__ float part[256];
  int tid = threadIdx.x;
  part[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s)
      // CHECK: WarpShuffle.cu:[[@LINE+1]]:{{[0-9]+}}: remark: a tree of 8 steps in shared memory, each of which waits for the one before; let each warp combine its lanes with __shfl_down_sync, put one word of each warp into shared memory, and let one warp combine these. Estimated gain: {{[1-9]}}
      part[tid] += part[tid + s];
    __syncthreads();
  }
  if (tid == 0)
    sums[blockIdx.x] = part[0];
}

// CHECK: remark: 'unrolled'
__global__ void unrolled(float *sums, const float *in) {
  __shared__ float part[256];
  int tid = threadIdx.x;
  part[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
#pragma unroll
  for (int s = 128; s > 0; s /= 2) {
    if (tid < s)
      // CHECK: WarpShuffle.cu:[[@LINE+1]]:{{[0-9]+}}: remark: a tree of {{[78]}} steps in shared memory
      part[tid] = fmaxf(part[tid], part[tid + s]);
    __syncthreads();
  }
  if (tid == 0)
    sums[blockIdx.x] = part[0];
}

// CHECK: remark: 'prefix'
// CHECK-NOT: a tree of
__global__ void prefix(float *sums, const float *in) {
  __shared__ float part[256];
  int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  part[tid] = in[i];
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    float before = tid >= s ? part[tid - s] : 0;
    __syncthreads();
    part[tid] += before;
    __syncthreads();
  }
  sums[i] = part[tid];
}

// CHECK: remark: 'shuffled'
// CHECK-NOT: a tree of
__global__ void shuffled(float *sums, const float *in) {
  __shared__ float part[8];
  int tid = threadIdx.x;
  float sum = in[blockIdx.x * blockDim.x + tid];
  for (int s = 16; s > 0; s /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, s);
  if (tid % 32 == 0)
    part[tid / 32] = sum;
  __syncthreads();
  if (tid == 0) {
    for (int w = 1; w < 8; ++w)
      sum += part[w];
    sums[blockIdx.x] = sum;
  }
}

// The lanes of a warp hold different columns.
// CHECK: remark: 'columns'
// CHECK-NOT: a tree of
__global__ void columns(float *sums, const float *in) {
  __shared__ float part[8][32];
  int x = threadIdx.x % 32, y = threadIdx.x / 32;
  part[y][x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (int s = blockDim.x / 64; s > 0; s >>= 1) {
    if (y < s)
      part[y][x] += part[y + s][x];
    __syncthreads();
  }
  if (y == 0)
    sums[blockIdx.x * 32 + x] = part[0][x];
}
