// Products of matrices by the lanes of a warp, which check themselves.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <vector>

__device__ int numberAt(int Row, int Column) {
  return (Row * 5 + Column * 3) % 7 - 3;
}
static int numberOnHost(int Row, int Column) {
  return (Row * 5 + Column * 3) % 7 - 3;
}

/// The bits of two halves with small integers.
__device__ unsigned pairOf(int Low, int High) {
  const int Values[2] = {Low, High};
  unsigned Bits = 0;
  for (int I = 0; I < 2; ++I) {
    unsigned short H;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(H) : "f"(float(Values[I])));
    Bits |= unsigned(H) << (16 * I);
  }
  return Bits;
}

__global__ void halves(float *Out) {
  const int G = threadIdx.x / 4, T = threadIdx.x % 4;
  unsigned A[4], B[2];
  for (int R = 0; R < 4; ++R) {
    const int Row = G + 8 * (R & 1), K = T * 2 + 8 * (R >> 1);
    A[R] = pairOf(numberAt(Row, K), numberAt(Row, K + 1));
  }
  for (int R = 0; R < 2; ++R) {
    const int K = T * 2 + 8 * R;
    B[R] = pairOf(numberAt(K + 1, G), numberAt(K + 2, G));
  }
  float D[4] = {1, 2, 3, 4};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(D[0]), "+f"(D[1]), "+f"(D[2]), "+f"(D[3])
               : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "r"(B[0]),
                 "r"(B[1]));
  for (int I = 0; I < 4; ++I)
    Out[(G + 8 * (I / 2)) * 8 + T * 2 + I % 2] = D[I] - float(I + 1);
}

__global__ void doubles(double *Out) {
  const int G = threadIdx.x / 4, T = threadIdx.x % 4;
  double D[2];
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, "
               "{%3}, {%4,%4};"
               : "=d"(D[0]), "=d"(D[1])
               : "d"(double(numberAt(G, T))), "d"(double(numberAt(T + 1, G))),
                 "d"(0.0));
  for (int I = 0; I < 2; ++I)
    Out[G * 8 + T * 2 + I] = D[I];
}

__global__ void moves(unsigned *Loaded, unsigned *Turned) {
  __shared__ __attribute__((aligned(16))) unsigned short Rows[256];
  for (int I = threadIdx.x; I < 256; I += 32)
    Rows[I] = (unsigned short)I;
  __syncthreads();
  const unsigned Row =
      (unsigned)__cvta_generic_to_shared(&Rows[threadIdx.x * 8]);
  unsigned R[4], M;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
               "{%0,%1,%2,%3}, [%4];"
               : "=r"(R[0]), "=r"(R[1]), "=r"(R[2]), "=r"(R[3])
               : "r"(Row)
               : "memory");
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
               : "=r"(M)
               : "r"(R[1]));
  for (int I = 0; I < 4; ++I)
    Loaded[threadIdx.x * 4 + I] = R[I];
  Turned[threadIdx.x] = M;
}

template <typename T> static std::vector<T> onHost(const T *From, size_t Count) {
  std::vector<T> Values(Count);
  cudaMemcpy(Values.data(), From, Count * sizeof(T), cudaMemcpyDeviceToHost);
  return Values;
}
template <typename T> static T *onDevice(size_t Count) {
  T *Pointer = nullptr;
  cudaMalloc((void **)&Pointer, Count * sizeof(T));
  return Pointer;
}

template <typename T>
static bool isProduct(const std::vector<T> &D, int Rows, int Ks) {
  for (int Row = 0; Row < Rows; ++Row)
    for (int Column = 0; Column < 8; ++Column) {
      int Sum = 0;
      for (int K = 0; K < Ks; ++K)
        Sum += numberOnHost(Row, K) * numberOnHost(K + 1, Column);
      if (D[size_t(Row * 8 + Column)] != T(Sum))
        return false;
    }
  return true;
}

int main() {
  float *F = onDevice<float>(128);
  halves<<<1, 32>>>(F);
  double *D = onDevice<double>(64);
  doubles<<<1, 32>>>(D);
  unsigned *Loaded = onDevice<unsigned>(128), *Turned = onDevice<unsigned>(32);
  moves<<<1, 32>>>(Loaded, Turned);
  bool IsMoved = true;
  const std::vector<unsigned> L = onHost(Loaded, 128), T = onHost(Turned, 32);
  for (unsigned Lane = 0; Lane < 32; ++Lane)
    for (unsigned Half = 0; Half < 2; ++Half) {
      const unsigned Row = Lane / 4, Column = Lane % 4 * 2 + Half;
      for (unsigned M = 0; M < 4; ++M)
        IsMoved &= (L[Lane * 4 + M] >> (16 * Half) & 0xffff) ==
                   M * 64 + Column * 8 + Row;
      IsMoved &=
          (T[Lane] >> (16 * Half) & 0xffff) == 64 + Row * 8 + Column;
    }
  std::printf("halves %d doubles %d moves %d\n", isProduct(onHost(F, 128), 16, 16),
              isProduct(onHost(D, 64), 8, 4), IsMoved);
}
