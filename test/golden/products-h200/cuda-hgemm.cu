// Calls each product of cuda_hgemm twice.
#include "common.h"
#define F(name)                                                                \
  void name(half *A, half *B, half *C, size_t M, size_t N, size_t K);
#define ALL(X)                                                                 \
  X(wmmaBase)                                                                  \
  X(wmmaPadding) X(wmmaAsync) X(wmmaAsyncPg2s) X(wmmaAsyncPg2sPs2r)            \
      X(wmmaAsyncStage2) X(wmmaAsyncStage3) X(mmaNaive) X(mmaBase)             \
          X(mmaPermuted) X(mmaAsync) X(mmaAsyncPg2s) X(mmaAsyncPg2sPs2r)       \
              X(mmaAsyncStage2) X(mmaAsyncStage3) X(mmaAsyncStage4)
ALL(F)
__global__ void fill(half *A, size_t N) {
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < N;
       I += gridDim.x * size_t(blockDim.x))
    A[I] = __float2half(float((I * 2654435761u >> 8) % 1000) / 1000 - 0.5f);
}
int main() {
  const size_t N = 4096;
  half *A, *B, *C;
  cudaMalloc(&A, N * N * 2);
  cudaMalloc(&B, N * N * 2);
  cudaMalloc(&C, N * N * 2);
  fill<<<1024, 256>>>(A, N * N);
  fill<<<1024, 256>>>(B, N * N);
  for (int I = 0; I < 2; ++I) {
#define G(name) name(A, B, C, N, N, N);
    ALL(G)
  }
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
