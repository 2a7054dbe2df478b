// Calls each kernel of llama_cu_awq as its main program does for a model of
// 7 billion parameters, at token 1500.
#include <cfloat>
#include <cub/cub.cuh>
#if CCCL_MAJOR_VERSION >= 3
// CUB has no functors of its own since CCCL 3.
namespace cub {
struct Max {
  template <class T> __host__ __device__ T operator()(T A, T B) const {
    return A < B ? B : A;
  }
};
struct Min {
  template <class T> __host__ __device__ T operator()(T A, T B) const {
    return B < A ? B : A;
  }
};
} // namespace cub
#endif
#include "common.h"
#include "gpu_kernels.h"
#include <cstdio>

__global__ void fill(half *A, size_t N) {
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < N;
       I += gridDim.x * size_t(blockDim.x))
    A[I] = __float2half(float((I * 2654435761u >> 8) % 1000) / 1000 - 0.5f);
}

template <class T> static T *array(size_t N, bool Halves = true) {
  T *A;
  cudaMalloc(&A, N * sizeof(T));
  if (Halves)
    fill<<<1024, 256>>>(reinterpret_cast<half *>(A), N * sizeof(T) / 2);
  else
    cudaMemset(A, 0x5a, N * sizeof(T));
  return A;
}

static QWeight weights(int In, int Out) {
  int Groups = divUp(In, 128);
  return {array<uint32_t>(size_t(divUp(In, 32) * 4) * Out, false),
          array<uint32_t>(size_t(divUp(Groups, 8)) * Out, false),
          array<half>(size_t(Groups) * Out)};
}

int main() {
  const int Dim = 4096, Hidden = 11008, Heads = 32, Size = 128, Length = 2048,
            Words = 32000, Position = 1500;
  half *X = array<half>(Hidden), *Y = array<half>(Words),
       *Norm = array<half>(Dim), *Q = array<half>(Dim),
       *Keys = array<half>(size_t(Length) * Dim),
       *Values = array<half>(size_t(Length) * Dim),
       *Scores = array<half>(size_t(Length) * Heads),
       *Table = array<half>(size_t(Words) * Dim);
  float *Logits = array<float>(Words);
  int *Indices = array<int>(Words, false);
  int *Tokens, *Pos, *Pos2;
  cudaMalloc(&Tokens, Length * sizeof(int));
  cudaMemset(Tokens, 0, Length * sizeof(int));
  cudaMalloc(&Pos, sizeof(int));
  cudaMalloc(&Pos2, sizeof(int));
  cudaMemcpy(Pos, &Position, sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(Pos2, &Position, sizeof(int), cudaMemcpyHostToDevice);
  QWeight Square = weights(Dim, Dim), Key = weights(Dim, Dim),
          Value = weights(Dim, Dim), Gate = weights(Dim, Hidden),
          Up = weights(Dim, Hidden), Down = weights(Hidden, Dim);
  auto product = [&](half *Out, half *In, QWeight &W, int Ins, int Outs) {
    int Groups = divUp(Ins, 128);
    mat_vec_kernel_int4<<<dim3(divUp(Outs, 4), 1), dim3(32, 4)>>>(
        Out, In, W.weight, W.zeros, W.scales, Ins, Outs, divUp(Groups, 8),
        Groups, divUp(Ins, 32) * 4, true, -1, nullptr);
  };
  for (int I = 0; I < 2; ++I) {
    copy_embedding_kernel<<<divUp(Dim, 256), 256>>>(X, Table, Dim, Tokens, Pos);
    rmsnorm_kernel<<<1, 1024>>>(Y, X, Norm, Dim, divUp(Dim, 1024));
    int Groups = divUp(Dim, 128);
    qkv_matvec_kernel<<<dim3(divUp(Dim, 4), 3), dim3(32, 4)>>>(
        Q, Keys, Values, X, Square.weight, Square.zeros, Square.scales,
        Key.weight, Key.zeros, Key.scales, Value.weight, Value.zeros,
        Value.scales, Dim, Dim, divUp(Groups, 8), Groups, divUp(Dim, 32) * 4, 0,
        Pos);
    RoPERotation_kernel<<<Heads, Size / 2>>>(Q, Keys, Heads, Size, Pos, 0,
                                             10000.f);
    mat_vec_kernel_simple<<<dim3(divUp(Length, 32), Heads), dim3(32, 32)>>>(
        Scores, Q, Keys, Size, divUp(Size, 32), Size, Size, Dim, 0.088f, Pos,
        1);
    softmax_kernel<<<Heads, 1024>>>(Scores, Heads, Pos);
    softmax_kernel_no_smem<<<Heads, 1024>>>(Scores, Heads, Pos);
    vec_mat_kernel<<<dim3(divUp(Size, 32), Heads), dim3(32, 32)>>>(
        Y, Scores, Values, Size, Pos, Size, Size, Dim, 1);
    product(X, Y, Square, Dim, Dim);
    ffn_matvec_silu_kernel<<<dim3(divUp(Hidden, 4), 1), dim3(32, 4)>>>(
        X, Y, Gate.weight, Gate.zeros, Gate.scales, Up.weight, Up.zeros,
        Up.scales, Dim, Hidden, divUp(Groups, 8), Groups, divUp(Dim, 32) * 4);
    product(Y, X, Down, Hidden, Dim);
    mat_vec_kernel<<<dim3(divUp(Words, 4), 1), dim3(32, 4)>>>(
        Y, X, Table, Dim, Words, divUp(divUp(Dim, 32), 8), 0, 0, 0, Dim, 1.f);
    convert_fp16_to_fp32<<<divUp(Words, 128), 128>>>(Logits, Y, Words);
    softmax_logits_kernel<<<1, 1024>>>(Y, Words, 0.8f, Indices);
    cudaMemcpy(Pos2, &Position, sizeof(int), cudaMemcpyHostToDevice);
    argmax_kernel<<<1, 1024>>>(Y, Words, Tokens, Pos2, Pos2, false);
    cudaMemcpy(Pos, &Position, sizeof(int), cudaMemcpyHostToDevice);
  }
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
