// Kernels of kinds that no other file has: a convolution as a product, products
// with half of the weights left out, norms of groups of channels, bags of rows,
// the best of long rows by digits, Hadamard's transform, and sums of all before
// by looking back.
#include "common.h"

__device__ __forceinline__ float warpSum(float S) {
#pragma unroll
  for (int O = 16; O; O /= 2)
    S += __shfl_xor_sync(~0u, S, O);
  return S;
}
__device__ __forceinline__ void copyOrZero(unsigned To, const void *From,
                                           bool Inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(To),
               "l"(From), "r"(Inside ? 16 : 0));
}

// 3 x 3 taps over pictures of C channels, channels last, as a product of pixels
// by channels: 128 pixels and 64 channels a block, 32 channels of a tap a step.
template <int STAGES>
__global__ void __launch_bounds__(128)
    convTaps(const bf16 *X, const bf16 *W, bf16 *Y, int Height, int Width,
             int C, int K) {
  constexpr int ROW = 80; // 32 numbers and what keeps banks apart
  extern __shared__ __align__(16) char Raw[];
  const unsigned S0 = smem(Raw);
  const int T = threadIdx.x, L = T % 32, Warp = T / 32;
  const int First = blockIdx.x * 128, Channel = blockIdx.y * 64;
  const int Pixel = First + T, PX = Pixel % Width, PY = Pixel / Width % Height;
  const int Parts = C / 32, Steps = 9 * Parts;
  auto Load = [&](int Step) {
    if (Step < Steps) {
      const int Tap = Step / Parts, At = Step % Parts * 32, DX = Tap % 3 - 1,
                DY = Tap / 3 - 1;
      const unsigned To = S0 + Step % STAGES * 192 * ROW;
      const bool In = unsigned(PX + DX) < unsigned(Width) &&
                      unsigned(PY + DY) < unsigned(Height);
      const bf16 *From =
          In ? X + (size_t(Pixel) + DY * Width + DX) * C + At : X;
#pragma unroll
      for (int I = 0; I < 4; ++I)
        copyOrZero(To + T * ROW + I * 16, From + I * 8, In);
#pragma unroll
      for (int I = 0; I < 2; ++I) {
        const int Row = T / 4 + I * 32, Col = T % 4;
        copy16(To + (128 + Row) * ROW + Col * 16,
               W + (size_t(Channel + Row) * 9 + Tap) * C + At + Col * 8);
      }
    }
    commit();
  };
  float D[2][8][4] = {};
  for (int I = 0; I < STAGES - 1; ++I)
    Load(I);
  for (int Step = 0; Step < Steps; ++Step) {
    waitGroup<STAGES - 2>();
    __syncthreads();
    Load(Step + STAGES - 1);
    const unsigned From = S0 + Step % STAGES * 192 * ROW;
#pragma unroll
    for (int KK = 0; KK < 2; ++KK) {
      unsigned A[2][4], B[4][4];
#pragma unroll
      for (int I = 0; I < 2; ++I)
        ldmatrix(A[I], From + (Warp * 32 + I * 16 + L % 16) * ROW + KK * 32 +
                           L / 16 * 16);
#pragma unroll
      for (int J = 0; J < 4; ++J)
        ldmatrix(B[J], From + (128 + J * 16 + L % 8 + L / 16 * 8) * ROW +
                           KK * 32 + L / 8 % 2 * 16);
#pragma unroll
      for (int I = 0; I < 2; ++I)
#pragma unroll
        for (int J = 0; J < 8; ++J)
          mma(D[I][J], A[I], B[J / 2][J % 2 * 2], B[J / 2][J % 2 * 2 + 1]);
    }
  }
#pragma unroll
  for (int I = 0; I < 2; ++I)
#pragma unroll
    for (int J = 0; J < 8; ++J)
#pragma unroll
      for (int H = 0; H < 2; ++H) {
        const size_t Row = First + Warp * 32 + I * 16 + L / 4 + H * 8;
        *(unsigned *)(Y + Row * K + Channel + J * 8 + L % 4 * 2) =
            pack(fmaxf(D[I][J][2 * H], 0), fmaxf(D[I][J][2 * H + 1], 0));
      }
}

// Weights of which two of four are kept: 128 x 128 tiles, 64 numbers of K a
// step, of A 32 and what says where they were.
template <int STAGES>
__global__ void __launch_bounds__(256)
    sparseProduct(const bf16 *A, const unsigned *Kept, const bf16 *B, float *C,
                  int N, int K) {
  constexpr int ROWA = 80, ROWB = 144, STAGE = 128 * (ROWA + ROWB);
  extern __shared__ __align__(16) char Raw[];
  const unsigned S0 = smem(Raw);
  const int T = threadIdx.x, L = T % 32, W = T / 32, WM = W % 4, WN = W / 4;
  const int M0 = blockIdx.y * 128, N0 = blockIdx.x * 128, Steps = K / 64;
  auto Load = [&](int Step) {
    if (Step < Steps) {
      const unsigned To = S0 + Step % STAGES * STAGE;
#pragma unroll
      for (int I = 0; I < 2; ++I) {
        const int Row = T / 4 + I * 64, Col = T % 4;
        copy16(To + Row * ROWA + Col * 16,
               A + size_t(M0 + Row) * (K / 2) + Step * 32 + Col * 8);
      }
#pragma unroll
      for (int I = 0; I < 4; ++I) {
        const int Row = T / 8 + I * 32, Col = T % 8;
        copy16(To + 128 * ROWA + Row * ROWB + Col * 16,
               B + size_t(N0 + Row) * K + Step * 64 + Col * 8);
      }
    }
    commit();
  };
  float D[2][8][4] = {};
  for (int I = 0; I < STAGES - 1; ++I)
    Load(I);
  for (int Step = 0; Step < Steps; ++Step) {
    unsigned Where[2][2];
#pragma unroll
    for (int I = 0; I < 2; ++I)
#pragma unroll
      for (int KK = 0; KK < 2; ++KK)
        Where[I][KK] = __ldg(
            Kept +
            (size_t(M0 / 16 + WM * 2 + I) * Steps * 2 + Step * 2 + KK) * 16 +
            L / 4 * 2 + L % 2);
    waitGroup<STAGES - 2>();
    __syncthreads();
    Load(Step + STAGES - 1);
    const unsigned From = S0 + Step % STAGES * STAGE;
#pragma unroll
    for (int KK = 0; KK < 2; ++KK) {
      unsigned a[2][4], b[8][4];
#pragma unroll
      for (int I = 0; I < 2; ++I)
        ldmatrix(a[I], From + (WM * 32 + I * 16 + L % 16) * ROWA + KK * 32 +
                           L / 16 * 16);
#pragma unroll
      for (int J = 0; J < 8; ++J)
        ldmatrix(b[J], From + 128 * ROWA + (WN * 64 + J * 8 + L % 8) * ROWB +
                           KK * 64 + L / 8 * 16);
#pragma unroll
      for (int I = 0; I < 2; ++I)
#pragma unroll
        for (int J = 0; J < 8; ++J) {
          float (&d)[4] = D[I][J];
          asm volatile(
              "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.bf16."
              "bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, "
              "{%0,%1,%2,%3}, %12, 0x0;"
              : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
              : "r"(a[I][0]), "r"(a[I][1]), "r"(a[I][2]), "r"(a[I][3]),
                "r"(b[J][0]), "r"(b[J][1]), "r"(b[J][2]), "r"(b[J][3]),
                "r"(Where[I][KK]));
        }
    }
  }
#pragma unroll
  for (int I = 0; I < 2; ++I)
#pragma unroll
    for (int J = 0; J < 8; ++J)
#pragma unroll
      for (int H = 0; H < 2; ++H) {
        const size_t Row = M0 + WM * 32 + I * 16 + L / 4 + H * 8;
        *(float2 *)(C + Row * N + N0 + WN * 64 + J * 8 + L % 4 * 2) =
            make_float2(D[I][J][2 * H], D[I][J][2 * H + 1]);
      }
}

// Norm of groups of 16 channels of pictures, channels last, then silu: a block
// a group of a picture.
__global__ void __launch_bounds__(512)
    groupNorm(const uint4 *X, const bf16 *Scale, const bf16 *Shift, uint4 *Y,
              int Pixels, int Groups, float Eps) {
  __shared__ float Sums[2][16];
  const int T = threadIdx.x, G = blockIdx.x % Groups, N = blockIdx.x / Groups;
  const size_t Base = size_t(N) * Pixels * Groups * 2 + G * 2 + T % 2;
  float S = 0, Q = 0;
  for (int P = T / 2; P < Pixels; P += 256) {
    const uint4 V = X[Base + size_t(P) * Groups * 2];
    const bf162 *B = (const bf162 *)&V;
#pragma unroll
    for (int E = 0; E < 4; ++E) {
      const float2 F = __bfloat1622float2(B[E]);
      S += F.x + F.y;
      Q += F.x * F.x + F.y * F.y;
    }
  }
  S = warpSum(S), Q = warpSum(Q);
  if (T % 32 == 0)
    Sums[0][T / 32] = S, Sums[1][T / 32] = Q;
  __syncthreads();
  S = 0, Q = 0;
#pragma unroll
  for (int I = 0; I < 16; ++I)
    S += Sums[0][I], Q += Sums[1][I];
  const float Mean = S / (Pixels * 16),
              R = rsqrtf(Q / (Pixels * 16) - Mean * Mean + Eps);
  float A[8], B[8];
#pragma unroll
  for (int E = 0; E < 8; ++E) {
    const int C = G * 16 + T % 2 * 8 + E;
    A[E] = __bfloat162float(Scale[C]) * R;
    B[E] = __bfloat162float(Shift[C]) - Mean * A[E];
  }
  for (int P = T / 2; P < Pixels; P += 256) {
    const uint4 V = X[Base + size_t(P) * Groups * 2];
    const bf162 *F2 = (const bf162 *)&V;
    float Z[8];
#pragma unroll
    for (int E = 0; E < 4; ++E) {
      const float2 F = __bfloat1622float2(F2[E]);
      Z[2 * E] = F.x * A[2 * E] + B[2 * E];
      Z[2 * E + 1] = F.y * A[2 * E + 1] + B[2 * E + 1];
    }
#pragma unroll
    for (int E = 0; E < 8; ++E)
      Z[E] *= __frcp_rn(1 + __expf(-Z[E]));
    Y[Base + size_t(P) * Groups * 2] = make_uint4(
        pack(Z[0], Z[1]), pack(Z[2], Z[3]), pack(Z[4], Z[5]), pack(Z[6], Z[7]));
  }
}

// Sums of the rows of bags, 128 numbers a row: a warp a bag.
__global__ void __launch_bounds__(256)
    rowBags(const uint2 *Table, const int *Ends, const int *Rows, float4 *Out,
            int Bags) {
  const int Bag = blockIdx.x * 8 + threadIdx.x / 32, L = threadIdx.x % 32;
  if (Bag >= Bags)
    return;
  float4 S = make_float4(0, 0, 0, 0);
  const int To = Ends[Bag + 1];
#pragma unroll 4
  for (int I = Ends[Bag]; I < To; ++I) {
    const uint2 V = Table[size_t(Rows[I]) * 32 + L];
    const float2 A = __bfloat1622float2(*(const bf162 *)&V.x),
                 B = __bfloat1622float2(*(const bf162 *)&V.y);
    S.x += A.x, S.y += A.y, S.z += B.x, S.w += B.y;
  }
  Out[size_t(Bag) * 32 + L] = S;
}

// Which are the best Most of a long row: four rounds count digits of 8 bits of
// those whose higher digits are those of the last one kept; a block a row.
__global__ void __launch_bounds__(1024)
    bestByDigits(const unsigned *X, int *Where, int N, int Most) {
  __shared__ int Count[256], Found, Left, Digit;
  const unsigned *Row = X + size_t(blockIdx.x) * N;
  const int T = threadIdx.x;
  unsigned High = 0, Mask = 0;
  if (T == 0)
    Left = Most, Found = 0;
  for (int Shift = 24; Shift >= 0; Shift -= 8) {
    if (T < 256)
      Count[T] = 0;
    __syncthreads();
    for (int I = T; I < N; I += 1024) {
      const unsigned V = Row[I];
      if ((V & Mask) == High)
        atomicAdd(&Count[V >> Shift & 255], 1);
    }
    __syncthreads();
    // How many have a greater digit, by one warp of eight digits a lane.
    if (T < 32) {
      int Own[8], Sum = 0;
#pragma unroll
      for (int I = 0; I < 8; ++I)
        Sum += Own[I] = Count[255 - T * 8 - I];
      int Before = Sum;
#pragma unroll
      for (int O = 1; O < 32; O *= 2) {
        const int Of = __shfl_up_sync(~0u, Before, O);
        Before += T >= O ? Of : 0;
      }
      Before -= Sum;
      const int Wanted = Left;
      __syncwarp();
#pragma unroll
      for (int I = 0; I < 8; ++I) {
        if (Before < Wanted && Before + Own[I] >= Wanted)
          Digit = 255 - T * 8 - I, Left = Wanted - Before;
        Before += Own[I];
      }
    }
    __syncthreads();
    High |= unsigned(Digit) << Shift;
    Mask |= 255u << Shift;
  }
  for (int I = T; I < N; I += 1024)
    if (Row[I] > High)
      Where[size_t(blockIdx.x) * Most + atomicAdd(&Found, 1)] = I;
}

// Hadamard's transform of rows of 4096, to int8 with a scale: a block a row, 32
// numbers a thread.
__global__ void __launch_bounds__(128)
    hadamardRows(const uint4 *X, uint2 *Y, float *Scales, float Norm) {
  __shared__ float Tile[4096 + 128];
  __shared__ float Most[4];
  const int T = threadIdx.x, L = T % 32, W = T / 32;
  float V[32];
#pragma unroll
  for (int I = 0; I < 4; ++I) {
    const uint4 P = X[size_t(blockIdx.x) * 512 + I * 128 + T];
    const bf162 *B = (const bf162 *)&P;
#pragma unroll
    for (int E = 0; E < 4; ++E) {
      const float2 F = __bfloat1622float2(B[E]);
      V[I * 8 + 2 * E] = F.x, V[I * 8 + 2 * E + 1] = F.y;
    }
  }
  auto Inside = [&] {
#pragma unroll
    for (int H = 1; H < 32; H *= 2)
#pragma unroll
      for (int I = 0; I < 32; ++I)
        if (!(I & H)) {
          const float A = V[I], B = V[I + H];
          V[I] = A + B, V[I + H] = A - B;
        }
  };
  Inside();
#pragma unroll
  for (int O = 1; O < 32; O *= 2)
#pragma unroll
    for (int I = 0; I < 32; ++I) {
      const float B = __shfl_xor_sync(~0u, V[I], O);
      V[I] = L & O ? B - V[I] : V[I] + B;
    }
  // The four warps meet in shared memory.
#pragma unroll
  for (int I = 0; I < 32; ++I)
    Tile[(I * 4 + W) * 33 + L] = V[I];
  __syncthreads();
#pragma unroll
  for (int J = 0; J < 8; ++J) {
    float Q[4];
#pragma unroll
    for (int I = 0; I < 4; ++I)
      Q[I] = Tile[((W * 8 + J) * 4 + I) * 33 + L];
    const float A = Q[0] + Q[1], B = Q[0] - Q[1], C = Q[2] + Q[3],
                D = Q[2] - Q[3];
    V[J * 4] = A + C, V[J * 4 + 1] = B + D, V[J * 4 + 2] = A - C,
          V[J * 4 + 3] = B - D;
  }
  float M = 0;
#pragma unroll
  for (int I = 0; I < 32; ++I)
    M = fmaxf(M, fabsf(V[I] *= Norm));
#pragma unroll
  for (int O = 16; O; O /= 2)
    M = fmaxf(M, __shfl_xor_sync(~0u, M, O));
  if (L == 0)
    Most[W] = M;
  __syncthreads();
  M = fmaxf(fmaxf(Most[0], Most[1]), fmaxf(Most[2], Most[3]));
  const float R = 127 / fmaxf(M, 1e-6f);
#pragma unroll
  for (int I = 0; I < 4; ++I) {
    char Out[8];
#pragma unroll
    for (int E = 0; E < 8; ++E)
      Out[E] = char(__float2int_rn(V[I * 8 + E] * R));
    Y[size_t(blockIdx.x) * 512 + I * 128 + T] = *(uint2 *)Out;
  }
  if (T == 0)
    Scales[blockIdx.x] = M / 127;
}

// Sums of all before: each block publishes its sum, and one warp, or one
// thread, looks back until it meets a block that knows all before it.
template <bool OfWarp>
__global__ void __launch_bounds__(256)
    chainedSum(const int4 *X, int4 *Y, unsigned long long *State, int *Next) {
  __shared__ int Mine, Warps[8], Before;
  const int T = threadIdx.x, L = T % 32, W = T / 32;
  if (T == 0)
    Mine = atomicAdd(Next, 1);
  __syncthreads();
  const int Block = Mine;
  int4 V[4];
  int Sum = 0;
#pragma unroll
  for (int I = 0; I < 4; ++I) {
    V[I] = X[size_t(Block) * 1024 + T * 4 + I];
    Sum += V[I].x + V[I].y + V[I].z + V[I].w;
  }
  int Up = Sum;
#pragma unroll
  for (int O = 1; O < 32; O *= 2) {
    const int Of = __shfl_up_sync(~0u, Up, O);
    Up += L >= O ? Of : 0;
  }
  if (L == 31)
    Warps[W] = Up;
  __syncthreads();
  int First = Up - Sum, All = 0;
#pragma unroll
  for (int I = 0; I < 8; ++I) {
    First += I < W ? Warps[I] : 0;
    All += Warps[I];
  }
  if (W == 0) {
    constexpr unsigned long long PART = 1ull << 32, WHOLE = 2ull << 32;
    auto Put = [&](unsigned long long Kind, int Value) {
      asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(State + Block),
                   "l"(Kind | unsigned(Value))
                   : "memory");
    };
    if (L == 0)
      Put(Block ? PART : WHOLE, All);
    auto Get = [&](int Of) {
      unsigned long long S;
      do
        asm volatile("ld.acquire.gpu.global.u64 %0, [%1];"
                     : "=l"(S)
                     : "l"(State + Of)
                     : "memory");
      while (!(S >> 32));
      return S;
    };
    int Past = 0;
    if constexpr (OfWarp) {
      for (int At = Block - 1; Block; At -= 32) {
        const unsigned long long S = At < L ? WHOLE : Get(At - L);
        const unsigned Whole = __ballot_sync(~0u, S >= WHOLE);
        Past += __reduce_add_sync(
            ~0u, !Whole || L < __ffs(Whole) ? int(unsigned(S)) : 0);
        if (Whole)
          break;
      }
    } else if (L == 0) {
      for (int At = Block - 1; At >= 0; --At) {
        const unsigned long long S = Get(At);
        Past += int(unsigned(S));
        if (S >= WHOLE)
          break;
      }
    }
    if (L == 0 && Block)
      Put(WHOLE, Past + All);
    if (L == 0)
      Before = Past;
  }
  __syncthreads();
  int S = Before + First;
#pragma unroll
  for (int I = 0; I < 4; ++I) {
    int4 O;
    O.x = S += V[I].x, O.y = S += V[I].y, O.z = S += V[I].z, O.w = S += V[I].w;
    Y[size_t(Block) * 1024 + T * 4 + I] = O;
  }
}

int main() {
  const size_t N = 1 << 26;
  bf16 *A = make<bf16>(N), *B = make<bf16>(N), *C = make<bf16>(N);
  float *F = make<float>(N), *G = make<float>(N);
  static int Host[1 << 22];
  int *Ends = make<int>(1 << 17), *Rows = make<int>(1 << 22);
  unsigned *Keys = make<unsigned>(1 << 22), *Kept = make<unsigned>(1 << 22);
  for (int I = 0; I <= 1 << 16; ++I)
    Host[I] = I * 48;
  cudaMemcpy(Ends, Host, 4 * ((1 << 16) + 1), cudaMemcpyHostToDevice);
  for (int I = 0; I < 1 << 22; ++I)
    Host[I] = (unsigned(I) * 2654435761u >> 7) % (1 << 18);
  cudaMemcpy(Rows, Host, sizeof(Host), cudaMemcpyHostToDevice);
  for (int I = 0; I < 1 << 22; ++I)
    Host[I] = unsigned(I) * 2654435761u ^ unsigned(I) * 40503u;
  cudaMemcpy(Keys, Host, sizeof(Host), cudaMemcpyHostToDevice);
  cudaMemset(Kept, 0x44, 4 << 22);
  unsigned long long *State = make<unsigned long long>(1 << 16);
  int *Next = make<int>(1);
  for (int Turns = 0; Turns < 2; ++Turns) {
    launch(convTaps<3>, dim3(32 * 56 * 56 / 128, 2), 128, 3 * 192 * 80, 1, A, B,
           C, 56, 56, 128, 128);
    launch(sparseProduct<3>, dim3(32, 32), 256, 3 * 128 * 224, 1, A, Kept, B, F,
           4096, 4096);
    groupNorm<<<32 * 32, 512>>>((uint4 *)A, B, C, (uint4 *)C, 64 * 64, 32,
                                1e-5f);
    rowBags<<<(1 << 16) / 8, 256>>>((uint2 *)A, Ends, Rows, (float4 *)F,
                                    1 << 16);
    bestByDigits<<<128, 1024>>>(Keys, (int *)G, 32768, 64);
    hadamardRows<<<8192, 128>>>((uint4 *)A, (uint2 *)B, G, 1.f / 64);
    cudaMemset(State, 0, 8 << 16);
    cudaMemset(Next, 0, 4);
    chainedSum<true><<<4096, 256>>>((int4 *)A, (int4 *)F, State, Next);
    cudaMemset(State, 0, 8 << 16);
    cudaMemset(Next, 0, 4);
    chainedSum<false><<<4096, 256>>>((int4 *)A, (int4 *)F, State, Next);
  }
  finish();
}
