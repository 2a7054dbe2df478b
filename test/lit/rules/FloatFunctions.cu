// Functions that are called for doubles which were floats are priced as those
// for floats, and a power of a whole exponent as products; those of doubles from
// memory stay.
//
// REQUIRES: nvcc
// RUN: %gpu-occupancy analyze --code=nvcc --cache=off --device=nvidia-h100 %s | FileCheck %s

// CHECK: {{^}}gauss(
// CHECK: FloatFunctions.cu:[[@LINE+4]]:{{[0-9]+}}: slow instructions: double precision in code that works on float values ({{.*}}); write constants with an 'f' suffix and call the float forms of functions (expf). Estimated gain: {{[1-3]\.[2-9]}}
__global__ void gauss(float *w, const float *d, float s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = d[i];
  w[i] = exp(-0.5 * x * x / (s * s)) + exp(-2.0 * x) + exp(-3.0 * x);
}

// CHECK: {{^}}distance(
// CHECK: FloatFunctions.cu:[[@LINE+3]]:{{[0-9]+}}: slow instructions: double precision {{.*}} call the float forms of functions, and multiply instead of raising to a whole power. Estimated gain: {{[2-4]}}
__global__ void distance(float *o, const float2 *p, float x, float y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = sqrt(pow(p[i].x - x, 2.0) + pow(p[i].y - y, 2.0));
}

// CHECK: {{^}}turn(
// On an H200 1.36 (test/accuracy/cures/sincosd.cu), where DRAM brings more.
// CHECK: call the float forms of functions (sinf or cosf). Estimated gain: {{1\.[2-6]}}
__global__ void turn(float2 *o, const float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double w = 6.28 * a[i];
  o[i] = make_float2(cos(w), sin(w));
}

// CHECK: {{^}}arc(
// CHECK: FloatFunctions.cu:[[@LINE+3]]:{{[0-9]+}}: slow instructions: double precision {{.*}} call the float forms of functions (asinf or acosf). Estimated gain: {{[1-9]}}
__global__ void arc(float *o, const float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = asin((double)a[i]);
}

// CHECK: {{^}}onPurpose(
// CHECK-NOT: slow instructions
__global__ void onPurpose(double *o, const double *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = exp(a[i]);
}

int main() {
  gauss<<<32768, 256>>>(nullptr, nullptr, 2);
  distance<<<32768, 256>>>(nullptr, nullptr, 1, 2);
  turn<<<32768, 256>>>(nullptr, nullptr);
  arc<<<32768, 256>>>(nullptr, nullptr);
  onPurpose<<<32768, 256>>>(nullptr, nullptr);
}
