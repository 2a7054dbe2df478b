// Operations whose results are printed as a hash of their bits; the test has
// those of an H100.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>
namespace cg = cooperative_groups;

__constant__ float Table[4] = {1.5f, -2.25f, 3.125f, 0.1f};
__device__ int Counter = 5;
__device__ unsigned Wrapped;
extern __shared__ float Dynamic[];

__global__ void reduceBlock(const float *In, float *Out, int N) {
  __shared__ float S[256];
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  S[threadIdx.x] = I < N ? In[I] : 0;
  __syncthreads();
  for (int O = blockDim.x / 2; O > 0; O /= 2) {
    if (threadIdx.x < O)
      S[threadIdx.x] += S[threadIdx.x + O];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    Out[blockIdx.x] = S[0] * Table[blockIdx.x & 3];
}

__global__ void warpOps(const int *In, unsigned *Out) {
  const int T = threadIdx.x, G = blockIdx.x * blockDim.x + T;
  const unsigned All = 0xffffffffu;
  int V = In[G];
  unsigned H = 0;
  auto Mix = [&](unsigned X) { H = (H ^ X) * 16777619u + 1; };
  for (int O = 16; O; O /= 2)
    Mix(__shfl_down_sync(All, V, O));
  Mix(__shfl_xor_sync(All, V, 5, 8));
  Mix(__shfl_up_sync(All, V, 3, 16));
  Mix(__shfl_sync(All, V, T * 7, 32));
  Mix(__ballot_sync(All, V & 1));
  Mix(__any_sync(All, V > 900));
  Mix(__all_sync(All, V >= 0));
  Mix(__match_any_sync(All, V & 7));
  int P;
  Mix(__match_all_sync(All, T / 32, &P));
  Mix(P);
  Mix(__reduce_add_sync(All, V));
  Mix(__reduce_max_sync(All, V));
  Mix(__reduce_min_sync(All, unsigned(V)));
  Mix(__reduce_xor_sync(All, unsigned(V)));
  if (V & 1)
    Mix(__popc(__activemask()));
  __syncwarp();
  Mix(__syncthreads_count(V & 4));
  Mix(__syncthreads_and(V >= 0));
  Mix(__syncthreads_or(V == 17));
  Mix(__popc(V) + __clz(V) + __ffs(V));
  Mix(__brev(V));
  Mix(__byte_perm(V, H, 0x3175));
  Mix(__funnelshift_l(V, H, 7));
  Mix(__funnelshift_rc(V, H, 40));
  Mix(__umulhi(H, 0x9e3779b9u));
  Mix(__mul24(V, 12345));
  Mix(__sad(V, 77, 5u));
  Mix(unsigned(__mul64hi((long long)H << 20, 0x123456789abcdefll)));
  Mix(__dp4a(V, int(H), 3));
  Mix(__vadd4(V, H));
  Mix(__float2int_rn(V * 0.37f));
  Mix(__float2uint_ru(V * 0.37f));
  Mix(int(V * 1e9f));
  Mix(__double2int_rd(V * -0.37));
  auto Tile = cg::tiled_partition<8>(cg::this_thread_block());
  Mix(cg::reduce(Tile, V, cg::plus<int>()));
  Mix(Tile.shfl(V, 3));
  Mix(Tile.thread_rank() + Tile.meta_group_rank());
  auto Group = cg::coalesced_threads();
  Mix(Group.size());
  Out[G] = H;
}

__global__ void atomics(unsigned *I, float *F, double *D, unsigned long long *L) {
  const int T = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&I[0], 3u);
  atomicSub(&I[1], 1u);
  atomicMax((int *)&I[2], T ^ 77);
  atomicMin(&I[3], unsigned(T ^ 1234));
  atomicAnd(&I[4], ~(1u << (T & 15)));
  atomicOr(&I[5], 1u << (T & 31));
  atomicXor(&I[6], T);
  atomicInc(&I[7], 9u);
  atomicDec(&I[8], 9u);
  unsigned Old = I[9], Assumed;
  do {
    Assumed = Old;
    Old = atomicCAS(&I[9], Assumed, Assumed + 2);
  } while (Old != Assumed);
  atomicAdd(F, 0.5f);
  atomicAdd(D, 0.25);
  atomicAdd(L, 1ull << 33);
  atomicAdd_block(&I[10], 1u);
  atomicAdd_system(&I[11], 1u);
  atomicAdd(&Counter, 1);
  atomicInc(&Wrapped, 1000u);
}

__global__ void math(const float *X, float *Out, double *OutD, int N) {
  const int I = threadIdx.x;
  const float V = X[I];
  const double D = V;
  float R[] = {sinf(V), cosf(V), tanf(V), expf(V), exp2f(V), logf(fabsf(V) + 1), log2f(fabsf(V) + 1), powf(fabsf(V), 1.7f), sqrtf(fabsf(V)), rsqrtf(fabsf(V) + 1),
               tanhf(V), atanf(V), atan2f(V, 2.f), erff(V), cbrtf(V), fmodf(V, 0.7f), V / 3.f, 1.f / (V + 10), floorf(V), rintf(V), roundf(V), truncf(V),
               fmaf(V, V, 0.1f), fminf(V, 0.f), fmaxf(V, NAN), __fdividef(V, 3.f), __expf(V), __sinf(V), __logf(fabsf(V) + 1), __powf(fabsf(V) + 1, 1.5f),
               __fadd_rz(V, 1e-8f), __fmul_ru(V, 1.1f), hypotf(V, 1), ldexpf(V, 3), asinf(V / 20), acosf(V / 20), sinhf(V), coshf(V), lgammaf(fabsf(V) + 1), tgammaf(fabsf(V) + 1),
               __half2float(__float2half(V)), __half2float(__hadd(__float2half(V), __float2half(1.f))), __half2float(__hmul(__float2half(V), __float2half(3.f)))};
  double RD[] = {sin(D), cos(D), exp(D), log(fabs(D) + 1), pow(fabs(D), 1.7), sqrt(fabs(D)), D / 3, tanh(D), erf(D), fma(D, D, 0.1), cbrt(D), atan(D), floor(D), rint(D), fmod(D, 0.7), rsqrt(fabs(D) + 1)};
  const int NF = sizeof(R) / sizeof(*R), ND = sizeof(RD) / sizeof(*RD);
  for (int K = 0; K < NF; ++K)
    Out[K * N + I] = R[K];
  for (int K = 0; K < ND; ++K)
    OutD[K * N + I] = RD[K];
}

__global__ void gridSync(int *A, int N) {
  cg::grid_group Grid = cg::this_grid();
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  A[I] = I;
  Grid.sync();
  const int V = A[N - 1 - I];
  Grid.sync();
  A[I] = V + int(Grid.size());
}

__global__ void oldReduce(const int *In, int *Out) {
  __shared__ volatile int S[64];
  const int T = threadIdx.x;
  S[T] = In[blockIdx.x * 64 + T];
  S[T + 32] = In[blockIdx.x * 64 + T + 32];
  S[T] += S[T + 32];
  S[T] += S[T + 16];
  S[T] += S[T + 8];
  S[T] += S[T + 4];
  S[T] += S[T + 2];
  S[T] += S[T + 1];
  if (T == 0)
    Out[blockIdx.x] = S[0];
}

__global__ void dynamicShared(float *Out) {
  Dynamic[threadIdx.x] = threadIdx.x * 2.f;
  __syncthreads();
  Out[threadIdx.x] = Dynamic[blockDim.x - 1 - threadIdx.x] + Counter;
}

struct Shape { virtual __device__ ~Shape() {} virtual __device__ float area() const = 0; };
struct Square : Shape { float A; __device__ Square(float A) : A(A) {} __device__ float area() const override { return A * A; } };
struct Circle : Shape { float R; __device__ Circle(float R) : R(R) {} __device__ float area() const override { return 3.f * R * R; } };
__global__ void objects(float *Out) {
  Shape *S = threadIdx.x & 1 ? (Shape *)new Square(threadIdx.x) : (Shape *)new Circle(threadIdx.x);
  Out[threadIdx.x] = S->area();
  delete S;
}
__device__ int fib(int N) { return N < 2 ? N : fib(N - 1) + fib(N - 2); }
__global__ void recursion(int *Out) { Out[threadIdx.x] = fib(threadIdx.x % 15); }
__global__ void prints() { if (threadIdx.x == 3) printf("thread %d of %d: %.3f %s %lld\n", threadIdx.x, blockDim.x, 1.25, "text", 1ll << 40); }

template <typename T> T *device(const std::vector<T> &V) {
  T *P;
  cudaMalloc(&P, V.size() * sizeof(T));
  cudaMemcpy(P, V.data(), V.size() * sizeof(T), cudaMemcpyHostToDevice);
  return P;
}
template <typename T> void show(const char *Name, const T *P, size_t N) {
  std::vector<T> V(N);
  const cudaError_t E =
      cudaMemcpy(V.data(), P, N * sizeof(T), cudaMemcpyDeviceToHost);
  uint64_t Hash = 1469598103934665603ull;
  const unsigned char *B = (const unsigned char *)V.data();
  for (size_t I = 0; I < N * sizeof(T); ++I)
    Hash = (Hash ^ B[I]) * 1099511628211ull;
  std::printf("%s error=%d hash=%016llx\n", Name, int(E),
              (unsigned long long)Hash);
}

int main() {
  std::vector<float> X(1024);
  std::vector<int> IV(1024);
  for (int I = 0; I < 1024; ++I) {
    X[I] = (I - 512) * 0.037f;
    IV[I] = (I * 7919) % 1009;
  }
  float *DX = device(X), *Out = device(std::vector<float>(64 * 1024));
  double *OutD = device(std::vector<double>(32 * 1024));
  int *DI = device(IV);
  unsigned *U = device(std::vector<unsigned>(1024, 0xffff));
  reduceBlock<<<4, 256>>>(DX, Out, 1000);
  show("reduceBlock", Out, 4);
  warpOps<<<4, 256>>>(DI, U);
  show("warpOps", U, 1024);
  std::vector<unsigned> Init = {0, 100000, 0, 100000, 0xffff, 0, 0, 0, 5, 1, 0, 0};
  unsigned *A = device(Init);
  float *F = device(std::vector<float>{0});
  double *D = device(std::vector<double>{0});
  unsigned long long *L = device(std::vector<unsigned long long>{0});
  atomics<<<16, 128>>>(A, F, D, L);
  show("atomics", A, 12);
  show("atomicsF", F, 1);
  show("atomicsD", D, 1);
  show("atomicsL", L, 1);
  int HCounter = 0;
  unsigned HWrapped = 0;
  cudaMemcpyFromSymbol(&HCounter, Counter, sizeof(int));
  cudaMemcpyFromSymbol(&HWrapped, Wrapped, sizeof(int));
  std::printf("counter %d wrapped %u\n", HCounter, HWrapped);
  const float NewTable[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(Table, NewTable, sizeof(NewTable));
  reduceBlock<<<4, 256>>>(DX, Out, 1000);
  show("reduceBlock2", Out, 4);
  const int N = 1024;
  math<<<1, N>>>(DX, Out, OutD, N);
  for (int K = 0; K < 43; ++K) {
    char Name[32];
    std::snprintf(Name, sizeof(Name), "math%d", K);
    show(Name, Out + K * N, N);
  }
  for (int K = 0; K < 16; ++K) {
    char Name[32];
    std::snprintf(Name, sizeof(Name), "mathD%d", K);
    show(Name, OutD + K * N, N);
  }
  int *G = device(std::vector<int>(2048));
  int Size = 2048;
  void *Args[] = {&G, &Size};
  const cudaError_t E = cudaLaunchCooperativeKernel((void *)gridSync, dim3(16), dim3(128), Args, 0, 0);
  std::printf("cooperative %d\n", int(E));
  show("gridSync", G, 2048);
  oldReduce<<<16, 32>>>(DI, G);
  show("oldReduce", G, 16);
  dynamicShared<<<1, 128, 512>>>(Out);
  show("dynamicShared", Out, 128);
  objects<<<1, 64>>>(Out);
  show("objects", Out, 64);
  recursion<<<1, 64>>>(G);
  show("recursion", G, 64);
  prints<<<1, 32>>>();
  const cudaError_t Last = cudaDeviceSynchronize();
  std::printf("last %d %d\n", int(Last), int(cudaGetLastError()));
}
