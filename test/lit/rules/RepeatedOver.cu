// What all threads of a block combine alike in a loop that changes none of it is
// told to be combined once; not where the loop around it changes it.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=over:grid=4096,block=256,n=1024 \
// RUN:   -mllvm -gpu-occupancy-launch=changing:grid=1024,block=256,n=1024,m=4 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'over'
__global__ void over(float *out, const float *in, int n) {
  const float *row = in + blockIdx.x * n;
  for (int c = threadIdx.x; c < n; c += 256) {
    float norm = 0;
    // CHECK: RepeatedOver.cu:[[@LINE+1]]:{{[0-9]+}}: remark: each of the 256 threads of a block combines the same {{10[0-9]*}} values, 4 times over; let each take every 256th of them once, in front of the loop around them, combine the results of a warp by shuffles and those of the warps in shared memory. Estimated gain: {{[1-9][0-9]}}
    for (int k = 0; k < n; k++)
      norm += row[k] * row[k];
    out[blockIdx.x * n + c] = row[c] / sqrtf(norm);
  }
}

// CHECK: remark: 'changing'
// CHECK: remark: each of the 256 threads of a block combines the same {{10[0-9]*}} values; let each take every 256th of them, combine
__global__ void changing(float *out, const float *in, int n, int m) {
  for (int r = 0; r < m; r++) {
    const float *row = in + (blockIdx.x * m + r) * n;
    float norm = 0;
    for (int k = 0; k < n; k++)
      norm += row[k] * row[k];
    out[(blockIdx.x * m + r) * 256 + threadIdx.x] =
        row[threadIdx.x] / sqrtf(norm);
  }
}
