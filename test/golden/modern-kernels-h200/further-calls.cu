// Calls of CUB that no other file has: sums of 64 bits before each, those of
// equal keys, a sort of keys of 64 bits, differences, where the greatest is.
#include "common.h"
#include <cub/cub.cuh>

template <class F> void withStorage(F Call) {
  size_t Bytes = 0;
  Call(nullptr, Bytes);
  void *P;
  cudaMalloc(&P, Bytes);
  Call(P, Bytes);
  cudaFree(P);
}

int main() {
  constexpr int N = 1 << 22;
  using word = unsigned long long;
  static word Host[N];
  word *Sums = make<word>(N), *Keys = make<word>(N), *Sorted = make<word>(N);
  int *Groups = make<int>(N), *Values = make<int>(N), *Out = make<int>(N),
      *Count = make<int>(1), *Best = make<int>(2);
  for (int I = 0; I < N; ++I)
    Host[I] = word(I) * 0x9E3779B97F4A7C15ull;
  cudaMemcpy(Keys, Host, sizeof(Host), cudaMemcpyHostToDevice);
  for (int I = 0; I < N; ++I)
    ((int *)Host)[I] = I / 5;
  cudaMemcpy(Groups, Host, 4 * N, cudaMemcpyHostToDevice);
  for (int Turns = 0; Turns < 2; ++Turns) {
    withStorage([&](void *S, size_t &Bytes) {
      cub::DeviceScan::ExclusiveSum(S, Bytes, Keys, Sums, N);
    });
    withStorage([&](void *S, size_t &Bytes) {
      cub::DeviceSelect::UniqueByKey(S, Bytes, Groups, Values, Out, (int *)Sums,
                                     Count, N);
    });
    withStorage([&](void *S, size_t &Bytes) {
      cub::DeviceRadixSort::SortKeys(S, Bytes, Keys, Sorted, N, 0, 16);
    });
    withStorage([&](void *S, size_t &Bytes) {
      cub::DeviceAdjacentDifference::SubtractLeftCopy(S, Bytes, Groups, Out, N);
    });
    withStorage([&](void *S, size_t &Bytes) {
      cub::DeviceReduce::Max(S, Bytes, Groups, Best, N);
    });
  }
  finish();
}
