// Calls each product of CUDA-GEMM-Optimization twice, in fp32 and in fp16.
#include "cuda_gemm.hpp"
#include <cstdio>
#include <cuda_fp16.h>
template <typename T> __global__ void fill(T *A, size_t N) {
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < N;
       I += gridDim.x * size_t(blockDim.x))
    A[I] = T(float((I * 2654435761u >> 8) % 1000) / 1000 - 0.5f);
}
#define ALL(X)                                                                 \
  X(00)                                                                        \
  X(01) X(02) X(02_vectorized) X(03) X(03_vectorized) X(04) X(04_vectorized)   \
      X(05) X(05_vectorized) X(06) X(06_vectorized)                            \
          X(06_vectorized_double_buffered)
#define TC(X) X(07) X(07_vectorized) X(07_vectorized_double_buffered)
template <typename T> void all(size_t N) {
  T *A, *B, *C;
  cudaMalloc(&A, N * N * sizeof(T));
  cudaMalloc(&B, N * N * sizeof(T));
  cudaMalloc(&C, N * N * sizeof(T));
  fill<<<1024, 256>>>(A, N * N);
  fill<<<1024, 256>>>(B, N * N);
  T a = T(1.f), b = T(0.f);
  for (int I = 0; I < 2; ++I) {
#define G(name)                                                                \
  launch_gemm_kernel_v##name<T>(N, N, N, &a, A, N, B, N, &b, C, N, 0);
    ALL(G)
    if constexpr (sizeof(T) == 2) {
      TC(G)
    }
  }
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
int main() {
  all<float>(2048);
  all<__half>(2048);
}
