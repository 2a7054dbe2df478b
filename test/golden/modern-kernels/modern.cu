// Kernels as people write them today, each launched twice with the same
// arguments: the second counts.
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

__device__ inline unsigned smem(const void *P) {
  return unsigned(__cvta_generic_to_shared(P));
}
__device__ inline void copy16(unsigned To, const void *From) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(To),
               "l"(From));
}
__device__ inline void wait(unsigned Bar, unsigned Phase) {
  asm volatile("{\n.reg .pred p;\nL%=: mbarrier.try_wait.parity.shared.b64 p, "
               "[%0], %1;\n@!p bra L%=;\n}" ::"r"(Bar),
               "r"(Phase)
               : "memory");
}
__device__ inline void init(unsigned Bar, unsigned Count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(Bar), "r"(Count));
}
__device__ inline void expect(unsigned Bar, unsigned Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(Bar),
               "r"(Bytes)
               : "memory");
}

// 1, 2: C = A B^T with mma.sync, tiles of 128 x 128 x 32 by cp.async in STAGES
// stages, 8 warps of 64 x 32.
template <int STAGES>
__global__ void __launch_bounds__(256)
    gemmCpAsync(const half *A, const half *B, half *C, int M, int N, int K) {
  extern __shared__ __align__(128) half Tiles[];
  const int T = threadIdx.x, W = T / 32, L = T % 32, WM = W / 4 * 64,
            WN = W % 4 * 32;
  const half *GA = A + size_t(blockIdx.y) * 128 * K,
             *GB = B + size_t(blockIdx.x) * 128 * K;
  auto Load = [&](int Stage, int Tile) {
    half *S = Tiles + Stage * 8192;
    for (int I = 0; I < 2; ++I) {
      int Row = T / 4 + I * 64, Col = T % 4,
          Put = Row * 32 + ((Col ^ (Row / 2 & 3)) * 8);
      copy16(smem(S + Put), GA + size_t(Row) * K + Tile * 32 + Col * 8);
      copy16(smem(S + 4096 + Put), GB + size_t(Row) * K + Tile * 32 + Col * 8);
    }
  };
  float D[4][4][4] = {};
  const int NumTiles = K / 32;
  for (int S = 0; S < STAGES - 1; ++S) {
    Load(S, S);
    asm volatile("cp.async.commit_group;");
  }
  for (int Tile = 0; Tile < NumTiles; ++Tile) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));
    __syncthreads();
    if (Tile + STAGES - 1 < NumTiles)
      Load((Tile + STAGES - 1) % STAGES, Tile + STAGES - 1);
    asm volatile("cp.async.commit_group;");
    const half *S = Tiles + Tile % STAGES * 8192;
#pragma unroll
    for (int KK = 0; KK < 2; ++KK) {
      unsigned a[4][4], b[4][2];
#pragma unroll
      for (int I = 0; I < 4; ++I) {
        int Row = WM + I * 16 + L % 16, Col = KK * 2 + L / 16;
        asm volatile(
            "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
            : "=r"(a[I][0]), "=r"(a[I][1]), "=r"(a[I][2]), "=r"(a[I][3])
            : "r"(smem(S + Row * 32 + ((Col ^ (Row / 2 & 3)) * 8))));
      }
#pragma unroll
      for (int J = 0; J < 2; ++J) {
        int Row = WN + J * 16 + L % 8 + L / 16 * 8, Col = KK * 2 + L / 8 % 2;
        asm volatile(
            "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
            : "=r"(b[2 * J][0]), "=r"(b[2 * J][1]), "=r"(b[2 * J + 1][0]),
              "=r"(b[2 * J + 1][1])
            : "r"(smem(S + 4096 + Row * 32 + ((Col ^ (Row / 2 & 3)) * 8))));
      }
#pragma unroll
      for (int I = 0; I < 4; ++I)
#pragma unroll
        for (int J = 0; J < 4; ++J)
          asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                       "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                       : "+f"(D[I][J][0]), "+f"(D[I][J][1]), "+f"(D[I][J][2]),
                         "+f"(D[I][J][3])
                       : "r"(a[I][0]), "r"(a[I][1]), "r"(a[I][2]), "r"(a[I][3]),
                         "r"(b[J][0]), "r"(b[J][1]));
    }
  }
#pragma unroll
  for (int I = 0; I < 4; ++I)
#pragma unroll
    for (int J = 0; J < 4; ++J)
#pragma unroll
      for (int H = 0; H < 2; ++H)
        *(half2 *)(C +
                   (size_t(blockIdx.y) * 128 + WM + I * 16 + L / 4 + H * 8) *
                       N +
                   blockIdx.x * 128 + WN + J * 8 + L % 4 * 2) =
            __floats2half2_rn(D[I][J][2 * H], D[I][J][2 * H + 1]);
}

// 3: C = A B^T with wgmma from tiles that a tensor map swizzles, one warp that
// copies, one or two groups that multiply.
template <int STAGES, int GROUPS>
__global__ void __launch_bounds__(128 * GROUPS + 128)
    gemmTma(const __grid_constant__ CUtensorMap MapA,
            const __grid_constant__ CUtensorMap MapB, half *C, int N, int K) {
  constexpr int BM = 64 * GROUPS, BN = 128, BYTES = (BM + BN) * 128;
  extern __shared__ __align__(1024) char Raw[];
  __shared__ __align__(8) uint64_t Bars[2 * STAGES];
  const unsigned S0 = (smem(Raw) + 1023) & ~1023u, Full = smem(Bars),
                 Empty = Full + 8 * STAGES;
  const int T = threadIdx.x, NumTiles = K / 64;
  if (T == 0)
    for (int I = 0; I < STAGES; ++I) {
      init(Full + 8 * I, 1);
      init(Empty + 8 * I, GROUPS);
    }
  __syncthreads();
  if (T >= 128 * GROUPS) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (T == 128 * GROUPS)
      for (int I = 0; I < NumTiles; ++I) {
        const int S = I % STAGES;
        wait(Empty + 8 * S, (I / STAGES & 1) ^ 1);
        expect(Full + 8 * S, BYTES);
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_"
            "tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(S0 + S * BYTES),
            "l"(&MapA), "r"(I * 64), "r"(int(blockIdx.y) * BM),
            "r"(Full + 8 * S)
            : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
                     "complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                         S0 + S * BYTES + BM * 128),
                     "l"(&MapB), "r"(I * 64), "r"(int(blockIdx.x) * BN),
                     "r"(Full + 8 * S)
                     : "memory");
      }
  } else {
    asm volatile(
        "setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(GROUPS == 1 ? 144 : 168));
    float d[64];
    for (int I = 0; I < 64; ++I)
      d[I] = 0;
    for (int I = 0; I < NumTiles; ++I) {
      const int S = I % STAGES;
      wait(Full + 8 * S, I / STAGES & 1);
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
      for (int KK = 0; KK < 4; ++KK) {
        auto Desc = [](unsigned P) {
          return uint64_t((P & 0x3ffff) >> 4) | (1ull << 16) | (64ull << 32) |
                 (1ull << 62);
        };
        const uint64_t DA = Desc(S0 + S * BYTES + T / 128 * 8192 + KK * 32),
                       DB = Desc(S0 + S * BYTES + BM * 128 + KK * 32);
#define D8(i)                                                                  \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]),  \
      "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
        asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
                     "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%"
                     "16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%"
                     "30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%"
                     "44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%"
                     "58,%59,%60,%61,%62,%63}, %64, %65, 1, 1, 1, 0, 0;"
                     : D8(0), D8(8), D8(16), D8(24), D8(32), D8(40), D8(48),
                       D8(56)
                     : "l"(DA), "l"(DB));
      }
      asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync."
                   "aligned 0;" ::
                       : "memory");
      if (T % 128 == 0)
        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(Empty + 8 * S)
                     : "memory");
    }
    const int Row = blockIdx.y * BM + T / 32 * 16 + T % 32 / 4,
              Col = blockIdx.x * BN + T % 4 * 2;
    for (int J = 0; J < 16; ++J)
      for (int H = 0; H < 2; ++H)
        *(half2 *)(C + size_t(Row + 8 * H) * N + Col + J * 8) =
            __floats2half2_rn(d[J * 4 + 2 * H], d[J * 4 + 2 * H + 1]);
  }
}

// 4: sums of rows; the blocks of a cluster share a row and add up in the first
// one's shared memory.
__global__ void __launch_bounds__(256)
    rowSumCluster(const float4 *X, float *Y, int N4) {
  cg::cluster_group Cluster = cg::this_cluster();
  __shared__ float Part[8], Sums[16];
  const int Rank = Cluster.block_rank(), Size = Cluster.num_blocks(),
            Row = blockIdx.x / Size;
  float S = 0;
  for (int I = Rank * 256 + threadIdx.x; I < N4; I += 256 * Size) {
    float4 V = X[size_t(Row) * N4 + I];
    S += V.x + V.y + V.z + V.w;
  }
  for (int O = 16; O; O /= 2)
    S += __shfl_xor_sync(~0u, S, O);
  if (threadIdx.x % 32 == 0)
    Part[threadIdx.x / 32] = S;
  __syncthreads();
  if (threadIdx.x == 0) {
    float All = 0;
    for (int I = 0; I < 8; ++I)
      All += Part[I];
    *Cluster.map_shared_rank(&Sums[Rank], 0) = All;
  }
  Cluster.sync();
  if (Rank == 0 && threadIdx.x == 0) {
    float All = 0;
    for (int I = 0; I < Size; ++I)
      All += Sums[I];
    Y[Row] = All;
  }
}

// 5: histogram whose bins are spread over the shared memory of a cluster.
__global__ void __launch_bounds__(512)
    histogramCluster(const int *X, int *Bins, int N, int NumBins) {
  extern __shared__ int Mine[];
  cg::cluster_group Cluster = cg::this_cluster();
  const int Size = Cluster.num_blocks(), Each = NumBins / Size;
  for (int I = threadIdx.x; I < Each; I += 512)
    Mine[I] = 0;
  Cluster.sync();
  for (int I = blockIdx.x * 512 + threadIdx.x; I < N; I += gridDim.x * 512) {
    const int B =
        (unsigned(X[I]) * 2654435761u + I * 40503u) % unsigned(NumBins);
    atomicAdd(Cluster.map_shared_rank(Mine, B / Each) + B % Each, 1);
  }
  Cluster.sync();
  for (int I = threadIdx.x; I < Each; I += 512)
    atomicAdd(Bins + Cluster.block_rank() * Each + I, Mine[I]);
}

// 6: RMSNorm of rows of half, vectors of 8.
__global__ void __launch_bounds__(256)
    rmsNorm(const uint4 *X, const uint4 *G, uint4 *Y, int N8, float Eps) {
  __shared__ float Part[8];
  const size_t Row = size_t(blockIdx.x) * N8;
  float S = 0;
  for (int I = threadIdx.x; I < N8; I += 256) {
    uint4 V = X[Row + I];
    const half2 *H = (const half2 *)&V;
    for (int J = 0; J < 4; ++J) {
      float2 F = __half22float2(H[J]);
      S += F.x * F.x + F.y * F.y;
    }
  }
  for (int O = 16; O; O /= 2)
    S += __shfl_xor_sync(~0u, S, O);
  if (threadIdx.x % 32 == 0)
    Part[threadIdx.x / 32] = S;
  __syncthreads();
  S = 0;
  for (int I = 0; I < 8; ++I)
    S += Part[I];
  const half2 R = __float2half2_rn(rsqrtf(S / (N8 * 8) + Eps));
  for (int I = threadIdx.x; I < N8; I += 256) {
    uint4 V = X[Row + I], W = G[I];
    half2 *H = (half2 *)&V, *K = (half2 *)&W;
    for (int J = 0; J < 4; ++J)
      H[J] = __hmul2(__hmul2(H[J], R), K[J]);
    Y[Row + I] = V;
  }
}

// 7: RMSNorm that takes rows with bulk copies, two ahead, and stores them so.
__global__ void __launch_bounds__(256)
    rmsNormBulk(const half *X, half *Y, int N, int Rows, float Eps) {
  extern __shared__ __align__(128) half Buf[];
  __shared__ float Part[8];
  __shared__ __align__(8) uint64_t Bars[2];
  const unsigned Full = smem(Bars), Bytes = N * 2;
  const int T = threadIdx.x;
  auto Load = [&](int Row, int Stage) {
    expect(Full + 8 * Stage, Bytes);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                 "bytes [%0], [%1], %2, [%3];" ::"r"(smem(Buf) + Stage * Bytes),
                 "l"(X + size_t(Row) * N), "r"(Bytes), "r"(Full + 8 * Stage)
                 : "memory");
  };
  if (T == 0) {
    init(Full, 1);
    init(Full + 8, 1);
    asm volatile("fence.mbarrier_init.release.cluster;");
    if (blockIdx.x < Rows)
      Load(blockIdx.x, 0);
  }
  __syncthreads();
  int K = 0;
  for (int Row = blockIdx.x; Row < Rows; Row += gridDim.x, ++K) {
    const int Stage = K & 1;
    if (T == 0 && Row + gridDim.x < Rows) {
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
      Load(Row + gridDim.x, Stage ^ 1);
    }
    wait(Full + 8 * Stage, K / 2 & 1);
    half2 *H = (half2 *)(Buf + Stage * N);
    float S = 0;
    for (int I = T; I < N / 2; I += 256) {
      float2 F = __half22float2(H[I]);
      S += F.x * F.x + F.y * F.y;
    }
    for (int O = 16; O; O /= 2)
      S += __shfl_xor_sync(~0u, S, O);
    if (T % 32 == 0)
      Part[T / 32] = S;
    __syncthreads();
    S = 0;
    for (int I = 0; I < 8; ++I)
      S += Part[I];
    const half2 R = __float2half2_rn(rsqrtf(S / N + Eps));
    for (int I = T; I < N / 2; I += 256)
      H[I] = __hmul2(H[I], R);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (T == 0) {
      asm volatile(
          "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
              Y + size_t(Row) * N),
          "r"(smem(Buf) + Stage * Bytes), "r"(Bytes)
          : "memory");
      asm volatile("cp.async.bulk.commit_group;");
    }
  }
  if (T == 0)
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// 8: attention of one new token: a block a head and a part of the keys, a warp
// a key at a time, head of 128.
__global__ void __launch_bounds__(128)
    decodeAttention(const half *Q, const half *K, const half *V, float *O,
                    float *Lse, int Keys, int Part) {
  __shared__ float Sums[4][128], Most[4], Norm[4];
  const int Head = blockIdx.x, W = threadIdx.x / 32, L = threadIdx.x % 32;
  const uint2 QV = *(const uint2 *)(Q + Head * 128 + L * 4);
  const float2 Q0 = __half22float2(*(const half2 *)&QV.x),
               Q1 = __half22float2(*(const half2 *)&QV.y);
  float M = -1e30f, Z = 0, A[4] = {};
  const int End = min(Keys, int(blockIdx.y + 1) * Part);
  for (int I = blockIdx.y * Part + W * 4; I < End; I += 16) {
    float P[4];
#pragma unroll
    for (int U = 0; U < 4; ++U) {
      const uint2 KV =
          *(const uint2 *)(K + (size_t(Head) * Keys + I + U) * 128 + L * 4);
      const float2 K0 = __half22float2(*(const half2 *)&KV.x),
                   K1 = __half22float2(*(const half2 *)&KV.y);
      P[U] = Q0.x * K0.x + Q0.y * K0.y + Q1.x * K1.x + Q1.y * K1.y;
    }
#pragma unroll
    for (int U = 0; U < 4; ++U)
      for (int S = 16; S; S /= 2)
        P[U] += __shfl_xor_sync(~0u, P[U], S);
    const float New = fmaxf(fmaxf(fmaxf(M, P[0]), fmaxf(P[1], P[2])), P[3]),
                Old = __expf(M - New);
    Z *= Old;
    for (int J = 0; J < 4; ++J)
      A[J] *= Old;
#pragma unroll
    for (int U = 0; U < 4; ++U) {
      const uint2 VV =
          *(const uint2 *)(V + (size_t(Head) * Keys + I + U) * 128 + L * 4);
      const float2 V0 = __half22float2(*(const half2 *)&VV.x),
                   V1 = __half22float2(*(const half2 *)&VV.y);
      const float E = __expf(P[U] - New);
      Z += E;
      A[0] += E * V0.x;
      A[1] += E * V0.y;
      A[2] += E * V1.x;
      A[3] += E * V1.y;
    }
    M = New;
  }
  for (int J = 0; J < 4; ++J)
    Sums[W][L * 4 + J] = A[J];
  if (L == 0)
    Most[W] = M, Norm[W] = Z;
  __syncthreads();
  const float All = fmaxf(fmaxf(Most[0], Most[1]), fmaxf(Most[2], Most[3]));
  float Sum = 0, Total = 0;
  for (int I = 0; I < 4; ++I) {
    const float F = __expf(Most[I] - All);
    Sum += Sums[I][threadIdx.x] * F;
    Total += Norm[I] * F;
  }
  O[(size_t(blockIdx.y) * gridDim.x + Head) * 128 + threadIdx.x] = Sum / Total;
  if (threadIdx.x == 0)
    Lse[blockIdx.y * gridDim.x + Head] = All + __logf(Total);
}

// 9: rows to int8 with a scale each.
__global__ void __launch_bounds__(256)
    quantizeRows(const uint4 *X, uint2 *Y, float *Scale, int N8) {
  __shared__ float Part[8];
  const size_t Row = size_t(blockIdx.x) * N8;
  float M = 0;
  for (int I = threadIdx.x; I < N8; I += 256) {
    uint4 V = X[Row + I];
    const half2 *H = (const half2 *)&V;
    for (int J = 0; J < 4; ++J) {
      float2 F = __half22float2(H[J]);
      M = fmaxf(M, fmaxf(fabsf(F.x), fabsf(F.y)));
    }
  }
  for (int O = 16; O; O /= 2)
    M = fmaxf(M, __shfl_xor_sync(~0u, M, O));
  if (threadIdx.x % 32 == 0)
    Part[threadIdx.x / 32] = M;
  __syncthreads();
  for (int I = 0; I < 8; ++I)
    M = fmaxf(M, Part[I]);
  const float R = 127.f / M;
  if (threadIdx.x == 0)
    Scale[blockIdx.x] = M / 127.f;
  for (int I = threadIdx.x; I < N8; I += 256) {
    uint4 V = X[Row + I];
    const half2 *H = (const half2 *)&V;
    unsigned Out[2];
    for (int J = 0; J < 2; ++J) {
      float2 A = __half22float2(H[2 * J]), B = __half22float2(H[2 * J + 1]);
      Out[J] = (__float2int_rn(A.x * R) & 255) |
               (__float2int_rn(A.y * R) & 255) << 8 |
               (__float2int_rn(B.x * R) & 255) << 16 |
               __float2int_rn(B.y * R) << 24;
    }
    Y[Row + I] = make_uint2(Out[0], Out[1]);
  }
}

// 10: rows of tokens to the places of their experts.
__global__ void __launch_bounds__(128)
    permuteTokens(const uint4 *X, uint4 *Y, const int *To, int N8) {
  const int Row = To[blockIdx.x];
  for (int I = threadIdx.x; I < N8; I += 128)
    Y[size_t(Row) * N8 + I] = X[size_t(blockIdx.x) * N8 + I];
}

// 11: tiles that are summed into global memory by bulk reductions.
__global__ void __launch_bounds__(128)
    bulkReduce(float *Y, int Tiles, int Turns) {
  __shared__ __align__(128) float Tile[2048];
  for (int I = threadIdx.x; I < 2048; I += 128)
    Tile[I] = I;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int I = 0; I < Turns; ++I)
      asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 "
                   "[%0], [%1], 8192;" ::"l"(
                       Y + size_t((blockIdx.x + I * gridDim.x) % Tiles) * 2048),
                   "r"(smem(Tile))
                   : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::
                     : "memory");
  }
}

// 12: a sum in one launch: blocks meet in the middle.
__global__ void __launch_bounds__(512)
    normGridSync(const float4 *X, float4 *Y, float *Sum, int N4) {
  cg::grid_group Grid = cg::this_grid();
  float S = 0;
  for (int I = blockIdx.x * 512 + threadIdx.x; I < N4; I += gridDim.x * 512) {
    float4 V = X[I];
    S += V.x * V.x + V.y * V.y + V.z * V.z + V.w * V.w;
  }
  for (int O = 16; O; O /= 2)
    S += __shfl_xor_sync(~0u, S, O);
  if (threadIdx.x % 32 == 0)
    atomicAdd(Sum, S);
  Grid.sync();
  const float R = rsqrtf(*(volatile float *)Sum + 1.f);
  for (int I = blockIdx.x * 512 + threadIdx.x; I < N4; I += gridDim.x * 512) {
    float4 V = X[I];
    Y[I] = make_float4(V.x * R, V.y * R, V.z * R, V.w * R);
  }
}

template <class T> T *make(size_t N, int Byte = 0) {
  void *P;
  cudaMalloc(&P, N * sizeof(T));
  cudaMemset(P, Byte, N * sizeof(T));
  return (T *)P;
}

using Encode = CUresult (*)(CUtensorMap *, CUtensorMapDataType, cuuint32_t,
                            void *, const cuuint64_t *, const cuuint64_t *,
                            const cuuint32_t *, const cuuint32_t *,
                            CUtensorMapInterleave, CUtensorMapSwizzle,
                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
static CUtensorMap mapOf(half *P, int Rows, int Cols, int BoxRows) {
  static Encode F = nullptr;
  if (!F) {
    void *V = nullptr;
    cudaDriverEntryPointQueryResult R;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &V, 12000,
                                     cudaEnableDefault, &R);
    F = (Encode)V;
  }
  CUtensorMap M;
  cuuint64_t Dims[] = {cuuint64_t(Cols), cuuint64_t(Rows)},
             Strides[] = {cuuint64_t(Cols) * 2};
  cuuint32_t Box[] = {64, cuuint32_t(BoxRows)}, Step[] = {1, 1};
  F(&M, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, P, Dims, Strides, Box, Step,
    CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return M;
}

template <class... P, class... A>
void cluster(void (*F)(P...), int Grid, int Block, int Shared, int Size,
             A... Arguments) {
  cudaLaunchConfig_t C{};
  cudaLaunchAttribute At{};
  C.gridDim = dim3(Grid);
  C.blockDim = dim3(Block);
  C.dynamicSmemBytes = Shared;
  C.attrs = &At;
  C.numAttrs = 1;
  At.id = cudaLaunchAttributeClusterDimension;
  At.val.clusterDim.x = Size;
  At.val.clusterDim.y = At.val.clusterDim.z = 1;
  cudaLaunchKernelEx(&C, F, P(Arguments)...);
}
template <int S, int G>
void tma(half *A, half *B, half *C, int M, int N, int K) {
  const int Bytes = S * (64 * G + 128) * 128 + 1024;
  cudaFuncSetAttribute(gemmTma<S, G>,
                       cudaFuncAttributeMaxDynamicSharedMemorySize, Bytes);
  gemmTma<S, G><<<dim3(N / 128, M / (64 * G)), 128 * G + 128, Bytes>>>(
      mapOf(A, M, K, 64 * G), mapOf(B, N, K, 128), C, N, K);
}
template <int S> void cpAsync(half *A, half *B, half *C, int M, int N, int K) {
  cudaFuncSetAttribute(gemmCpAsync<S>,
                       cudaFuncAttributeMaxDynamicSharedMemorySize, S * 16384);
  gemmCpAsync<S><<<dim3(N / 128, M / 128), 256, S * 16384>>>(A, B, C, M, N, K);
}

int main() {
  const int N = 4096;
  half *A = make<half>(size_t(N) * N * 2), *B = make<half>(size_t(N) * N * 2),
       *C = make<half>(size_t(N) * N * 2);
  float *X = make<float>(1 << 26), *Y = make<float>(1 << 26),
        *Z = make<float>(1 << 20);
  int *Places = make<int>(16384), *Bins = make<int>(1 << 16);
  static int Host[16384];
  for (int I = 0; I < 16384; ++I)
    Host[I] = (I * 7919) & 16383;
  cudaMemcpy(Places, Host, sizeof(Host), cudaMemcpyHostToDevice);
  for (int Turn = 0; Turn < 2; ++Turn) {
    cpAsync<3>(A, B, C, 2048, 2048, 2048);
    cpAsync<4>(A, B, C, 4096, 4096, 1024);
    cpAsync<2>(A, B, C, 1024, 4096, 4096);
    tma<4, 1>(A, B, C, 2048, 2048, 4096);
    tma<4, 2>(A, B, C, 4096, 4096, 4096);
    tma<2, 2>(A, B, C, 4096, 4096, 1024);
    tma<6, 1>(A, B, C, 256, 8192, 4096);
    cluster(rowSumCluster, 8 * 512, 256, 0, 8, (const float4 *)X, Z, 1 << 15);
    cluster(rowSumCluster, 2 * 8192, 256, 0, 2, (const float4 *)X, Z, 1 << 11);
    cluster(histogramCluster, 264, 512, 16384, 2, (const int *)X, Bins, 1 << 24,
            8192);
    cluster(histogramCluster, 264, 512, 4096, 8, (const int *)X, Bins, 1 << 24,
            8192);
    rmsNorm<<<8192, 256>>>((const uint4 *)X, (const uint4 *)Z, (uint4 *)Y, 512,
                           1e-5f);
    rmsNorm<<<1024, 256>>>((const uint4 *)X, (const uint4 *)Z, (uint4 *)Y, 2048,
                           1e-5f);
    rmsNormBulk<<<132 * 4, 256, 2 * 8192>>>((const half *)X, (half *)Y, 4096,
                                            8192, 1e-5f);
    decodeAttention<<<dim3(1024, 1), 128>>>(A, (const half *)X, (const half *)Y,
                                            Z, Z + (1 << 19), 1024, 1024);
    decodeAttention<<<dim3(32, 32), 128>>>(A, (const half *)X, (const half *)Y,
                                           Z, Z + (1 << 19), 16384, 512);
    quantizeRows<<<8192, 256>>>((const uint4 *)X, (uint2 *)Y, Z, 512);
    permuteTokens<<<16384, 128>>>((const uint4 *)X, (uint4 *)Y, Places, 512);
    bulkReduce<<<132 * 2, 128>>>(Y, 4096, 64);
    {
      const float4 *PX = (const float4 *)X;
      float4 *PY = (float4 *)Y;
      float *PS = Z;
      int N4 = 1 << 23;
      void *Args[] = {&PX, &PY, &PS, &N4};
      cudaLaunchCooperativeKernel((void *)normGridSync, dim3(132 * 4),
                                  dim3(512), Args, 0, 0);
    }
  }
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
