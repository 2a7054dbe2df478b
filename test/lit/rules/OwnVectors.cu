// Words of a thread side by side, loaded one by one, are told to be loaded at
// once; not where only some are wanted, where lanes are no multiple apart, where
// something is written between them, or where they are vectors already.
//
// RUN: %clang_cuda %remarks -mllvm '-gpu-occupancy-launch=/./:grid=8192,block=256' %s -o /dev/null 2>&1 | FileCheck %s

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
