// Device-wide algorithms of CUB, each called twice: the second counts.
#include <cstdint>
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>
struct Even {
  __host__ __device__ bool operator()(int V) const { return V % 2 == 0; }
};
int main() {
  const int N = 1 << 24;
  int *In, *Out, *Count;
  unsigned *Keys, *Sorted;
  void *Temp;
  size_t Bytes = size_t(256) << 20;
  cudaMalloc(&In, N * 4);
  cudaMalloc(&Out, N * 4);
  cudaMalloc(&Count, 4);
  cudaMalloc(&Keys, N * 4);
  cudaMalloc(&Sorted, N * 4);
  cudaMalloc(&Temp, Bytes);
  std::vector<unsigned> Host(N);
  for (int I = 0; I < N; ++I)
    Host[I] = unsigned(I) * 2654435761u ^ unsigned(I) >> 7;
  cudaMemcpy(In, Host.data(), N * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(Keys, Host.data(), N * 4, cudaMemcpyHostToDevice);
  for (int Turn = 0; Turn < 2; ++Turn) {
    cub::DeviceScan::InclusiveSum(Temp, Bytes, In, Out, N);
    cub::DeviceSelect::If(Temp, Bytes, In, Out, Count, N, Even());
    cub::DeviceReduce::Sum(Temp, Bytes, In, Out, N);
    cub::DeviceRadixSort::SortKeys(Temp, Bytes, Keys, Sorted, N);
  }
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
