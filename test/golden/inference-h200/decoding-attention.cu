// Calls decoding_attention for heads of four sizes, fp16 and bf16, two batches.
#include "common.h"
#include "ops/decoding_attn.h"

__global__ void fill(half *A, size_t N) {
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < N;
       I += gridDim.x * size_t(blockDim.x))
    A[I] = __float2half(float((I * 2654435761u >> 8) % 1000) / 1000 - 0.5f);
}

int main() {
  const int Batches = 16, Keys = 2048, Heads = 32, KeyHeads = 8;
  half *Q, *K, *V, *O;
  size_t Most = size_t(Batches) * Keys * KeyHeads * 576;
  cudaMalloc(&Q, Batches * Heads * 576 * 2);
  cudaMalloc(&K, Most * 2);
  cudaMalloc(&V, Most * 2);
  cudaMalloc(&O, Batches * Heads * 576 * 2);
  fill<<<1024, 256>>>(Q, Batches * Heads * 576);
  fill<<<1024, 256>>>(K, Most);
  fill<<<1024, 256>>>(V, Most);
  int Starts[Batches + 1], *Start;
  for (int I = 0; I <= Batches; ++I)
    Starts[I] = I * Keys;
  cudaMalloc(&Start, sizeof(Starts));
  cudaMemcpy(Start, Starts, sizeof(Starts), cudaMemcpyHostToDevice);
  for (int I = 0; I < 2; ++I)
    for (int Batch : {4, 16}) {
      auto Run = [&](size_t D, size_t DV, bool Alibi, bool Bf16) {
        decoding_attn(Q, K, V, O, Start, Keys, Batch, Heads, KeyHeads, D, DV,
                      Alibi, Bf16, nullptr);
      };
      Run(64, 64, false, false);
      Run(96, 96, false, false);
      Run(128, 128, false, false);
      Run(128, 128, true, true);
      Run(256, 256, false, true);
    }
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
