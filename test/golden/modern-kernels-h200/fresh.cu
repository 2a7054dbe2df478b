// Launches of kinds as the other files have, of other shapes and forms.
#include "common.h"

// A product as CUTLASS' default for bf16: 128 x 128 x 32, four warps of 64 x
// 64, four stages, blocks of a row of tiles behind each other.
template <int STAGES>
__global__ void __launch_bounds__(128)
    deepProduct(const bf16 *A, const bf16 *B, bf16 *C, int N, int K) {
  extern __shared__ __align__(128) bf16 S[];
  const int T = threadIdx.x, W = T / 32, L = T % 32, WM = W / 2 * 64,
            WN = W % 2 * 64;
  const bf16 *GA = A + size_t(blockIdx.y) * 128 * K,
             *GB = B + size_t(blockIdx.x) * 128 * K;
  auto At = [&](bf16 *P, int Row, int Col) {
    return smem(P + Row * 32 + ((Col ^ (Row / 2 & 3)) * 8));
  };
  auto Load = [&](int Step) {
    if (Step < K / 32) {
      bf16 *SA = S + Step % STAGES * (256 * 32), *SB = SA + 128 * 32;
#pragma unroll
      for (int I = 0; I < 4; ++I) {
        const int Row = T / 4 + I * 32, Col = T % 4;
        copy16(At(SA, Row, Col), GA + size_t(Row) * K + Step * 32 + Col * 8);
        copy16(At(SB, Row, Col), GB + size_t(Row) * K + Step * 32 + Col * 8);
      }
    }
    commit();
  };
  float c[4][8][4] = {};
  for (int I = 0; I < STAGES - 1; ++I)
    Load(I);
  for (int Step = 0; Step < K / 32; ++Step) {
    waitGroup<STAGES - 2>();
    __syncthreads();
    Load(Step + STAGES - 1);
    bf16 *SA = S + Step % STAGES * (256 * 32), *SB = SA + 128 * 32;
#pragma unroll
    for (int KK = 0; KK < 2; ++KK) {
      unsigned a[4][4], b[4][4];
#pragma unroll
      for (int I = 0; I < 4; ++I)
        ldmatrix(a[I], At(SA, WM + I * 16 + L % 16, KK * 2 + L / 16));
#pragma unroll
      for (int J = 0; J < 4; ++J)
        ldmatrix(b[J], At(SB, WN + J * 16 + L % 16, KK * 2 + L / 16));
#pragma unroll
      for (int I = 0; I < 4; ++I)
#pragma unroll
        for (int J = 0; J < 8; ++J)
          mma(c[I][J], a[I], b[J / 2][J % 2], b[J / 2][J % 2 + 2]);
    }
  }
#pragma unroll
  for (int I = 0; I < 4; ++I)
#pragma unroll
    for (int J = 0; J < 8; ++J)
#pragma unroll
      for (int H = 0; H < 2; ++H)
        *(unsigned *)(C +
                      size_t(blockIdx.y * 128 + WM + I * 16 + L / 4 + H * 8) *
                          N +
                      blockIdx.x * 128 + WN + J * 8 + L % 4 * 2) =
            pack(c[I][J][2 * H], c[I][J][2 * H + 1]);
}

// Products of groups of rows with a matrix each, by persistent blocks that look
// for their tile among the groups.
__global__ void __launch_bounds__(256)
    groupedRows(const bf16 *A, const bf16 *B, bf16 *C, const int *Ends,
                int Groups, int N, int K) {
  __shared__ __align__(128) bf16 S[3][2][64 * 64];
  const int T = threadIdx.x, W = T / 32, L = T % 32, WM = W / 4 * 32,
            WN = W % 4 * 16, TilesN = N / 64;
  for (int Tile = blockIdx.x;; Tile += gridDim.x) {
    int G = 0, First = 0, Base = 0;
    for (; G < Groups; ++G) {
      const int Tiles = (Ends[G] - First + 63) / 64 * TilesN;
      if (Tile < Base + Tiles)
        break;
      Base += Tiles;
      First = Ends[G];
    }
    if (G == Groups)
      return;
    const int TM = (Tile - Base) / TilesN, TN = (Tile - Base) % TilesN;
    const bf16 *GA = A + size_t(First + TM * 64) * K,
               *GB = B + (size_t(G) * N + TN * 64) * K;
    auto Load = [&](int Step) {
      if (Step < K / 64)
#pragma unroll
        for (int I = 0; I < 2; ++I) {
          const int Row = T / 8 + I * 32, Col = T % 8,
                    To = Row * 64 + ((Col ^ (Row & 7)) * 8);
          copy16(smem(&S[Step % 3][0][To]),
                 GA + size_t(Row) * K + Step * 64 + Col * 8);
          copy16(smem(&S[Step % 3][1][To]),
                 GB + size_t(Row) * K + Step * 64 + Col * 8);
        }
      commit();
    };
    float c[2][2][4] = {};
    Load(0);
    Load(1);
    for (int Step = 0; Step < K / 64; ++Step) {
      waitGroup<1>();
      __syncthreads();
      Load(Step + 2);
#pragma unroll
      for (int KK = 0; KK < 4; ++KK) {
        unsigned a[2][4], b[4];
#pragma unroll
        for (int I = 0; I < 2; ++I) {
          const int Row = WM + I * 16 + L % 16, Col = KK * 2 + L / 16;
          ldmatrix(a[I],
                   smem(&S[Step % 3][0][Row * 64 + ((Col ^ (Row & 7)) * 8)]));
        }
        const int Row = WN + L % 16, Col = KK * 2 + L / 16;
        ldmatrix(b, smem(&S[Step % 3][1][Row * 64 + ((Col ^ (Row & 7)) * 8)]));
#pragma unroll
        for (int I = 0; I < 2; ++I)
#pragma unroll
          for (int J = 0; J < 2; ++J)
            mma(c[I][J], a[I], b[J], b[J + 2]);
      }
    }
    __syncthreads();
#pragma unroll
    for (int I = 0; I < 2; ++I)
#pragma unroll
      for (int J = 0; J < 2; ++J)
#pragma unroll
        for (int H = 0; H < 2; ++H)
          *(unsigned *)(C +
                        size_t(First + TM * 64 + WM + I * 16 + L / 4 + H * 8) *
                            N +
                        TN * 64 + WN + J * 8 + L % 4 * 2) =
              pack(c[I][J][2 * H], c[I][J][2 * H + 1]);
  }
}

// One new token against a cache of int8 with a scale for each key: a block a
// head and a part of the keys, a warp four keys at a time.
__global__ void __launch_bounds__(128)
    decodeInt8(const float *Q, const int8_t *Keys, const int8_t *Values,
               const float *Scales, float *Out, float *Sums, int Length) {
  __shared__ float Part[4][128], PartSum[4];
  const int Head = blockIdx.x, Split = blockIdx.y, W = threadIdx.x / 32,
            L = threadIdx.x % 32, Each = Length / gridDim.y;
  float q[4];
  for (int I = 0; I < 4; ++I)
    q[I] = Q[Head * 128 + L * 4 + I];
  float Acc[4] = {}, Sum = 0, Most = -1e30f;
  for (int K = Split * Each + W * 4; K < (Split + 1) * Each; K += 16) {
    float Score[4];
#pragma unroll
    for (int I = 0; I < 4; ++I) {
      const char4 V = *(
          const char4 *)(Keys + (size_t(Head) * Length + K + I) * 128 + L * 4);
      Score[I] = q[0] * V.x + q[1] * V.y + q[2] * V.z + q[3] * V.w;
    }
#pragma unroll
    for (int I = 0; I < 4; ++I) {
#pragma unroll
      for (int D = 16; D; D /= 2)
        Score[I] += __shfl_xor_sync(~0u, Score[I], D);
      Score[I] *= Scales[Head * Length + K + I];
    }
    float New = fmaxf(
        fmaxf(fmaxf(Score[0], Score[1]), fmaxf(Score[2], Score[3])), Most);
    const float Shrink = __expf(Most - New);
    Most = New;
    Sum *= Shrink;
#pragma unroll
    for (int I = 0; I < 4; ++I)
      Acc[I] *= Shrink;
#pragma unroll
    for (int I = 0; I < 4; ++I) {
      const float P = __expf(Score[I] - Most);
      Sum += P;
      const char4 V =
          *(const char4 *)(Values + (size_t(Head) * Length + K + I) * 128 +
                           L * 4);
      Acc[0] += P * V.x;
      Acc[1] += P * V.y;
      Acc[2] += P * V.z;
      Acc[3] += P * V.w;
    }
  }
  for (int I = 0; I < 4; ++I)
    Part[W][L * 4 + I] = Acc[I];
  if (L == 0)
    PartSum[W] = Sum;
  __syncthreads();
  const int D = threadIdx.x;
  Out[(size_t(Head) * gridDim.y + Split) * 128 + D] =
      Part[0][D] + Part[1][D] + Part[2][D] + Part[3][D];
  if (D == 0)
    Sums[Head * gridDim.y + Split] =
        PartSum[0] + PartSum[1] + PartSum[2] + PartSum[3];
}

// Puts the parts of a split attention together, a warp a head.
__global__ void __launch_bounds__(128)
    combineSplits(const float4 *Parts, const float *Sums, float4 *Out,
                  int Splits, int Heads) {
  const int Head = blockIdx.x * 4 + threadIdx.x / 32, L = threadIdx.x % 32;
  if (Head >= Heads)
    return;
  float4 A = {};
  float Sum = 0;
  for (int S = 0; S < Splits; ++S) {
    const float4 V = Parts[(size_t(Head) * Splits + S) * 32 + L];
    A.x += V.x;
    A.y += V.y;
    A.z += V.z;
    A.w += V.w;
    Sum += Sums[Head * Splits + S];
  }
  const float R = 1 / (Sum + 1e-6f);
  Out[size_t(Head) * 32 + L] = {A.x * R, A.y * R, A.z * R, A.w * R};
}

// RMSNorm whose rows come by bulk copies, three in flight, a block a share of
// the rows; results leave by a bulk copy.
__global__ void __launch_bounds__(256)
    rmsNormTma(const bf16 *X, const bf16 *Weight, bf16 *Y, int Rows) {
  constexpr int Cols = 4096, STAGES = 3;
  extern __shared__ __align__(128) char Raw[];
  bf16 *In = (bf16 *)Raw, *Result = In + STAGES * Cols;
  __shared__ __align__(8) uint64_t Full[STAGES];
  __shared__ float Part[8];
  const int T = threadIdx.x;
  if (T < STAGES)
    init(smem(&Full[T]), 1);
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  __syncthreads();
  auto Fetch = [&](int Row, int Stage) {
    expect(smem(&Full[Stage]), Cols * 2);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                 "bytes [%0], [%1], %2, [%3];" ::"r"(smem(In + Stage * Cols)),
                 "l"(X + size_t(Row) * Cols), "r"(Cols * 2),
                 "r"(smem(&Full[Stage]))
                 : "memory");
  };
  if (T == 0)
    for (int S = 0; S < STAGES; ++S)
      if (int(blockIdx.x) + S * int(gridDim.x) < Rows)
        Fetch(blockIdx.x + S * gridDim.x, S);
  float Scale[16];
  for (int I = 0; I < 16; ++I)
    Scale[I] = __bfloat162float(Weight[(I / 8 * 256 + T) * 8 + I % 8]);
  int Turn = 0;
  for (int Row = blockIdx.x; Row < Rows; Row += gridDim.x, ++Turn) {
    const int Stage = Turn % STAGES;
    wait(smem(&Full[Stage]), Turn / STAGES & 1);
    float V[16], Sum = 0;
#pragma unroll
    for (int H = 0; H < 2; ++H) {
      const uint4 P = ((const uint4 *)(In + Stage * Cols))[H * 256 + T];
      const unsigned U[] = {P.x, P.y, P.z, P.w};
#pragma unroll
      for (int I = 0; I < 4; ++I) {
        const float2 F = __bfloat1622float2(*(const bf162 *)&U[I]);
        V[H * 8 + 2 * I] = F.x;
        V[H * 8 + 2 * I + 1] = F.y;
        Sum += F.x * F.x + F.y * F.y;
      }
    }
#pragma unroll
    for (int D = 16; D; D /= 2)
      Sum += __shfl_xor_sync(~0u, Sum, D);
    if (T % 32 == 0)
      Part[T / 32] = Sum;
    if (T == 0)
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    __syncthreads();
    Sum = 0;
    for (int I = 0; I < 8; ++I)
      Sum += Part[I];
    const float R = rsqrtf(Sum / Cols + 1e-5f);
#pragma unroll
    for (int H = 0; H < 2; ++H) {
      uint4 P;
      P.x = pack(V[H * 8] * R * Scale[H * 8],
                 V[H * 8 + 1] * R * Scale[H * 8 + 1]);
      P.y = pack(V[H * 8 + 2] * R * Scale[H * 8 + 2],
                 V[H * 8 + 3] * R * Scale[H * 8 + 3]);
      P.z = pack(V[H * 8 + 4] * R * Scale[H * 8 + 4],
                 V[H * 8 + 5] * R * Scale[H * 8 + 5]);
      P.w = pack(V[H * 8 + 6] * R * Scale[H * 8 + 6],
                 V[H * 8 + 7] * R * Scale[H * 8 + 7]);
      ((uint4 *)Result)[H * 256 + T] = P;
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (T == 0) {
      asm volatile(
          "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
              Y + size_t(Row) * Cols),
          "r"(smem(Result)), "r"(Cols * 2)
          : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      if (Row + STAGES * int(gridDim.x) < Rows)
        Fetch(Row + STAGES * gridDim.x, Stage);
    }
  }
  if (T == 0)
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// Rows to fp8 with a scale each, a warp a row of 2048.
__global__ void __launch_bounds__(256)
    quantizeTokens(const uint4 *X, uint2 *Y, float *Scales, int Rows) {
  const int Row = blockIdx.x * 8 + threadIdx.x / 32, L = threadIdx.x % 32;
  if (Row >= Rows)
    return;
  uint4 V[8];
  float Most = 0;
#pragma unroll
  for (int I = 0; I < 8; ++I)
    V[I] = X[size_t(Row) * 256 + I * 32 + L];
#pragma unroll
  for (int I = 0; I < 8; ++I) {
    const unsigned U[] = {V[I].x, V[I].y, V[I].z, V[I].w};
#pragma unroll
    for (int J = 0; J < 4; ++J) {
      const float2 F = __bfloat1622float2(*(const bf162 *)&U[J]);
      Most = fmaxf(Most, fmaxf(fabsf(F.x), fabsf(F.y)));
    }
  }
#pragma unroll
  for (int D = 16; D; D /= 2)
    Most = fmaxf(Most, __shfl_xor_sync(~0u, Most, D));
  const float S = fmaxf(Most, 1e-6f) / 448, R = 1 / S;
#pragma unroll
  for (int I = 0; I < 8; ++I) {
    const unsigned U[] = {V[I].x, V[I].y, V[I].z, V[I].w};
    unsigned short P[4];
#pragma unroll
    for (int J = 0; J < 4; ++J) {
      float2 F = __bfloat1622float2(*(const bf162 *)&U[J]);
      F.x *= R;
      F.y *= R;
      P[J] = __nv_cvt_float2_to_fp8x2(F, __NV_SATFINITE, __NV_E4M3);
    }
    Y[size_t(Row) * 256 + I * 32 + L] = {P[0] | unsigned(P[1]) << 16,
                                         P[2] | unsigned(P[3]) << 16};
  }
  if (L == 0)
    Scales[Row] = S;
}

int main() {
  auto *A = make<bf16>(1 << 26), *B = make<bf16>(1 << 27),
       *C = make<bf16>(1 << 26);
  float *F = make<float>(1 << 24);
  int8_t *Cache = make<int8_t>(1 << 28);
  static const int Ends[] = {192, 256, 640, 704, 1152, 1216, 1792, 2048};
  int *E = make<int>(8);
  cudaMemcpy(E, Ends, sizeof(Ends), cudaMemcpyHostToDevice);
  for (int Turn = 0; Turn < 2; ++Turn) {
    launch(deepProduct<4>, dim3(32, 32), 128, 4 * 256 * 64, 1, A, B, C, 4096,
           1024);
    launch(deepProduct<3>, dim3(16, 8), 128, 3 * 256 * 64, 1, A, B, C, 2048,
           4096);
    groupedRows<<<264, 256>>>(A, B, C, E, 8, 2048, 2048);
    decodeInt8<<<dim3(64, 16), 128>>>(F, Cache, Cache + (1 << 27),
                                      F + (1 << 20), F + (1 << 22),
                                      F + (1 << 23), 16384);
    combineSplits<<<512, 128>>>((float4 *)F, F + (1 << 23), (float4 *)C, 16,
                                2048);
    launch(rmsNormTma, dim3(264), 256, 4 * 4096 * 2, 1, A, B, C, 8192);
    quantizeTokens<<<4096, 256>>>((uint4 *)A, (uint2 *)C, F, 32768);
  }
  finish();
}
