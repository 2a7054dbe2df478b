// Threads draw work from a queue, and insert into a table whose slots others
// take meanwhile.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void draw(int *Head, const int *Costs, float *Out, int N) {
  for (;;) {
    const int Item = atomicAdd(Head, 1);
    if (Item >= N)
      return;
    float X = 0;
    for (int I = 0; I < Costs[Item]; ++I)
      X += 1;
    Out[Item] = X;
  }
}

__global__ void insert(unsigned *Table, const unsigned *Keys, int N,
                       unsigned Mask) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  for (unsigned Slot = Keys[I] & Mask;; Slot = (Slot + 1) & Mask) {
    const unsigned Old = atomicCAS(&Table[Slot], 0u, Keys[I]);
    if (Old == 0u || Old == Keys[I])
      return;
  }
}

__global__ void copy(const int *From, int *To) {
  To[threadIdx.x] = From[threadIdx.x];
}

template <typename T> static T *onDevice(const std::vector<T> &V) {
  T *Pointer = nullptr;
  cudaMalloc((void **)&Pointer, V.size() * sizeof(T));
  cudaMemcpy(Pointer, V.data(), V.size() * sizeof(T), cudaMemcpyHostToDevice);
  return Pointer;
}

int main() {
  const int N = 8192;
  std::vector<int> Costs(N);
  std::vector<unsigned> Keys(N);
  for (int I = 0; I < N; ++I) {
    Costs[I] = I % 50;
    // All start at the same 256 slots.
    Keys[I] = unsigned(I) << 16 | unsigned(I % 256) << 6 | 1;
  }
  int *Head = onDevice(std::vector<int>(1)), *DCosts = onDevice(Costs);
  float *Out = onDevice(std::vector<float>(N));
  draw<<<16, 64>>>(Head, DCosts, Out, N);
  std::vector<float> Back(N);
  cudaMemcpy(Back.data(), Out, N * sizeof(float), cudaMemcpyDeviceToHost);
  bool Good = true;
  for (int I = 0; I < N; ++I)
    Good &= Back[I] == float(I % 50);
  unsigned *Table = onDevice(std::vector<unsigned>(2 * N));
  insert<<<N / 64, 64>>>(Table, onDevice(Keys), N, 2 * N - 1);
  std::vector<unsigned> Slots(2 * N);
  cudaMemcpy(Slots.data(), Table, 2 * N * sizeof(unsigned),
             cudaMemcpyDeviceToHost);
  int Taken = 0;
  for (unsigned Slot : Slots)
    Taken += Slot != 0;
  copy<<<1, 32>>>(DCosts, onDevice(std::vector<int>(32)));
  std::printf("%s\n", Good && Taken == N ? "PASSED" : "FAILED");
}
