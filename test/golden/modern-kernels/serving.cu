// Kernels as programs that serve language models have them today, each launched
// twice: the second counts.
#include <cstdint>
#include <cstdio>
#include <cub/cub.cuh>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <vector>

// 1: product of half activations with four-bit weights in groups of 128 along K
// (M16 rows, 64 columns a warp): cp.async in four stages, mma.sync.
__device__ __forceinline__ void copy16(void *To, const void *From) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   (unsigned)__cvta_generic_to_shared(To)),
               "l"(From));
}
__device__ __forceinline__ void mma(float (&C)[4], const unsigned (&A)[4],
                                    unsigned B0, unsigned B1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(C[0]), "+f"(C[1]), "+f"(C[2]), "+f"(C[3])
               : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "r"(B0), "r"(B1));
}
__device__ __forceinline__ void ldmatrix4(unsigned (&A)[4], const void *From) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(A[0]), "=r"(A[1]), "=r"(A[2]), "=r"(A[3])
               : "r"((unsigned)__cvta_generic_to_shared(From)));
}
// Eight four-bit numbers as four pairs of half, less 8.
__device__ __forceinline__ void unpack(unsigned Q, half2 (&H)[4]) {
  const half2 Bias = __float2half2_rn(1032.f);
  for (int I = 0; I < 4; ++I) {
    unsigned V;
    asm("lop3.b32 %0, %1, 0x000f000f, 0x64006400, 0xea;"
        : "=r"(V)
        : "r"(Q >> 4 * I));
    H[I] = __hsub2(*(half2 *)&V, Bias);
  }
}
template <int MTiles>
__global__ void __launch_bounds__(128)
    w4a16(const half *A, const uint4 *W, const half *Scale, half *C, int N,
          int K) {
  constexpr int Stages = MTiles > 1 ? 3 : 4, M = 16 * MTiles, BK = 64, BN = 256;
  __shared__ __align__(16) half SA[Stages][M][BK + 8];
  __shared__ __align__(16) uint4 SW[Stages][BK * BN / 32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int Steps = K / BK / gridDim.y, First = blockIdx.y * Steps;
  auto Load = [&](int Step) {
    if (Step < Steps) {
      const int S = Step % Stages, K0 = (First + Step) * BK;
      for (int I = threadIdx.x; I < M * BK / 8; I += 128)
        copy16(&SA[S][I / 8][I % 8 * 8],
               A + size_t(I / 8) * K + K0 + I % 8 * 8);
      for (int I = threadIdx.x; I < BK * BN / 32; I += 128)
        copy16(&SW[S][I], W +
                              (size_t(blockIdx.x) * (K / BK) + First + Step) *
                                  (BK * BN / 32) +
                              I);
    }
    asm volatile("cp.async.commit_group;");
  };
  float Acc[MTiles][8][4] = {};
  for (int S = 0; S < Stages - 1; ++S)
    Load(S);
  for (int Step = 0; Step < Steps; ++Step) {
    asm volatile("cp.async.wait_group %0;" ::"n"(Stages - 2));
    __syncthreads();
    Load(Step + Stages - 1);
    const int S = Step % Stages;
    const half2 Sc = __half2half2(Scale[size_t((First + Step) * BK / 128) * N +
                                        blockIdx.x * BN + Warp * 64 + Lane]);
#pragma unroll
    for (int KK = 0; KK < BK / 16; ++KK) {
      unsigned AF[MTiles][4];
#pragma unroll
      for (int T = 0; T < MTiles; ++T)
        ldmatrix4(AF[T], &SA[S][T * 16 + Lane % 16][KK * 16 + Lane / 16 * 8]);
      const uint2 Q = ((const uint2 *)SW[S])[(KK * 4 + Warp) * 32 + Lane];
#pragma unroll
      for (int J = 0; J < 2; ++J) {
        half2 H[4];
        unpack(J ? Q.y : Q.x, H);
#pragma unroll
        for (int I = 0; I < 4; ++I) {
          const half2 V = __hmul2(H[I], Sc);
          const unsigned B = *(const unsigned *)&V;
#pragma unroll
          for (int T = 0; T < MTiles; ++T)
            mma(Acc[T][J * 4 + I], AF[T], B, B);
        }
      }
    }
  }
  for (int T = 0; T < MTiles; ++T)
    for (int I = 0; I < 8; ++I)
      for (int R = 0; R < 2; ++R)
        *(half2 *)(C +
                   (size_t(blockIdx.y) * M + T * 16 + R * 8 + Lane / 4) * N +
                   blockIdx.x * BN + Warp * 64 + I * 8 + Lane % 4 * 2) =
            __floats2half2_rn(Acc[T][I][2 * R], Acc[T][I][2 * R + 1]);
}

// 2: attention of one new token over a cache in pages of 16 tokens: a block for
// a head of keys, a part of the tokens and four heads of queries.
__global__ void __launch_bounds__(128)
    pagedAttention(const half *Q, const half *Cache, const int *Pages, float *O,
                   float *Sums, int Tokens, int PagesEach, int Heads) {
  __shared__ float Part[4][4][128];
  __shared__ float PartSum[4][4];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int Head = blockIdx.x, Seq = blockIdx.y, Split = blockIdx.z;
  const int Each = Tokens / gridDim.z;
  float2 QF[4][2];
  for (int G = 0; G < 4; ++G) {
    const half2 *From =
        (const half2 *)(Q + ((size_t(Seq) * Heads + Head) * 4 + G) * 128 +
                        Lane * 4);
    QF[G][0] = __half22float2(From[0]);
    QF[G][1] = __half22float2(From[1]);
  }
  float Max[4], Sum[4] = {}, Acc[4][4] = {};
  for (int G = 0; G < 4; ++G)
    Max[G] = -1e30f;
  for (int T = Split * Each + Warp; T < (Split + 1) * Each; T += 4) {
    const int Page = Pages[Seq * PagesEach + T / 16];
    const half *K =
        Cache + ((size_t(Page) * Heads + Head) * 32 + T % 16) * 128 + Lane * 4;
    const uint2 KV = *(const uint2 *)K, VV = *(const uint2 *)(K + 16 * 128);
    const float2 K0 = __half22float2(*(half2 *)&KV.x),
                 K1 = __half22float2(*(half2 *)&KV.y);
    const float2 V0 = __half22float2(*(half2 *)&VV.x),
                 V1 = __half22float2(*(half2 *)&VV.y);
#pragma unroll
    for (int G = 0; G < 4; ++G) {
      float S = QF[G][0].x * K0.x + QF[G][0].y * K0.y + QF[G][1].x * K1.x +
                QF[G][1].y * K1.y;
      for (int D = 16; D; D /= 2)
        S += __shfl_xor_sync(~0u, S, D);
      const float NewMax = fmaxf(Max[G], S), F = __expf(Max[G] - NewMax),
                  P = __expf(S - NewMax);
      Max[G] = NewMax;
      Sum[G] = Sum[G] * F + P;
      Acc[G][0] = Acc[G][0] * F + P * V0.x;
      Acc[G][1] = Acc[G][1] * F + P * V0.y;
      Acc[G][2] = Acc[G][2] * F + P * V1.x;
      Acc[G][3] = Acc[G][3] * F + P * V1.y;
    }
  }
  for (int G = 0; G < 4; ++G) {
    for (int I = 0; I < 4; ++I)
      Part[Warp][G][Lane * 4 + I] = Acc[G][I];
    if (Lane == 0)
      PartSum[Warp][G] = Sum[G];
  }
  __syncthreads();
  for (int G = 0; G < 4; ++G) {
    float S = 0;
    for (int W = 0; W < 4; ++W)
      S += Part[W][G][threadIdx.x];
    O[(((size_t(Seq) * Heads + Head) * gridDim.z + Split) * 4 + G) * 128 +
      threadIdx.x] = S;
  }
  if (threadIdx.x < 4)
    Sums[((size_t(Seq) * Heads + Head) * gridDim.z + Split) * 4 + threadIdx.x] =
        PartSum[0][threadIdx.x] + PartSum[1][threadIdx.x] +
        PartSum[2][threadIdx.x] + PartSum[3][threadIdx.x];
}

// 3: eight-bit floats with a scale for each 128 numbers of a row.
__global__ void __launch_bounds__(256)
    quantizeGroups(const uint4 *X, uint2 *Y, float *Scales, int Groups) {
  const int Group = blockIdx.x * 16 + threadIdx.x / 16;
  if (Group >= Groups)
    return;
  const uint4 V = X[size_t(Group) * 16 + threadIdx.x % 16];
  const half2 *H = (const half2 *)&V;
  float Most = 0;
  for (int I = 0; I < 4; ++I) {
    const float2 F = __half22float2(H[I]);
    Most = fmaxf(Most, fmaxf(fabsf(F.x), fabsf(F.y)));
  }
  for (int D = 8; D; D /= 2)
    Most = fmaxf(Most, __shfl_xor_sync(~0u, Most, D, 16));
  const float Scale = fmaxf(Most, 1e-6f) / 448.f, By = 1 / Scale;
  uint2 Out;
  uint16_t *Pairs = (uint16_t *)&Out;
  for (int I = 0; I < 4; ++I) {
    float2 F = __half22float2(H[I]);
    F.x *= By;
    F.y *= By;
    Pairs[I] = __nv_cvt_float2_to_fp8x2(F, __NV_SATFINITE, __NV_E4M3);
  }
  Y[size_t(Group) * 16 + threadIdx.x % 16] = Out;
  if (threadIdx.x % 16 == 0)
    Scales[Group] = Scale;
}

// 4: products of groups of rows with a matrix each: persistent blocks, tiles of
// 128 by 128, cp.async in three stages.
__global__ void __launch_bounds__(256)
    groupedGemm(const half *A, const half *B, half *C, const int *RowStart,
                int Groups, int N, int K) {
  constexpr int BM = 128, BN = 128, BK = 32, Stages = 3, Pad = 8;
  extern __shared__ __align__(16) half Shared[];
  half(*SA)[BM][BK + Pad] = (half(*)[BM][BK + Pad]) Shared;
  half(*SB)[BN][BK + Pad] =
      (half(*)[BN][BK + Pad])(Shared + Stages * BM * (BK + Pad));
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int WM = Warp / 4 * 64, WN = Warp % 4 * 32, NTiles = N / BN;
  int Group = 0, Before = 0;
  for (int Tile = blockIdx.x;; Tile += gridDim.x) {
    while (Group < Groups) {
      const int Here = (RowStart[Group + 1] - RowStart[Group]) / BM * NTiles;
      if (Tile < Before + Here)
        break;
      Before += Here;
      ++Group;
    }
    if (Group == Groups)
      return;
    const int At = Tile - Before, Row = RowStart[Group] + At / NTiles * BM,
              Col = At % NTiles * BN;
    const half *BG = B + size_t(Group) * N * K;
    auto Load = [&](int Step) {
      if (Step < K / BK) {
        const int S = Step % Stages;
        for (int I = threadIdx.x; I < BM * BK / 8; I += 256) {
          copy16(&SA[S][I / 4][I % 4 * 8],
                 A + size_t(Row + I / 4) * K + Step * BK + I % 4 * 8);
          copy16(&SB[S][I / 4][I % 4 * 8],
                 BG + size_t(Col + I / 4) * K + Step * BK + I % 4 * 8);
        }
      }
      asm volatile("cp.async.commit_group;");
    };
    float Acc[4][4][4] = {};
    Load(0);
    Load(1);
    for (int Step = 0; Step < K / BK; ++Step) {
      asm volatile("cp.async.wait_group 1;");
      __syncthreads();
      Load(Step + 2);
      const int S = Step % Stages;
#pragma unroll
      for (int KK = 0; KK < BK; KK += 16) {
        unsigned AF[4][4], BF[2][4];
#pragma unroll
        for (int I = 0; I < 4; ++I)
          ldmatrix4(AF[I], &SA[S][WM + I * 16 + Lane % 16][KK + Lane / 16 * 8]);
#pragma unroll
        for (int J = 0; J < 2; ++J)
          ldmatrix4(BF[J], &SB[S][WN + J * 16 + Lane % 16][KK + Lane / 16 * 8]);
#pragma unroll
        for (int I = 0; I < 4; ++I)
#pragma unroll
          for (int J = 0; J < 4; ++J)
            mma(Acc[I][J], AF[I], BF[J / 2][J % 2], BF[J / 2][J % 2 + 2]);
      }
    }
    __syncthreads();
    for (int I = 0; I < 4; ++I)
      for (int J = 0; J < 4; ++J)
        for (int R = 0; R < 2; ++R)
          *(half2 *)(C + size_t(Row + WM + I * 16 + R * 8 + Lane / 4) * N +
                     Col + WN + J * 8 + Lane % 4 * 2) =
              __floats2half2_rn(Acc[I][J][2 * R], Acc[I][J][2 * R + 1]);
  }
}

// 5: the eight best of 64 experts for each token, a warp each.
__global__ void __launch_bounds__(128)
    topExperts(const float *Logits, float *Weights, int *Experts, int *Counts,
               int Tokens) {
  const int Token = blockIdx.x * 4 + threadIdx.x / 32, Lane = threadIdx.x % 32;
  if (Token >= Tokens)
    return;
  float V0 = Logits[size_t(Token) * 64 + Lane],
        V1 = Logits[size_t(Token) * 64 + 32 + Lane], Sum = 0;
  float Mine = 0;
  int MineAt = 0;
  for (int I = 0; I < 8; ++I) {
    float Best = fmaxf(V0, V1);
    int At = V0 >= V1 ? Lane : Lane + 32;
    for (int D = 16; D; D /= 2) {
      const float Other = __shfl_xor_sync(~0u, Best, D);
      const int OtherAt = __shfl_xor_sync(~0u, At, D);
      if (Other > Best || (Other == Best && OtherAt < At)) {
        Best = Other;
        At = OtherAt;
      }
    }
    if (At == Lane)
      V0 = -1e30f;
    if (At == Lane + 32)
      V1 = -1e30f;
    Sum += __expf(Best);
    if (Lane == I) {
      Mine = __expf(Best);
      MineAt = At;
    }
  }
  if (Lane < 8) {
    Weights[size_t(Token) * 8 + Lane] = Mine / Sum;
    Experts[size_t(Token) * 8 + Lane] = MineAt;
    atomicAdd(Counts + MineAt, 1);
  }
}

// 6: rotated keys into pages of a cache.
__global__ void __launch_bounds__(128)
    rotateIntoCache(const half *X, const float2 *Turn, const int *Slots,
                    half *Cache, int Heads) {
  const int Token = blockIdx.x, Slot = Slots[Token];
  for (int I = threadIdx.x; I < Heads * 64; I += 128) {
    const int Head = I / 64, D = I % 64;
    const float2 T = Turn[size_t(Token % 4096) * 64 + D];
    const half *From = X + (size_t(Token) * Heads + Head) * 128;
    const float A = __half2float(From[D]), B = __half2float(From[D + 64]);
    half *To =
        Cache + ((size_t(Slot / 16) * Heads + Head) * 32 + Slot % 16) * 128;
    To[D] = __float2half(A * T.x - B * T.y);
    To[D + 64] = __float2half(A * T.y + B * T.x);
  }
}

// 7: silu(a) * b of rows that hold a and b.
__global__ void __launch_bounds__(256)
    siluMul(const uint4 *X, uint4 *Y, int Half8) {
  for (int I = threadIdx.x; I < Half8; I += 256) {
    uint4 A = X[size_t(blockIdx.x) * 2 * Half8 + I],
          B = X[size_t(blockIdx.x) * 2 * Half8 + Half8 + I];
    half2 *HA = (half2 *)&A, *HB = (half2 *)&B;
    for (int J = 0; J < 4; ++J) {
      float2 F = __half22float2(HA[J]);
      F.x /= 1 + __expf(-F.x);
      F.y /= 1 + __expf(-F.y);
      HA[J] = __hmul2(__float22half2_rn(F), HB[J]);
    }
    Y[size_t(blockIdx.x) * Half8 + I] = A;
  }
}

int main() {
  const size_t Big = size_t(256) << 20;
  char *X, *Y, *Z, *Cache;
  int *Pages, *Slots, *Rows, *Counts;
  cudaMalloc(&X, Big);
  cudaMalloc(&Y, Big);
  cudaMalloc(&Z, Big);
  cudaMalloc(&Cache, 2 * Big);
  cudaMalloc(&Pages, 1 << 20);
  cudaMalloc(&Slots, 1 << 20);
  cudaMalloc(&Rows, 4096);
  cudaMalloc(&Counts, 4096);
  cudaMemset(X, 0, Big);
  cudaMemset(Y, 0, Big);
  cudaMemset(Cache, 0, 2 * Big);
  cudaMemset(Counts, 0, 4096);
  std::vector<int> H(1 << 18);
  for (int I = 0; I < 1 << 18; ++I)
    H[I] = (I * 2654435761u >> 8) % 8192;
  cudaMemcpy(Pages, H.data(), 1 << 20, cudaMemcpyHostToDevice);
  for (int I = 0; I < 1 << 18; ++I)
    H[I] = (I * 40503u) % 131072;
  cudaMemcpy(Slots, H.data(), 1 << 20, cudaMemcpyHostToDevice);
  const int Start[9] = {0, 1024, 1152, 2048, 2176, 3072, 3584, 3712, 4096};
  cudaMemcpy(Rows, Start, sizeof Start, cudaMemcpyHostToDevice);
  std::vector<float> L(size_t(16384) * 64);
  for (size_t I = 0; I < L.size(); ++I)
    L[I] = (unsigned(I) * 2654435761u >> 16) / 65536.f;
  float *Logits;
  cudaMalloc(&Logits, L.size() * 4);
  cudaMemcpy(Logits, L.data(), L.size() * 4, cudaMemcpyHostToDevice);
  const int N = 1 << 25;
  void *Temp;
  size_t Bytes = size_t(256) << 20;
  cudaMalloc(&Temp, Bytes);
  const int Shared = 3 * 256 * 40 * 2;
  cudaFuncSetAttribute(groupedGemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       Shared);
  for (int Turn = 0; Turn < 2; ++Turn) {
    w4a16<1><<<dim3(16, 8), 128>>>((half *)X, (uint4 *)Y, (half *)Z,
                                   (half *)Cache, 4096, 4096);
    w4a16<1><<<dim3(56, 4), 128>>>((half *)X, (uint4 *)Y, (half *)Z,
                                   (half *)Cache, 14336, 4096);
    w4a16<2><<<dim3(56, 4), 128>>>((half *)X, (uint4 *)Y, (half *)Z,
                                   (half *)Cache, 14336, 4096);
    pagedAttention<<<dim3(8, 32, 2), 128>>>(
        (half *)X, (half *)Cache, Pages, (float *)Y, (float *)Z, 2048, 128, 8);
    pagedAttention<<<dim3(8, 4, 16), 128>>>(
        (half *)X, (half *)Cache, Pages, (float *)Y, (float *)Z, 8192, 512, 8);
    quantizeGroups<<<32768, 256>>>((uint4 *)X, (uint2 *)Y, (float *)Z, 524288);
    quantizeGroups<<<1024, 256>>>((uint4 *)X, (uint2 *)Y, (float *)Z, 16384);
    groupedGemm<<<264, 256, Shared>>>((half *)X, (half *)Y, (half *)Z, Rows, 8,
                                      2048, 2048);
    groupedGemm<<<132, 256, Shared>>>((half *)X, (half *)Y, (half *)Z, Rows, 8,
                                      512, 4096);
    topExperts<<<4096, 128>>>(Logits, (float *)Y, (int *)Z, Counts, 16384);
    rotateIntoCache<<<16384, 128>>>((half *)X, (float2 *)Y, Slots,
                                    (half *)Cache, 8);
    siluMul<<<4096, 256>>>((uint4 *)X, (uint4 *)Y, 1792);
    cub::DeviceScan::ExclusiveSum(Temp, Bytes, (int *)X, (int *)Y, N);
    cub::DeviceReduce::Max(Temp, Bytes, (float *)X, (float *)Y, N);
    cub::DeviceHistogram::HistogramEven(Temp, Bytes, Logits, Counts, 257, 0.f,
                                        1.f, 1 << 20);
  }
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
