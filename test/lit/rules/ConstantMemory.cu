// Constant memory serves the words that lanes read one after the other, and one
// word for all lanes at once.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=/table/:grid=8192,block=256 %s -o /dev/null 2>&1 | FileCheck %s

__constant__ float table[1024];

// CHECK: remark: 'tableOfLanes'
// CHECK: ConstantMemory.cu:[[@LINE+5]]:{{[0-9]+}}: remark: lanes of a warp read 32 addresses of constant memory, which serves one after the other, 16 requests per warp; keep the table in global memory {{.*}}. Estimated gain: {{[2-9]}}
__global__ void tableOfLanes(float *to, const float *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = from[i];
  for (int k = 0; k < 16; k++)
    v += table[(threadIdx.x * 33 + k * 64) % 1024];
  to[i] = v;
}

// CHECK: remark: 'tableOfBlock'
// CHECK-NOT: of constant memory
__global__ void tableOfBlock(float *to, const float *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = from[i];
  for (int k = 0; k < 16; k++)
    v += table[(blockIdx.x * 33 + k * 64) % 1024];
  to[i] = v;
}
