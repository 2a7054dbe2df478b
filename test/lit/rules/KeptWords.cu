// Words that a loop reads and writes at the same places are told to be kept in
// registers, under conditions, too; not where the places move on, where other
// threads may wait for them, or where atomics update them.
//
// RUN: %clang_cuda %remarks -mllvm '-gpu-occupancy-launch=/./:grid=264,block=256,n=67584,m=2048' %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'least'
__global__ void least(float *best, const float *p, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float me = p[i];
  for (int j = 0; j < m; j++) {
    float d = p[j] - me;
#pragma unroll
    for (int k = 0; k < 2; k++)
      // CHECK: KeptWords.cu:[[@LINE+1]]:{{[0-9]+}}: remark: a loop reads and writes 2 words of memory at the same places in all of its iterations; keep them in registers (a local array whose index is known when compiling), and write them behind the loop. Estimated gain: {{[1-9]}}
      if (d < best[k * n + i]) {
        float was = best[k * n + i];
        best[k * n + i] = d;
        d = was;
      }
  }
}

// CHECK: remark: 'moving'
// CHECK-NOT: at the same places
__global__ void moving(float *best, const float *p, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < m; j++)
    if (p[j] < best[j * n + i])
      best[j * n + i] = p[j];
}

// CHECK: remark: 'shown'
// CHECK-NOT: at the same places
__global__ void shown(float *best, const float *p, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < m; j++) {
    if (p[j] < best[i])
      best[i] = p[j];
    __syncthreads();
  }
}

// CHECK: remark: 'together'
// CHECK-NOT: at the same places
__global__ void together(int *best, const int *p, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < m; j++)
    if (p[j * n + i] < best[i])
      atomicMin(best + i, p[j * n + i]);
}
