// Odd and even lanes on different sides are found. A bounds check is not: it
// diverges in one warp of the grid. A condition that agrees in each warp is not
// either.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=/by/:grid=105600,block=256 \
// RUN:   -mllvm -gpu-occupancy-launch=guarded:grid=105600,block=256,n=27033590 %s -o /dev/null 2>&1 | FileCheck %s

__device__ float work(float x, float a) {
#pragma unroll 1
  for (int i = 0; i < 64; ++i)
    x = x * a + a;
  return x;
}

// CHECK: remark: 'byParity'
__global__ void byParity(float *data) {
  float x = data[threadIdx.x];
  // CHECK: DivergentBranch.cu:[[@LINE+1]]:{{[0-9]+}}: remark: divergent branch: in 100 % of its executions the lanes of a warp go both ways {{.*}} 50 % of the lanes on one side); let the condition agree within each 32 lanes. Estimated gain: 1.
  if (threadIdx.x % 2)
    x = work(x, 1.5f);
  else
    x = work(x, 2.5f);
  data[threadIdx.x] = x;
}

// CHECK: remark: 'guarded'
// CHECK-NOT: divergent branch
__global__ void guarded(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = work(data[i], 1.5f);
}

// CHECK: remark: 'byWarp'
// CHECK-NOT: divergent branch
__global__ void byWarp(float *data) {
  float x = data[threadIdx.x];
  if (threadIdx.x / 32 % 2)
    x = work(x, 1.5f);
  else
    x = work(x, 2.5f);
  data[threadIdx.x] = x;
}
