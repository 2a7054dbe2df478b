// Where blocks of a size that nobody tried start too slowly, they are not to be
// left as they are.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-advise -mllvm -gpu-occupancy-launch=meets:grid=262144,block=32,w=24 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'meets' {{.*}} the start of blocks
// CHECK-NOT: leave launch bounds
__global__ void meets(float *out, const float *in, int w) {
  __shared__ float s[32];
  int c = threadIdx.x;
  s[c] = c < w ? in[blockIdx.x * w + c] : 0;
  __syncthreads();
  if (c < w)
    out[blockIdx.x * w + c] = s[31 - c];
}
