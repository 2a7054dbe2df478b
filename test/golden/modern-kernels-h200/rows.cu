// Rows: norms with copies of their own, clusters, quantization, rotary
// embedding into a cache, gates of experts, and attention of a new token.
#include "common.h"

__device__ __forceinline__ float warpSum(float S) {
#pragma unroll
  for (int O = 16; O; O /= 2)
    S += __shfl_xor_sync(~0u, S, O);
  return S;
}
__device__ __forceinline__ float warpMax(float S) {
#pragma unroll
  for (int O = 16; O; O /= 2)
    S = fmaxf(S, __shfl_xor_sync(~0u, S, O));
  return S;
}

// x += residual, RMSNorm, fp8 with a scale for each row: rows by bulk copies in
// three stages, one warp a row of 2048, four warps a block.
__global__ void __launch_bounds__(128)
    addNormFp8(const bf16 *X, bf16 *Res, const bf16 *G, uint2 *Y, float *Scale,
               int Rows) {
  constexpr int N = 2048, STAGES = 3;
  extern __shared__ __align__(128) bf16 Buf[]; // [warp][stage][2][N]
  __shared__ __align__(8) uint64_t Bars[4 * STAGES];
  const int W = threadIdx.x / 32, L = threadIdx.x % 32;
  const unsigned Full = smem(Bars + W * STAGES);
  bf16 *Mine = Buf + W * STAGES * 2 * N;
  const int First = blockIdx.x * 4 + W, Stride = gridDim.x * 4;
  auto Load = [&](int Row, int S) {
    expect(Full + 8 * S, 2 * N * 2);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                 "bytes [%0], [%1], %2, [%3];" ::"r"(smem(Mine + S * 2 * N)),
                 "l"(X + size_t(Row) * N), "r"(N * 2), "r"(Full + 8 * S)
                 : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
        "bytes [%0], [%1], %2, [%3];" ::"r"(smem(Mine + S * 2 * N + N)),
        "l"(Res + size_t(Row) * N), "r"(N * 2), "r"(Full + 8 * S)
        : "memory");
  };
  if (L == 0) {
    for (int S = 0; S < STAGES; ++S)
      init(Full + 8 * S, 1);
    asm volatile("fence.mbarrier_init.release.cluster;");
    for (int S = 0; S < STAGES - 1; ++S)
      if (First + S * Stride < Rows)
        Load(First + S * Stride, S);
  }
  __syncwarp();
  int I = 0;
  for (int Row = First; Row < Rows; Row += Stride, ++I) {
    const int S = I % STAGES, Next = Row + (STAGES - 1) * Stride;
    __syncwarp();
    if (L == 0 && Next < Rows)
      Load(Next, (I + STAGES - 1) % STAGES);
    wait(Full + 8 * S, I / STAGES & 1);
    float V[8][8], Sum = 0, Most = 0;
#pragma unroll
    for (int J = 0; J < 8; ++J) {
      uint4 A = *(uint4 *)(Mine + S * 2 * N + (J * 32 + L) * 8),
            B = *(uint4 *)(Mine + S * 2 * N + N + (J * 32 + L) * 8);
      bf162 *PA = (bf162 *)&A, *PB = (bf162 *)&B;
#pragma unroll
      for (int E = 0; E < 4; ++E) {
        PA[E] = __hadd2(PA[E], PB[E]);
        const float2 F = __bfloat1622float2(PA[E]);
        V[J][2 * E] = F.x, V[J][2 * E + 1] = F.y;
        Sum += F.x * F.x + F.y * F.y;
      }
      *(uint4 *)(Res + size_t(Row) * N + (J * 32 + L) * 8) = A;
    }
    const float R = rsqrtf(warpSum(Sum) / N + 1e-6f);
#pragma unroll
    for (int J = 0; J < 8; ++J) {
      const uint4 A = *(const uint4 *)(G + (J * 32 + L) * 8);
      const bf162 *PA = (const bf162 *)&A;
#pragma unroll
      for (int E = 0; E < 4; ++E) {
        const float2 F = __bfloat1622float2(PA[E]);
        V[J][2 * E] *= R * F.x, V[J][2 * E + 1] *= R * F.y;
        Most = fmaxf(Most, fmaxf(fabsf(V[J][2 * E]), fabsf(V[J][2 * E + 1])));
      }
    }
    Most = fmaxf(warpMax(Most), 1e-10f);
    const float Q = 448 / Most;
    if (L == 0)
      Scale[Row] = Most / 448;
#pragma unroll
    for (int J = 0; J < 8; ++J) {
      uint2 Out;
      __nv_fp8x4_e4m3 *P = (__nv_fp8x4_e4m3 *)&Out;
      P[0] = __nv_fp8x4_e4m3(
          make_float4(V[J][0] * Q, V[J][1] * Q, V[J][2] * Q, V[J][3] * Q));
      P[1] = __nv_fp8x4_e4m3(
          make_float4(V[J][4] * Q, V[J][5] * Q, V[J][6] * Q, V[J][7] * Q));
      Y[size_t(Row) * N / 8 + J * 32 + L] = Out;
    }
  }
}

// Softmax of long rows, which a cluster of four shares; parts stay in shared
// memory.
__global__ void __launch_bounds__(512)
    softmaxCluster(const float4 *X, float4 *Y, int N4) {
  extern __shared__ float4 Part[];
  __shared__ float Sums[16], Mine[2];
  unsigned Rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(Rank));
  auto Sync = [] {
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster."
                 "wait.acquire.aligned;" ::
                     : "memory");
  };
  auto Far = [](float *P, unsigned R) {
    float V;
    asm volatile("{\n.reg .b32 r;\nmapa.shared::cluster.u32 r, %1, %2;\n"
                 "ld.shared::cluster.f32 %0, [r];\n}"
                 : "=f"(V)
                 : "r"(smem(P)), "r"(R)
                 : "memory");
    return V;
  };
  const int T = threadIdx.x, Each = N4 / 4;
  const size_t Row = size_t(blockIdx.x / 4) * N4 + Rank * Each;
  float M = -1e30f;
  for (int I = T; I < Each; I += 512) {
    const float4 V = X[Row + I];
    Part[I] = V;
    M = fmaxf(M, fmaxf(fmaxf(V.x, V.y), fmaxf(V.z, V.w)));
  }
  M = warpMax(M);
  if (T % 32 == 0)
    Sums[T / 32] = M;
  __syncthreads();
  if (T < 32) {
    M = warpMax(Sums[T % 16]);
    if (T == 0)
      Mine[0] = M;
  }
  Sync();
  for (int I = 0; I < 4; ++I)
    M = fmaxf(I ? M : -1e30f, Far(&Mine[0], I));
  float S = 0;
  for (int I = T; I < Each; I += 512) {
    float4 V = Part[I];
    V = make_float4(__expf(V.x - M), __expf(V.y - M), __expf(V.z - M),
                    __expf(V.w - M));
    Part[I] = V;
    S += V.x + V.y + V.z + V.w;
  }
  S = warpSum(S);
  if (T % 32 == 0)
    Sums[T / 32] = S;
  __syncthreads();
  if (T < 32) {
    S = warpSum(T < 16 ? Sums[T] : 0);
    if (T == 0)
      Mine[1] = S;
  }
  Sync();
  S = 0;
  for (int I = 0; I < 4; ++I)
    S += Far(&Mine[1], I);
  const float R = 1 / S;
  for (int I = T; I < Each; I += 512) {
    const float4 V = Part[I];
    Y[Row + I] = make_float4(V.x * R, V.y * R, V.z * R, V.w * R);
  }
  Sync();
}

// Rotary embedding of queries and keys, keys and values into pages of a cache:
// a block a token.
__global__ void __launch_bounds__(256)
    ropeAppend(bf16 *Q, const bf16 *K, const bf16 *V, const float2 *Table,
               const int *Position, const int *Slot, bf16 *CacheK, bf16 *CacheV,
               int Heads, int KvHeads) {
  const int Token = blockIdx.x;
  const float2 *Angles = Table + size_t(Position[Token]) * 64;
  const size_t To = size_t(Slot[Token]) * KvHeads * 128;
  for (int I = threadIdx.x; I < Heads * 64; I += 256) {
    bf16 *P = Q + (size_t(Token) * Heads + I / 64) * 128 + I % 64;
    const float2 A = Angles[I % 64];
    const float X = P[0], Y = P[64];
    P[0] = __float2bfloat16(X * A.x - Y * A.y);
    P[64] = __float2bfloat16(Y * A.x + X * A.y);
  }
  for (int I = threadIdx.x; I < KvHeads * 64; I += 256) {
    const bf16 *P = K + (size_t(Token) * KvHeads + I / 64) * 128 + I % 64;
    const float2 A = Angles[I % 64];
    const float X = P[0], Y = P[64];
    bf16 *R = CacheK + To + I / 64 * 128 + I % 64;
    R[0] = __float2bfloat16(X * A.x - Y * A.y);
    R[64] = __float2bfloat16(Y * A.x + X * A.y);
  }
  for (int I = threadIdx.x; I < KvHeads * 16; I += 256)
    *(uint4 *)(CacheV + To + I * 8) =
        *(const uint4 *)(V + size_t(Token) * KvHeads * 128 + I * 8);
}

// Gates: a warp a token, 256 experts, the best eight by turns.
__global__ void __launch_bounds__(256)
    topGates(const float *X, float *Weight, int *Expert, int *Count,
             int Tokens) {
  const int Token = blockIdx.x * 8 + threadIdx.x / 32, L = threadIdx.x % 32;
  if (Token >= Tokens)
    return;
  float V[8];
#pragma unroll
  for (int I = 0; I < 8; ++I)
    V[I] = 1 / (1 + __expf(-X[size_t(Token) * 256 + I * 32 + L]));
  float All = 0, Kept = 0;
  int Which = 0;
  for (int K = 0; K < 8; ++K) {
    float Best = -1;
    int At = 0;
#pragma unroll
    for (int I = 0; I < 8; ++I)
      if (V[I] > Best)
        Best = V[I], At = I * 32 + L;
#pragma unroll
    for (int O = 16; O; O /= 2) {
      const float Other = __shfl_xor_sync(~0u, Best, O);
      const int Its = __shfl_xor_sync(~0u, At, O);
      if (Other > Best || (Other == Best && Its < At))
        Best = Other, At = Its;
    }
#pragma unroll
    for (int I = 0; I < 8; ++I)
      if (At == I * 32 + L)
        V[I] = -2;
    All += Best;
    if (L == K)
      Kept = Best, Which = At;
  }
  if (L < 8) {
    Weight[Token * 8 + L] = Kept / All;
    Expert[Token * 8 + L] = Which;
    atomicAdd(Count + Which, 1);
  }
}

// The weighted sum of a token's eight rows.
__global__ void __launch_bounds__(256)
    combineExperts(const bf16 *X, const int *Places, const float *Weight,
                   bf16 *Y, int N) {
  const int Token = blockIdx.x;
  for (int I = threadIdx.x * 8; I < N; I += 2048) {
    float S[8] = {};
#pragma unroll
    for (int K = 0; K < 8; ++K) {
      const float W = Weight[Token * 8 + K];
      const uint4 V =
          *(const uint4 *)(X + size_t(Places[Token * 8 + K]) * N + I);
      const bf162 *P = (const bf162 *)&V;
#pragma unroll
      for (int E = 0; E < 4; ++E) {
        const float2 F = __bfloat1622float2(P[E]);
        S[2 * E] += W * F.x, S[2 * E + 1] += W * F.y;
      }
    }
    *(uint4 *)(Y + size_t(Token) * N + I) = make_uint4(
        pack(S[0], S[1]), pack(S[2], S[3]), pack(S[4], S[5]), pack(S[6], S[7]));
  }
}

// Grouped queries of a new token by mma: 16 rows of which 8 are heads, keys by
// 64 from a cache in pages of 64, split over blockIdx.z.
__global__ void __launch_bounds__(128)
    decodeGrouped(const bf16 *Q, const bf16 *K, const bf16 *V, const int *Pages,
                  float *O, float *Lse, int Len, int Split, float Scale) {
  extern __shared__ __align__(128) bf16 Tiles3[];
  __shared__ float Sum[4][8], Max[4][8];
  bf16 *SK = Tiles3, *SV = Tiles3 + 2 * 64 * 128;
  const int T = threadIdx.x, W = T / 32, L = T % 32, Kv = blockIdx.x,
            Batch = blockIdx.y, Tiles = Len / 64 / Split,
            First = blockIdx.z * Tiles;
  auto At = [](bf16 *S, int Row, int Chunk) {
    return smem(S + Row * 128 + ((Chunk ^ (Row & 7)) * 8));
  };
  auto Load = [&](bf16 *S, const bf16 *From, int Tile) {
    const size_t Page =
        (size_t(Pages[Batch * (Len / 64) + First + Tile]) * gridDim.x + Kv) *
        64 * 128;
    for (int I = T; I < 1024; I += 128)
      copy16(At(S, I / 16, I % 16), From + Page + I * 8);
    commit();
  };
  Load(SK, K, 0);
  unsigned q[8][4] = {};
  const bf16 *MyQ =
      Q + (size_t(Batch) * gridDim.x + Kv) * 8 * 128 + L / 4 * 128 + L % 4 * 2;
#pragma unroll
  for (int I = 0; I < 8; ++I) {
    q[I][0] = *(const unsigned *)(MyQ + I * 16);
    q[I][2] = *(const unsigned *)(MyQ + I * 16 + 8);
  }
  float o[16][4] = {}, M = -1e30f, Z = 0;
  for (int J = 0; J < Tiles; ++J) {
    Load(SV, V, J);
    waitGroup<1>();
    __syncthreads();
    float s[2][4] = {};
#pragma unroll
    for (int I = 0; I < 8; ++I) {
      unsigned b[4];
      ldmatrix(b, At(SK + (J & 1) * 8192, W * 16 + L % 8 + L / 16 * 8,
                     I * 2 + L / 8 % 2));
      mma(s[0], q[I], b[0], b[1]);
      mma(s[1], q[I], b[2], b[3]);
    }
    if (J + 1 < Tiles)
      Load(SK + ((J + 1) & 1) * 8192, K, J + 1);
    else
      commit();
    float New = fmaxf(fmaxf(s[0][0], s[0][1]), fmaxf(s[1][0], s[1][1]));
    New = fmaxf(New, __shfl_xor_sync(~0u, New, 1));
    New = fmaxf(fmaxf(New, __shfl_xor_sync(~0u, New, 2)), M);
    const float Old = exp2f((M - New) * Scale);
    M = New;
    float P = 0;
    unsigned p[4] = {};
#pragma unroll
    for (int I = 0; I < 2; ++I) {
      const float A = exp2f((s[I][0] - New) * Scale),
                  B = exp2f((s[I][1] - New) * Scale);
      P += A + B;
      p[2 * I] = pack(A, B);
    }
    Z = Z * Old + P;
#pragma unroll
    for (int I = 0; I < 16; ++I)
      o[I][0] *= Old, o[I][1] *= Old;
    waitGroup<1>();
    __syncthreads();
#pragma unroll
    for (int I = 0; I < 8; ++I) {
      unsigned b[4];
      ldmatrixT(b, At(SV, W * 16 + L % 16, I * 2 + L / 16));
      mma(o[2 * I], p, b[0], b[1]);
      mma(o[2 * I + 1], p, b[2], b[3]);
    }
    __syncthreads();
  }
  Z += __shfl_xor_sync(~0u, Z, 1);
  Z += __shfl_xor_sync(~0u, Z, 2);
  if (L % 4 == 0)
    Sum[W][L / 4] = Z, Max[W][L / 4] = M;
  waitGroup<0>();
  __syncthreads();
  const int H = L / 4;
  const float All =
      fmaxf(fmaxf(Max[0][H], Max[1][H]), fmaxf(Max[2][H], Max[3][H]));
  float Norm = 0;
  for (int I = 0; I < 4; ++I)
    Norm += Sum[I][H] * exp2f((Max[I][H] - All) * Scale);
  const float F = exp2f((M - All) * Scale) / Norm;
  float *Out = (float *)SV;
  for (int I = 0; I < 4; ++I) {
    if (W == I)
#pragma unroll
      for (int N = 0; N < 16; ++N) {
        float2 *P = (float2 *)(Out + H * 128 + N * 8 + L % 4 * 2);
        const float2 Before = I ? *P : make_float2(0, 0);
        *P = make_float2(Before.x + o[N][0] * F, Before.y + o[N][1] * F);
      }
    __syncthreads();
  }
  const size_t Head =
      ((size_t(blockIdx.z) * gridDim.y + Batch) * gridDim.x + Kv) * 8;
  for (int I = T; I < 1024; I += 128)
    O[Head * 128 + I] = Out[I];
  if (T < 8)
    Lse[Head + T] = All;
}

// Blocks of 32 numbers to four bits with a shared exponent.
__global__ void __launch_bounds__(256)
    quantizeMx(const uint4 *X, uint16_t *Y, uint8_t *Exponent, int N8) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  if (I >= N8)
    return;
  const uint4 V = X[I];
  const bf162 *P = (const bf162 *)&V;
  float F[8], M = 0;
#pragma unroll
  for (int E = 0; E < 4; ++E) {
    const float2 G = __bfloat1622float2(P[E]);
    F[2 * E] = G.x, F[2 * E + 1] = G.y;
    M = fmaxf(M, fmaxf(fabsf(G.x), fabsf(G.y)));
  }
  M = fmaxf(M, __shfl_xor_sync(~0u, M, 1));
  M = fmaxf(M, __shfl_xor_sync(~0u, M, 2));
  const int Ex = max(int(__float_as_uint(M) >> 23 & 255) - 2, 1);
  const float R = __uint_as_float(unsigned(254 - Ex) << 23);
  unsigned Lo = 0, Hi = 0;
#pragma unroll
  for (int E = 0; E < 4; ++E) {
    auto Four = [&](float A) {
      const float B = fabsf(A) * R;
      return unsigned(B >= 0.25f) + (B >= 0.75f) + (B >= 1.25f) + (B >= 1.75f) +
             (B >= 2.5f) + (B >= 3.5f) + (B >= 5.f) + (A < 0 ? 8 : 0);
    };
    Lo |= Four(F[E]) << 4 * E;
    Hi |= Four(F[E + 4]) << 4 * E;
  }
  *(unsigned *)(Y + 2 * I) = Lo | Hi << 16;
  if (I % 4 == 0)
    Exponent[I / 4] = Ex;
}

int main() {
  const size_t N = 1 << 26;
  bf16 *A = make<bf16>(N), *B = make<bf16>(N), *C = make<bf16>(N),
       *D = make<bf16>(N);
  float *F = make<float>(1 << 24), *G = make<float>(1 << 22);
  int *I32 = make<int>(1 << 18), *Count = make<int>(256),
      *Pages = make<int>(2048);
  static int Host[1 << 18];
  for (int I = 0; I < 1 << 18; ++I)
    Host[I] = I * 7919 % 8192;
  cudaMemcpy(I32, Host, sizeof(Host), cudaMemcpyHostToDevice);
  for (int I = 0; I < 2048; ++I)
    Host[I] = I * 79 % 1024;
  cudaMemcpy(Pages, Host, 2048 * 4, cudaMemcpyHostToDevice);
  static float Gates[1 << 21];
  for (int I = 0; I < 1 << 21; ++I)
    Gates[I] = float(unsigned(I) * 2654435761u >> 8) / (1 << 22) - 2;
  cudaMemcpy(F, Gates, sizeof(Gates), cudaMemcpyHostToDevice);
  for (int Turn = 0; Turn < 2; ++Turn) {
    launch(addNormFp8, dim3(264), 128, 4 * 3 * 2 * 2048 * 2, 1, A, B, C,
           (uint2 *)D, G, 16384);
    launch(softmaxCluster, dim3(256 * 4), 512, 8192 * 16, 4, (float4 *)A,
           (float4 *)B, 32768);
    launch(softmaxCluster, dim3(1024 * 4), 512, 2048 * 16, 4, (float4 *)A,
           (float4 *)B, 8192);
    ropeAppend<<<4096, 256>>>(A, B, C, (float2 *)F, I32, I32 + 4096, D,
                              D + N / 2, 32, 8);
    topGates<<<1024, 256>>>(F, G, I32 + (1 << 17), Count, 8192);
    combineExperts<<<1024, 256>>>(A, I32, G, B, 7168);
    launch(decodeGrouped, dim3(8, 32, 4), 128, 49152, 1, A, C, D, Pages,
           F + (1 << 22), G, 4096, 4, 0.12f);
    launch(decodeGrouped, dim3(4, 4, 32), 128, 49152, 1, A, C, D, Pages,
           F + (1 << 22), G, 8192, 32, 0.12f);
    quantizeMx<<<(N / 8) / 256, 256>>>((uint4 *)A, (uint16_t *)B, (uint8_t *)D,
                                       N / 8);
  }
  finish();
}
