// Sums by halves in shared memory are told to shuffle, in a loop and unrolled,
// and so are prefix sums; sums of columns and what shuffles already are not.
// Barriers around what only the lanes of a warp exchange are told to be those of
// a warp.
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
__global__ void prefix(float *sums, const float *in) {
  __shared__ float part[256];
  int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  part[tid] = in[i];
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    float before = tid >= s ? part[tid - s] : 0;
    __syncthreads();
    // CHECK: WarpShuffle.cu:[[@LINE+1]]:{{[0-9]+}}: remark: a prefix sum in 8 steps in shared memory, in each of which all threads of the block wait; let each warp add up its lanes with __shfl_up_sync, put the last sum of each warp into shared memory, let one warp add up these, and add to each warp the sum of those in front of it. Estimated gain: {{[1-9]}}
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

// The same, from one half of an array to the other, unrolled.
// CHECK: remark: 'ahead'
__global__ void ahead(int *out, const int *in) {
  __shared__ int part[512];
  int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  part[tid] = 0;
  part[256 + tid] = in[i];
  __syncthreads();
#pragma unroll
  for (int s = 1; s < 256; s *= 2) {
    int sum = part[256 + tid] + part[256 + tid - s];
    __syncthreads();
    // CHECK: remark: a prefix sum in {{[78]}} steps in shared memory
    part[256 + tid] = sum;
    __syncthreads();
  }
  out[i] = part[256 + tid];
}

// Up a tree and down again.
// CHECK: remark: 'upAndDown'
__global__ void upAndDown(int *out, const int *in) {
  __shared__ int part[512];
  int tid = threadIdx.x, at = blockIdx.x * 512;
  part[2 * tid] = in[at + 2 * tid];
  part[2 * tid + 1] = in[at + 2 * tid + 1];
  int offset = 1;
  for (int d = blockDim.x; d > 0; d >>= 1) {
    __syncthreads();
    if (tid < d)
      // CHECK: WarpShuffle.cu:[[@LINE+1]]:{{[0-9]+}}: remark: a prefix sum in 18 steps in shared memory, in each of which all threads of the block wait;
      part[offset * (2 * tid + 2) - 1] += part[offset * (2 * tid + 1) - 1];
    offset *= 2;
  }
  if (tid == 0)
    part[511] = 0;
  for (int d = 1; d <= blockDim.x; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (tid < d) {
      int left = part[offset * (2 * tid + 1) - 1];
      part[offset * (2 * tid + 1) - 1] = part[offset * (2 * tid + 2) - 1];
      part[offset * (2 * tid + 2) - 1] += left;
    }
  }
  __syncthreads();
  out[at + 2 * tid] = part[2 * tid];
  out[at + 2 * tid + 1] = part[2 * tid + 1];
}

// Differences are none: what a transform by halves hands on has two forms.
// CHECK: remark: 'transform'
// CHECK-NOT: a prefix sum
__global__ void transform(float *out, const float *in) {
  __shared__ float part[256];
  int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  part[tid] = in[i];
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    float own = part[tid], other = part[tid ^ s];
    __syncthreads();
    part[tid] = tid & s ? other - own : own + other;
    __syncthreads();
  }
  out[i] = part[tid];
}

// The lanes of a warp hold different columns.
// CHECK: remark: 'prefixColumns'
// CHECK-NOT: a prefix sum
__global__ void prefixColumns(float *sums, const float *in) {
  __shared__ float part[8][32];
  int x = threadIdx.x % 32, y = threadIdx.x / 32;
  part[y][x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (int s = 1; s < blockDim.x / 32; s *= 2) {
    float before = y >= s ? part[y - s][x] : 0;
    __syncthreads();
    part[y][x] += before;
    __syncthreads();
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = part[y][x];
}

// CHECK: remark: 'inWarps'
__global__ void inWarps(float *out, const float *in) {
  __shared__ float part[256];
  int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  float v = in[i];
  for (int k = 0; k < 64; ++k) {
    part[tid] = v;
    // CHECK: WarpShuffle.cu:[[@LINE+1]]:{{[0-9]+}}: remark: a warp reads from shared memory only what its own lanes wrote, and waits for the whole block 128 times; let its lanes wait for each other with __syncwarp in place of __syncthreads, or exchange registers with __shfl_sync. Estimated gain: {{[1-9]}}
    __syncthreads();
    v = 0.5f * (part[tid ^ 1] + part[tid ^ 16]);
    __syncthreads();
  }
  out[i] = v;
}

// CHECK: remark: 'acrossWarps'
// CHECK-NOT: only what its own lanes wrote
__global__ void acrossWarps(float *out, const float *in) {
  __shared__ float part[256];
  int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  float v = in[i];
  for (int k = 0; k < 64; ++k) {
    part[tid] = v;
    __syncthreads();
    v = 0.5f * (part[tid ^ 1] + part[tid ^ 32]);
    __syncthreads();
  }
  out[i] = v;
}
