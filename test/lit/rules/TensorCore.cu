// A product of matrices in scalar code is told of tensor cores; a distance, and
// a matrix times a vector, are not.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=product:grid=32x32,block=32x32,n=1024 \
// RUN:   -mllvm -gpu-occupancy-launch=distance:grid=32x32,block=32x32,n=1024 \
// RUN:   -mllvm -gpu-occupancy-launch=vector:grid=64,block=256,n=1024 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'product'
__global__ void product(float *__restrict__ c, const float *__restrict__ a,
                        const float *__restrict__ b, int n) {
  __shared__ float tileA[32][32], tileB[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  int i = blockIdx.y * 32 + y, j = blockIdx.x * 32 + x;
  float sum = 0;
  for (int t = 0; t < n; t += 32) {
    tileA[y][x] = a[i * n + t + x];
    tileB[y][x] = b[(t + y) * n + j];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      // CHECK: TensorCore.cu:[[@LINE+1]]:{{[0-9]+}}: remark: 100 % of the multiply-adds are a product of matrices, with one factor of the row and one of the column of a thread; tensor cores multiply in tf32 (factors are rounded to 10 bits behind the point): use wmma, mma.sync or a library. What follows is an upper bound, for the same traffic and no latency. Estimated gain: {{[1-9]}}
      sum += tileA[y][k] * tileB[k][x];
    __syncthreads();
  }
  c[i * n + j] = sum;
}

// CHECK: remark: 'distance'
// CHECK-NOT: product of matrices
__global__ void distance(float *__restrict__ c, const float *__restrict__ a,
                         const float *__restrict__ b, int n) {
  int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 32 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    float d = a[i * n + k] - b[k * n + j];
    sum += d * d;
  }
  c[i * n + j] = sum;
}

// CHECK: remark: 'vector'
// CHECK-NOT: product of matrices
__global__ void vector(float *__restrict__ y, const float *__restrict__ a,
                       const float *__restrict__ x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[k * n + i] * x[k];
  y[i] = sum;
}
