// A block of 33 threads takes two warps; one of 64 fills them.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=work:grid=8192,block=33 %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=work:grid=8192,block=64 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=FULL

// CHECK: PartialWarp.cu:[[@LINE+3]]:{{[0-9]+}}: remark: a block of 33 threads takes 2 warps with 31 lanes that never work; choose a multiple of 32. Estimated gain: {{1\.[5-9]|2}}
// FULL: remark: 'work'
// FULL-NOT: never work
__global__ void work(float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
#pragma unroll 1
  for (int j = 0; j < 4096; ++j)
    x = x * x + 1.5f;
  data[i] = x;
}
