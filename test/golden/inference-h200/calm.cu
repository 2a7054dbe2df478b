// Runs calm's token for four layers of a model of 7 billion parameters with
// grouped queries, at token 1000, for each kind of weights and of cached keys.
#include "model.h"
#include <cstdio>
#include <cuda_runtime.h>

extern "C" void prepare_cuda(Transformer *);
extern "C" float *forward_cuda(Transformer *, int, int, unsigned);

static void *zeros(size_t Bytes) {
  void *P;
  cudaMalloc(&P, Bytes);
  cudaMemset(P, 0, Bytes);
  return P;
}

int main() {
  Transformer T = {};
  Config &C = T.config;
  C.dim = 4096;
  C.hidden_dim = 14336;
  C.head_dim = 128;
  C.n_layers = 4;
  C.n_heads = 32;
  C.n_kv_heads = 8;
  C.vocab_size = 32768;
  C.seq_len = 2048;
  C.rope_theta = 10000;
  C.rotary_dim = 128;
  C.norm_eps = 1e-5f;
  C.qkv_clip = 1e30f;
  Weights &W = T.weights;
  size_t Dim = C.dim, Hidden = C.hidden_dim, KeyDim = 1024;
  W.token_embedding_table = W.wcls = zeros(C.vocab_size * Dim * 2);
  W.rms_final_weight = static_cast<float *>(zeros(Dim * 4));
  for (int I = 0; I < C.n_layers; ++I) {
    W.rms_att_weight[I] = static_cast<float *>(zeros(Dim * 4));
    W.rms_ffn_weight[I] = static_cast<float *>(zeros(Dim * 4));
    W.wq[I] = zeros(Dim * Dim * 2);
    W.wk[I] = zeros(KeyDim * Dim * 2);
    W.wv[I] = zeros(KeyDim * Dim * 2);
    W.wo[I] = zeros(Dim * Dim * 2);
    W.w1[I] = zeros(Hidden * Dim * 2);
    W.w2[I] = zeros(Hidden * Dim * 2);
    W.w3[I] = zeros(Hidden * Dim * 2);
  }
  for (int KeyBits : {16, 8}) {
    T.state.kvbits = KeyBits;
    prepare_cuda(&T);
    for (int Bits : {4, 8, 16}) {
      W.dbits = Bits;
      forward_cuda(&T, 7, 1000, 0);
      forward_cuda(&T, 7, 1000, 0);
    }
  }
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
