// What decides is behind a pointer in memory, and in variables of the device.
#include <cstdio>

struct List {
  int Count;
  int *Items;
};
__device__ int Table[64];

__global__ void fill(List *Lists, int *Items) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Lists[I].Count = 9;
  Lists[I].Items = Items + I % 4;
  Items[I] = I;
  if (I < 64)
    Table[I] = 13;
}
__global__ void sumLists(const List *Lists, int *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int K = 0; K < Lists[I].Count; ++K)
    atomicAdd(Out, Lists[I].Items[K]);
}
__global__ void byTable(int *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int K = 0; K < Table[I & 63]; ++K)
    atomicAdd(Out, K);
}

int main() {
  List *Lists;
  int *Items, *Out, Sum = 0;
  cudaMalloc(&Lists, 1024 * sizeof(List));
  cudaMalloc(&Items, 4096);
  cudaMalloc(&Out, sizeof(int));
  cudaMemset(Out, 0, sizeof(int));
  fill<<<16, 64>>>(Lists, Items);
  sumLists<<<16, 64>>>(Lists, Out);
  byTable<<<16, 64>>>(Out);
  cudaMemcpy(&Sum, Out, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("sum %d\n", Sum);
}
