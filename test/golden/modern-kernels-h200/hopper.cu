// Products with wgmma: of fp8 with scales by 128 x 128 (persistent, plain and
// in groups), in clusters that share tiles, with a converted operand in
// registers, and attention.
#include "common.h"
#include "wgmma.h"

// DeepGEMM's way: 128 x 128 tiles, K by 128 bytes, two groups that multiply and
// one that copies; sums are scaled each step. Groups names the weights of each
// tile of rows.
template <int STAGES>
__global__ void __launch_bounds__(384)
    scaledFp8(const __grid_constant__ CUtensorMap MapA,
              const __grid_constant__ CUtensorMap MapB, const float *ScaleA,
              const float *ScaleB, const int *Groups, bf16 *C, int M, int N,
              int K) {
  constexpr int BYTES = 256 * 128;
  extern __shared__ __align__(1024) char Raw[];
  __shared__ __align__(8) uint64_t Bars[2 * STAGES];
  const unsigned S0 = (smem(Raw) + 1023) & ~1023u, Full = smem(Bars),
                 Empty = Full + 8 * STAGES;
  const int T = threadIdx.x, Steps = K / 128, TilesN = N / 128,
            Tiles = M / 128 * TilesN;
  if (T == 0) {
    for (int I = 0; I < STAGES; ++I) {
      init(Full + 8 * I, 1);
      init(Empty + 8 * I, 2);
    }
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  __syncthreads();
  if (T >= 256) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (T == 256) {
      int It = 0;
      for (int Tile = blockIdx.x; Tile < Tiles; Tile += gridDim.x) {
        const int TM = Tile / TilesN, TN = Tile % TilesN, G = Groups[TM];
        for (int I = 0; I < Steps; ++I, ++It) {
          const int S = It % STAGES;
          wait(Empty + 8 * S, (It / STAGES & 1) ^ 1);
          expect(Full + 8 * S, BYTES);
          tile(S0 + S * BYTES, &MapA, I * 128, TM * 128, Full + 8 * S);
          tile(S0 + S * BYTES + 128 * 128, &MapB, I * 128, G * N + TN * 128,
               Full + 8 * S);
        }
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    const int WG = T / 128, L = T % 32, W = T % 128 / 32;
    int It = 0;
    for (int Tile = blockIdx.x; Tile < Tiles; Tile += gridDim.x) {
      const int TM = Tile / TilesN, TN = Tile % TilesN, G = Groups[TM];
      const int Row = TM * 128 + WG * 64 + W * 16 + L / 4;
      float Sum[64];
      for (int I = 0; I < 64; ++I)
        Sum[I] = 0;
      for (int I = 0; I < Steps; ++I, ++It) {
        const int S = It % STAGES;
        const float SB = ScaleB[(size_t(G) * TilesN + TN) * Steps + I],
                    S1 = ScaleA[size_t(I) * M + Row] * SB,
                    S2 = ScaleA[size_t(I) * M + Row + 8] * SB;
        wait(Full + 8 * S, It / STAGES & 1);
        float D[64];
        wgmmaFence();
#pragma unroll
        for (int KK = 0; KK < 4; ++KK)
          wgmmaFp8(D, descriptor(S0 + S * BYTES + WG * 8192 + KK * 32),
                   descriptor(S0 + S * BYTES + 16384 + KK * 32), KK);
        wgmmaCommit();
        wgmmaWait<0>();
        if (T % 128 == 0)
          arrive(Empty + 8 * S);
#pragma unroll
        for (int J = 0; J < 16; ++J) {
          Sum[4 * J] += S1 * D[4 * J];
          Sum[4 * J + 1] += S1 * D[4 * J + 1];
          Sum[4 * J + 2] += S2 * D[4 * J + 2];
          Sum[4 * J + 3] += S2 * D[4 * J + 3];
        }
      }
#pragma unroll
      for (int J = 0; J < 16; ++J) {
        bf16 *P = C + size_t(Row) * N + TN * 128 + J * 8 + L % 4 * 2;
        *(unsigned *)P = pack(Sum[4 * J], Sum[4 * J + 1]);
        *(unsigned *)(P + 8 * size_t(N)) = pack(Sum[4 * J + 2], Sum[4 * J + 3]);
      }
    }
  }
}

// 128 x 256 tiles by clusters of two blocks along M, which share the tile of B:
// each copies half of it to both.
template <int STAGES>
__global__ void __launch_bounds__(384)
    multicast(const __grid_constant__ CUtensorMap MapA,
              const __grid_constant__ CUtensorMap MapB, bf16 *C, int N, int K) {
  constexpr int BYTES = (128 + 256) * 128;
  extern __shared__ __align__(1024) char Raw[];
  __shared__ __align__(8) uint64_t Bars[2 * STAGES];
  const unsigned S0 = (smem(Raw) + 1023) & ~1023u, Full = smem(Bars),
                 Empty = Full + 8 * STAGES;
  const int T = threadIdx.x, Steps = K / 64;
  unsigned Rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(Rank));
  if (T == 0) {
    for (int I = 0; I < STAGES; ++I) {
      init(Full + 8 * I, 1);
      init(Empty + 8 * I, 4);
    }
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  asm volatile(
      "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::
          : "memory");
  const int TM = blockIdx.x, TN = blockIdx.y;
  if (T >= 256) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (T == 256)
      for (int I = 0; I < Steps; ++I) {
        const int S = I % STAGES;
        wait(Empty + 8 * S, (I / STAGES & 1) ^ 1);
        expect(Full + 8 * S, BYTES);
        tile(S0 + S * BYTES, &MapA, I * 64, TM * 128, Full + 8 * S);
        tileToAll(S0 + S * BYTES + 16384 + Rank * 16384, &MapB, I * 64,
                  TN * 256 + Rank * 128, Full + 8 * S, 3);
      }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    const int WG = T / 128, L = T % 32, W = T % 128 / 32;
    float D[128];
    for (int I = 0; I < Steps; ++I) {
      const int S = I % STAGES;
      wait(Full + 8 * S, I / STAGES & 1);
      wgmmaFence();
#pragma unroll
      for (int KK = 0; KK < 4; ++KK)
        wgmmaBf256(D, descriptor(S0 + S * BYTES + WG * 8192 + KK * 32),
                   descriptor(S0 + S * BYTES + 16384 + KK * 32), I + KK);
      wgmmaCommit();
      wgmmaWait<0>();
      if (T % 128 < 2)
        arriveAt(Empty + 8 * S, T % 128);
    }
    const int Row = TM * 128 + WG * 64 + W * 16 + L / 4;
#pragma unroll
    for (int J = 0; J < 32; ++J) {
      bf16 *P = C + size_t(Row) * N + TN * 256 + J * 8 + L % 4 * 2;
      *(unsigned *)P = pack(D[4 * J], D[4 * J + 1]);
      *(unsigned *)(P + 8 * size_t(N)) = pack(D[4 * J + 2], D[4 * J + 3]);
    }
  }
  asm volatile(
      "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::
          : "memory");
}

// Weights of eight bits, converted in registers, by activations from shared
// memory: 64 x 128 tiles, one group that multiplies, one warp that copies.
template <int STAGES>
__global__ void __launch_bounds__(160)
    mixedInt8(const __grid_constant__ CUtensorMap MapW,
              const __grid_constant__ CUtensorMap MapX, const float *Scale,
              bf16 *C, int N, int K) {
  constexpr int BYTES = 64 * 128 + 2 * 128 * 128; // K by 128
  extern __shared__ __align__(1024) char Raw[];
  __shared__ __align__(8) uint64_t Bars[2 * STAGES];
  const unsigned S0 = (smem(Raw) + 1023) & ~1023u, Full = smem(Bars),
                 Empty = Full + 8 * STAGES;
  const int T = threadIdx.x, Steps = K / 128;
  if (T == 0)
    for (int I = 0; I < STAGES; ++I) {
      init(Full + 8 * I, 1);
      init(Empty + 8 * I, 1);
    }
  __syncthreads();
  if (T >= 128) {
    if (T == 128)
      for (int I = 0; I < Steps; ++I) {
        const int S = I % STAGES;
        const unsigned To = S0 + S * BYTES;
        wait(Empty + 8 * S, (I / STAGES & 1) ^ 1);
        expect(Full + 8 * S, BYTES);
        tile(To, &MapX, I * 128, blockIdx.x * 128, Full + 8 * S);
        tile(To + 16384, &MapX, I * 128 + 64, blockIdx.x * 128, Full + 8 * S);
        tile(To + 32768, &MapW, I * 128, blockIdx.y * 64, Full + 8 * S);
      }
    return;
  }
  const int W = T / 32, L = T % 32;
  float D[64];
  for (int I = 0; I < Steps; ++I) {
    const int S = I % STAGES;
    const unsigned From = S0 + S * BYTES;
    wait(Full + 8 * S, I / STAGES & 1);
    unsigned a[8][4];
#pragma unroll
    for (int KK = 0; KK < 8; ++KK)
#pragma unroll
      for (int E = 0; E < 4; ++E) {
        const int Row = W * 16 + L / 4 + E % 2 * 8,
                  Col = KK * 16 + L % 4 * 2 + E / 2 * 8;
        unsigned short Two;
        asm volatile("ld.shared.u16 %0, [%1];"
                     : "=h"(Two)
                     : "r"(From + 32768 + Row * 128 +
                           ((Col / 16 ^ (Row & 7)) * 16) + Col % 16));
        a[KK][E] = pack(float(int8_t(Two & 255)), float(int8_t(Two >> 8)));
      }
    wgmmaFence();
#pragma unroll
    for (int KK = 0; KK < 8; ++KK)
      wgmmaRegs128(D, a[KK], descriptor(From + KK / 4 * 16384 + KK % 4 * 32),
                   I + KK);
    wgmmaCommit();
    wgmmaWait<0>();
    asm volatile("bar.sync 1, 128;" ::: "memory");
    if (T == 0)
      arrive(Empty + 8 * S);
  }
  const int Row = blockIdx.y * 64 + W * 16 + L / 4;
  const float S1 = Scale[Row], S2 = Scale[Row + 8];
#pragma unroll
  for (int J = 0; J < 16; ++J) {
    bf16 *P = C + size_t(Row) * N + blockIdx.x * 128 + J * 8 + L % 4 * 2;
    *(unsigned *)P = pack(D[4 * J] * S1, D[4 * J + 1] * S1);
    *(unsigned *)(P + 8 * size_t(N)) =
        pack(D[4 * J + 2] * S2, D[4 * J + 3] * S2);
  }
}

// FlashAttention 3's way, heads of 64: 128 queries by two groups, keys by 128,
// two stages, one warp that copies; P stays in registers.
__global__ void __launch_bounds__(384)
    flashWgmma(const __grid_constant__ CUtensorMap MapQ,
               const __grid_constant__ CUtensorMap MapK,
               const __grid_constant__ CUtensorMap MapV, bf16 *O, int Len,
               float Scale) {
  extern __shared__ __align__(1024) char Raw[];
  __shared__ __align__(8) uint64_t Bars[5];
  const unsigned S0 = (smem(Raw) + 1023) & ~1023u, Full = smem(Bars),
                 Empty = Full + 16, Ready = Full + 32;
  const int T = threadIdx.x, Tiles = Len / 128;
  if (T == 0) {
    for (int I = 0; I < 2; ++I) {
      init(Full + 8 * I, 1);
      init(Empty + 8 * I, 2);
    }
    init(Ready, 1);
  }
  __syncthreads();
  if (T >= 256) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    if (T == 256) {
      expect(Ready, 16384);
      tile(S0, &MapQ, 0, blockIdx.y * Len + blockIdx.x * 128, Ready);
      for (int I = 0; I < Tiles; ++I) {
        const int S = I % 2;
        wait(Empty + 8 * S, (I / 2 & 1) ^ 1);
        expect(Full + 8 * S, 32768);
        tile(S0 + 16384 + S * 32768, &MapK, 0, blockIdx.y * Len + I * 128,
             Full + 8 * S);
        tile(S0 + 32768 + S * 32768, &MapV, 0, blockIdx.y * Len + I * 128,
             Full + 8 * S);
      }
    }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
  const int WG = T / 128, L = T % 32, W = T % 128 / 32;
  float o[32], M[2] = {-1e30f, -1e30f}, Z[2] = {};
  for (int I = 0; I < 32; ++I)
    o[I] = 0;
  wait(Ready, 0);
  for (int I = 0; I < Tiles; ++I) {
    const int S = I % 2;
    const unsigned K0 = S0 + 16384 + S * 32768, V0 = K0 + 16384;
    wait(Full + 8 * S, I / 2 & 1);
    float s[64];
    wgmmaFence();
#pragma unroll
    for (int KK = 0; KK < 4; ++KK)
      wgmmaBf128(s, descriptor(S0 + WG * 8192 + KK * 32),
                 descriptor(K0 + KK * 32), KK);
    wgmmaCommit();
    wgmmaWait<0>();
    unsigned p[8][4];
#pragma unroll
    for (int H = 0; H < 2; ++H) {
      float New = M[H];
#pragma unroll
      for (int N = 0; N < 16; ++N)
        New = fmaxf(New, fmaxf(s[4 * N + 2 * H], s[4 * N + 2 * H + 1]));
      New = fmaxf(New, __shfl_xor_sync(~0u, New, 1));
      New = fmaxf(New, __shfl_xor_sync(~0u, New, 2));
      const float Old = exp2f((M[H] - New) * Scale);
      M[H] = New;
      float Sum = 0;
#pragma unroll
      for (int N = 0; N < 16; ++N) {
        const float A = exp2f(s[4 * N + 2 * H] * Scale - New * Scale),
                    B = exp2f(s[4 * N + 2 * H + 1] * Scale - New * Scale);
        Sum += A + B;
        p[N / 2][N % 2 * 2 + H] = pack(A, B);
      }
      Z[H] = Z[H] * Old + Sum;
#pragma unroll
      for (int N = 0; N < 8; ++N)
        o[4 * N + 2 * H] *= Old, o[4 * N + 2 * H + 1] *= Old;
    }
    wgmmaFence();
#pragma unroll
    for (int KK = 0; KK < 8; ++KK) {
      // V lies by rows of keys: transposed.
      asm volatile(
          "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
          "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,"
          "%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, "
          "{%32,%33,%34,%35}, %36, 1, 1, 1, 1;"
          : "+f"(o[0]), "+f"(o[1]), "+f"(o[2]), "+f"(o[3]), "+f"(o[4]),
            "+f"(o[5]), "+f"(o[6]), "+f"(o[7]), "+f"(o[8]), "+f"(o[9]),
            "+f"(o[10]), "+f"(o[11]), "+f"(o[12]), "+f"(o[13]), "+f"(o[14]),
            "+f"(o[15]), "+f"(o[16]), "+f"(o[17]), "+f"(o[18]), "+f"(o[19]),
            "+f"(o[20]), "+f"(o[21]), "+f"(o[22]), "+f"(o[23]), "+f"(o[24]),
            "+f"(o[25]), "+f"(o[26]), "+f"(o[27]), "+f"(o[28]), "+f"(o[29]),
            "+f"(o[30]), "+f"(o[31])
          : "r"(p[KK][0]), "r"(p[KK][1]), "r"(p[KK][2]), "r"(p[KK][3]),
            "l"(descriptor(V0 + KK * 2048)));
    }
    wgmmaCommit();
    wgmmaWait<0>();
    if (T % 128 == 0)
      arrive(Empty + 8 * S);
  }
#pragma unroll
  for (int H = 0; H < 2; ++H) {
    Z[H] += __shfl_xor_sync(~0u, Z[H], 1);
    Z[H] += __shfl_xor_sync(~0u, Z[H], 2);
    const float R = 1 / Z[H];
    const size_t Row = size_t(blockIdx.y) * Len + blockIdx.x * 128 + WG * 64 +
                       W * 16 + L / 4 + 8 * H;
#pragma unroll
    for (int N = 0; N < 8; ++N)
      *(unsigned *)(O + Row * 64 + N * 8 + L % 4 * 2) =
          pack(o[4 * N + 2 * H] * R, o[4 * N + 2 * H + 1] * R);
  }
}

void scaled(void *A, void *B, const float *S, const int *Groups, bf16 *C, int M,
            int N, int K, int NumGroups) {
  launch(scaledFp8<4>, dim3(132), 384, 4 * 32768 + 1024, 1,
         mapOf(A, M, K, 128, 1), mapOf(B, NumGroups * N, K, 128, 1), S, S,
         Groups, C, M, N, K);
}

int main() {
  bf16 *A = make<bf16>(1 << 26), *B = make<bf16>(1 << 26),
       *C = make<bf16>(1 << 26);
  float *S = make<float>(1 << 24);
  int *One = make<int>(64), *Eight = make<int>(64);
  int Host[64];
  for (int I = 0; I < 64; ++I)
    Host[I] = I / 4 % 8;
  cudaMemcpy(Eight, Host, sizeof(Host), cudaMemcpyHostToDevice);
  for (int Turn = 0; Turn < 2; ++Turn) {
    scaled(A, B, S, One, C, 4096, 4096, 7168, 1);
    scaled(A, B, S, Eight, C, 4096, 2048, 4096, 8);
    scaled(A, B, S, One, C, 128, 7168, 16384, 1);
    launch(multicast<4>, dim3(4096 / 128, 4096 / 256), 384,
           4 * 384 * 128 + 1024, 2, mapOf(A, 4096, 4096, 128, 2),
           mapOf(B, 4096, 4096, 128, 2), C, 4096, 4096);
    launch(mixedInt8<4>, dim3(256 / 128, 8192 / 64), 160,
           4 * (8192 + 32768) + 1024, 1, mapOf(B, 8192, 4096, 64, 1),
           mapOf(A, 256, 4096, 128, 2), S, C, 256, 4096);
    launch(flashWgmma, dim3(4096 / 128, 32), 384, 16384 + 2 * 32768 + 1024, 1,
           mapOf(A, 32 * 4096, 64, 128, 2), mapOf(B, 32 * 4096, 64, 128, 2),
           mapOf(C, 32 * 4096, 64, 128, 2), C, 4096, 0.18f);
  }
  finish();
}
