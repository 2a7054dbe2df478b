// A loop that each lane leaves at its own time is found, once: the test before
// its first turn is no finding of its own. One that all leave together is not.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=ownTime:grid=105600,block=256 \
// RUN:   -mllvm -gpu-occupancy-launch=together:grid=105600,block=256,n=32 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'ownTime'
__global__ void ownTime(float *data) {
  float x = data[threadIdx.x];
// CHECK: DivergentLoop.cu:[[@LINE+3]]:{{[0-9]+}}: remark: divergent loop: lanes of a warp leave it at different times; the longest takes {{3[12]}} iterations, the mean lane {{1[56][.0-9]*}}; give the lanes of a warp work of equal length. Estimated gain: 1.
// CHECK-NOT: divergent branch
#pragma unroll 1
  for (int i = 0; i < threadIdx.x % 32; ++i)
    x = (x * x + 1.5f) * (x + 2.f) + x;
  data[threadIdx.x] = x;
}

// CHECK: remark: 'together'
// CHECK-NOT: divergent loop
__global__ void together(float *data, int n) {
  float x = data[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < n; ++i)
    x = x * x + 1.5f;
  data[threadIdx.x] = x;
}
