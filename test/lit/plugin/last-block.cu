// The block that an atomic counter finds last is one of the grid: its first
// thread tells the others through shared memory.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=sum:grid=100,block=64 \
// RUN:   -mllvm -gpu-occupancy-report-file=%t.json %s -o /dev/null
// RUN: FileCheck %s < %t.json

__global__ void sum(const float *in, float *out, unsigned *count) {
  __shared__ bool isLast;
  out[blockIdx.x] = in[blockIdx.x];
  __threadfence();
  if (threadIdx.x == 0)
    isLast = atomicAdd(count, 1) == gridDim.x - 1;
  __syncthreads();
  if (isLast)
    // CHECK: "executions_per_warp": 0.01,
    // CHECK: "line": [[@LINE+1]],
    out[100 + threadIdx.x] = 1;
}
