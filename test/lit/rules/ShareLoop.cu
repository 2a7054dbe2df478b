// A thread that sums a row alone is told to share it with its warp. A running sum
// is needed in order, a loop that loaded data ends cannot be shared, and columns
// whose lanes lie side by side in a full grid gain nothing.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=rows:grid=16,block=256,n=4096 \
// RUN:   -mllvm '-gpu-occupancy-launch=/running|untilZero/:grid=16,block=256,n=4096' \
// RUN:   -mllvm -gpu-occupancy-launch=columns:grid=4096,block=256,n=256 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'rows'
// CHECK: ShareLoop.cu:[[@LINE+4]]:{{[0-9]+}}: remark: each thread combines 4096 values alone, in 16 blocks; let the {{32 lanes of a warp|256 threads of a block}} take its iterations in turns and combine their results by shuffles, in {{512|4096}} blocks. Estimated gain: {{[1-3][0-9]}}x
__global__ void rows(float *out, const float *in, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int c = 0; c < n; c++)
    sum += in[row * n + c];
  out[row] = sum;
}

// CHECK: remark: 'running'
// CHECK-NOT: each thread combines
__global__ void running(float *out, const float *in, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int c = 0; c < n; c++) {
    sum += in[row * n + c];
    out[row * n + c] = sum;
  }
}

// CHECK: remark: 'untilZero'
// CHECK-NOT: each thread combines
__global__ void untilZero(float *out, const float *in, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int c = 0; c < n; c++) {
    float v = in[row * n + c];
    if (v == 0)
      break;
    sum += v;
  }
  out[row] = sum;
}

// CHECK: remark: 'columns'
// CHECK-NOT: each thread combines
__global__ void columns(float *out, const float *in, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int r = 0; r < n; r++)
    sum += in[r * (4096 * 256) + column];
  out[column] = sum;
}
