// Boundary conditions that keep loads apart are told of padding; a guard around
// the whole kernel, and a condition that data decides, are not.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=/./:grid=64,block=256,n=16384 %s -o /dev/null 2>&1 | FileCheck %s

/// Longer than what the assembler predicates by itself.
__device__ float shaped(float x) {
  float y = x;
#pragma unroll
  for (int k = 1; k < 24; ++k)
    y = y * x + k;
  return y;
}

// CHECK: remark: 'edges'
__global__ void edges(float *__restrict__ out, const float *__restrict__ in,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  // CHECK: BranchFree.cu:{{[0-9]+}}:{{[0-9]+}}: remark: {{[0-9]}} branches keep loads that nearly all lanes make from beginning with those before; pad the array at its edges, or load from a clamped index and choose the value afterwards. Estimated gain: {{[1-9]}}
  if (i >= 1024)
    sum += shaped(in[i - 1024]);
  if (i < n - 1024)
    sum += shaped(in[i + 1024]);
  if (i >= 2048)
    sum += shaped(in[i - 2048]);
  if (i < n - 2048)
    sum += shaped(in[i + 2048]);
  out[i] = sum;
}

// CHECK: remark: 'guarded'
// CHECK-NOT: nearly all lanes
__global__ void guarded(float *__restrict__ out, const float *__restrict__ in,
                        int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = shaped(in[i]);
}

// CHECK: remark: 'chosen'
// CHECK-NOT: nearly all lanes
__global__ void chosen(float *__restrict__ out, const float *__restrict__ in,
                       const int *__restrict__ which, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  if (which[i])
    sum += shaped(in[i]);
  if (which[i + n])
    sum += shaped(in[i + n]);
  out[i] = sum;
}
