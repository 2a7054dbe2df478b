// Calls of CUB.
#include "common.h"
#include <cub/cub.cuh>

template <class F> void twice(F Call) {
  size_t Bytes = 0;
  Call(nullptr, Bytes);
  void *P;
  cudaMalloc(&P, Bytes);
  Call(P, Bytes);
  Call(P, Bytes);
}

int main() {
  const int N = 1 << 24;
  int *A = make<int>(N), *B = make<int>(N), *C = make<int>(N),
      *D = make<int>(N);
  static int Host[N];
  for (int I = 0; I < N; ++I)
    Host[I] = unsigned(I) * 2654435761u >> 8;
  cudaMemcpy(A, Host, sizeof(Host), cudaMemcpyHostToDevice);
  static int Runs[N], Ends[(1 << 14) + 1];
  for (int I = 0; I < N; ++I)
    Runs[I] = I / 5;
  cudaMemcpy(B, Runs, sizeof(Runs), cudaMemcpyHostToDevice);
  for (int I = 0; I <= 1 << 14; ++I)
    Ends[I] = I * 1024;
  int *E = make<int>((1 << 14) + 1);
  cudaMemcpy(E, Ends, sizeof(Ends), cudaMemcpyHostToDevice);
  twice([&](void *P, size_t &S) {
    cub::DeviceHistogram::HistogramEven(P, S, A, C, 257, 0, 1 << 24, N);
  });
  twice([&](void *P, size_t &S) {
    cub::DeviceSegmentedReduce::Sum(P, S, A, C, 1 << 14, E, E + 1);
  });
  twice([&](void *P, size_t &S) {
    cub::DeviceReduce::Max(P, S, (float *)A, (float *)C, N);
  });
  twice([&](void *P, size_t &S) {
    cub::DeviceScan::InclusiveSum(P, S, A, C, N);
  });
  twice(
      [&](void *P, size_t &S) { cub::DeviceSelect::Unique(P, S, B, C, D, N); });
  twice([&](void *P, size_t &S) {
    cub::DeviceReduce::ReduceByKey(P, S, B, C, A, D, E, cuda::std::plus<>{},
                                   N / 4);
  });
  twice([&](void *P, size_t &S) {
    cub::DeviceMergeSort::SortKeysCopy(P, S, A, C, 1 << 20,
                                       cuda::std::less<>{});
  });
  finish();
}
