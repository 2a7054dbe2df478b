// A row that a loaded pointer leads to is somewhere: stores to rows of all blocks
// do not meet on the lines of one.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=rows:grid=128x512,block=32x8,h=4096 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'rows' is bound by {{.*}}; {{[3-9][0-9](\.[0-9]+)?}} us for grid 128x512
__global__ void rows(float *const *a, float *const *b, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y > 0 && y < h - 1)
    b[y][x] = a[y - 1][x] + a[y][x] + a[y + 1][x];
}
