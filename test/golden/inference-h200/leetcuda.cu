// Calls softmax, norms, rotations and attention of LeetCUDA twice each, or only
// the function that the first argument numbers.
#include "torch/extension.h"
#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>

using torch::Tensor;
using Map = void(Tensor, Tensor);
using Rms = void(Tensor, Tensor, float);
using Layer = void(Tensor, Tensor, float, float);
using Attention = void(Tensor, Tensor, Tensor, Tensor, int);
Map softmax_f32_per_token, softmax_f32x4_per_token, safe_softmax_f32_per_token,
    safe_softmax_f32x4_per_token, safe_softmax_f16_f32_per_token,
    safe_softmax_f16x2_f32_per_token, safe_softmax_f16x8_pack_f32_per_token,
    online_safe_softmax_f32_per_token, online_safe_softmax_f32x4_pack_per_token,
    rope_f32, rope_f32x4_pack;
Rms rms_norm_f32, rms_norm_f32x4, rms_norm_f16_f16, rms_norm_f16x2_f16,
    rms_norm_f16x8_f16, rms_norm_f16x8_f32, rms_norm_f16_f32,
    rms_norm_f16x8_pack_f16, rms_norm_f16x8_pack_f32;
Layer layer_norm_f32, layer_norm_f32x4, layer_norm_f16_f16,
    layer_norm_f16x2_f16, layer_norm_f16x8_f16, layer_norm_f16x8_pack_f16,
    layer_norm_f16x8_pack_f32, layer_norm_f16_f32;
Attention flash_attn_mma_stages_split_kv, flash_attn_mma_stages_split_q,
    flash_attn_mma_stages_split_q_shared_kv,
    flash_attn_mma_stages_split_q_shared_qkv,
    flash_attn_mma_stages_split_q_tiling_qk;

__global__ void fill(half *A, size_t N) {
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < N;
       I += gridDim.x * size_t(blockDim.x))
    A[I] = __float2half(float((I * 2654435761u >> 8) % 1000) / 1000 - 0.5f);
}

static void *filled(size_t Bytes) {
  void *P;
  cudaMalloc(&P, Bytes);
  fill<<<1024, 256>>>(static_cast<half *>(P), Bytes / 2);
  return P;
}

int main(int Count, char **Words) {
  const int Only = Count > 1 ? atoi(Words[1]) : -1;
  int Number = 0;
  const size_t Rows = 8192, Row = 1024;
  void *A = filled(Rows * Row * 4), *B = filled(Rows * Row * 4),
       *C = filled(Rows * Row * 4), *D = filled(Rows * Row * 4);
  auto rows = [&](void *P, torch::Type T) {
    return Tensor{P, T, 2, {long(Rows), long(Row)}};
  };
  Tensor X = rows(A, torch::kFloat), Y = rows(B, torch::kFloat),
         XH = rows(A, torch::kHalf), YH = rows(B, torch::kHalf);
  auto heads = [&](void *P, long Size) {
    return Tensor{P, torch::kHalf, 4, {2, 16, 2048, Size}};
  };
  auto call = [&](auto Run) {
    if (Only < 0 || Only == Number)
      for (int I = 0; I < 2; ++I)
        Run();
    ++Number;
  };
  for (Map *Run :
       {softmax_f32_per_token, softmax_f32x4_per_token,
        safe_softmax_f32_per_token, safe_softmax_f32x4_per_token,
        online_safe_softmax_f32_per_token,
        online_safe_softmax_f32x4_pack_per_token, rope_f32, rope_f32x4_pack})
    call([&] { Run(X, Y); });
  for (Map *Run :
       {safe_softmax_f16_f32_per_token, safe_softmax_f16x2_f32_per_token,
        safe_softmax_f16x8_pack_f32_per_token})
    call([&] { Run(XH, YH); });
  for (Rms *Run : {rms_norm_f32, rms_norm_f32x4})
    call([&] { Run(X, Y, 1.f); });
  for (Rms *Run : {rms_norm_f16_f16, rms_norm_f16x2_f16, rms_norm_f16x8_f16,
                   rms_norm_f16x8_f32, rms_norm_f16_f32,
                   rms_norm_f16x8_pack_f16, rms_norm_f16x8_pack_f32})
    call([&] { Run(XH, YH, 1.f); });
  for (Layer *Run : {layer_norm_f32, layer_norm_f32x4})
    call([&] { Run(X, Y, 1.f, 0.f); });
  for (Layer *Run : {layer_norm_f16_f16, layer_norm_f16x2_f16,
                     layer_norm_f16x8_f16, layer_norm_f16x8_pack_f16,
                     layer_norm_f16x8_pack_f32, layer_norm_f16_f32})
    call([&] { Run(XH, YH, 1.f, 0.f); });
  for (long Size : {64, 128})
    for (Attention *Run :
         {flash_attn_mma_stages_split_kv, flash_attn_mma_stages_split_q,
          flash_attn_mma_stages_split_q_shared_kv,
          flash_attn_mma_stages_split_q_shared_qkv,
          flash_attn_mma_stages_split_q_tiling_qk})
      call([&] {
        Run(heads(A, Size), heads(B, Size), heads(C, Size), heads(D, Size), 2);
      });
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
