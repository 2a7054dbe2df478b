// A loop whose iterations write words of their own is shared with the loops in it:
// by lanes where these lie side by side then, by blocks where they do already, by
// both where one is not enough. Steps may be arguments, and unrolled loops step
// several times. What the next iteration reads keeps the order. A loop inside is
// shared by a warp, which combines its result in each iteration of the one around.
//
// RUN: %clang_cuda %remarks -mllvm '-gpu-occupancy-launch=/largestOfThree|readsBefore/:grid=32,block=128,n=256,pieces=3' \
// RUN:   -mllvm -gpu-occupancy-launch=planes:grid=2x8,block=32x8,w=64,planes=1024 \
// RUN:   -mllvm -gpu-occupancy-launch=rowOfProduct:grid=16,block=32,n=512 \
// RUN:   -mllvm -gpu-occupancy-launch=columnTimes:grid=8,block=256,rows=8192,n=2048 \
// RUN:   -mllvm -gpu-occupancy-launch=limits:grid=4,block=256,m=8,n=1024 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'largestOfThree'
// CHECK: ShareNests.cu:[[@LINE+4]]:{{[0-9]+}}: remark: each thread goes through 256 values alone, in 32 blocks; let the {{32 lanes of a warp|128 threads of a block}}{{.*}} take its iterations in turns, in {{.*}} blocks. Estimated gain: {{[4-9]|[1-3][0-9]}}
__global__ void largestOfThree(float *out, const float *in, int n,
                               int pieces) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  for (int o = 0; o < n; o++) {
    const float *p = in + (row * n + o) * pieces;
    float best = p[0];
    for (int k = 1; k < pieces; k++)
      best = fmaxf(best, p[k]);
    out[row * n + o] = best;
  }
}

// CHECK: remark: 'readsBefore'
// CHECK-NOT: each thread goes through
__global__ void readsBefore(float *out, const float *in, int n, int pieces) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  for (int o = 1; o < n; o++) {
    const float *p = in + (row * n + o) * pieces;
    float best = out[row * n + o - 1];
    for (int k = 1; k < pieces; k++)
      best = fmaxf(best, p[k]);
    out[row * n + o] = best;
  }
}

// CHECK: remark: 'planes'
// CHECK: remark: each thread goes through {{[0-9]+}} values alone, in 16 blocks, which leaves places on the SMs empty; let [[N:[0-9]+]] blocks take the iterations of one in turns, in {{[0-9]+}} blocks. Estimated gain: {{[1-9][0-9]}}
__global__ void planes(float *out, const float *in, int w, int planes) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  for (int p = 0; p < planes; p++)
    out[(p * w + y) * w + x] = in[(p * w + y) * w + x] * 2;
}

// CHECK: remark: 'rowOfProduct'
// CHECK: remark: each thread goes through 512 values alone, in 16 blocks; let the 32 lanes of a warp, in each of [[N:[0-9]+]] blocks for one, take its iterations in turns, in {{[0-9]+}} blocks. Estimated gain: {{[1-9][0-9]}}
__global__ void rowOfProduct(float *c, const float *a, const float *b, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  for (int x = 0; x < n; x++) {
    float sum = 0;
    for (int k = 0; k < n; k++)
      sum += a[r * n + k] * b[k * n + x];
    c[r * n + x] = sum;
  }
}

// CHECK: remark: 'columnTimes'
// CHECK: remark: each thread combines 8192 values alone, in 8 blocks; let 32 warps of a block take its iterations in turns (threadIdx.y){{.*}}. Estimated gain: {{[1-4][0-9]}}
__global__ void columnTimes(float *y, const float *m, const float *x, int rows,
                            int n) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 8
  for (int r = 0; r < rows; r++)
    sum += m[r * n + c] * x[r];
  y[c] = sum;
}

// CHECK: remark: 'limits'
// CHECK: remark: each thread combines 1024 values alone, in 4 blocks; let the {{32 lanes of a warp|256 threads of a block}} take its iterations in turns and combine their results by shuffles, in {{128|1024}} blocks. Estimated gain: {{[5-9]|[1-9][0-9]}}
__global__ void limits(float *out, const float *in, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < m; k++) {
    float sum = 0;
    for (int c = 0; c < n; c++)
      sum += in[(row * m + k) * n + c];
    out[k * 1024 + row] = sum / (1 + sum * sum);
  }
}
