// Calls each product of cuda_hgemv twice.
#include "common.h"

using Product = void(half *, half *, half *, size_t, size_t);
Product threadNaive, threadSmem, warp1Naive, warp1Smem, warp2Naive, warp2Smem,
    warp4Naive, warp4Smem, warp8Naive, warp8Smem, warp16Naive, warp16Smem;

__global__ void fill(half *A, size_t N) {
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < N;
       I += gridDim.x * size_t(blockDim.x))
    A[I] = __float2half(float((I * 2654435761u >> 8) % 1000) / 1000 - 0.5f);
}

int main() {
  const size_t N = 8192, K = 4096;
  half *A, *B, *C;
  cudaMalloc(&A, K * 2);
  cudaMalloc(&B, N * K * 2);
  cudaMalloc(&C, N * 2);
  fill<<<1024, 256>>>(A, K);
  fill<<<1024, 256>>>(B, N * K);
  Product *const All[] = {threadNaive, threadSmem, warp1Naive,  warp1Smem,
                          warp2Naive,  warp2Smem,  warp4Naive,  warp4Smem,
                          warp8Naive,  warp8Smem,  warp16Naive, warp16Smem};
  for (int I = 0; I < 2; ++I)
    for (Product *Run : All)
      Run(A, B, C, N, K);
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
