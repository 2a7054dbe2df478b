// Rows of a block that are shorter than a warp are made longer, and small blocks
// larger; blocks whose rows are whole warps stay. A launch that takes longer than its kernel is told so.
// A loop that strides over a grid with few blocks wants more of them; one whose
// blocks have work of their own, and one that fills the device, do not. Blocks
// whose threads share a row become larger, unless shared memory does not hold what
// they write, and smaller where most of their warps find nothing to do. Blocks of
// one warp become warps of larger ones, unless they are few or meet at barriers;
// those of less than a warp become lanes, unless their threads work together.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=narrow:grid=1024x64,block=4x64,width=4096 \
// RUN:   -mllvm -gpu-occupancy-launch=small:grid=1024x1024,block=4x4,width=4096 \
// RUN:   -mllvm -gpu-occupancy-launch=wide:grid=128x512,block=32x8,width=4096 \
// RUN:   -mllvm '-gpu-occupancy-launch=/strides|ownRows/:grid=66,block=256,n=16777216' \
// RUN:   -mllvm -gpu-occupancy-launch=full:grid=4096,block=256,n=16777216 \
// RUN:   -mllvm '-gpu-occupancy-launch=/rowOfBlock|rowOfSmallBlock/:grid=24,block=128,n=128000' \
// RUN:   -mllvm -gpu-occupancy-launch=shortRow:grid=65536,block=1024,n=256 \
// RUN:   -mllvm -gpu-occupancy-launch=longRow:grid=65536,block=1024,n=8192 \
// RUN:   -mllvm -gpu-occupancy-launch=oneWarp:grid=262144,block=32,w=24 \
// RUN:   -mllvm -gpu-occupancy-launch=fewWarps:grid=132,block=32,w=24 \
// RUN:   -mllvm -gpu-occupancy-launch=meets:grid=262144,block=32,w=24 \
// RUN:   -mllvm -gpu-occupancy-launch=oneThread:grid=1048576,block=1 \
// RUN:   -mllvm '-gpu-occupancy-launch=/eightThreads|eightTogether/:grid=131072,block=8' \
// RUN:   -Rpass-analysis=gpu-occupancy -mllvm -gpu-occupancy-launch=once:grid=1,block=32 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: LaunchShape.cu:[[@LINE+2]]:{{[0-9]+}}: remark: 'narrow'
// CHECK: LaunchShape.cu:[[@LINE+1]]:{{[0-9]+}}: remark: a row of the block is shorter than a warp, whose requests touch several rows of memory; launch blocks of {{32x8|64x4|128x2}} instead of 4x64 in a grid of {{.*}}. Estimated gain: {{1\.[5-9]|2}}
__global__ void narrow(float *out, const float *in, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = in[y * width + x] * 2;
}

// CHECK: remark: 'small'
// CHECK: remark: a row of the block is shorter than a warp, whose requests touch several rows of memory; launch blocks of {{16x16|32x8}} instead of 4x4 in a grid of {{256x256|128x512}}. Estimated gain: {{[3-9]|1[0-9]}}
__global__ void small(float *out, const float *in, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = in[y * width + x] * 2;
}

// CHECK: remark: 'wide'
// CHECK-NOT: shorter than a warp
__global__ void wide(float *out, const float *in, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = in[y * width + x] * 2;
}

// CHECK: remark: 'once'
// CHECK: remark: launching the kernel takes {{.*}} of its {{.*}}; do more in one launch, fuse it with the kernels around it, or put them into a CUDA graph
__global__ void once(float *out) { out[threadIdx.x] = 1; }

// CHECK: remark: 'strides'
// CHECK: remark: the SMs have room for {{[0-9]+}} blocks at a time, and the grid has 66; threads share the work among the blocks of the grid, so launch [[N:[0-9]+]]. Estimated gain: {{([5-9]|1[0-2])}}
__global__ void strides(float *out, const float *in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    out[i] = in[i] * 2;
}

// CHECK: remark: 'ownRows'
// CHECK-NOT: the SMs have room for
__global__ void ownRows(float *out, const float *in, int n) {
  for (int i = threadIdx.x; i < n / 66; i += blockDim.x)
    out[blockIdx.x * (n / 66) + i] = in[blockIdx.x * (n / 66) + i] * 2;
}

// CHECK: remark: 'full'
// CHECK-NOT: the SMs have room for
__global__ void full(float *out, const float *in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    out[i] = in[i] * 2;
}

// Threads of a block share a row, and few blocks leave places empty.
// CHECK: remark: 'rowOfBlock'
// CHECK: remark: the threads of a block share a loop, and the grid leaves places on the SMs empty; launch blocks of 1024 instead of 128 in a grid of 24. Estimated gain: {{[4-8]}}
__global__ void rowOfBlock(float *out, const float *in, int n) {
  __shared__ float part[1024];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += in[blockIdx.x * n + i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s; s /= 2) {
    if (threadIdx.x < s)
      part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = part[0];
}

// More threads have no room in shared memory.
// CHECK: remark: 'rowOfSmallBlock'
// CHECK-NOT: the threads of a block share a loop
__global__ void rowOfSmallBlock(float *out, const float *in, int n) {
  __shared__ float part[128];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += in[blockIdx.x * n + i];
  part[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = part[0] + part[64];
}

// CHECK: remark: 'shortRow'
// CHECK: remark: the threads of a block share a loop that is over before half of its warps have something to do; launch blocks of {{64|128|256}} instead of 1024 in a grid of 65536. Estimated gain: {{[3-9]}}
__global__ void shortRow(float *out, const float *in, int n) {
  __shared__ float part[32];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += in[blockIdx.x * n + i];
  for (int k = 16; k > 0; k /= 2)
    sum += __shfl_down_sync(~0u, sum, k);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    sum = 0;
    for (int w = 0; w < blockDim.x / 32; w++)
      sum += part[w];
    out[blockIdx.x] = sum;
  }
}

// CHECK: remark: 'longRow'
// CHECK-NOT: that is over before
__global__ void longRow(float *out, const float *in, int n) {
  __shared__ float part[32];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += in[blockIdx.x * n + i];
  for (int k = 16; k > 0; k /= 2)
    sum += __shfl_down_sync(~0u, sum, k);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    sum = 0;
    for (int w = 0; w < blockDim.x / 32; w++)
      sum += part[w];
    out[blockIdx.x] = sum;
  }
}

// CHECK: remark: 'oneWarp'
// CHECK: remark: blocks of one warp end soon and start one after the other; launch blocks of 32x8 instead of 32 in a grid of 32768, and let each warp (threadIdx.y) do the work of a block. Estimated gain: {{[4-6]\.}}
__global__ void oneWarp(float *out, const float *in, int w) {
  int r = blockIdx.x, c = threadIdx.x;
  float v = c < w ? in[r * w + c] : 0, s = v;
  for (int o = 16; o; o >>= 1)
    s += __shfl_xor_sync(~0u, s, o);
  if (c < w)
    out[r * w + c] = v - s;
}

// CHECK: remark: 'fewWarps'
// CHECK-NOT: blocks of one warp
__global__ void fewWarps(float *out, const float *in, int w) {
  int r = blockIdx.x, c = threadIdx.x;
  float v = c < w ? in[r * w + c] : 0, s = v;
  for (int o = 16; o; o >>= 1)
    s += __shfl_xor_sync(~0u, s, o);
  if (c < w)
    out[r * w + c] = v - s;
}

// CHECK: remark: 'meets'
// CHECK: remark: blocks of one warp end soon and start one after the other; launch blocks of 32x8 instead of 32 in a grid of 32768, and let each warp (threadIdx.y) do the work of a block, in shared arrays of its own and with __syncwarp() for __syncthreads(). Estimated gain: {{[2-6]\.}}
__global__ void meets(float *out, const float *in, int w) {
  __shared__ float s[32];
  int c = threadIdx.x;
  s[c] = c < w ? in[blockIdx.x * w + c] : 0;
  __syncthreads();
  if (c < w)
    out[blockIdx.x * w + c] = s[31 - c];
}

// CHECK: remark: 'oneThread'
// CHECK-NOT: choose a multiple of 32
// CHECK: remark: a block of 1 thread leaves the other lanes of its warp empty, and blocks start one after the other; launch blocks of {{128|256}} instead of 1 in a grid of {{4096|8192}}, and let each thread do the work of a block: blockIdx.x * blockDim.x + threadIdx.x instead of blockIdx.x. Estimated gain: {{1[0-9][0-9]x}}
__global__ void oneThread(float *out, const float *in) {
  out[blockIdx.x] = in[blockIdx.x] * 2;
}

// CHECK: remark: 'eightThreads'
// CHECK: remark: a block of 8 threads leaves the other lanes of its warp empty, and blocks start one after the other; launch blocks of 256 instead of 8 in a grid of 4096, and let each 8 threads do the work of a block: blockIdx.x * 32 + threadIdx.x / 8 instead of blockIdx.x, and threadIdx.x % 8 instead of threadIdx.x. Estimated gain: {{1[0-9]}}
__global__ void eightThreads(float *out, const float *in) {
  out[blockIdx.x * 8 + threadIdx.x] = in[blockIdx.x * 8 + threadIdx.x] * 2;
}

// CHECK: remark: 'eightTogether'
// CHECK-NOT: leaves the other lanes
__global__ void eightTogether(float *out, const float *in) {
  float v = in[blockIdx.x * 8 + threadIdx.x];
  out[blockIdx.x * 8 + threadIdx.x] = v + __shfl_xor_sync(255u, v, 1);
}
