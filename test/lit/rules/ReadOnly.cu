// Loads and stores that a compiler repeats because arrays may overlap are told
// of __restrict__; those of arrays that have it are not.
//
// RUN: %clang_cuda %remarks -mllvm '-gpu-occupancy-launch=/sums|scaled|promised/:grid=1024,block=256,n=256' \
// RUN:   -mllvm -gpu-occupancy-launch=once:grid=1024,block=256 %s -o /dev/null 2>&1 | FileCheck %s

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
