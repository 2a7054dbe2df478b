// Weights that all threads compute alike in a loop are told to come from a table,
// and those of a row of the block from one of the block; not those that a thread has its own of, that loaded data decides, or that a
// block has.
//
// RUN: %clang_cuda %remarks -mllvm '-gpu-occupancy-launch=/./:grid=8192,block=256,n=64,s=2' %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'weighted'
__global__ void weighted(float *out, const float *in, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++)
    // CHECK: CommonValues.cu:[[@LINE+1]]:{{[0-9]+}}: remark: slow instructions: values that all threads compute alike, from parameters and counters of loops ({{[0-9.]+}} warp instructions per warp); compute them once and read them from a table, such as one in __constant__ memory. Estimated gain: {{1\.[2-9]|[2-9]}}
    sum += in[i + k] * (1.0f / (1.0f + s * k) + s / (2.0f + k));
  out[i] = sum;
}

// CHECK: remark: 'ownWeights'
// CHECK-NOT: compute alike
__global__ void ownWeights(float *out, const float *in, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += in[i + k] * (1.0f / (1.0f + s * k * i) + s / (2.0f + k + i));
  out[i] = sum;
}

// CHECK: remark: 'loadedWeights'
// CHECK-NOT: compute alike
__global__ void loadedWeights(float *out, const float *in, const float *s,
                              int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += in[i + k] * (1.0f / (1.0f + s[k]) + s[k] / (2.0f + k));
  out[i] = sum;
}

// CHECK: remark: 'blockWeights'
// CHECK-NOT: compute alike
__global__ void blockWeights(float *out, const float *in, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0, of = s * blockIdx.x;
  for (int k = 0; k < n; k++)
    sum += in[i + k] * (1.0f / (1.0f + of * k) + of / (2.0f + of * k));
  out[i] = sum;
}

// CHECK: remark: 'withoutWeights'
// CHECK-NOT: compute alike
__global__ void withoutWeights(float *out, const float *in, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += in[i + k] * s;
  out[i] = sum;
}

// Values of a row of the block: its threads have the same.
// CHECK: remark: 'waves'
__global__ void waves(float *out, const float *in, float s, int n) {
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 64; k++)
    // CHECK: CommonValues.cu:[[@LINE+1]]:{{[0-9]+}}: remark: slow instructions: values that follow from threadIdx and counters of loops alone ({{[0-9]+}} warp instructions per warp), of which a block has {{[0-9]+}} different ones; let its threads compute each once and read them from a table in shared memory. Estimated gain: {{1\.[2-9]|[2-9]}}
    sum += in[k] * (1.0f / (1.0f + threadIdx.y * k) + 1.0f / (2.0f + threadIdx.y * k));
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// Each thread of the grid has its own.
// CHECK: remark: 'ownWaves'
// CHECK-NOT: follow from threadIdx
__global__ void ownWaves(float *out, const float *in, float s, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 64; k++)
    sum += in[k] / (1.0f + 0.1f * i * k);
  out[i] = sum;
}
