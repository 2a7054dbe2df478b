// Words of a thread side by side, loaded one by one, are told to be loaded at
// once; not where only some are wanted, where lanes are no multiple apart, where
// something is written between them, or where they are vectors already.
//
// RUN: %clang_cuda %remarks -mllvm '-gpu-occupancy-launch=/./:grid=8192,block=256' -mllvm '-gpu-occupancy-launch=/chosen|padded|twoOfFive/:grid=1024,block=256,n=262144' %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'hash'
__global__ void hash(unsigned *out, const unsigned char *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned h = 0;
#pragma unroll
  for (int k = 0; k < 16; k++)
    // CHECK: OwnVectors.cu:[[@LINE+1]]:{{[0-9]+}}: remark: each thread loads 16 words side by side one by one, of 1 B; load them as 1 of 16 B (declare the structure aligned, or read uint4, float4 and the like). Estimated gain: {{[1-9]}}
    h = (h ^ in[i * 64 + k]) * 16777619u;
  out[i] = h;
}

// CHECK: remark: 'some'
// CHECK-NOT: side by side one by one
__global__ void some(unsigned *out, const unsigned char *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * 64] + in[i * 64 + 5] + in[i * 64 + 9];
}

// CHECK: remark: 'odd'
// CHECK-NOT: side by side one by one
__global__ void odd(unsigned *out, const unsigned char *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned h = 0;
#pragma unroll
  for (int k = 0; k < 13; k++)
    h = (h ^ in[i * 13 + k]) * 16777619u;
  out[i] = h;
}

struct alignas(16) Four {
  float x, y, z, w;
};
// CHECK: remark: 'vectors'
// CHECK-NOT: side by side one by one
__global__ void vectors(float *out, const Four *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Four v = in[i * 2];
  out[i] = v.x + v.y + v.z + v.w;
}

// Structures that loaded indices choose: code tells how far apart they are.
struct Atom {
  float x, y, z, charge;
};
// CHECK: remark: 'chosen'
__global__ void chosen(float *out, const Atom *atoms, const int *near, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 32; k++) {
    const Atom &a = atoms[near[k * n + i] & 1023];
    // CHECK: OwnVectors.cu:[[@LINE+1]]:{{[0-9]+}}: remark: each thread loads {{[0-9]+}} words side by side one by one, of 4 B; load them as {{[0-9]+}} of 16 B (declare the structure aligned, or read uint4, float4 and the like). Estimated gain: {{[1-9]}}
    sum += a.x * a.y + a.z * a.charge;
  }
  out[i] = sum;
}

// CHECK: remark: 'padded'
__global__ void padded(float *out, const float3 *points, const int *near,
                       int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 32; k++) {
    // CHECK: OwnVectors.cu:[[@LINE+1]]:{{[0-9]+}}: remark: each thread loads {{[0-9]+}} words side by side one by one, of 4 B; load them as {{[0-9]+}} of 16 B (pad the structure to 16 B and declare it aligned: float4 in place of float3). Estimated gain: {{[1-9]}}
    float3 p = points[near[k * n + i]];
    sum += p.x * p.y + p.z;
  }
  out[i] = sum;
}

// CHECK: remark: 'twoOfFive'
// CHECK-NOT: side by side one by one
__global__ void twoOfFive(float *out, const float *words, const int *near,
                          int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 32; k++) {
    const float *p = words + near[k * n + i] * 5;
    sum += p[0] * p[1];
  }
  out[i] = sum;
}
