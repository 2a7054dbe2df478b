// One block more than a whole wave costs a second wave; a grid of many waves
// has no such end. The H200 has 132 SMs; 8 blocks of 256 threads fill one.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=work:grid=1057,block=256 %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=work:grid=105600,block=256 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHOLE

// CHECK: remark: 'work'
// CHECK: TailEffect.cu:[[@LINE+4]]:{{[0-9]+}}: remark: the grid of 1057 blocks is 1 waves; the partly filled end takes {{.*}}s of {{.*}}s; choose a grid that fills whole waves, or smaller blocks. Estimated gain: {{1\.[2-9]|2}}
// WHOLE: remark: 'work'
// WHOLE-NOT: waves
// WHOLE-NOT: partly filled end
__global__ void work(float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
#pragma unroll 1
  for (int j = 0; j < 4096; ++j)
    x = x * x + 1.5f;
  data[i] = x;
}
