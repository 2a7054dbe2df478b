// Calls each product of CUDA-GEMM-Optimization twice, in fp32 and in fp16.
#include "cuda_gemm.hpp"
#include <cstdio>
#include <cuda_fp16.h>
#include <vector>

template <typename T> __global__ void fill(T *A, size_t N) {
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < N;
       I += gridDim.x * size_t(blockDim.x))
    A[I] = T(float((I * 2654435761u >> 8) % 1000) / 1000 - 0.5f);
}

template <typename T>
using Product = void(size_t, size_t, size_t, const T *, const T *, size_t,
                     const T *, size_t, const T *, T *, size_t, cudaStream_t);

template <typename T> void runAll(size_t N, std::vector<Product<T> *> More) {
  T *A, *B, *C, One = T(1.f), Zero = T(0.f);
  cudaMalloc(&A, N * N * sizeof(T));
  cudaMalloc(&B, N * N * sizeof(T));
  cudaMalloc(&C, N * N * sizeof(T));
  fill<<<1024, 256>>>(A, N * N);
  fill<<<1024, 256>>>(B, N * N);
  std::vector<Product<T> *> All = {
      launch_gemm_kernel_v00<T>,
      launch_gemm_kernel_v01<T>,
      launch_gemm_kernel_v02<T>,
      launch_gemm_kernel_v02_vectorized<T>,
      launch_gemm_kernel_v03<T>,
      launch_gemm_kernel_v03_vectorized<T>,
      launch_gemm_kernel_v04<T>,
      launch_gemm_kernel_v04_vectorized<T>,
      launch_gemm_kernel_v05<T>,
      launch_gemm_kernel_v05_vectorized<T>,
      launch_gemm_kernel_v06<T>,
      launch_gemm_kernel_v06_vectorized<T>,
      launch_gemm_kernel_v06_vectorized_double_buffered<T>};
  All.insert(All.end(), More.begin(), More.end());
  for (int I = 0; I < 2; ++I)
    for (Product<T> *Run : All)
      Run(N, N, N, &One, A, N, B, N, &Zero, C, N, 0);
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}

int main() {
  runAll<float>(2048, {});
  runAll<__half>(2048,
                 {launch_gemm_kernel_v07<__half>,
                  launch_gemm_kernel_v07_vectorized<__half>,
                  launch_gemm_kernel_v07_vectorized_double_buffered<__half>});
}
