// Rounded functions have an approximate form; those that are approximate already
// have none.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=/./:grid=16384,block=256 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'quotients'
__global__ void quotients(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i] + 1, sum = 0;
#pragma unroll
  for (int k = 1; k <= 64; ++k)
    // CHECK: FastMath.cu:[[@LINE+1]]:{{[0-9]+}}: remark: this division is rounded correctly ({{[0-9]+}} warp instructions per warp); where 2 ulp for divisors up to 2^126, 0 beyond will do, use __fdividef(x, y). Estimated gain: 1.
    sum += (x + k) / (sum + k);
  out[i] = sum;
}

// CHECK: remark: 'approximate'
// CHECK-NOT: rounded correctly
__global__ void approximate(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i] + 1, sum = 0;
#pragma unroll
  for (int k = 1; k <= 64; ++k) {
    float q;
    asm("div.approx.f32 %0, %1, %2;" : "=f"(q) : "f"(x + k), "f"(sum + k));
    sum += q;
  }
  out[i] = sum;
}

// A divisor that stays the same has one reciprocal.
// CHECK: remark: 'scaled'
__global__ void scaled(float *out, const float *in, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
#pragma unroll
  for (int k = 0; k < 32; ++k)
    // CHECK: FastMath.cu:[[@LINE+1]]:{{[0-9]+}}: remark: this division is rounded correctly ({{[0-9]+}} warp instructions per warp); where 1.5 ulp will do, use x * r with r = 1.0f / y, since y stays the same. Estimated gain: {{[2-9]}}
    x = x / by + 1.0f;
  out[i] = x;
}

// CHECK: remark: 'each'
// CHECK-NOT: stays the same
__global__ void each(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
#pragma unroll
  for (int k = 0; k < 32; ++k)
    x = (x + 3.0f) / (x + 1.0f);
  out[i] = x;
}
