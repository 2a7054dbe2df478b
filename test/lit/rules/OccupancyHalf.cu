// Where half of the shared memory brings more than the least that lets a block
// in, that is told; not where warps bind next.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=staged:grid=8192,block=128,n=1048576 %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=staged:grid=2048,block=512,n=1048576 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARPS

// CHECK: remark: shared memory limits the SM to 16 of 64 warps (4 blocks of 128 threads, {{.*}}); changing shared memory per block from 48000 to 28160 B gives 32. Estimated gain: 1.[[#]]
// WARPS-NOT: shared memory per block from
__global__ void staged(float *out, const float *in, int n) {
  __shared__ float stage[12000];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  float v = in[i];
  for (int k = 1; k < 8; k++)
    v += in[i + k * n];
  stage[t] = v;
  __syncthreads();
  out[i] = stage[127 - t & 127] + stage[(t + 1) & 127];
}
