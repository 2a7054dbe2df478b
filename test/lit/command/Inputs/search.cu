// A breadth-first search: the host goes on until no node is new. Then a kernel
// whose loops a kernel before it has written, and one that counts in a
// variable of the device. 'give up' ends with status 3.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ int NumVisited = 0;

__global__ void visitLevel(const int *Rows, const int *Columns, int *Levels,
                           int *Changed, int Level, int NumNodes) {
  const int Node = blockIdx.x * blockDim.x + threadIdx.x;
  if (Node >= NumNodes || Levels[Node] != Level)
    return;
  atomicAdd(&NumVisited, 1);
  for (int E = Rows[Node]; E < Rows[Node + 1]; ++E)
    if (Levels[Columns[E]] < 0) {
      Levels[Columns[E]] = Level + 1;
      *Changed = 1;
    }
}

__global__ void writeTrips(int *Trips, int N) {
  __shared__ int Last[64];
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Last[threadIdx.x] = I % 50;
  __syncthreads();
  if (I < N)
    Trips[I] = Last[63 - threadIdx.x];
}

__global__ void repeat(const int *Trips, float *Out, int N) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  float X = 0;
  for (int T = 0; T < Trips[I]; ++T)
    X += 1;
  Out[I] = X;
}

template <typename T> static T *onDevice(const std::vector<T> &V) {
  T *Pointer = nullptr;
  cudaMalloc((void **)&Pointer, V.size() * sizeof(T));
  cudaMemcpy(Pointer, V.data(), V.size() * sizeof(T), cudaMemcpyHostToDevice);
  return Pointer;
}

int main(int argc, char **argv) {
  const int N = argc > 1 ? std::atoi(argv[1]) : 1024;
  // Each node leads to the next two: levels of a line.
  std::vector<int> Rows(N + 1), Columns(2 * N), Levels(N, -1);
  Levels[0] = 0;
  for (int I = 0; I < N; ++I) {
    Rows[I + 1] = 2 * I + 2;
    Columns[2 * I] = I + 1 < N ? I + 1 : I;
    Columns[2 * I + 1] = I * 2 < N ? I * 2 : I;
  }
  int *DRows = onDevice(Rows), *DColumns = onDevice(Columns),
      *DLevels = onDevice(Levels), *DChanged = onDevice(std::vector<int>(1));
  int Changed = 1, Level = 0;
  for (; Changed; ++Level) {
    Changed = 0;
    cudaMemcpy(DChanged, &Changed, sizeof(int), cudaMemcpyHostToDevice);
    visitLevel<<<(N + 63) / 64, 64>>>(DRows, DColumns, DLevels, DChanged, Level,
                                      N);
    cudaMemcpy(&Changed, DChanged, sizeof(int), cudaMemcpyDeviceToHost);
  }
  int Visited = 0;
  cudaMemcpyFromSymbol(&Visited, NumVisited, sizeof(int));
  std::printf("%d levels, %d of %d nodes\n", Level, Visited, N);
  int *Trips = onDevice(std::vector<int>(N));
  float *Out = onDevice(std::vector<float>(N));
  writeTrips<<<(N + 63) / 64, 64>>>(Trips, N);
  repeat<<<(N + 63) / 64, 64>>>(Trips, Out, N);
  std::vector<float> Repeated(N);
  cudaMemcpy(Repeated.data(), Out, N * sizeof(float), cudaMemcpyDeviceToHost);
  int NumRight = 0;
  for (int I = 0; I < N; ++I)
    NumRight += Repeated[I] == float((I / 64 * 64 + 63 - I % 64) % 50);
  std::printf("%s\n", NumRight == N && Visited == N ? "PASSED" : "FAILED");
  return argc > 2 ? 3 : 0;
}
