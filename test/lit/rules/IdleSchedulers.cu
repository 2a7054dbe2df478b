// Three blocks of three warps are nine warps on four schedulers; blocks of four
// warps divide. Threads that work together may not do in other blocks, so that
// there is no price: it is evidence.
//
// RUN: %clang_cuda %remarks -Rpass-analysis=gpu-occupancy -mllvm -gpu-occupancy-launch=work:grid=132000,block=96,shared=70000 %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=work:grid=132000,block=128,shared=70000 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=EVEN

// CHECK: IdleSchedulers.cu:[[@LINE+5]]:{{[0-9]+}}: remark: 9 resident warps do not divide among 4 schedulers: one has 3 while another has 2; choose a block size that is a multiple of 128 threads [-Rpass-analysis=gpu-occupancy]
// EVEN: remark: 'work'
// EVEN-NOT: do not divide
extern __shared__ float unused[];

__global__ void work(float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
#pragma unroll 1
  for (int j = 0; j < 4096; ++j)
    x = x * x + 1.5f;
  unused[threadIdx.x] = x;
  data[i] = x;
}
