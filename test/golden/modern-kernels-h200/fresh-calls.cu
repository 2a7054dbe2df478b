// Calls of CUB that no other file makes.
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
  const int N = 1 << 23;
  int *A = make<int>(N), *C = make<int>(N), *D = make<int>(N),
      *E = make<int>(N);
  char *Flags = make<char>(N);
  static int Host[N];
  static char HostFlags[N];
  for (int I = 0; I < N; ++I) {
    Host[I] = I / 12;
    HostFlags[I] = I % 3 == 0;
  }
  cudaMemcpy(A, Host, sizeof(Host), cudaMemcpyHostToDevice);
  cudaMemcpy(Flags, HostFlags, sizeof(HostFlags), cudaMemcpyHostToDevice);
  twice([&](void *P, size_t &S) {
    cub::DeviceSelect::Flagged(P, S, A, Flags, C, D, N);
  });
  twice([&](void *P, size_t &S) {
    cub::DeviceRunLengthEncode::Encode(P, S, A, C, E, D, N);
  });
  twice([&](void *P, size_t &S) {
    cub::DevicePartition::Flagged(P, S, A, Flags, C, D, N);
  });
  finish();
}
