// Neighbouring words that threads move one by one become wider accesses; words
// that are wide or far apart already do not.
//
// RUN: %clang_cuda %remarks -mllvm '-gpu-occupancy-launch=/words|vectors|apart|unaligned/:grid=65536,block=256' \
// RUN:   -mllvm -gpu-occupancy-launch=turns:grid=132,block=128,n=1081344,steps=512 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'words'
__global__ void words(float *c, const float *a, const float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: WiderAccess.cu:[[@LINE+1]]:{{[0-9]+}}: remark: each thread moves 4 B with an access and its neighbours the words beside it; let one thread take 4 words of 4 B as one of 16 B (float4, int4), in 1/4 of the blocks (about {{[0-9]+}} registers per thread instead of {{[0-9]+}}; what is left of the array at its end stays as it is). Estimated gain: 1.
  c[i] = a[i] + b[i];
}

// CHECK: remark: 'vectors'
// CHECK-NOT: and its neighbours
__global__ void vectors(float4 *c, const float4 *a, const float4 *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 x = a[i], y = b[i];
  c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}

// CHECK: remark: 'apart'
// CHECK-NOT: and its neighbours
__global__ void apart(float *c, const float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i * 2] = a[i * 2];
}

// A warp begins inside a sector.
// CHECK: remark: 'unaligned'
// CHECK-NOT: and its neighbours
__global__ void unaligned(float *c, const float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i + 1] = a[i + 1];
}

// As many blocks take a quarter of the turns.
// CHECK: remark: 'turns'
__global__ void turns(float *b, const float *a, int steps, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    // CHECK: WiderAccess.cu:[[@LINE+1]]:{{[0-9]+}}: remark: each thread moves 4 B {{.*}}; let one thread take 4 words of 4 B as one of 16 B (float4, int4), in 1/4 of the turns that a thread takes (about {{.*}}). Estimated gain: {{[23]\.}}
    float x = a[i], v = x;
    for (int k = 0; k < steps; k++)
      v = v * x + 0.3f;
    b[i] = v;
  }
}
