// An array whose index the compiler does not know lives in local memory; one
// whose loops are unrolled lives in registers.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=indexed:grid=4096,block=256,n=16 \
// RUN:   -mllvm -gpu-occupancy-launch=unrolled:grid=4096,block=256 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'indexed'
// CHECK: LocalMemory.cu:{{[0-9]+}}:{{[0-9]+}}: remark: an array lives in local memory ({{[0-9.]+}} requests per warp) because its index is not known when compiling; unroll the loops that index it, or keep it in shared memory. Estimated gain:
__global__ void indexed(int *data, int n) {
  int table[32];
  for (int i = 0; i < 32; ++i)
    table[i] = data[i * 256 + threadIdx.x];
  int x = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    x = table[x & 31] + i;
    table[i & 31] = x;
  }
  data[threadIdx.x] = x;
}

// CHECK: remark: 'unrolled'
// CHECK-NOT: local memory
__global__ void unrolled(int *data) {
  int table[8];
#pragma unroll
  for (int i = 0; i < 8; ++i)
    table[i] = data[i * 256 + threadIdx.x];
  int x = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i)
    x += table[7 - i];
  data[threadIdx.x] = x;
}
