// The kernels of kernels.mlir beside this file.
#include <cuda_runtime.h>

extern "C" __global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

extern "C" __global__ void transpose(const float *in, float *out) {
  __shared__ float tile[32][32];
  int x0 = blockIdx.x * 32;
  int y0 = blockIdx.y * 32;
  for (int j = 0; j < 32; j += 8) {
    int row = threadIdx.y + j;
    tile[row][threadIdx.x] = in[(y0 + row) * 4096 + x0 + threadIdx.x];
  }
  __syncthreads();
  for (int j = 0; j < 32; j += 8) {
    int row = threadIdx.y + j;
    out[(x0 + row) * 4096 + y0 + threadIdx.x] = tile[threadIdx.x][row];
  }
}
