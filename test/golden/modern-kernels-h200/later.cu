// Kernels as programs have them today, each launched twice: the second counts.
#include "common.h"
#include "wgmma.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cub/cub.cuh>
#include <cuda/pipeline>
#include <mma.h>
namespace cg = cooperative_groups;

// 1: one token times a matrix of bf16, a warp for each row.
__global__ void __launch_bounds__(256)
    gemvRows(const uint4 *W, const uint4 *X, bf16 *Y, int Rows, int K8) {
  const int Row = blockIdx.x * 8 + threadIdx.x / 32, L = threadIdx.x % 32;
  if (Row >= Rows)
    return;
  float S = 0;
#pragma unroll 4
  for (int I = L; I < K8; I += 32) {
    const uint4 V = __ldcs(W + size_t(Row) * K8 + I), U = X[I];
    const bf162 *P = (const bf162 *)&V, *Q = (const bf162 *)&U;
#pragma unroll
    for (int E = 0; E < 4; ++E) {
      const float2 A = __bfloat1622float2(P[E]), B = __bfloat1622float2(Q[E]);
      S += A.x * B.x + A.y * B.y;
    }
  }
  for (int O = 16; O; O /= 2)
    S += __shfl_xor_sync(~0u, S, O);
  if (L == 0)
    Y[Row] = __float2bfloat16(S);
}

// 2: product by nvcuda::wmma from tiles that cuda::pipeline copies in two
// stages, 64 x 128 x 32.
__global__ void __launch_bounds__(256)
    wmmaPipeline(const half *A, const half *B, float *C, int N, int K) {
  using namespace nvcuda::wmma;
  __shared__ __align__(16) half TA[2][64][40], TB[2][128][40];
  auto Pipe = cuda::make_pipeline();
  const int T = threadIdx.x, W = T / 32, WM = W / 4 * 32, WN = W % 4 * 32;
  const half *GA = A + size_t(blockIdx.y) * 64 * K,
             *GB = B + size_t(blockIdx.x) * 128 * K;
  auto Load = [&](int Step) {
    Pipe.producer_acquire();
    const int Row = T / 4, Col = T % 4 * 8;
    cuda::memcpy_async(&TA[Step & 1][Row][Col],
                       GA + size_t(Row) * K + Step * 32 + Col,
                       cuda::aligned_size_t<16>(16), Pipe);
    for (int I = 0; I < 2; ++I)
      cuda::memcpy_async(&TB[Step & 1][Row + 64 * I][Col],
                         GB + size_t(Row + 64 * I) * K + Step * 32 + Col,
                         cuda::aligned_size_t<16>(16), Pipe);
    Pipe.producer_commit();
  };
  fragment<accumulator, 16, 16, 16, float> Sum[2][2];
  for (auto &R : Sum)
    for (auto &F : R)
      fill_fragment(F, 0.f);
  Load(0);
  for (int Step = 0; Step < K / 32; ++Step) {
    if (Step + 1 < K / 32)
      Load(Step + 1);
    if (Step + 1 < K / 32)
      cuda::pipeline_consumer_wait_prior<1>(Pipe);
    else
      cuda::pipeline_consumer_wait_prior<0>(Pipe);
    __syncthreads();
#pragma unroll
    for (int KK = 0; KK < 32; KK += 16) {
      fragment<matrix_a, 16, 16, 16, half, row_major> FA[2];
      fragment<matrix_b, 16, 16, 16, half, col_major> FB[2];
      for (int I = 0; I < 2; ++I) {
        load_matrix_sync(FA[I], &TA[Step & 1][WM + 16 * I][KK], 40);
        load_matrix_sync(FB[I], &TB[Step & 1][WN + 16 * I][KK], 40);
      }
      for (int I = 0; I < 2; ++I)
        for (int J = 0; J < 2; ++J)
          mma_sync(Sum[I][J], FA[I], FB[J], Sum[I][J]);
    }
    Pipe.consumer_release();
    __syncthreads();
  }
  for (int I = 0; I < 2; ++I)
    for (int J = 0; J < 2; ++J)
      store_matrix_sync(C + size_t(blockIdx.y * 64 + WM + 16 * I) * N +
                            blockIdx.x * 128 + WN + 16 * J,
                        Sum[I][J], N, mem_row_major);
}

// 3: sums of a token's halves, its norm and its int8 with a scale of its own,
// the row in registers.
__global__ void __launch_bounds__(512)
    normInt8(const uint4 *X, const uint4 *G, uint2 *Y, float *Scale,
             float Eps) {
  __shared__ float Part[2][16];
  const int T = threadIdx.x;
  const size_t At = size_t(blockIdx.x) * 1024 + T;
  float V[2][8], S = 0, M = 0;
#pragma unroll
  for (int I = 0; I < 2; ++I) {
    const uint4 U = X[At + 512 * I];
    const half2 *P = (const half2 *)&U;
#pragma unroll
    for (int E = 0; E < 4; ++E) {
      const float2 F = __half22float2(P[E]);
      V[I][2 * E] = F.x, V[I][2 * E + 1] = F.y;
      S += F.x * F.x + F.y * F.y;
    }
  }
  for (int O = 16; O; O /= 2)
    S += __shfl_xor_sync(~0u, S, O);
  if (T % 32 == 0)
    Part[0][T / 32] = S;
  __syncthreads();
  S = 0;
  for (int I = 0; I < 16; ++I)
    S += Part[0][I];
  const float R = rsqrtf(S / 8192 + Eps);
#pragma unroll
  for (int I = 0; I < 2; ++I) {
    const uint4 U = G[T + 512 * I];
    const half2 *P = (const half2 *)&U;
#pragma unroll
    for (int E = 0; E < 4; ++E) {
      const float2 F = __half22float2(P[E]);
      V[I][2 * E] *= R * F.x, V[I][2 * E + 1] *= R * F.y;
      M = fmaxf(M, fmaxf(fabsf(V[I][2 * E]), fabsf(V[I][2 * E + 1])));
    }
  }
  for (int O = 16; O; O /= 2)
    M = fmaxf(M, __shfl_xor_sync(~0u, M, O));
  if (T % 32 == 0)
    Part[1][T / 32] = M;
  __syncthreads();
  M = 1e-6f;
  for (int I = 0; I < 16; ++I)
    M = fmaxf(M, Part[1][I]);
  const float Q = 127 / M;
#pragma unroll
  for (int I = 0; I < 2; ++I) {
    unsigned W[2] = {};
#pragma unroll
    for (int E = 0; E < 8; ++E)
      W[E / 4] |= unsigned(__float2int_rn(V[I][E] * Q) & 255) << E % 4 * 8;
    Y[At + 512 * I] = make_uint2(W[0], W[1]);
  }
  if (T == 0)
    Scale[blockIdx.x] = M / 127;
}

// 4: one token times four-bit weights in groups of 128, a warp for each row.
__global__ void __launch_bounds__(128)
    gemvInt4(const uint4 *W, const half *Scales, const half2 *X, half *Y,
             int K32) {
  const int Row = blockIdx.x * 4 + threadIdx.x / 32, L = threadIdx.x % 32;
  float S = 0;
#pragma unroll 2
  for (int I = L; I < K32; I += 32) {
    const uint4 V = W[size_t(Row) * K32 + I];
    const unsigned *U = (const unsigned *)&V;
    const float F = __half2float(Scales[size_t(Row) * (K32 / 4) + I / 4]);
    half2 A = __float2half2_rn(0);
#pragma unroll
    for (int E = 0; E < 4; ++E)
#pragma unroll
      for (int B = 0; B < 4; ++B) {
        const unsigned H = (U[E] >> 4 * B & 0x000f000f) | 0x64006400;
        A = __hfma2(__hsub2(*(const half2 *)&H, __float2half2_rn(1032)),
                    X[I * 16 + E * 4 + B], A);
      }
    S += F * (__low2float(A) + __high2float(A));
  }
  for (int O = 16; O; O /= 2)
    S += __shfl_xor_sync(~0u, S, O);
  if (L == 0)
    Y[Row] = __float2half(S);
}

// 5: AdamW with moments in float and weights and gradients in bf16.
__global__ void __launch_bounds__(256)
    adamW(uint2 *P, const uint2 *G, float4 *M, float4 *V, int N4, float Rate,
          float Decay, float Bias1, float Bias2) {
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N4; I += gridDim.x * 256) {
    uint2 W = P[I];
    const uint2 D = G[I];
    float4 A = M[I], B = V[I];
    float *FA = (float *)&A, *FB = (float *)&B;
    bf162 *H = (bf162 *)&W;
    const bf162 *Q = (const bf162 *)&D;
#pragma unroll
    for (int E = 0; E < 4; ++E) {
      const float2 X = __bfloat1622float2(H[E / 2]),
                   Y = __bfloat1622float2(Q[E / 2]);
      const float Grad = E % 2 ? Y.y : Y.x, Old = E % 2 ? X.y : X.x;
      FA[E] = 0.9f * FA[E] + 0.1f * Grad;
      FB[E] = 0.95f * FB[E] + 0.05f * Grad * Grad;
      const float New =
          Old -
          Rate * (FA[E] * Bias1 / (sqrtf(FB[E] * Bias2) + 1e-8f) + Decay * Old);
      ((bf16 *)&W)[E] = __float2bfloat16(New);
    }
    P[I] = W;
    M[I] = A, V[I] = B;
  }
}

// 7: layer norm of long rows by clusters of four that add their sums in each
// other's shared memory.
__global__ void __launch_bounds__(256)
    layerNormCluster(const float4 *X, float4 *Y, int N4) {
  __shared__ float2 Part[8], Own[4];
  cg::cluster_group Cluster = cg::this_cluster();
  const int Rank = Cluster.block_rank(), Each = N4 / 4, T = threadIdx.x;
  const size_t At = size_t(blockIdx.x / 4) * N4 + Rank * Each;
  float4 V[4];
  float S = 0, Q = 0;
#pragma unroll
  for (int I = 0; I < 4; ++I) {
    V[I] = X[At + T + 256 * I];
    S += V[I].x + V[I].y + V[I].z + V[I].w;
    Q += V[I].x * V[I].x + V[I].y * V[I].y + V[I].z * V[I].z + V[I].w * V[I].w;
  }
  for (int O = 16; O; O /= 2) {
    S += __shfl_xor_sync(~0u, S, O);
    Q += __shfl_xor_sync(~0u, Q, O);
  }
  if (T % 32 == 0)
    Part[T / 32] = {S, Q};
  __syncthreads();
  if (T < 4) {
    float2 Sum = {};
    for (int I = 0; I < 8; ++I)
      Sum.x += Part[I].x, Sum.y += Part[I].y;
    Cluster.map_shared_rank(Own, T)[Rank] = Sum;
  }
  Cluster.sync();
  float2 All = {};
  for (int I = 0; I < 4; ++I)
    All.x += Own[I].x, All.y += Own[I].y;
  const float Mean = All.x / (N4 * 4),
              R = rsqrtf(All.y / (N4 * 4) - Mean * Mean + 1e-5f);
#pragma unroll
  for (int I = 0; I < 4; ++I)
    Y[At + T + 256 * I] = {(V[I].x - Mean) * R, (V[I].y - Mean) * R,
                           (V[I].z - Mean) * R, (V[I].w - Mean) * R};
}

// 8: persistent product by wgmma, 128 x 256 tiles of two groups, whose results
// leave by bulk copies.
template <int STAGES>
__global__ void __launch_bounds__(384)
    persistentStore(const __grid_constant__ CUtensorMap MapA,
                    const __grid_constant__ CUtensorMap MapB, bf16 *C, int M,
                    int N, int K) {
  constexpr int BYTES = 384 * 128;
  extern __shared__ __align__(1024) char Raw[];
  __shared__ __align__(8) uint64_t Bars[2 * STAGES];
  const unsigned S0 = (smem(Raw) + 1023) & ~1023u, Full = smem(Bars),
                 Empty = Full + 8 * STAGES, Out = S0 + STAGES * BYTES;
  const int T = threadIdx.x, Steps = K / 64, Wide = N / 256,
            Tiles = M / 128 * Wide;
  if (T == 0)
    for (int I = 0; I < STAGES; ++I) {
      init(Full + 8 * I, 1);
      init(Empty + 8 * I, 2);
    }
  __syncthreads();
  if (T >= 256) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (T == 256) {
      int I = 0;
      for (int P = blockIdx.x; P < Tiles; P += gridDim.x)
        for (int Step = 0; Step < Steps; ++Step, ++I) {
          const int S = I % STAGES;
          wait(Empty + 8 * S, (I / STAGES & 1) ^ 1);
          expect(Full + 8 * S, BYTES);
          tile(S0 + S * BYTES, &MapA, Step * 64, P / Wide * 128, Full + 8 * S);
          tile(S0 + S * BYTES + 16384, &MapB, Step * 64, P % Wide * 256,
               Full + 8 * S);
        }
    }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  const int WG = T / 128, L = T % 32, W = T % 128 / 32;
  int I = 0;
  for (int P = blockIdx.x; P < Tiles; P += gridDim.x) {
    float D[128];
    for (int Step = 0; Step < Steps; ++Step, ++I) {
      const int S = I % STAGES;
      wait(Full + 8 * S, I / STAGES & 1);
      wgmmaFence();
#pragma unroll
      for (int KK = 0; KK < 4; ++KK)
        wgmmaBf256(D, descriptor(S0 + S * BYTES + WG * 8192 + KK * 32),
                   descriptor(S0 + S * BYTES + 16384 + KK * 32), Step + KK);
      wgmmaCommit();
      wgmmaWait<0>();
      if (T % 128 == 0)
        arrive(Empty + 8 * S);
    }
    // A warp's 16 rows of 512 bytes.
    const unsigned Mine = Out + (WG * 4 + W) * 8192;
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    __syncwarp();
#pragma unroll
    for (int J = 0; J < 32; ++J)
#pragma unroll
      for (int H = 0; H < 2; ++H)
        asm volatile(
            "st.shared.b32 [%0], %1;" ::"r"(Mine + (L / 4 + 8 * H) * 512 +
                                            ((J ^ (L / 4)) * 16 + L % 4 * 4)),
            "r"(pack(D[4 * J + 2 * H], D[4 * J + 2 * H + 1]))
            : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncwarp();
    if (L < 16) {
      bf16 *To = C + size_t(P / Wide * 128 + WG * 64 + W * 16 + L) * N +
                 P % Wide * 256;
      asm volatile(
          "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 512;" ::"l"(
              To),
          "r"(Mine + L * 512)
          : "memory");
    }
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  }
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// 9: tokens of each expert, counted in shared memory, and the places of a
// block's tokens by cub::BlockScan.
__global__ void __launch_bounds__(256)
    placeTokens(const uint4 *Expert, int *Starts, int *Place, int N4) {
  using Scan = cub::BlockScan<int, 256>;
  __shared__ typename Scan::TempStorage Temp;
  __shared__ int Count[128], First[128];
  const int T = threadIdx.x;
  for (int Base = blockIdx.x * 256; Base < N4; Base += gridDim.x * 256) {
    if (T < 128)
      Count[T] = 0;
    __syncthreads();
    const uint4 V = Expert[Base + T];
    const unsigned *E = (const unsigned *)&V;
    int Mine[4];
#pragma unroll
    for (int I = 0; I < 4; ++I)
      Mine[I] = atomicAdd(&Count[E[I] & 127], 1);
    __syncthreads();
    const int N = T < 128 ? Count[T] : 0;
    int Sum, All;
    Scan(Temp).ExclusiveSum(N, Sum, All);
    if (T < 128)
      First[T] = atomicAdd(Starts + T, N);
    __syncthreads();
    int4 Out;
    int *O = (int *)&Out;
#pragma unroll
    for (int I = 0; I < 4; ++I)
      O[I] = First[E[I] & 127] + Mine[I] + Sum;
    ((int4 *)Place)[Base + T] = Out;
    __syncthreads();
  }
}

struct Gelu {
  __device__ float operator()(float X) const {
    return 0.5f * X * (1 + tanhf(0.79788456f * (X + 0.044715f * X * X * X)));
  }
};
template <class F> void withStorage(F Call) {
  size_t Bytes = 0;
  Call(nullptr, Bytes);
  void *P;
  cudaMalloc(&P, Bytes);
  Call(P, Bytes);
  cudaFree(P);
}

int main() {
  const size_t N = 1 << 26;
  bf16 *A = make<bf16>(N), *B = make<bf16>(N), *C = make<bf16>(N);
  float *F = make<float>(1 << 25), *G = make<float>(1 << 25);
  int *E = make<int>(1 << 22), *P = make<int>(1 << 22), *Q = make<int>(1 << 12);
  static int Host[1 << 22];
  for (int I = 0; I < 1 << 22; ++I)
    Host[I] = unsigned(I) * 2654435761u >> 9;
  cudaMemcpy(E, Host, sizeof(Host), cudaMemcpyHostToDevice);
  int *K2 = make<int>(1 << 22);
  cudaMemcpy(K2, Host, sizeof(Host), cudaMemcpyHostToDevice);
  for (int Turn = 0; Turn < 2; ++Turn) {
    gemvRows<<<14336 / 8, 256>>>((uint4 *)A, (uint4 *)B, C, 14336, 512);
    gemvRows<<<4096 / 8, 256>>>((uint4 *)A, (uint4 *)B, C, 4096, 1792);
    wmmaPipeline<<<dim3(32, 64), 256>>>((half *)A, (half *)B, F, 4096, 2048);
    normInt8<<<4096, 512>>>((uint4 *)A, (uint4 *)B, (uint2 *)C, G, 1e-5f);
    gemvInt4<<<8192 / 4, 128>>>((uint4 *)A, (half *)B, (half2 *)(B + N / 2),
                                (half *)C, 256);
    adamW<<<132 * 8, 256>>>((uint2 *)A, (uint2 *)B, (float4 *)F, (float4 *)G,
                            1 << 23, 1e-4f, 0.1f, 1.1f, 1.05f);
    launch(layerNormCluster, dim3(4 * 2048), 256, 0, 4, (float4 *)F,
           (float4 *)G, 4096);
    placeTokens<<<132 * 4, 256>>>((uint4 *)E, Q, P, 1 << 20);
    withStorage([&](void *S, size_t &Bytes) {
      cub::DeviceRadixSort::SortPairs(S, Bytes, K2, P, E, (int *)A, 1 << 22, 0,
                                      16);
    });
    withStorage([&](void *S, size_t &Bytes) {
      cub::DeviceReduce::TransformReduce(S, Bytes, F, G, 1 << 24,
                                         cuda::std::plus<>{}, Gelu{}, 0.f);
    });
    launch(persistentStore<3>, dim3(132), 384, 3 * 49152 + 65536 + 1024, 1,
           mapOf(A, 4096, 4096, 128, 2), mapOf(B, 8192, 4096, 256, 2), C, 4096,
           8192, 4096);
  }
  finish();
}
