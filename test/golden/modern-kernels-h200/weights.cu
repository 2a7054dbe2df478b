// Products of activations with weights of four bits and of bf16 with a fused
// end, by mma.sync.
#include "common.h"

// Four halves of eight four-bit numbers each time: 1024 + q, less 1032.
__device__ __forceinline__ void fourBits(unsigned Q, unsigned (&R)[2]) {
  unsigned Lo, Hi;
  asm("lop3.b32 %0, %1, 0x000f000f, 0x64006400, 0xea;" : "=r"(Lo) : "r"(Q));
  asm("lop3.b32 %0, %1, 0x00f000f0, 0x64006400, 0xea;" : "=r"(Hi) : "r"(Q));
  half2 A = __hsub2(*(half2 *)&Lo, __float2half2_rn(1032.f)),
        B = __hfma2(*(half2 *)&Hi, __float2half2_rn(1 / 16.f),
                    __float2half2_rn(-72.f));
  R[0] = *(unsigned *)&A;
  R[1] = *(unsigned *)&B;
}

// Marlin's way: 16 * MT rows, 256 columns by four warps, K by two halves of
// warps that add up in shared memory; four stages.
template <int MT>
__global__ void __launch_bounds__(256)
    marlinLike(const half *A, const uint4 *W, const half *Scales, float *C,
               int N, int K) {
  constexpr int STAGES = 4, M = 16 * MT;
  extern __shared__ __align__(128) char Raw[];
  half *SA = (half *)Raw;                              // M x 64 a stage
  uint4 *SW = (uint4 *)(Raw + STAGES * M * 64 * 2);    // 512 of 16 B a stage
  half *SS = (half *)((char *)SW + STAGES * 512 * 16); // 256 a stage
  const int T = threadIdx.x, Warp = T / 32, L = T % 32, WN = Warp % 4,
            WK = Warp / 4;
  const int Steps = K / 64 / gridDim.y, First = blockIdx.y * Steps;
  auto Load = [&](int Step) {
    if (Step < Steps) {
      const int S = Step % STAGES, K0 = (First + Step) * 64;
      for (int I = T; I < M * 8; I += 256)
        copy16(smem(SA + S * M * 64 + I / 8 * 64 + ((I % 8 ^ (I / 8 & 7)) * 8)),
               A + size_t(I / 8) * K + K0 + I % 8 * 8);
      for (int I = T; I < 512; I += 256)
        copy16(smem(SW + S * 512 + I),
               W + (size_t(First + Step) * gridDim.x + blockIdx.x) * 512 + I);
      if (T < 32)
        copy16(smem(SS + S * 256 + T * 8),
               Scales + size_t(K0 / 128) * N + blockIdx.x * 256 + T * 8);
    }
    commit();
  };
  float c[MT][8][4] = {};
  for (int S = 0; S < STAGES - 1; ++S)
    Load(S);
  for (int Step = 0; Step < Steps; ++Step) {
    waitGroup<STAGES - 2>();
    __syncthreads();
    Load(Step + STAGES - 1);
    const int S = Step % STAGES;
    const uint4 Sc = *(const uint4 *)(SS + S * 256 + WN * 64 + L / 4 * 8);
    const half2 *Sc2 = (const half2 *)&Sc;
#pragma unroll
    for (int KK = 0; KK < 2; ++KK) {
      unsigned a[MT][4];
#pragma unroll
      for (int I = 0; I < MT; ++I) {
        const int Row = I * 16 + L % 16, Col = WK * 4 + KK * 2 + L / 16;
        ldmatrix(a[I],
                 smem(SA + S * M * 64 + Row * 64 + ((Col ^ (Row & 7)) * 8)));
      }
      const uint4 Q = SW[S * 512 + ((WK * 2 + KK) * 4 + WN) * 32 + L];
#pragma unroll
      for (int J = 0; J < 4; ++J) {
        const unsigned V = J == 0 ? Q.x : J == 1 ? Q.y : J == 2 ? Q.z : Q.w;
        unsigned b[2][2];
        fourBits(V, b[0]);
        fourBits(V >> 8, b[1]);
#pragma unroll
        for (int H = 0; H < 2; ++H) {
          const half2 F = H ? __high2half2(Sc2[J]) : __low2half2(Sc2[J]);
          half2 X = __hmul2(*(half2 *)&b[H][0], F),
                Y = __hmul2(*(half2 *)&b[H][1], F);
#pragma unroll
          for (int I = 0; I < MT; ++I)
            mmaHalf(c[I][2 * J + H], a[I], *(unsigned *)&X, *(unsigned *)&Y);
        }
      }
    }
  }
  waitGroup<0>();
  __syncthreads();
  float *Sum = (float *)Raw;
#pragma unroll
  for (int I = 0; I < MT; ++I) {
    if (WK)
#pragma unroll
      for (int J = 0; J < 8; ++J)
        for (int E = 0; E < 4; ++E)
          Sum[(J * 4 + E) * 128 + T - 128] = c[I][J][E];
    __syncthreads();
    if (!WK)
#pragma unroll
      for (int J = 0; J < 8; ++J)
#pragma unroll
        for (int H = 0; H < 2; ++H)
          *(float2 *)(C +
                      (size_t(blockIdx.y) * M + I * 16 + L / 4 + 8 * H) * N +
                      blockIdx.x * 256 + WN * 64 + J * 8 + L % 4 * 2) =
              make_float2(c[I][J][2 * H] + Sum[(J * 4 + 2 * H) * 128 + T],
                          c[I][J][2 * H + 1] +
                              Sum[(J * 4 + 2 * H + 1) * 128 + T]);
    __syncthreads();
  }
}

// As Triton's tutorial: blocks of rows in groups of eight, 128 x 64 x 64, four
// warps of 64 x 32, three stages, bias and GELU.
template <int STAGES>
__global__ void __launch_bounds__(128)
    tritonLike(const bf16 *A, const bf16 *B, const bf16 *Bias, bf16 *C, int M,
               int N, int K) {
  extern __shared__ __align__(128) bf16 S[];
  const int T = threadIdx.x, W = T / 32, L = T % 32, WM = W / 2 * 64,
            WN = W % 2 * 32;
  const int TilesM = M / 128, TilesN = N / 64, Group = 8 * TilesN,
            G = blockIdx.x / Group, Size = min(TilesM - G * 8, 8),
            TM = G * 8 + blockIdx.x % Group % Size,
            TN = blockIdx.x % Group / Size;
  const bf16 *GA = A + size_t(TM) * 128 * K, *GB = B + size_t(TN) * 64 * K;
  auto Load = [&](int Step) {
    if (Step < K / 64) {
      bf16 *SA = S + Step % STAGES * (192 * 64), *SB = SA + 128 * 64;
#pragma unroll
      for (int I = 0; I < 8; ++I) {
        const int Row = T / 8 + I * 16, Col = T % 8;
        copy16(smem(SA + Row * 64 + ((Col ^ (Row & 7)) * 8)),
               GA + size_t(Row) * K + Step * 64 + Col * 8);
      }
#pragma unroll
      for (int I = 0; I < 4; ++I) {
        const int Row = T / 8 + I * 16, Col = T % 8;
        copy16(smem(SB + Row * 64 + ((Col ^ (Row & 7)) * 8)),
               GB + size_t(Row) * K + Step * 64 + Col * 8);
      }
    }
    commit();
  };
  float c[4][4][4] = {};
  for (int I = 0; I < STAGES - 1; ++I)
    Load(I);
  for (int Step = 0; Step < K / 64; ++Step) {
    waitGroup<STAGES - 2>();
    __syncthreads();
    Load(Step + STAGES - 1);
    const bf16 *SA = S + Step % STAGES * (192 * 64), *SB = SA + 128 * 64;
#pragma unroll
    for (int KK = 0; KK < 4; ++KK) {
      unsigned a[4][4], b[2][4];
#pragma unroll
      for (int I = 0; I < 4; ++I) {
        const int Row = WM + I * 16 + L % 16, Col = KK * 2 + L / 16;
        ldmatrix(a[I], smem(SA + Row * 64 + ((Col ^ (Row & 7)) * 8)));
      }
#pragma unroll
      for (int J = 0; J < 2; ++J) {
        const int Row = WN + J * 16 + L % 16, Col = KK * 2 + L / 16;
        ldmatrix(b[J], smem(SB + Row * 64 + ((Col ^ (Row & 7)) * 8)));
      }
#pragma unroll
      for (int I = 0; I < 4; ++I)
#pragma unroll
        for (int J = 0; J < 4; ++J)
          mma(c[I][J], a[I], b[J / 2][J % 2], b[J / 2][J % 2 + 2]);
    }
  }
#pragma unroll
  for (int J = 0; J < 4; ++J) {
    const int Col = TN * 64 + WN + J * 8 + L % 4 * 2;
    const float2 Add = __bfloat1622float2(*(const bf162 *)(Bias + Col));
#pragma unroll
    for (int I = 0; I < 4; ++I)
#pragma unroll
      for (int H = 0; H < 2; ++H) {
        float X = c[I][J][2 * H] + Add.x, Y = c[I][J][2 * H + 1] + Add.y;
        X *= 0.5f * (1 + erff(X * 0.7071f));
        Y *= 0.5f * (1 + erff(Y * 0.7071f));
        *(unsigned *)(C + size_t(TM * 128 + WM + I * 16 + L / 4 + H * 8) * N +
                      Col) = pack(X, Y);
      }
  }
}

// Gate and up projection of a fused MLP: silu(A G^T) * (A U^T); 64 x 64 x 32,
// four warps of 32 x 32.
__global__ void __launch_bounds__(128)
    fusedSwiglu(const bf16 *A, const bf16 *G, const bf16 *U, bf16 *C, int N,
                int K) {
  __shared__ __align__(128) bf16 S[3][3][64 * 32];
  const int T = threadIdx.x, W = T / 32, L = T % 32, WM = W / 2 * 32,
            WN = W % 2 * 32;
  auto At = [&](bf16 *P, int Row, int Col) {
    return smem(P + Row * 32 + ((Col ^ (Row / 2 & 3)) * 8));
  };
  auto Load = [&](int Step) {
    if (Step < K / 32)
#pragma unroll
      for (int I = 0; I < 2; ++I) {
        const int Row = T / 4 + I * 32, Col = T % 4, F = Step % 3;
        const size_t X = size_t(Step) * 32 + Col * 8;
        copy16(At(S[F][0], Row, Col),
               A + size_t(blockIdx.y * 64 + Row) * K + X);
        copy16(At(S[F][1], Row, Col),
               G + size_t(blockIdx.x * 64 + Row) * K + X);
        copy16(At(S[F][2], Row, Col),
               U + size_t(blockIdx.x * 64 + Row) * K + X);
      }
    commit();
  };
  float g[2][4][4] = {}, u[2][4][4] = {};
  Load(0);
  Load(1);
  for (int Step = 0; Step < K / 32; ++Step) {
    waitGroup<1>();
    __syncthreads();
    Load(Step + 2);
    auto &F = S[Step % 3];
#pragma unroll
    for (int KK = 0; KK < 2; ++KK) {
      unsigned a[2][4];
#pragma unroll
      for (int I = 0; I < 2; ++I)
        ldmatrix(a[I], At(F[0], WM + I * 16 + L % 16, KK * 2 + L / 16));
#pragma unroll
      for (int J = 0; J < 2; ++J) {
        unsigned b[4], c[4];
        const int Row = WN + J * 16 + L % 8 + L / 16 * 8,
                  Col = KK * 2 + L / 8 % 2;
        ldmatrix(b, At(F[1], Row, Col));
        ldmatrix(c, At(F[2], Row, Col));
#pragma unroll
        for (int I = 0; I < 2; ++I) {
          mma(g[I][2 * J], a[I], b[0], b[1]);
          mma(g[I][2 * J + 1], a[I], b[2], b[3]);
          mma(u[I][2 * J], a[I], c[0], c[1]);
          mma(u[I][2 * J + 1], a[I], c[2], c[3]);
        }
      }
    }
  }
#pragma unroll
  for (int I = 0; I < 2; ++I)
#pragma unroll
    for (int J = 0; J < 4; ++J)
#pragma unroll
      for (int H = 0; H < 2; ++H) {
        auto F = [](float X, float Y) { return X / (1 + __expf(-X)) * Y; };
        *(unsigned *)(C +
                      size_t(blockIdx.y * 64 + WM + I * 16 + L / 4 + H * 8) *
                          N +
                      blockIdx.x * 64 + WN + J * 8 + L % 4 * 2) =
            pack(F(g[I][J][2 * H], u[I][J][2 * H]),
                 F(g[I][J][2 * H + 1], u[I][J][2 * H + 1]));
      }
}

template <int MT>
void marlin(const half *A, const uint4 *W, const half *S, float *C, int N,
            int K, int Split) {
  launch(marlinLike<MT>, dim3(N / 256, Split), 256,
         4 * (16 * MT * 128 + 512 * 16 + 512), 1, A, W, S, C, N, K);
}

int main() {
  bf16 *A = make<bf16>(1 << 26), *B = make<bf16>(1 << 26),
       *C = make<bf16>(1 << 26);
  float *F = make<float>(1 << 24);
  for (int Turn = 0; Turn < 2; ++Turn) {
    marlin<1>((half *)A, (uint4 *)B, (half *)C, F, 8192, 8192, 4);
    marlin<4>((half *)A, (uint4 *)B, (half *)C, F, 12288, 4096, 2);
    launch(tritonLike<3>, dim3(4096 / 128 * (4096 / 64)), 128, 3 * 192 * 128, 1,
           A, B, B, C, 4096, 4096, 2048);
    launch(tritonLike<4>, dim3(512 / 128 * (2048 / 64)), 128, 4 * 192 * 128, 1,
           A, B, B, C, 512, 2048, 8192);
    fusedSwiglu<<<dim3(5504 / 64, 512 / 64), 128>>>(A, B, B + (1 << 25), C,
                                                    5504, 2048);
  }
  finish();
}
