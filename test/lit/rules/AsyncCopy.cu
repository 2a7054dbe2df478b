// A loop that waits at a barrier for a tile is told to copy the next one ahead;
// one that computes with what it loads before storing it is not.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=tiles:grid=264,block=256,count=128 \
// RUN:   -mllvm -gpu-occupancy-launch=scaled:grid=264,block=256,count=128 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'tiles'
__global__ void tiles(float *out, const float *in, int count) {
  __shared__ float tile[256];
  float sum = 0;
  for (int t = 0; t < count; ++t) {
    // CHECK: AsyncCopy.cu:[[@LINE+1]]:{{[0-9]+}}: remark: all warps of a block wait at a barrier for 1 load into shared memory; copy the next tile with cp.async while this one is used (2048 B of shared memory per block instead of 1024). Estimated gain: {{[1-9]}}
    tile[threadIdx.x] = in[(t * gridDim.x + blockIdx.x) * 256 + threadIdx.x];
    __syncthreads();
    sum += tile[threadIdx.x ^ 1] * tile[threadIdx.x ^ 2];
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// CHECK: remark: 'scaled'
// CHECK-NOT: wait at a barrier
__global__ void scaled(float *out, const float *in, int count) {
  __shared__ float tile[256];
  float sum = 0;
  for (int t = 0; t < count; ++t) {
    tile[threadIdx.x] =
        in[(t * gridDim.x + blockIdx.x) * 256 + threadIdx.x] * sum;
    __syncthreads();
    sum += tile[threadIdx.x ^ 1] * tile[threadIdx.x ^ 2];
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
