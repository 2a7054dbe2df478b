// Rows and small things around them, of forms that no other file has: gates of
// groups of experts, rows to and from experts, rows that a warp fetches for
// others, a recurrence as a scan, samples of a vocabulary, dropout; calls of
// CUB for blocks and devices.
#include "common.h"
#include <cub/cub.cuh>

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

// Eight experts of 256 in eight groups: the four groups whose best two weigh
// most, then the best of these; a warp a token, four lanes a group.
__global__ void __launch_bounds__(128)
    groupGates(const float4 *Logits, const float4 *Bias, float *Weights,
               int *Experts, int Tokens) {
  const int Token = blockIdx.x * 4 + threadIdx.x / 32, L = threadIdx.x % 32;
  if (Token >= Tokens)
    return;
  float V[8], Mine[8];
#pragma unroll
  for (int I = 0; I < 2; ++I) {
    const float4 X = Logits[size_t(Token) * 64 + L * 2 + I],
                 B = Bias[L * 2 + I];
    const float P[4] = {X.x, X.y, X.z, X.w}, Q[4] = {B.x, B.y, B.z, B.w};
#pragma unroll
    for (int E = 0; E < 4; ++E) {
      Mine[I * 4 + E] = 1 / (1 + __expf(-P[E]));
      V[I * 4 + E] = Mine[I * 4 + E] + Q[E];
    }
  }
  float First = -1e30f, Second = -1e30f;
#pragma unroll
  for (int I = 0; I < 8; ++I) {
    Second = fmaxf(Second, fminf(First, V[I]));
    First = fmaxf(First, V[I]);
  }
#pragma unroll
  for (int O = 1; O < 4; O *= 2) {
    const float A = __shfl_xor_sync(~0u, First, O),
                B = __shfl_xor_sync(~0u, Second, O);
    Second = fmaxf(fminf(First, A), fmaxf(Second, B));
    First = fmaxf(First, A);
  }
  const float Group = First + Second;
  int Better = 0;
#pragma unroll
  for (int G = 0; G < 8; ++G) {
    const float Other = __shfl_sync(~0u, Group, G * 4);
    Better += Other > Group || (Other == Group && G < L / 4);
  }
  if (Better >= 4)
#pragma unroll
    for (int I = 0; I < 8; ++I)
      V[I] = -1e30f;
  float Sum = 0, Weight = 0;
  int Expert = 0;
  for (int K = 0; K < 8; ++K) {
    float Best = V[0];
    int At = 0;
#pragma unroll
    for (int I = 1; I < 8; ++I)
      if (V[I] > Best)
        Best = V[I], At = I;
    int Which = L * 8 + At;
#pragma unroll
    for (int O = 16; O; O /= 2) {
      const float B = __shfl_xor_sync(~0u, Best, O);
      const int W = __shfl_xor_sync(~0u, Which, O);
      if (B > Best || (B == Best && W < Which))
        Best = B, Which = W;
    }
    float Value = 0;
#pragma unroll
    for (int I = 0; I < 8; ++I)
      if (Which == L * 8 + I)
        Value = Mine[I], V[I] = -1e30f;
    Value = __shfl_sync(~0u, Value, Which / 8);
    Sum += Value;
    if (L == K)
      Weight = Value, Expert = Which;
  }
  if (L < 8) {
    Weights[Token * 8 + L] = Weight / Sum * 2.5f;
    Experts[Token * 8 + L] = Expert;
  }
}

// Each row of tokens to the eight places that its experts read.
__global__ void __launch_bounds__(256)
    sendRows(const uint4 *X, const int *Place, uint4 *Y, int Row16) {
  __shared__ int To[8];
  if (threadIdx.x < 8)
    To[threadIdx.x] = Place[blockIdx.x * 8 + threadIdx.x];
  __syncthreads();
  for (int I = threadIdx.x; I < Row16; I += 256) {
    const uint4 V = X[size_t(blockIdx.x) * Row16 + I];
#pragma unroll
    for (int K = 0; K < 8; ++K)
      Y[size_t(To[K]) * Row16 + I] = V;
  }
}

// silu(a) * b of rows that hold a and b, to fp8 with a scale for each 128
// numbers, scales by columns: half a warp a group of 128, eight numbers a lane.
__global__ void __launch_bounds__(256)
    siluFp8(const uint4 *X, uint2 *Y, float *Scales, int Rows, int Groups) {
  const int At = blockIdx.x * 16 + threadIdx.x / 16, Lane = threadIdx.x % 16,
            Row = At / Groups, G = At % Groups;
  if (Row >= Rows)
    return;
  const size_t From = (size_t(Row) * 2 * Groups + G) * 16 + Lane;
  const uint4 A = X[From], B = X[From + Groups * 16];
  const bf162 *PA = (const bf162 *)&A, *PB = (const bf162 *)&B;
  float V[8], Most = 0;
#pragma unroll
  for (int E = 0; E < 4; ++E) {
    const float2 S = __bfloat1622float2(PA[E]), T = __bfloat1622float2(PB[E]);
    V[2 * E] = S.x / (1 + __expf(-S.x)) * T.x;
    V[2 * E + 1] = S.y / (1 + __expf(-S.y)) * T.y;
    Most = fmaxf(Most, fmaxf(fabsf(V[2 * E]), fabsf(V[2 * E + 1])));
  }
#pragma unroll
  for (int O = 8; O; O /= 2)
    Most = fmaxf(Most, __shfl_xor_sync(~0u, Most, O));
  const float Q = 448 / fmaxf(Most, 1e-4f);
  uint2 Out;
  __nv_fp8x4_e4m3 *P = (__nv_fp8x4_e4m3 *)&Out;
  P[0] = __nv_fp8x4_e4m3(make_float4(V[0] * Q, V[1] * Q, V[2] * Q, V[3] * Q));
  P[1] = __nv_fp8x4_e4m3(make_float4(V[4] * Q, V[5] * Q, V[6] * Q, V[7] * Q));
  Y[size_t(At) * 16 + Lane] = Out;
  if (Lane == 0)
    Scales[size_t(G) * Rows + Row] = 1 / Q;
}

// Softmax of rows of 4096 floats that one warp fetches and sends by bulk copies
// for four others, a row each, eight rows at a time.
__global__ void __launch_bounds__(160)
    softmaxRoles(const float *X, float *Y, int Rows) {
  constexpr int N = 4096, STAGES = 8;
  extern __shared__ __align__(128) float Ring[];
  __shared__ __align__(8) uint64_t Bars[2 * STAGES];
  const unsigned Full = smem(Bars), Done = Full + 8 * STAGES;
  const int W = threadIdx.x / 32, L = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int I = 0; I < STAGES; ++I) {
      init(Full + 8 * I, 1);
      init(Done + 8 * I, 1);
    }
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  __syncthreads();
  if (W == 4) {
    if (L)
      return;
    auto Load = [&](int I) {
      const int Row = blockIdx.x + I * gridDim.x, S = I % STAGES;
      if (Row >= Rows)
        return;
      expect(Full + 8 * S, N * 4);
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
          "bytes [%0], [%1], %2, [%3];" ::"r"(smem(Ring + S * N)),
          "l"(X + size_t(Row) * N), "r"(N * 4), "r"(Full + 8 * S)
          : "memory");
    };
    for (int I = 0; I < STAGES - 2; ++I)
      Load(I);
    for (int I = 0, Row = blockIdx.x; Row < Rows; ++I, Row += gridDim.x) {
      const int S = I % STAGES;
      wait(Done + 8 * S, I / STAGES & 1);
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], "
                   "%2;" ::"l"(Y + size_t(Row) * N),
                   "r"(smem(Ring + S * N)), "r"(N * 4)
                   : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      // The row that goes two turns from now takes the place of one that left.
      asm volatile("cp.async.bulk.wait_group.read 2;" ::: "memory");
      Load(I + STAGES - 2);
    }
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    return;
  }
  for (int I = W, Row = blockIdx.x + W * gridDim.x; Row < Rows;
       I += 4, Row += 4 * gridDim.x) {
    const int S = I % STAGES;
    float4 *P = (float4 *)(Ring + S * N);
    wait(Full + 8 * S, I / STAGES & 1);
    float Most = -1e30f, Sum = 0;
#pragma unroll 8
    for (int J = L; J < N / 4; J += 32) {
      const float4 V = P[J];
      Most = fmaxf(Most, fmaxf(fmaxf(V.x, V.y), fmaxf(V.z, V.w)));
    }
    Most = warpMax(Most);
#pragma unroll 8
    for (int J = L; J < N / 4; J += 32) {
      float4 V = P[J];
      V = make_float4(__expf(V.x - Most), __expf(V.y - Most),
                      __expf(V.z - Most), __expf(V.w - Most));
      Sum += V.x + V.y + V.z + V.w;
      P[J] = V;
    }
    const float R = 1 / warpSum(Sum);
#pragma unroll 8
    for (int J = L; J < N / 4; J += 32) {
      const float4 V = P[J];
      P[J] = make_float4(V.x * R, V.y * R, V.z * R, V.w * R);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncwarp();
    if (L == 0)
      arrive(Done + 8 * S);
  }
}

// h = a h + b along 1024 tokens of a channel, a block a channel.
struct Turn {
  __device__ float2 operator()(float2 A, float2 B) const {
    return make_float2(A.x * B.x, A.y * B.x + B.y);
  }
};
__global__ void __launch_bounds__(128)
    recurrence(const float *A, const float *B, const bf16 *Gate, bf16 *H) {
  using Load = cub::BlockLoad<float, 128, 8, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Store = cub::BlockStore<bf16, 128, 8, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  using Scan = cub::BlockScan<float2, 128, cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ union {
    Load::TempStorage In;
    Scan::TempStorage Mid;
    Store::TempStorage Out;
  } S;
  const size_t At = size_t(blockIdx.x) * 1024;
  float a[8], b[8];
  Load(S.In).Load(A + At, a);
  __syncthreads();
  Load(S.In).Load(B + At, b);
  __syncthreads();
  float2 P[8];
#pragma unroll
  for (int I = 0; I < 8; ++I)
    P[I] = make_float2(__expf(-a[I]), a[I] * b[I]);
  Scan(S.Mid).InclusiveScan(P, P, Turn());
  __syncthreads();
  const uint4 G = ((const uint4 *)(Gate + At))[threadIdx.x];
  const bf162 *PG = (const bf162 *)&G;
  bf16 Out[8];
#pragma unroll
  for (int I = 0; I < 4; ++I) {
    const float2 F = __bfloat1622float2(PG[I]);
    Out[2 * I] = __float2bfloat16(P[2 * I].y * F.x);
    Out[2 * I + 1] = __float2bfloat16(P[2 * I + 1].y * F.y);
  }
  Store(S.Out).Store(H + At, Out);
}

// The best 32 of 1024 scores and where they are, a block a row.
__global__ void __launch_bounds__(128)
    bestOfRow(const float *X, float *Best, int *Where) {
  using Sort = cub::BlockRadixSort<float, 128, 8, int>;
  __shared__ Sort::TempStorage S;
  float K[8];
  int V[8];
#pragma unroll
  for (int I = 0; I < 8; ++I) {
    V[I] = I * 128 + threadIdx.x;
    K[I] = X[size_t(blockIdx.x) * 1024 + V[I]];
  }
  Sort(S).SortDescendingBlockedToStriped(K, V);
  if (threadIdx.x < 32) {
    Best[blockIdx.x * 32 + threadIdx.x] = K[0];
    Where[blockIdx.x * 32 + threadIdx.x] = V[0];
  }
}

// A token of those whose probability is over a limit that eight halvings find:
// a block a row of a vocabulary.
__global__ void __launch_bounds__(1024)
    sampleTop(const float4 *Logits, const float *Draws, int *Token, int N4,
              float Share) {
  using Reduce = cub::BlockReduce<float, 1024>;
  __shared__ Reduce::TempStorage S;
  __shared__ float Common;
  const float4 *X = Logits + size_t(blockIdx.x) * N4;
  auto All = [&](float V, auto Op) {
    const float R = Reduce(S).Reduce(V, Op);
    if (threadIdx.x == 0)
      Common = R;
    __syncthreads();
    const float Out = Common;
    __syncthreads();
    return Out;
  };
  float M = -1e30f;
  for (int I = threadIdx.x; I < N4; I += 1024) {
    const float4 V = X[I];
    M = fmaxf(M, fmaxf(fmaxf(V.x, V.y), fmaxf(V.z, V.w)));
  }
  M = All(M, cuda::maximum<>{});
  float Low = 0, High = 1, Sum = 0;
  for (int Round = 0; Round < 9; ++Round) {
    const float Limit = Round ? (Low + High) / 2 : 0;
    float Part = 0;
    for (int I = threadIdx.x; I < N4; I += 1024) {
      const float4 V = X[I];
      const float E[4] = {__expf(V.x - M), __expf(V.y - M), __expf(V.z - M),
                          __expf(V.w - M)};
#pragma unroll
      for (int J = 0; J < 4; ++J)
        Part += E[J] >= Limit ? E[J] : 0;
    }
    Part = All(Part, cuda::std::plus<>{});
    if (Round == 0)
      Sum = Part;
    else if (Part > Share * Sum)
      Low = Limit;
    else
      High = Limit;
  }
  int Mine = 0;
  for (int I = threadIdx.x; I < N4; I += 1024) {
    const float4 V = X[I];
    if (__expf(V.x - M) >= Low * Draws[blockIdx.x])
      Mine = max(Mine, 4 * I);
  }
  Mine = __reduce_max_sync(~0u, Mine);
  if (threadIdx.x % 32 == 0)
    atomicMax(Token + blockIdx.x, Mine);
}

// x + dropout(y) by Philox, four numbers a thread at a time.
__global__ void __launch_bounds__(256)
    dropoutAdd(const uint2 *X, const uint2 *Y, uint2 *Out, unsigned Seed,
               int N4, unsigned Keep, float Scale) {
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N4; I += gridDim.x * 256) {
    uint4 C = make_uint4(I, 0, 0, 0);
    unsigned K0 = Seed, K1 = 0;
#pragma unroll
    for (int R = 0; R < 10; ++R) {
      const unsigned H0 = __umulhi(0xD2511F53u, C.x), L0 = 0xD2511F53u * C.x,
                     H1 = __umulhi(0xCD9E8D57u, C.z), L1 = 0xCD9E8D57u * C.z;
      C = make_uint4(H1 ^ C.y ^ K0, L1, H0 ^ C.w ^ K1, L0);
      K0 += 0x9E3779B9u, K1 += 0xBB67AE85u;
    }
    const uint2 A = X[I], B = Y[I];
    const bf162 *PA = (const bf162 *)&A, *PB = (const bf162 *)&B;
    const float2 A0 = __bfloat1622float2(PA[0]), A1 = __bfloat1622float2(PA[1]),
                 B0 = __bfloat1622float2(PB[0]), B1 = __bfloat1622float2(PB[1]);
    Out[I] = make_uint2(pack(A0.x + (C.x < Keep ? B0.x * Scale : 0),
                             A0.y + (C.y < Keep ? B0.y * Scale : 0)),
                        pack(A1.x + (C.z < Keep ? B1.x * Scale : 0),
                             A1.y + (C.w < Keep ? B1.y * Scale : 0)));
  }
}

// Four taps along tokens, silu: a thread eight channels and 16 tokens.
__global__ void __launch_bounds__(128)
    causalTaps(const uint4 *X, const float4 *W, uint4 *Y, int Channels8,
               int Tokens) {
  const int C = blockIdx.x * 128 + threadIdx.x, First = blockIdx.y * 16;
  const size_t Base = size_t(blockIdx.z) * Tokens * Channels8 + C;
  float4 w[8];
  for (int I = 0; I < 8; ++I)
    w[I] = W[C * 8 + I];
  float V[3][8];
#pragma unroll
  for (int J = 0; J < 3; ++J) {
    uint4 A = make_uint4(0, 0, 0, 0);
    if (First + J >= 3)
      A = X[Base + size_t(First + J - 3) * Channels8];
    const bf162 *P = (const bf162 *)&A;
#pragma unroll
    for (int E = 0; E < 4; ++E) {
      const float2 F = __bfloat1622float2(P[E]);
      V[J][2 * E] = F.x, V[J][2 * E + 1] = F.y;
    }
  }
#pragma unroll
  for (int T = 0; T < 16; ++T) {
    const uint4 A = X[Base + size_t(First + T) * Channels8];
    const bf162 *P = (const bf162 *)&A;
    unsigned Out[4];
#pragma unroll
    for (int E = 0; E < 4; ++E) {
      const float2 F = __bfloat1622float2(P[E]);
      const float In[2] = {F.x, F.y};
      float R[2];
#pragma unroll
      for (int H = 0; H < 2; ++H) {
        const int I = 2 * E + H;
        const float S = w[I].x * V[0][I] + w[I].y * V[1][I] + w[I].z * V[2][I] +
                        w[I].w * In[H];
        R[H] = S / (1 + __expf(-S));
        V[0][I] = V[1][I], V[1][I] = V[2][I], V[2][I] = In[H];
      }
      Out[E] = pack(R[0], R[1]);
    }
    Y[Base + size_t(First + T) * Channels8] =
        make_uint4(Out[0], Out[1], Out[2], Out[3]);
  }
}

struct Saxpy {
  __device__ float operator()(float X, float Y) const { return 3 * X + Y; }
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
  bf16 *A = make<bf16>(N), *B = make<bf16>(N), *C = make<bf16>(2 * N);
  float *F = make<float>(1 << 25), *G = make<float>(1 << 25);
  int *Place = make<int>(1 << 14), *Keys = make<int>(1 << 22),
      *Ends = make<int>(1 << 16);
  static int Host[1 << 22];
  static float Scores[1 << 22];
  for (int I = 0; I < 1 << 14; ++I)
    Host[I] = unsigned(I) * 40503u % (1 << 14);
  cudaMemcpy(Place, Host, 4 << 14, cudaMemcpyHostToDevice);
  for (int I = 0; I < 1 << 16; ++I)
    Host[I] = I * 64;
  cudaMemcpy(Ends, Host, 4 << 16, cudaMemcpyHostToDevice);
  for (int I = 0; I < 1 << 22; ++I) {
    Host[I] = I / 16;
    Scores[I] = (unsigned(I) * 2654435761u >> 8) / 4194304.f - 2;
  }
  cudaMemcpy(Keys, Host, sizeof(Host), cudaMemcpyHostToDevice);
  float *X = make<float>(1 << 22), *Zero = make<float>(1 << 14);
  cudaMemcpy(X, Scores, sizeof(Scores), cudaMemcpyHostToDevice);
  cudaFuncSetAttribute(softmaxRoles,
                       cudaFuncAttributeMaxDynamicSharedMemorySize, 8 * 16384);
  for (int Turns = 0; Turns < 2; ++Turns) {
    groupGates<<<16384 / 4, 128>>>((float4 *)X, (float4 *)Zero, G, (int *)C,
                                   16384);
    sendRows<<<2048, 256>>>((uint4 *)A, Place, (uint4 *)C, 512);
    siluFp8<<<4096 * 32 / 16, 256>>>((uint4 *)A, (uint2 *)B, F, 4096, 32);
    softmaxRoles<<<132, 160, 8 * 16384>>>(F, G, 8192);
    recurrence<<<16384, 128>>>(F, G, A, B);
    bestOfRow<<<4096, 128>>>(X, F, (int *)G);
    sampleTop<<<32, 1024>>>((float4 *)X, Zero, (int *)G, 128000 / 4, 0.9f);
    dropoutAdd<<<132 * 8, 256>>>((uint2 *)A, (uint2 *)B, (uint2 *)C, 1234,
                                 1 << 23, 0xE6666666u, 1.1f);
    causalTaps<<<dim3(4, 128, 4), 128>>>((uint4 *)A, (float4 *)Zero, (uint4 *)B,
                                         512, 2048);
    withStorage([&](void *S, size_t &Bytes) {
      cub::DeviceScan::InclusiveSumByKey(S, Bytes, Keys, X, F, 1 << 22);
    });
    withStorage([&](void *S, size_t &Bytes) {
      cub::DeviceTransform::Transform(cuda::std::make_tuple(F, G), F, 1 << 24,
                                      Saxpy{});
      Bytes = 1;
    });
    withStorage([&](void *S, size_t &Bytes) {
      cub::DeviceMergeSort::SortPairsCopy(S, Bytes, X, Keys, F, (int *)G,
                                          1 << 20, cuda::std::less<>{});
    });
    withStorage([&](void *S, size_t &Bytes) {
      cub::DeviceSegmentedReduce::Max(S, Bytes, X, F, 65535, Ends, Ends + 1);
    });
  }
  finish();
}
