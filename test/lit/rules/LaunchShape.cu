// Rows of a block that are shorter than a warp are made longer; blocks whose rows
// are whole warps stay. A launch that takes longer than its kernel is told so.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=narrow:grid=1024x64,block=4x64,width=4096 \
// RUN:   -mllvm -gpu-occupancy-launch=wide:grid=128x512,block=32x8,width=4096 \
// RUN:   -Rpass-analysis=gpu-occupancy -mllvm -gpu-occupancy-launch=once:grid=1,block=32 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: LaunchShape.cu:[[@LINE+2]]:{{[0-9]+}}: remark: 'narrow'
// CHECK: LaunchShape.cu:[[@LINE+1]]:{{[0-9]+}}: remark: a row of the block is shorter than a warp, whose requests touch several rows of memory; launch blocks of {{32x8|64x4|128x2}} instead of 4x64 in a grid of {{.*}}. Estimated gain: {{1\.[5-9]|2}}
__global__ void narrow(float *out, const float *in, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = in[y * width + x] * 2;
}

// CHECK: remark: 'wide'
// CHECK-NOT: shorter than a warp
__global__ void wide(float *out, const float *in, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = in[y * width + x] * 2;
}

// CHECK: remark: 'once'
// CHECK: remark: launching the kernel takes {{.*}} of its {{.*}}; do more in one launch, fuse it with the kernels around it, or put them into a CUDA graph
__global__ void once(float *out) { out[threadIdx.x] = 1; }
