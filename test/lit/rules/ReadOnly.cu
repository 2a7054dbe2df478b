// Loads and stores that a compiler repeats because arrays may overlap are told
// of __restrict__; those of arrays that have it are not. Stores that share sectors
// leave L1 together once no load has to wait between them; those that share none
// gain little where other warps hide the wait. A load that only some iterations
// make again, behind a store, leaves the loop with that of each iteration.
//
// RUN: %clang_cuda %remarks -mllvm '-gpu-occupancy-launch=/sums|scaled|promised|least|flags/:grid=1024,block=256,n=256' \
// RUN:   -mllvm -gpu-occupancy-launch=once:grid=1024,block=256 \
// RUN:   -mllvm '-gpu-occupancy-launch=/inPieces|apart/:grid=1024,block=256,n=262144' %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'sums'
__global__ void sums(float *out, float *in, float *weights, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k)
    // CHECK: ReadOnly.cu:[[@LINE+1]]:{{[0-9]+}}: remark: arrays may overlap as far as the compiler knows: {{.*}} in a loop of a word that a register could keep{{.*}}; where they never do, declare the pointers __restrict__, and const where they are only read. Estimated gain: {{[1-9]}}
    out[i] += in[k * 262144 + i] * weights[k];
}

// CHECK: remark: 'scaled'
__global__ void scaled(float *out, float *in, float *factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k)
    // CHECK: ReadOnly.cu:[[@LINE+1]]:{{[0-9]+}}: remark: arrays may overlap as far as the compiler knows: {{[0-9]+}} loads of the same words again and again
    out[k * 262144 + i] = in[k * 262144 + i] * factor[0];
}

// No compiler keeps a store that data may leave out for behind the loop.
// CHECK: remark: 'flags'
// CHECK-NOT: that a register could keep
__global__ void flags(int *found, float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k) {
    float v = in[k * 262144 + i];
    out[k * 262144 + i] = v * 2;
    if (v > 1)
      *found = 1;
  }
}

// CHECK: remark: 'promised'
// CHECK-NOT: may overlap
__global__ void promised(float *__restrict__ out, const float *__restrict__ in,
                         const float *__restrict__ weights, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k)
    out[i] += in[k * 262144 + i] * weights[k];
}

// One load and one store: nothing to repeat.
// CHECK: remark: 'once'
// CHECK-NOT: may overlap
__global__ void once(float *out, float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * 2;
}

// CHECK: remark: 'inPieces'
__global__ void inPieces(float *out, float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 16; k++)
    // CHECK: ReadOnly.cu:[[@LINE+1]]:{{[0-9]+}}: remark: arrays may overlap as far as the compiler knows: {{[0-9]+}} loads that cannot begin before a store; {{.*}}. Estimated gain: {{1\.[5-9]|[2-9]}}
    out[i * 2 % n + k * 2] = in[i + k * n];
}

// CHECK: remark: 'apart'
// CHECK-NOT: may overlap {{.*}} Estimated gain: {{1\.[5-9]|[2-9]}}
__global__ void apart(float *out, float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 16; k++)
    out[k * n + i] = in[k * n + i] + 1.0f;
}

// CHECK: remark: 'least'
__global__ void least(float *best, float4 *in, float4 *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float low = 1e30f;
  for (int k = 0; k < n; ++k) {
    // CHECK: ReadOnly.cu:[[@LINE+1]]:{{[0-9]+}}: remark: arrays may overlap as far as the compiler knows: {{[0-9]+}} loads of the same words again and again
    float4 a = from[i], b = in[k];
    float d = fabsf(a.x - b.x) + fabsf(a.y - b.y) + fabsf(a.z - b.z);
    if (d < low) {
      low = d;
      best[i] = b.w;
    }
  }
}
