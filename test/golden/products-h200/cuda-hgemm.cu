// Calls each product of cuda_hgemm twice.
#include "common.h"

using Product = void(half *, half *, half *, size_t, size_t, size_t);
Product wmmaBase, wmmaPadding, wmmaAsync, wmmaAsyncPg2s, wmmaAsyncPg2sPs2r,
    wmmaAsyncStage2, wmmaAsyncStage3, mmaNaive, mmaBase, mmaPermuted, mmaAsync,
    mmaAsyncPg2s, mmaAsyncPg2sPs2r, mmaAsyncStage2, mmaAsyncStage3,
    mmaAsyncStage4;

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
  Product *const All[] = {
      wmmaBase,          wmmaPadding,     wmmaAsync,       wmmaAsyncPg2s,
      wmmaAsyncPg2sPs2r, wmmaAsyncStage2, wmmaAsyncStage3, mmaNaive,
      mmaBase,           mmaPermuted,     mmaAsync,        mmaAsyncPg2s,
      mmaAsyncPg2sPs2r,  mmaAsyncStage2,  mmaAsyncStage3,  mmaAsyncStage4};
  for (int I = 0; I < 2; ++I)
    for (Product *Run : All)
      Run(A, B, C, N, N, N);
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
