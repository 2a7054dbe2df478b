// Volatile loads that repeat what L1 would hold, a loop that waits for a flag,
// and loads of an array that the kernel writes.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=sum:grid=8192,block=256,terms=64 -mllvm -gpu-occupancy-launch=waits:grid=128,block=256 -mllvm -gpu-occupancy-launch=own:grid=8192,block=256,terms=64 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'sum'
__global__ void sum(const float *in, const volatile float *table, float *out,
                    int terms) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], y = 0;
  for (int k = 0; k < terms; ++k)
    // CHECK: VolatileLoads.cu:[[@LINE+1]]:{{[0-9]+}}: remark: volatile loads, 64 requests per warp, go to L2 each time; where nobody writes the array while the kernel runs, drop volatile. Estimated gain: {{[2-9][0-9]}}
    y = y * x + table[k];
  out[i] = y;
}

// CHECK: remark: 'waits'
// CHECK-NOT: volatile loads
__global__ void waits(const volatile int *flag, float *out) {
  while (flag[blockIdx.x] == 0)
    ;
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

// CHECK: remark: 'own'
// CHECK-NOT: volatile loads
__global__ void own(volatile float *table, int terms) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float y = 0;
  for (int k = 0; k < terms; ++k)
    y = y * y + table[k];
  table[i] = y;
}
