// One block more than a whole wave costs a second wave; a grid of many waves
// has no such end, and one whose last wave is nearly full has nothing to gain.
// The H200 has 132 SMs; 8 blocks of 256 threads fill one.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=work:grid=1057,block=256 %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=work:grid=105600,block=256 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=work:grid=2050,block=256 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHOLE

// CHECK: remark: 'work'
// CHECK: TailEffect.cu:[[@LINE+3]]:{{[0-9]+}}: remark: the grid of 1057 blocks is 1 wave of 1056 and 1 block more, which take {{.*}}s of {{.*}}s; share the work among {{1056|2112}} blocks, or use smaller ones. Estimated gain: {{1\.[2-9]|2}}
// WHOLE: remark: 'work'
// WHOLE-NOT: share the work among
__global__ void work(float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
#pragma unroll 1
  for (int j = 0; j < 4096; ++j)
    x = x * x + 1.5f;
  data[i] = x;
}
