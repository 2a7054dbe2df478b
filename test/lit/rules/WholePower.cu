// powf with a whole exponent or half of one is found; one with another fraction
// or a variable exponent is not.
//
// REQUIRES: cuda-toolkit
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=/./:grid=4096,block=256 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'cube'
__global__ void cube(float *data) {
  float x = data[threadIdx.x], sum = 0;
#pragma unroll 1
  for (int i = 0; i < 64; ++i)
    // CHECK: WholePower.cu:[[@LINE+1]]:{{[0-9]+}}: remark: slow instructions: power of a float with a whole exponent (3; {{.*}}); write it as x * x * x. Estimated gain:
    sum += powf(x + i, 3.0f);
  data[threadIdx.x] = sum;
}

// CHECK: remark: 'half'
__global__ void half(float *data) {
  float x = data[threadIdx.x], sum = 0;
#pragma unroll 1
  for (int i = 0; i < 64; ++i)
    // CHECK: WholePower.cu:[[@LINE+1]]:{{[0-9]+}}: remark: slow instructions: power of a float with half an exponent (1.5; {{.*}}); write it as x * x * rsqrtf(x), for x > 0. Estimated gain:
    sum += powf(x + i, 1.5f);
  data[threadIdx.x] = sum;
}

// CHECK: remark: 'inverse'
__global__ void inverse(float *data) {
  float x = data[threadIdx.x], sum = 0;
#pragma unroll 1
  for (int i = 0; i < 64; ++i)
    // CHECK: WholePower.cu:[[@LINE+1]]:{{[0-9]+}}: remark: slow instructions: power of a float with half an exponent (-1.5; {{.*}}); write it as r * r * r with r = rsqrtf(x). Estimated gain:
    sum += powf(x + i, -1.5f);
  data[threadIdx.x] = sum;
}

// CHECK: remark: 'fraction'
// CHECK-NOT: {{(whole|half an)}} exponent
__global__ void fraction(float *data) {
  float x = data[threadIdx.x], sum = 0;
#pragma unroll 1
  for (int i = 0; i < 64; ++i)
    sum += powf(x + i, 2.4f);
  data[threadIdx.x] = sum;
}

// CHECK: remark: 'variable'
// CHECK-NOT: whole exponent
__global__ void variable(float *data, float y) {
  float x = data[threadIdx.x], sum = 0;
#pragma unroll 1
  for (int i = 0; i < 64; ++i)
    sum += powf(x + i, y);
  data[threadIdx.x] = sum;
}
