// Attention with mma.sync, forward and backward, as FlashAttention 2 has it.
#include "common.h"

template <int D>
__device__ __forceinline__ unsigned place(const bf16 *S, int Row, int Chunk) {
  return smem(S + Row * D + ((Chunk ^ (Row & 7)) * 8));
}
template <int D, int ROWS>
__device__ __forceinline__ void load(bf16 *S, const bf16 *G) {
  for (int I = threadIdx.x; I < ROWS * D / 8; I += 128)
    copy16(place<D>(S, I / (D / 8), I % (D / 8)),
           G + size_t(I / (D / 8)) * D + I % (D / 8) * 8);
}

// 64 queries a block, 16 a warp; keys by 64, two stages.
template <int D, bool CAUSAL>
__global__ void __launch_bounds__(128)
    flashForward(const bf16 *Q, const bf16 *K, const bf16 *V, bf16 *O,
                 float *Lse, int Len, float Scale) {
  extern __shared__ __align__(128) bf16 S[];
  const int T = threadIdx.x, W = T / 32, L = T % 32;
  const int QTile = CAUSAL ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
  const size_t Head = size_t(blockIdx.y) * Len * D;
  bf16 *SK = S, *SV = S + 2 * 64 * D;
  load<D, 64>(SV, Q + Head + size_t(QTile) * 64 * D);
  commit();
  load<D, 64>(SK, K + Head);
  commit();
  waitGroup<1>();
  __syncthreads();
  unsigned q[D / 16][4];
#pragma unroll
  for (int I = 0; I < D / 16; ++I)
    ldmatrix(q[I], place<D>(SV, W * 16 + L % 16, I * 2 + L / 16));
  __syncthreads();
  load<D, 64>(SV, V + Head);
  commit();
  float o[D / 8][4] = {}, M[2] = {-1e30f, -1e30f}, Z[2] = {};
  const int Tiles = CAUSAL ? QTile + 1 : Len / 64;
  for (int J = 0; J < Tiles; ++J) {
    const bf16 *K0 = SK + (J & 1) * 64 * D, *V0 = SV + (J & 1) * 64 * D;
    waitGroup<0>();
    __syncthreads();
    if (J + 1 < Tiles) {
      load<D, 64>(SK + ((J + 1) & 1) * 64 * D,
                  K + Head + size_t(J + 1) * 64 * D);
      load<D, 64>(SV + ((J + 1) & 1) * 64 * D,
                  V + Head + size_t(J + 1) * 64 * D);
    }
    commit();
    float s[8][4] = {};
#pragma unroll
    for (int I = 0; I < D / 16; ++I)
#pragma unroll
      for (int N = 0; N < 4; ++N) {
        unsigned b[4];
        ldmatrix(b,
                 place<D>(K0, N * 16 + L % 8 + L / 16 * 8, I * 2 + L / 8 % 2));
        mma(s[2 * N], q[I], b[0], b[1]);
        mma(s[2 * N + 1], q[I], b[2], b[3]);
      }
    if (CAUSAL && J == Tiles - 1) {
#pragma unroll
      for (int N = 0; N < 8; ++N)
#pragma unroll
        for (int E = 0; E < 4; ++E)
          if (N * 8 + L % 4 * 2 + E % 2 > W * 16 + L / 4 + E / 2 * 8)
            s[N][E] = -1e30f;
    }
#pragma unroll
    for (int H = 0; H < 2; ++H) {
      float New = M[H];
#pragma unroll
      for (int N = 0; N < 8; ++N)
        New = fmaxf(New, fmaxf(s[N][2 * H], s[N][2 * H + 1]));
      New = fmaxf(New, __shfl_xor_sync(~0u, New, 1));
      New = fmaxf(New, __shfl_xor_sync(~0u, New, 2));
      const float Old = exp2f((M[H] - New) * Scale);
      M[H] = New;
      float Sum = 0;
#pragma unroll
      for (int N = 0; N < 8; ++N)
#pragma unroll
        for (int E = 2 * H; E < 2 * H + 2; ++E) {
          s[N][E] = exp2f(s[N][E] * Scale - New * Scale);
          Sum += s[N][E];
        }
      Z[H] = Z[H] * Old + Sum;
#pragma unroll
      for (int N = 0; N < D / 8; ++N)
        o[N][2 * H] *= Old, o[N][2 * H + 1] *= Old;
    }
#pragma unroll
    for (int N = 0; N < 4; ++N) {
      const unsigned p[4] = {pack(s[2 * N][0], s[2 * N][1]),
                             pack(s[2 * N][2], s[2 * N][3]),
                             pack(s[2 * N + 1][0], s[2 * N + 1][1]),
                             pack(s[2 * N + 1][2], s[2 * N + 1][3])};
#pragma unroll
      for (int I = 0; I < D / 16; ++I) {
        unsigned b[4];
        ldmatrixT(b, place<D>(V0, N * 16 + L % 16, I * 2 + L / 16));
        mma(o[2 * I], p, b[0], b[1]);
        mma(o[2 * I + 1], p, b[2], b[3]);
      }
    }
  }
#pragma unroll
  for (int H = 0; H < 2; ++H) {
    Z[H] += __shfl_xor_sync(~0u, Z[H], 1);
    Z[H] += __shfl_xor_sync(~0u, Z[H], 2);
    const float R = 1 / Z[H];
    const int Row = QTile * 64 + W * 16 + L / 4 + 8 * H;
    if (L % 4 == 0)
      Lse[blockIdx.y * Len + Row] = M[H] * Scale + __log2f(Z[H]);
#pragma unroll
    for (int N = 0; N < D / 8; ++N)
      *(unsigned *)(O + Head + size_t(Row) * D + N * 8 + L % 4 * 2) =
          pack(o[N][2 * H] * R, o[N][2 * H + 1] * R);
  }
}

// 64 keys a block, 16 a warp, over all queries by 64; dQ by atomics.
template <int D>
__global__ void __launch_bounds__(128)
    flashBackward(const bf16 *Q, const bf16 *K, const bf16 *V, const bf16 *DO,
                  const float *Lse, const float *Delta, float *DQ, bf16 *DK,
                  bf16 *DV, int Len, float Scale) {
  extern __shared__ __align__(128) bf16 S[];
  const int T = threadIdx.x, W = T / 32, L = T % 32;
  const size_t Head = size_t(blockIdx.y) * Len * D,
               Mine = Head + size_t(blockIdx.x) * 64 * D;
  bf16 *SK = S, *SV = SK + 64 * D, *SQ = SV + 64 * D, *SO = SQ + 2 * 64 * D,
       *SS = SO + 2 * 64 * D;
  float *SL = (float *)(SS + 64 * 64);
  load<D, 64>(SK, K + Mine);
  load<D, 64>(SV, V + Mine);
  load<D, 64>(SQ, Q + Head);
  load<D, 64>(SO, DO + Head);
  commit();
  float dk[D / 8][4] = {}, dv[D / 8][4] = {};
  for (int J = 0; J < Len / 64; ++J) {
    const bf16 *Q0 = SQ + (J & 1) * 64 * D, *O0 = SO + (J & 1) * 64 * D;
    waitGroup<0>();
    if (T < 64)
      SL[T] = Lse[blockIdx.y * Len + J * 64 + T];
    else
      SL[T] = Delta[blockIdx.y * Len + J * 64 + T - 64];
    __syncthreads();
    if (J + 1 < Len / 64) {
      load<D, 64>(SQ + ((J + 1) & 1) * 64 * D,
                  Q + Head + size_t(J + 1) * 64 * D);
      load<D, 64>(SO + ((J + 1) & 1) * 64 * D,
                  DO + Head + size_t(J + 1) * 64 * D);
    }
    commit();
    float s[8][4] = {}, dp[8][4] = {};
#pragma unroll
    for (int I = 0; I < D / 16; ++I) {
      unsigned k[4], v[4];
      ldmatrix(k, place<D>(SK, W * 16 + L % 16, I * 2 + L / 16));
      ldmatrix(v, place<D>(SV, W * 16 + L % 16, I * 2 + L / 16));
#pragma unroll
      for (int N = 0; N < 4; ++N) {
        unsigned b[4];
        ldmatrix(b,
                 place<D>(Q0, N * 16 + L % 8 + L / 16 * 8, I * 2 + L / 8 % 2));
        mma(s[2 * N], k, b[0], b[1]);
        mma(s[2 * N + 1], k, b[2], b[3]);
        ldmatrix(b,
                 place<D>(O0, N * 16 + L % 8 + L / 16 * 8, I * 2 + L / 8 % 2));
        mma(dp[2 * N], v, b[0], b[1]);
        mma(dp[2 * N + 1], v, b[2], b[3]);
      }
    }
    unsigned p[4][4], ds[4][4];
#pragma unroll
    for (int N = 0; N < 8; ++N) {
      const float2 E = *(float2 *)(SL + N * 8 + L % 4 * 2),
                   F = *(float2 *)(SL + 64 + N * 8 + L % 4 * 2);
#pragma unroll
      for (int H = 0; H < 2; ++H) {
        const float A = exp2f(s[N][2 * H] * Scale - E.x),
                    B = exp2f(s[N][2 * H + 1] * Scale - E.y);
        p[N / 2][N % 2 * 2 + H] = pack(A, B);
        ds[N / 2][N % 2 * 2 + H] =
            pack(A * (dp[N][2 * H] - F.x), B * (dp[N][2 * H + 1] - F.y));
        *(unsigned *)(SS + (W * 16 + L / 4 + 8 * H) * 64 +
                      ((N ^ (L / 4 & 7)) * 8) + L % 4 * 2) =
            ds[N / 2][N % 2 * 2 + H];
      }
    }
#pragma unroll
    for (int N = 0; N < 4; ++N)
#pragma unroll
      for (int I = 0; I < D / 16; ++I) {
        unsigned b[4];
        ldmatrixT(b, place<D>(O0, N * 16 + L % 16, I * 2 + L / 16));
        mma(dv[2 * I], p[N], b[0], b[1]);
        mma(dv[2 * I + 1], p[N], b[2], b[3]);
        ldmatrixT(b, place<D>(Q0, N * 16 + L % 16, I * 2 + L / 16));
        mma(dk[2 * I], ds[N], b[0], b[1]);
        mma(dk[2 * I + 1], ds[N], b[2], b[3]);
      }
    __syncthreads();
    float dq[D / 8][4] = {};
#pragma unroll
    for (int N = 0; N < 4; ++N) {
      unsigned a[4];
      ldmatrixT(a,
                place<64>(SS, N * 16 + L % 8 + L / 16 * 8, W * 2 + L / 8 % 2));
#pragma unroll
      for (int I = 0; I < D / 16; ++I) {
        unsigned b[4];
        ldmatrixT(b, place<D>(SK, N * 16 + L % 16, I * 2 + L / 16));
        mma(dq[2 * I], a, b[0], b[1]);
        mma(dq[2 * I + 1], a, b[2], b[3]);
      }
    }
#pragma unroll
    for (int N = 0; N < D / 8; ++N)
#pragma unroll
      for (int E = 0; E < 4; ++E)
        atomicAdd(DQ + Head + size_t(J * 64 + W * 16 + L / 4 + E / 2 * 8) * D +
                      N * 8 + L % 4 * 2 + E % 2,
                  dq[N][E]);
    __syncthreads();
  }
#pragma unroll
  for (int N = 0; N < D / 8; ++N)
#pragma unroll
    for (int H = 0; H < 2; ++H) {
      const size_t At =
          Mine + size_t(W * 16 + L / 4 + 8 * H) * D + N * 8 + L % 4 * 2;
      *(unsigned *)(DK + At) =
          pack(dk[N][2 * H] * Scale, dk[N][2 * H + 1] * Scale);
      *(unsigned *)(DV + At) = pack(dv[N][2 * H], dv[N][2 * H + 1]);
    }
}

template <int D, bool CAUSAL>
void forward(const bf16 *Q, const bf16 *K, const bf16 *V, bf16 *O, float *Lse,
             int Heads, int Len) {
  launch(flashForward<D, CAUSAL>, dim3(Len / 64, Heads), 128, 4 * 64 * D * 2, 1,
         Q, K, V, O, Lse, Len, 0.18f);
}

int main() {
  const size_t N = size_t(64) * 4096 * 128;
  bf16 *Q = make<bf16>(N), *K = make<bf16>(N), *V = make<bf16>(N),
       *O = make<bf16>(N), *DK = make<bf16>(N);
  float *Lse = make<float>(1 << 20), *Delta = make<float>(1 << 20),
        *DQ = make<float>(N);
  for (int Turn = 0; Turn < 2; ++Turn) {
    forward<128, false>(Q, K, V, O, Lse, 32, 2048);
    forward<64, true>(Q, K, V, O, Lse, 64, 2048);
    forward<64, false>(Q, K, V, O, Lse, 8, 1024);
    launch(flashBackward<64>, dim3(2048 / 64, 32), 128,
           (6 * 64 * 64 + 64 * 64) * 2 + 512, 1, Q, K, V, O, Lse, Delta, DQ, DK,
           O, 2048, 0.18f);
  }
  finish();
}
