// Blocks whose threads meet behind their loop only, to combine what each found,
// leave SMs empty where they are few: more blocks share the loop. Not where a
// later loop reaches global memory, which needs the result of the whole row, nor
// where the grid fills the SMs.
//
// RUN: %clang_cuda %remarks -mllvm '-gpu-occupancy-launch=/channelSums|normalized/:grid=16,block=256,n=1048576' \
// RUN:   -mllvm -gpu-occupancy-launch=manySums:grid=16384,block=256,n=1024 %s -o /dev/null 2>&1 | FileCheck %s

__device__ float combined(float v, float *part) {
  part[threadIdx.x] = v;
  __syncthreads();
  for (int k = 128; k > 0; k /= 2) {
    if (threadIdx.x < k)
      part[threadIdx.x] += part[threadIdx.x + k];
    __syncthreads();
  }
  return part[0];
}

// CHECK: remark: 'channelSums'
__global__ void channelSums(float *out, const float *in, int n) {
  __shared__ float part[256];
  float sum = 0;
  // CHECK: ShareBlocks.cu:[[@LINE+1]]:{{[0-9]+}}: remark: each thread combines 4096 values alone, in 16 blocks, which leaves places on the SMs empty; let [[N:[0-9]+]] blocks take the iterations of one in turns and combine what each has come to (by an atomic, or in a second kernel), in {{[0-9]+}} blocks. Estimated gain: {{[1-9][0-9]?}}
  for (int i = threadIdx.x; i < n; i += 256)
    sum += in[blockIdx.x * n + i];
  sum = combined(sum, part);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

// CHECK: remark: 'normalized'
// CHECK-NOT: combine what each has come to
__global__ void normalized(float *out, const float *in, int n) {
  __shared__ float part[256];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256)
    sum += in[blockIdx.x * n + i];
  sum = combined(sum, part);
  for (int i = threadIdx.x; i < n; i += 256)
    out[blockIdx.x * n + i] = in[blockIdx.x * n + i] / sum;
}

// CHECK: remark: 'manySums'
// CHECK-NOT: combine what each has come to
__global__ void manySums(float *out, const float *in, int n) {
  __shared__ float part[256];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256)
    sum += in[blockIdx.x * n + i];
  sum = combined(sum, part);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}
