// Functions of the library for floats whose intrinsics gain are found, together
// where several are; powers that products replace, and kernels that wait for
// memory, are not.
//
// REQUIRES: cuda-toolkit
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=/./:grid=4096,block=256 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'waves'
__global__ void waves(float *data) {
  float x = data[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < 64; ++i)
    // CHECK: Intrinsics.cu:[[@LINE+1]]:{{[0-9]+}}: remark: sinf or cosf is computed to the last bits ({{[0-9]+}} warp instructions per warp{{.*}}); where an error of 2^-21.2 from -pi to pi, and more beyond, will do, use __sinf(x) or __cosf(x). Estimated gain: {{[2-4](\.[0-9])?}}x
    x = sinf(x) + 0.5f;
  data[threadIdx.x] = x;
}

// CHECK: remark: 'softplus'
__global__ void softplus(float *data) {
  float x = data[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < 64; ++i)
    // CHECK: Intrinsics.cu:[[@LINE+1]]:{{[0-9]+}}: remark: {{.*}}log1pf{{.*}} computed to the last bits ({{.*}}). Estimated gain: {{1\.[3-9]|[2-4]}}
    x = log1pf(expf(x)) - 0.5f;
  data[threadIdx.x] = x;
}

// CHECK: remark: 'gate'
__global__ void gate(float *data) {
  float x = data[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < 64; ++i)
    // CHECK: Intrinsics.cu:[[@LINE+1]]:{{[0-9]+}}: remark: expf, division are computed to the last bits ({{[0-9]+}} warp instructions per warp); where the errors of the approximate forms will do, use all of them (__expf, __fdividef and the like, or nvcc -use_fast_math). Estimated gain: 1.{{[3-9]}}
    x = x / (1.0f + expf(-x)) + 0.5f;
  data[threadIdx.x] = x;
}

// CHECK: remark: 'cube'
// CHECK-NOT: powf is computed
__global__ void cube(float *data) {
  float x = data[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < 64; ++i)
    x = powf(x + i, 3.0f);
  data[threadIdx.x] = x;
}

// CHECK: remark: 'once'
// CHECK-NOT: is computed to the last bits
__global__ void once(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = expf(in[i]);
}

// A root and divisions by it.
// CHECK: remark: 'direction'
__global__ void direction(float *data) {
  float x = data[threadIdx.x], y = 1;
#pragma unroll 1
  for (int i = 0; i < 64; ++i) {
    // CHECK: Intrinsics.cu:[[@LINE+2]]:{{[0-9]+}}: remark: this division by a square root is rounded correctly ({{[0-9]+}} warp instructions per warp on {{[23]}} lines); where 2 ulp of the root will do, use x * rsqrtf(y) for x / sqrtf(y). Estimated gain: {{[2-4](\.[0-9])?}}x
    float length = sqrtf(x * x + y * y);
    x = x / length + 0.5f;
    y = y / length + 0.25f;
  }
  data[threadIdx.x] = x + y;
}
