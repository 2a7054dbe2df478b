// A double constant in float code and a division by an unknown value are found;
// a float constant, a division by a constant, and code that is double on
// purpose are not.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=/./:grid=4096,block=256 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'doubleConstant'
__global__ void doubleConstant(float *data) {
  float x = data[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < 64; ++i)
    // CHECK: SlowInstruction.cu:[[@LINE+1]]:{{[0-9]+}}: remark: slow instructions: double precision in code that works on float values ({{.*}}); write constants with an 'f' suffix {{.*}}. Estimated gain:
    x = x * 1.1 + 0.1;
  data[threadIdx.x] = x;
}

// CHECK: remark: 'floatConstant'
// CHECK-NOT: slow instructions
__global__ void floatConstant(float *data) {
  float x = data[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < 64; ++i)
    x = x * 1.1f + 0.1f;
  data[threadIdx.x] = x;
}

// CHECK: remark: 'doubleOnPurpose'
// CHECK-NOT: slow instructions
__global__ void doubleOnPurpose(double *data) {
  double x = data[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < 64; ++i)
    x = x * 1.1 + 0.1;
  data[threadIdx.x] = x;
}

// CHECK: remark: 'unknownDivisor'
__global__ void unknownDivisor(long long *data, long long d) {
  long long x = data[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < 64; ++i)
    // CHECK: SlowInstruction.cu:[[@LINE+1]]:{{[0-9]+}}: remark: slow instructions: integer division by a value unknown to the compiler
    x = x / d + 12345;
  data[threadIdx.x] = x;
}

// CHECK: remark: 'knownDivisor'
// CHECK-NOT: slow instructions
__global__ void knownDivisor(int *data) {
  int x = data[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < 64; ++i)
    x = x / 7 + 12345;
  data[threadIdx.x] = x;
}

// Literals on several lines are one cause.
// CHECK: remark: 'literalsOnLines'
__global__ void literalsOnLines(float *data) {
  float x = data[threadIdx.x], y = 0;
#pragma unroll 1
  for (int i = 0; i < 64; ++i) {
    x = x * 1.1 + 0.1;
    // CHECK: SlowInstruction.cu:[[@LINE+1]]:{{[0-9]+}}: remark: slow instructions: double precision in code that works on float values ({{.*}} on 2 lines); write constants
    y = y + x * 0.3;
  }
  // CHECK-NOT: slow instructions
  data[threadIdx.x] = x + y;
}

// Divisions that take one index apart are one cause.
// CHECK: remark: 'takenApart'
__global__ void takenApart(int *data, int w, int h, int d) {
  int x = data[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < 64; ++i)
    // CHECK: SlowInstruction.cu:[[@LINE+1]]:{{[0-9]+}}: remark: slow instructions: integer division by a value unknown to the compiler
    x += x % w + x / w % h * 3 + x / w / h % d * 7;
  // CHECK-NOT: slow instructions
  data[threadIdx.x] = x;
}

// Also where they are made in 32 bits if the numbers fit.
// CHECK: remark: 'takenApart64'
__global__ void takenApart64(long long *data, long long w, long long h,
                             long long d) {
  long long x = data[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < 64; ++i)
    // CHECK: SlowInstruction.cu:[[@LINE+1]]:{{[0-9]+}}: remark: slow instructions: integer division by a value unknown to the compiler
    x += x % w + x / w % h * 3 + x / w / h % d * 7;
  // CHECK-NOT: slow instructions
  data[threadIdx.x] = x;
}

// Bits that are added up one by one; not where they have weights.
// CHECK: remark: 'countsBits'
__global__ void countsBits(int *out, const unsigned *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
  unsigned x = in[i];
#pragma unroll
  for (int k = 0; k < 32; k++) {
    // CHECK: SlowInstruction.cu:[[@LINE+1]]:{{[0-9]+}}: remark: slow instructions: 32 bits of a word, added up one by one ({{.*}}); count them with __popc. Estimated gain: {{[1-9]}}
    if (x & 1)
      count++;
    x >>= 1;
  }
  out[i] = count;
}

// CHECK: remark: 'weighsBits'
// CHECK-NOT: added up one by one
__global__ void weighsBits(int *out, const unsigned *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  unsigned x = in[i];
#pragma unroll
  for (int k = 0; k < 32; k++) {
    sum += (x & 1) * k * k;
    x >>= 1;
  }
  out[i] = sum;
}
