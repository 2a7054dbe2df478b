// Products and attention of forms that no other file has: K shared out over a
// cluster, two groups in turn, one latent vector for all heads, a cache of fp8
// in pages, small matrices of each row.
#include "common.h"
#include "wgmma.h"

__device__ __forceinline__ void storeTile(const CUtensorMap *Map, unsigned From,
                                          int X, int Y) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group "
               "[%0, {%1, %2}], [%3];" ::"l"(Map),
               "r"(X), "r"(Y), "r"(From)
               : "memory");
}
__device__ __forceinline__ float warpSum(float S) {
#pragma unroll
  for (int O = 16; O; O /= 2)
    S += __shfl_xor_sync(~0u, S, O);
  return S;
}

// 128 x 128 tiles whose K the four blocks of a cluster share out; each adds a
// quarter of the rows of all four.
template <int STAGES>
__global__ void __launch_bounds__(288)
    splitCluster(const __grid_constant__ CUtensorMap MapA,
                 const __grid_constant__ CUtensorMap MapB, bf16 *C, int N,
                 int K) {
  constexpr int BYTES = 256 * 128;
  extern __shared__ __align__(1024) char Raw[];
  __shared__ __align__(8) uint64_t Bars[2 * STAGES];
  const unsigned S0 = (smem(Raw) + 1023) & ~1023u, Full = smem(Bars),
                 Empty = Full + 8 * STAGES;
  const int T = threadIdx.x, Steps = K / 64 / 4, TM = blockIdx.y,
            TN = blockIdx.x / 4;
  unsigned Rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(Rank));
  if (T == 0) {
    for (int I = 0; I < STAGES; ++I) {
      init(Full + 8 * I, 1);
      init(Empty + 8 * I, 2);
    }
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  __syncthreads();
  const int WG = T / 128, L = T % 32, W = T % 128 / 32;
  float D[64];
  if (T >= 256) {
    if (T == 256)
      for (int I = 0; I < Steps; ++I) {
        const int S = I % STAGES, At = (int(Rank) * Steps + I) * 64;
        wait(Empty + 8 * S, (I / STAGES & 1) ^ 1);
        expect(Full + 8 * S, BYTES);
        tile(S0 + S * BYTES, &MapA, At, TM * 128, Full + 8 * S);
        tile(S0 + S * BYTES + 16384, &MapB, At, TN * 128, Full + 8 * S);
      }
  } else {
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
  }
  // Sums over the stages, which nobody reads any more.
  __syncthreads();
  float *Sum = (float *)(Raw + (S0 - smem(Raw)));
  if (T < 256)
#pragma unroll
    for (int J = 0; J < 16; ++J) {
      const int Row = WG * 64 + W * 16 + L / 4, Col = J * 8 + L % 4 * 2;
      *(float2 *)(Sum + Row * 136 + Col) = make_float2(D[4 * J], D[4 * J + 1]);
      *(float2 *)(Sum + (Row + 8) * 136 + Col) =
          make_float2(D[4 * J + 2], D[4 * J + 3]);
    }
  asm volatile(
      "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::
          : "memory");
  if (T < 256)
    for (int I = T; I < 32 * 32; I += 256) {
      const int Row = int(Rank) * 32 + I / 32, Col = I % 32 * 4;
      float4 V = make_float4(0, 0, 0, 0);
#pragma unroll
      for (int R = 0; R < 4; ++R) {
        float4 P;
        asm volatile("{\n.reg .b32 r;\nmapa.shared::cluster.u32 r, %4, %5;\n"
                     "ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [r];\n}"
                     : "=f"(P.x), "=f"(P.y), "=f"(P.z), "=f"(P.w)
                     : "r"(S0 + (Row * 136 + Col) * 4), "r"(R)
                     : "memory");
        V.x += P.x, V.y += P.y, V.z += P.z, V.w += P.w;
      }
      *(uint2 *)(C + size_t(TM * 128 + Row) * N + TN * 128 + Col) =
          make_uint2(pack(V.x, V.y), pack(V.z, V.w));
    }
  asm volatile(
      "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::
          : "memory");
}

// fp8 in 64 x 128 tiles by persistent blocks, whose two groups multiply in
// turn: while one does, the other stores its tile by a bulk copy.
template <int STAGES>
__global__ void __launch_bounds__(384)
    inTurn(const __grid_constant__ CUtensorMap MapA,
           const __grid_constant__ CUtensorMap MapB,
           const __grid_constant__ CUtensorMap MapC, float Scale, int M, int N,
           int K) {
  constexpr int BYTES = (64 + 128) * 128;
  extern __shared__ __align__(1024) char Raw[];
  __shared__ __align__(8) uint64_t Bars[2 * STAGES];
  const unsigned S0 = (smem(Raw) + 1023) & ~1023u, Full = smem(Bars),
                 Empty = Full + 8 * STAGES, Out = S0 + STAGES * BYTES;
  const int T = threadIdx.x, Steps = K / 128, TilesM = M / 64,
            Tiles = TilesM * (N / 128);
  if (T == 0) {
    for (int I = 0; I < STAGES; ++I) {
      init(Full + 8 * I, 1);
      init(Empty + 8 * I, 1);
    }
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  __syncthreads();
  if (T >= 256) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (T == 256) {
      int It = 0;
      for (int Tile = blockIdx.x; Tile < Tiles; Tile += gridDim.x)
        for (int I = 0; I < Steps; ++I, ++It) {
          const int S = It % STAGES;
          wait(Empty + 8 * S, (It / STAGES & 1) ^ 1);
          expect(Full + 8 * S, BYTES);
          tile(S0 + S * BYTES, &MapA, I * 128, Tile % TilesM * 64,
               Full + 8 * S);
          tile(S0 + S * BYTES + 8192, &MapB, I * 128, Tile / TilesM * 128,
               Full + 8 * S);
        }
    }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  const int WG = T / 128, L = T % 32, W = T % 128 / 32;
  const unsigned Mine = Out + WG * 16384;
  if (WG == 1)
    asm volatile("bar.arrive 1, 256;" ::: "memory");
  int It = WG * Steps;
  for (int Tile = blockIdx.x + WG * gridDim.x; Tile < Tiles;
       Tile += 2 * gridDim.x, It += Steps) {
    float D[64];
    asm volatile("bar.sync %0, 256;" ::"r"(1 + WG) : "memory");
    for (int I = 0; I < Steps; ++I, ++It) {
      const int S = It % STAGES;
      wait(Full + 8 * S, It / STAGES & 1);
      wgmmaFence();
#pragma unroll
      for (int KK = 0; KK < 4; ++KK)
        wgmmaFp8(D, descriptor(S0 + S * BYTES + KK * 32),
                 descriptor(S0 + S * BYTES + 8192 + KK * 32), I + KK);
      wgmmaCommit();
      wgmmaWait<0>();
      if (T % 128 == 0)
        arrive(Empty + 8 * S);
    }
    asm volatile("bar.arrive %0, 256;" ::"r"(2 - WG) : "memory");
    if (T % 128 == 0)
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    asm volatile("bar.sync %0, 128;" ::"r"(3 + WG) : "memory");
#pragma unroll
    for (int J = 0; J < 16; ++J)
#pragma unroll
      for (int H = 0; H < 2; ++H) {
        const int Row = W * 16 + L / 4 + 8 * H;
        asm volatile(
            "st.shared.b32 [%0], %1;" ::"r"(Mine + J / 8 * 8192 + Row * 128 +
                                            ((J % 8 ^ (Row & 7)) * 16) +
                                            L % 4 * 4),
            "r"(pack(D[4 * J + 2 * H] * Scale, D[4 * J + 2 * H + 1] * Scale))
            : "memory");
      }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("bar.sync %0, 128;" ::"r"(3 + WG) : "memory");
    if (T % 128 == 0) {
      storeTile(&MapC, Mine, Tile / TilesM * 128, Tile % TilesM * 64);
      storeTile(&MapC, Mine + 8192, Tile / TilesM * 128 + 64,
                Tile % TilesM * 64);
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
  }
  if (T % 128 == 0)
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// One token against latent vectors of 576 numbers, of which 512 are the values
// too: 64 heads a block, a part of the keys, 32 at a time in two stages.
__global__ void __launch_bounds__(256)
    latentDecode(const half *Q, const half *Cache, const int *Pages, float *Out,
                 float2 *Sums, int Length, float Scale) {
  constexpr int DIM = 576, KEYS = 32;
  extern __shared__ __align__(128) half S[]; // Q, two stages of keys
  const int T = threadIdx.x, W = T / 32, L = T % 32, Heads = W % 4 * 16,
            Half = W / 4 * 256, Each = Length / gridDim.y,
            First = blockIdx.y * Each;
  half *Keys = S + 64 * DIM;
  auto At = [&](half *P, int Row, int Col) {
    return smem(P + Row * DIM + ((Col ^ (Row & 7)) * 8));
  };
  auto Load = [&](int Step) {
    if (Step < Each / KEYS)
      for (int I = T; I < KEYS * DIM / 8; I += 256) {
        const int Row = I / (DIM / 8), Col = I % (DIM / 8),
                  Key = First + Step * KEYS + Row,
                  Page = Pages[blockIdx.x * (Length / 64) + Key / 64];
        copy16(At(Keys + Step % 2 * KEYS * DIM, Row, Col),
               Cache + (size_t(Page) * 64 + Key % 64) * DIM + Col * 8);
      }
    commit();
  };
  for (int I = T; I < 64 * DIM / 8; I += 256)
    copy16(At(S, I / (DIM / 8), I % (DIM / 8)),
           Q + size_t(blockIdx.x) * 64 * DIM + I * 8);
  Load(0);
  float o[32][4] = {}, M[2] = {-1e30f, -1e30f}, Z[2] = {};
  for (int Step = 0; Step < Each / KEYS; ++Step) {
    Load(Step + 1);
    waitGroup<1>();
    __syncthreads();
    half *P = Keys + Step % 2 * KEYS * DIM;
    float s[4][4] = {};
#pragma unroll 4
    for (int KK = 0; KK < DIM / 16; ++KK) {
      unsigned a[4], b[2][4];
      ldmatrix(a, At(S, Heads + L % 16, KK * 2 + L / 16));
#pragma unroll
      for (int J = 0; J < 2; ++J)
        ldmatrix(b[J], At(P, J * 16 + L % 16, KK * 2 + L / 16));
#pragma unroll
      for (int J = 0; J < 4; ++J)
        mmaHalf(s[J], a, b[J / 2][J % 2], b[J / 2][J % 2 + 2]);
    }
    unsigned p[2][4];
#pragma unroll
    for (int H = 0; H < 2; ++H) {
      float New = M[H];
#pragma unroll
      for (int J = 0; J < 4; ++J)
        New = fmaxf(New, fmaxf(s[J][2 * H], s[J][2 * H + 1]));
      New = fmaxf(New, __shfl_xor_sync(~0u, New, 1));
      New = fmaxf(New, __shfl_xor_sync(~0u, New, 2));
      const float Old = exp2f((M[H] - New) * Scale);
      M[H] = New;
      Z[H] *= Old;
#pragma unroll
      for (int J = 0; J < 4; ++J) {
        const float A = exp2f((s[J][2 * H] - New) * Scale),
                    B = exp2f((s[J][2 * H + 1] - New) * Scale);
        Z[H] += A + B;
        const half2 V = __floats2half2_rn(A, B);
        p[J / 2][J % 2 * 2 + H] = *(const unsigned *)&V;
      }
#pragma unroll
      for (int J = 0; J < 32; ++J)
        o[J][2 * H] *= Old, o[J][2 * H + 1] *= Old;
    }
#pragma unroll
    for (int J = 0; J < 16; ++J)
#pragma unroll
      for (int KK = 0; KK < 2; ++KK) {
        unsigned b[4];
        ldmatrixT(b, At(P, KK * 16 + L % 16, Half / 8 + J * 2 + L / 16));
        mmaHalf(o[2 * J], p[KK], b[0], b[1]);
        mmaHalf(o[2 * J + 1], p[KK], b[2], b[3]);
      }
    __syncthreads();
  }
#pragma unroll
  for (int H = 0; H < 2; ++H) {
    Z[H] += __shfl_xor_sync(~0u, Z[H], 1);
    Z[H] += __shfl_xor_sync(~0u, Z[H], 2);
    const size_t Row = (size_t(blockIdx.x) * gridDim.y + blockIdx.y) * 64 +
                       Heads + L / 4 + 8 * H;
    if (L % 4 == 0 && Half == 0)
      Sums[Row] = make_float2(M[H], Z[H]);
#pragma unroll
    for (int J = 0; J < 32; ++J)
      *(float2 *)(Out + Row * 512 + Half + J * 8 + L % 4 * 2) =
          make_float2(o[J][2 * H] / Z[H], o[J][2 * H + 1] / Z[H]);
  }
}

// One token, four heads a head of keys, a cache of fp8 in pages of 16 tokens: a
// warp four tokens at a time, a lane four of the 128 numbers.
__global__ void __launch_bounds__(128)
    pagedFp8(const half *Q, const unsigned *Keys, const unsigned *Values,
             const int *Pages, float *Out, int KvHeads, int Length) {
  __shared__ float Part[4][4][128], Most[4][4], Total[4][4];
  const int W = threadIdx.x / 32, L = threadIdx.x % 32, Head = blockIdx.x,
            Each = Length / gridDim.z, First = blockIdx.z * Each;
  auto Four = [](unsigned V) {
    const float2 A = __half22float2(
                     __half2(__nv_cvt_fp8x2_to_halfraw2(V & 65535, __NV_E4M3))),
                 B = __half22float2(
                     __half2(__nv_cvt_fp8x2_to_halfraw2(V >> 16, __NV_E4M3)));
    return make_float4(A.x, A.y, B.x, B.y);
  };
  float4 q[4], o[4];
  float M[4], Z[4];
#pragma unroll
  for (int I = 0; I < 4; ++I) {
    const half2 *P =
        (const half2 *)(Q +
                        ((size_t(blockIdx.y) * KvHeads + Head) * 4 + I) * 128) +
        L * 2;
    const float2 A = __half22float2(P[0]), B = __half22float2(P[1]);
    q[I] = make_float4(A.x, A.y, B.x, B.y);
    o[I] = make_float4(0, 0, 0, 0);
    M[I] = -1e30f, Z[I] = 0;
  }
  for (int Key = First + W * 4; Key < First + Each; Key += 16) {
    const size_t At =
        (size_t(Pages[blockIdx.y * (Length / 16) + Key / 16]) * KvHeads +
         Head) *
            16 +
        Key % 16;
    unsigned k[4], v[4];
#pragma unroll
    for (int J = 0; J < 4; ++J) {
      k[J] = Keys[(At + J) * 32 + L];
      v[J] = Values[(At + J) * 32 + L];
    }
#pragma unroll
    for (int I = 0; I < 4; ++I) {
      float s[4], New = M[I];
#pragma unroll
      for (int J = 0; J < 4; ++J) {
        const float4 F = Four(k[J]);
        s[J] =
            warpSum(F.x * q[I].x + F.y * q[I].y + F.z * q[I].z + F.w * q[I].w);
        New = fmaxf(New, s[J]);
      }
      const float Old = exp2f(M[I] - New);
      M[I] = New, Z[I] *= Old;
      o[I].x *= Old, o[I].y *= Old, o[I].z *= Old, o[I].w *= Old;
#pragma unroll
      for (int J = 0; J < 4; ++J) {
        const float E = exp2f(s[J] - New);
        const float4 F = Four(v[J]);
        Z[I] += E;
        o[I].x += E * F.x, o[I].y += E * F.y;
        o[I].z += E * F.z, o[I].w += E * F.w;
      }
    }
  }
#pragma unroll
  for (int I = 0; I < 4; ++I) {
    *(float4 *)&Part[W][I][L * 4] = o[I];
    if (L == 0)
      Most[W][I] = M[I], Total[W][I] = Z[I];
  }
  __syncthreads();
  for (int I = 0; I < 4; ++I) {
    float New = -1e30f, Sum = 0, V = 0;
    for (int J = 0; J < 4; ++J)
      New = fmaxf(New, Most[J][I]);
    for (int J = 0; J < 4; ++J) {
      const float E = exp2f(Most[J][I] - New);
      Sum += E * Total[J][I];
      V += E * Part[J][I][threadIdx.x];
    }
    Out[(((size_t(blockIdx.y) * gridDim.z + blockIdx.z) * KvHeads + Head) * 4 +
         I) *
            128 +
        threadIdx.x] = V / Sum;
  }
}

// Rows times a small matrix of their own adapter (4096 x 16), a block a row.
__global__ void __launch_bounds__(256)
    shrinkRows(const uint4 *X, const uint4 *A, const int *Adapter, float *Y) {
  __shared__ float Part[8];
  const int Row = blockIdx.y, R = blockIdx.x, T = threadIdx.x;
  const uint4 *M = A + (size_t(Adapter[Row]) * 16 + R) * 512;
  float S = 0;
#pragma unroll
  for (int I = 0; I < 2; ++I) {
    const uint4 V = X[size_t(Row) * 512 + I * 256 + T], B = M[I * 256 + T];
    const bf162 *PV = (const bf162 *)&V, *PB = (const bf162 *)&B;
#pragma unroll
    for (int E = 0; E < 4; ++E) {
      const float2 F = __bfloat1622float2(PV[E]), G = __bfloat1622float2(PB[E]);
      S += F.x * G.x + F.y * G.y;
    }
  }
  S = warpSum(S);
  if (T % 32 == 0)
    Part[T / 32] = S;
  __syncthreads();
  if (T < 32) {
    S = warpSum(T < 8 ? Part[T] : 0);
    if (T == 0)
      Y[Row * 16 + R] = S;
  }
}

int main() {
  const size_t N = 1 << 26;
  bf16 *A = make<bf16>(N), *B = make<bf16>(N), *C = make<bf16>(N);
  float *F = make<float>(1 << 25);
  int *Pages = make<int>(4096), *Latents = make<int>(1024),
      *Adapter = make<int>(1024);
  int Host[4096];
  for (int I = 0; I < 4096; ++I)
    Host[I] = unsigned(I) * 40503u % 4096;
  cudaMemcpy(Pages, Host, sizeof(Host), cudaMemcpyHostToDevice);
  for (int I = 0; I < 1024; ++I)
    Host[I] = unsigned(I) * 40503u % 1024;
  cudaMemcpy(Latents, Host, 4096, cudaMemcpyHostToDevice);
  for (int I = 0; I < 1024; ++I)
    Host[I] = I * 37 % 64;
  cudaMemcpy(Adapter, Host, 4096, cudaMemcpyHostToDevice);
  const int Latent = (64 + 2 * 32) * 576 * 2;
  cudaFuncSetAttribute(latentDecode,
                       cudaFuncAttributeMaxDynamicSharedMemorySize, Latent);
  for (int Turn = 0; Turn < 2; ++Turn) {
    launch(splitCluster<4>, dim3(4 * 16, 2), 288, 4 * 32768 + 1024, 4,
           mapOf(A, 256, 8192, 128, 2), mapOf(B, 2048, 8192, 128, 2), C, 2048,
           8192);
    launch(inTurn<6>, dim3(132), 384, 6 * 24576 + 32768 + 1024, 1,
           mapOf(A, 4096, 4096, 64, 1), mapOf(B, 4096, 4096, 128, 1),
           mapOf(C, 4096, 4096, 64, 2), 0.5f, 4096, 4096, 4096);
    latentDecode<<<dim3(32, 4), 256, Latent>>>((half *)A, (half *)B, Latents, F,
                                               (float2 *)C, 2048, 0.1f);
    pagedFp8<<<dim3(8, 32, 4), 128>>>((half *)A, (unsigned *)B, (unsigned *)C,
                                      Pages, F, 8, 2048);
    shrinkRows<<<dim3(16, 1024), 256>>>((uint4 *)A, (uint4 *)B, Adapter, F);
  }
  finish();
}
