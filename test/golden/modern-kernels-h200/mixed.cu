// Kernels as programs have them today, each launched twice: the second counts.
#include "common.h"
#include "wgmma.h"

// 1: int8 product, 128 x 128 x 64, eight warps, cp.async in three stages.
__global__ void __launch_bounds__(256)
    int8Gemm(const int8_t *A, const int8_t *B, int *C, int N, int K) {
  extern __shared__ __align__(128) char Tiles[];
  const int T = threadIdx.x, W = T / 32, L = T % 32, WM = W / 4 * 64,
            WN = W % 4 * 32;
  const int8_t *GA = A + size_t(blockIdx.y) * 128 * K,
               *GB = B + size_t(blockIdx.x) * 128 * K;
  auto At = [&](int Stage, int Row, int Chunk) {
    return smem(Tiles + Stage * 16384 + Row * 64 +
                ((Chunk ^ (Row / 2 & 3)) * 16));
  };
  auto Load = [&](int Step) {
    if (Step < K / 64)
#pragma unroll
      for (int I = 0; I < 2; ++I) {
        const int Row = T / 4 + I * 64, Col = T % 4;
        copy16(At(Step % 3, Row, Col),
               GA + size_t(Row) * K + Step * 64 + Col * 16);
        copy16(At(Step % 3, Row + 128, Col),
               GB + size_t(Row) * K + Step * 64 + Col * 16);
      }
    commit();
  };
  int c[4][4][4] = {};
  Load(0);
  Load(1);
  for (int Step = 0; Step < K / 64; ++Step) {
    waitGroup<1>();
    __syncthreads();
    Load(Step + 2);
#pragma unroll
    for (int KK = 0; KK < 2; ++KK) {
      unsigned a[4][4], b[2][4];
#pragma unroll
      for (int I = 0; I < 4; ++I)
        ldmatrix(a[I], At(Step % 3, WM + I * 16 + L % 16, KK * 2 + L / 16));
#pragma unroll
      for (int J = 0; J < 2; ++J)
        ldmatrix(b[J], At(Step % 3, 128 + WN + J * 16 + L % 8 + L / 16 * 8,
                          KK * 2 + L / 8 % 2));
#pragma unroll
      for (int I = 0; I < 4; ++I)
#pragma unroll
        for (int J = 0; J < 4; ++J)
          asm volatile(
              "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, "
              "{%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
              : "+r"(c[I][J][0]), "+r"(c[I][J][1]), "+r"(c[I][J][2]),
                "+r"(c[I][J][3])
              : "r"(a[I][0]), "r"(a[I][1]), "r"(a[I][2]), "r"(a[I][3]),
                "r"(b[J / 2][J % 2 * 2]), "r"(b[J / 2][J % 2 * 2 + 1]));
    }
  }
#pragma unroll
  for (int I = 0; I < 4; ++I)
#pragma unroll
    for (int J = 0; J < 4; ++J)
#pragma unroll
      for (int H = 0; H < 2; ++H)
        *(int2 *)(C +
                  size_t(blockIdx.y * 128 + WM + I * 16 + L / 4 + H * 8) * N +
                  blockIdx.x * 128 + WN + J * 8 + L % 4 * 2) =
            make_int2(c[I][J][2 * H], c[I][J][2 * H + 1]);
}

// 2: attention over keys that a block reads as columns: pairs of halves of
// ldmatrix that are no neighbors; heads of 64, eight warps.
__global__ void __launch_bounds__(256)
    prefill(const bf16 *Q, const bf16 *K, const bf16 *V, bf16 *O, int Len,
            float Scale) {
  extern __shared__ __align__(128) bf16 S[];
  const int T = threadIdx.x, W = T / 32, L = T % 32;
  const size_t Head = size_t(blockIdx.y) * Len * 64;
  auto At = [](bf16 *P, int Row, int Chunk) {
    return smem(P + Row * 64 + ((Chunk ^ (Row & 7)) * 8));
  };
  auto Load = [&](bf16 *P, const bf16 *G, int Rows) {
    for (int I = T; I < Rows * 8; I += 256)
      copy16(At(P, I / 8, I % 8), G + size_t(I / 8) * 64 + I % 8 * 8);
  };
  bf16 *SK = S, *SV = S + 64 * 64;
  Load(S, Q + Head + size_t(blockIdx.x) * 128 * 64, 128);
  commit();
  waitGroup<0>();
  __syncthreads();
  unsigned q[4][4];
#pragma unroll
  for (int I = 0; I < 4; ++I)
    ldmatrix(q[I], At(S, W * 16 + L % 16, I * 2 + L / 16));
  float o[8][4] = {}, M[2] = {-1e30f, -1e30f}, Z[2] = {};
  for (int J = 0; J < Len / 64; ++J) {
    __syncthreads();
    Load(SK, K + Head + size_t(J) * 64 * 64, 64);
    Load(SV, V + Head + size_t(J) * 64 * 64, 64);
    commit();
    waitGroup<0>();
    __syncthreads();
    float s[8][4] = {};
#pragma unroll
    for (int I = 0; I < 4; ++I)
#pragma unroll
      for (int N = 0; N < 4; ++N) {
        unsigned b[4];
        ldmatrix(b, At(SK, N * 16 + L % 16, I * 2 + L / 16));
        mma(s[2 * N], q[I], b[0], b[2]);
        mma(s[2 * N + 1], q[I], b[1], b[3]);
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
          s[N][E] = exp2f((s[N][E] - New) * Scale);
          Sum += s[N][E];
        }
      Z[H] = Z[H] * Old + Sum;
#pragma unroll
      for (int N = 0; N < 8; ++N)
        o[N][2 * H] *= Old, o[N][2 * H + 1] *= Old;
    }
#pragma unroll
    for (int N = 0; N < 4; ++N) {
      const unsigned p[4] = {pack(s[2 * N][0], s[2 * N][1]),
                             pack(s[2 * N][2], s[2 * N][3]),
                             pack(s[2 * N + 1][0], s[2 * N + 1][1]),
                             pack(s[2 * N + 1][2], s[2 * N + 1][3])};
#pragma unroll
      for (int I = 0; I < 4; ++I) {
        unsigned b[4];
        ldmatrixT(b, At(SV, N * 16 + L % 16, I * 2 + L / 16));
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
#pragma unroll
    for (int N = 0; N < 8; ++N)
      *(unsigned *)(O + Head +
                    size_t(blockIdx.x * 128 + W * 16 + L / 4 + 8 * H) * 64 +
                    N * 8 + L % 4 * 2) =
          pack(o[N][2 * H] * R, o[N][2 * H + 1] * R);
  }
}

// 3: 128 x 128 by two groups with wgmma, bf16, one tile a block, epilogue that
// adds a residual.
template <int STAGES>
__global__ void __launch_bounds__(384)
    residualGemm(const __grid_constant__ CUtensorMap MapA,
                 const __grid_constant__ CUtensorMap MapB, const bf16 *R,
                 bf16 *C, int N, int K) {
  constexpr int BYTES = 256 * 128;
  extern __shared__ __align__(1024) char Raw[];
  __shared__ __align__(8) uint64_t Bars[2 * STAGES];
  const unsigned S0 = (smem(Raw) + 1023) & ~1023u, Full = smem(Bars),
                 Empty = Full + 8 * STAGES;
  const int T = threadIdx.x, Steps = K / 64;
  if (T == 0)
    for (int I = 0; I < STAGES; ++I) {
      init(Full + 8 * I, 1);
      init(Empty + 8 * I, 2);
    }
  __syncthreads();
  if (T >= 256) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (T == 256)
      for (int I = 0; I < Steps; ++I) {
        const int S = I % STAGES;
        wait(Empty + 8 * S, (I / STAGES & 1) ^ 1);
        expect(Full + 8 * S, BYTES);
        tile(S0 + S * BYTES, &MapA, I * 64, blockIdx.y * 128, Full + 8 * S);
        tile(S0 + S * BYTES + 16384, &MapB, I * 64, blockIdx.x * 128,
             Full + 8 * S);
      }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  const int WG = T / 128, L = T % 32, W = T % 128 / 32;
  float D[64];
  for (int I = 0; I < Steps; ++I) {
    const int S = I % STAGES;
    wait(Full + 8 * S, I / STAGES & 1);
    wgmmaFence();
#pragma unroll
    for (int KK = 0; KK < 4; ++KK)
      wgmmaBf128(D, descriptor(S0 + S * BYTES + WG * 8192 + KK * 32),
                 descriptor(S0 + S * BYTES + 16384 + KK * 32), I + KK);
    wgmmaCommit();
    wgmmaWait<0>();
    if (T % 128 == 0)
      arrive(Empty + 8 * S);
  }
#pragma unroll
  for (int J = 0; J < 16; ++J)
#pragma unroll
    for (int H = 0; H < 2; ++H) {
      const size_t P =
          size_t(blockIdx.y * 128 + WG * 64 + W * 16 + L / 4 + 8 * H) * N +
          blockIdx.x * 128 + J * 8 + L % 4 * 2;
      const float2 F = __bfloat1622float2(*(const bf162 *)(R + P));
      *(unsigned *)(C + P) =
          pack(D[4 * J + 2 * H] + F.x, D[4 * J + 2 * H + 1] + F.y);
    }
}

// 4: LayerNorm backward of rows, sums over rows by atomics at the end.
__global__ void __launch_bounds__(256)
    layerNormBackward(const uint4 *X, const uint4 *DY, const uint4 *G,
                      const float2 *Stats, uint4 *DX, float *DG, int Rows) {
  __shared__ float Part[2][8];
  const int T = threadIdx.x;
  float Sum[8] = {};
  const uint4 GV = G[T];
  for (int Row = blockIdx.x; Row < Rows; Row += gridDim.x) {
    const uint4 XV = X[size_t(Row) * 256 + T], YV = DY[size_t(Row) * 256 + T];
    const float2 St = Stats[Row];
    float xh[8], dy[8], A = 0, B = 0;
    for (int E = 0; E < 4; ++E) {
      const float2 x = __bfloat1622float2(((const bf162 *)&XV)[E]),
                   y = __bfloat1622float2(((const bf162 *)&YV)[E]),
                   g = __bfloat1622float2(((const bf162 *)&GV)[E]);
      xh[2 * E] = (x.x - St.x) * St.y, xh[2 * E + 1] = (x.y - St.x) * St.y;
      dy[2 * E] = y.x * g.x, dy[2 * E + 1] = y.y * g.y;
      A += dy[2 * E] + dy[2 * E + 1];
      B += dy[2 * E] * xh[2 * E] + dy[2 * E + 1] * xh[2 * E + 1];
      Sum[2 * E] += y.x * xh[2 * E], Sum[2 * E + 1] += y.y * xh[2 * E + 1];
    }
    for (int O = 16; O; O /= 2) {
      A += __shfl_xor_sync(~0u, A, O);
      B += __shfl_xor_sync(~0u, B, O);
    }
    if (T % 32 == 0)
      Part[0][T / 32] = A, Part[1][T / 32] = B;
    __syncthreads();
    A = B = 0;
    for (int I = 0; I < 8; ++I)
      A += Part[0][I], B += Part[1][I];
    __syncthreads();
    uint4 Out;
    for (int E = 0; E < 4; ++E)
      ((unsigned *)&Out)[E] =
          pack((dy[2 * E] - (A + xh[2 * E] * B) / 2048) * St.y,
               (dy[2 * E + 1] - (A + xh[2 * E + 1] * B) / 2048) * St.y);
    DX[size_t(Row) * 256 + T] = Out;
  }
  for (int E = 0; E < 8; ++E)
    atomicAdd(DG + T * 8 + E, Sum[E]);
}

// 5: cross entropy of rows of a vocabulary, online.
__global__ void __launch_bounds__(1024)
    crossEntropyRows(const uint4 *X, const int *Label, float *Loss, int N8) {
  __shared__ float M[32], Z[32];
  const size_t Row = size_t(blockIdx.x) * N8;
  float m = -1e30f, z = 0;
  for (int I = threadIdx.x; I < N8; I += 1024) {
    const uint4 V = X[Row + I];
    float f[8], Most = m;
    for (int E = 0; E < 4; ++E) {
      const float2 F = __bfloat1622float2(((const bf162 *)&V)[E]);
      f[2 * E] = F.x, f[2 * E + 1] = F.y;
      Most = fmaxf(Most, fmaxf(F.x, F.y));
    }
    z *= __expf(m - Most);
    for (int E = 0; E < 8; ++E)
      z += __expf(f[E] - Most);
    m = Most;
  }
  for (int O = 16; O; O /= 2) {
    const float a = __shfl_xor_sync(~0u, m, O), b = __shfl_xor_sync(~0u, z, O),
                Most = fmaxf(a, m);
    z = z * __expf(m - Most) + b * __expf(a - Most);
    m = Most;
  }
  if (threadIdx.x % 32 == 0)
    M[threadIdx.x / 32] = m, Z[threadIdx.x / 32] = z;
  __syncthreads();
  if (threadIdx.x < 32) {
    m = M[threadIdx.x], z = Z[threadIdx.x];
    for (int O = 16; O; O /= 2) {
      const float a = __shfl_xor_sync(~0u, m, O),
                  b = __shfl_xor_sync(~0u, z, O), Most = fmaxf(a, m);
      z = z * __expf(m - Most) + b * __expf(a - Most);
      m = Most;
    }
    if (threadIdx.x == 0)
      Loss[blockIdx.x] =
          __logf(z) + m -
          __bfloat162float(((const bf16 *)(X + Row))[Label[blockIdx.x]]);
  }
}

// 6: maxima of rows over clusters of eight blocks, by atomics in the first
// block's shared memory.
__global__ void __launch_bounds__(256)
    rowMaxCluster(const uint4 *X, int *Y, int N8) {
  __shared__ int Most;
  unsigned Rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(Rank));
  if (threadIdx.x == 0)
    Most = 0;
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait."
               "acquire.aligned;" ::
                   : "memory");
  float m = 0;
  for (int I = Rank * 256 + threadIdx.x; I < N8; I += 2048) {
    const uint4 V = X[size_t(blockIdx.x / 8) * N8 + I];
    for (int E = 0; E < 4; ++E) {
      const float2 F = __bfloat1622float2(((const bf162 *)&V)[E]);
      m = fmaxf(m, fmaxf(F.x, F.y));
    }
  }
  for (int O = 16; O; O /= 2)
    m = fmaxf(m, __shfl_xor_sync(~0u, m, O));
  if (threadIdx.x % 32 == 0)
    asm volatile("{\n.reg .b32 r;\nmapa.shared::cluster.u32 r, %0, 0;\n"
                 "red.shared::cluster.max.s32 [r], %1;\n}" ::"r"(smem(&Most)),
                 "r"(__float_as_int(m))
                 : "memory");
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait."
               "acquire.aligned;" ::
                   : "memory");
  if (Rank == 0 && threadIdx.x == 0)
    Y[blockIdx.x / 8] = Most;
}

// 7: columns of bf16 to fp8 with a scale for each 128 x 128 block.
__global__ void __launch_bounds__(256)
    quantizeBlocks(const bf16 *X, uint2 *Y, float *Scale, int N) {
  __shared__ float Part[8];
  const int T = threadIdx.x;
  uint4 V[8];
  float M = 1e-10f;
#pragma unroll
  for (int I = 0; I < 8; ++I) {
    V[I] = *(const uint4 *)(X + size_t(blockIdx.y * 128 + I * 16 + T / 16) * N +
                            blockIdx.x * 128 + T % 16 * 8);
    for (int E = 0; E < 4; ++E) {
      const float2 F = __bfloat1622float2(((const bf162 *)&V[I])[E]);
      M = fmaxf(M, fmaxf(fabsf(F.x), fabsf(F.y)));
    }
  }
  for (int O = 16; O; O /= 2)
    M = fmaxf(M, __shfl_xor_sync(~0u, M, O));
  if (T % 32 == 0)
    Part[T / 32] = M;
  __syncthreads();
  for (int I = 0; I < 8; ++I)
    M = fmaxf(M, Part[I]);
  const float R = 448 / M;
  if (T == 0)
    Scale[blockIdx.y * gridDim.x + blockIdx.x] = M / 448;
#pragma unroll
  for (int I = 0; I < 8; ++I) {
    float f[8];
    for (int E = 0; E < 4; ++E) {
      const float2 F = __bfloat1622float2(((const bf162 *)&V[I])[E]);
      f[2 * E] = F.x * R, f[2 * E + 1] = F.y * R;
    }
    uint2 Out;
    ((__nv_fp8x4_e4m3 *)&Out)[0] =
        __nv_fp8x4_e4m3(make_float4(f[0], f[1], f[2], f[3]));
    ((__nv_fp8x4_e4m3 *)&Out)[1] =
        __nv_fp8x4_e4m3(make_float4(f[4], f[5], f[6], f[7]));
    Y[(size_t(blockIdx.y * 128 + I * 16 + T / 16) * N + blockIdx.x * 128) / 8 +
      T % 16] = Out;
  }
}

template <int S> void residual(bf16 *A, bf16 *B, bf16 *C, int M, int N, int K) {
  launch(residualGemm<S>, dim3(N / 128, M / 128), 384, S * 32768 + 1024, 1,
         mapOf(A, M, K, 128, 2), mapOf(B, N, K, 128, 2), A, C, N, K);
}

int main() {
  const size_t N = 1 << 26;
  bf16 *A = make<bf16>(N), *B = make<bf16>(N), *C = make<bf16>(N);
  float *F = make<float>(1 << 22);
  int *I32 = make<int>(1 << 16);
  for (int Turn = 0; Turn < 2; ++Turn) {
    launch(int8Gemm, dim3(32, 32), 256, 49152, 1, (int8_t *)A, (int8_t *)B,
           (int *)C, 4096, 4096);
    launch(int8Gemm, dim3(16, 8), 256, 49152, 1, (int8_t *)A, (int8_t *)B,
           (int *)C, 2048, 8192);
    launch(prefill, dim3(2048 / 128, 48), 256, 16384, 1, A, B, C, C, 2048,
           0.18f);
    residual<4>(A, B, C, 4096, 4096, 2048);
    residual<6>(A, B, C, 512, 4096, 8192);
    layerNormBackward<<<264, 256>>>((uint4 *)A, (uint4 *)B, (uint4 *)C,
                                    (float2 *)F, (uint4 *)C, F, 16384);
    crossEntropyRows<<<512, 1024>>>((uint4 *)A, I32, F, 16000);
    launch(rowMaxCluster, dim3(8 * 1024), 256, 0, 8, (uint4 *)A, I32, 8192);
    quantizeBlocks<<<dim3(64, 64), 256>>>(A, (uint2 *)B, F, 8192);
  }
  finish();
}
