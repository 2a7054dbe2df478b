// Kernels whose work is in their data: row lengths, neighbours, keys, weights.
// Host code makes the data from a fixed seed.
#include <cstdlib>
#include <vector>

__global__ void sparseProduct(const int *RowStart, const int *Column,
                              const float *Value, const float *X, float *Y,
                              int N) {
  int Row = blockIdx.x * blockDim.x + threadIdx.x;
  if (Row >= N)
    return;
  float Sum = 0;
  for (int I = RowStart[Row]; I < RowStart[Row + 1]; ++I)
    Sum += Value[I] * X[Column[I]];
  Y[Row] = Sum;
}

__global__ void visitNeighbours(const int *RowStart, const int *Column,
                                const char *IsActive, const int *Cost,
                                int *Next, int N) {
  int Node = blockIdx.x * blockDim.x + threadIdx.x;
  if (Node >= N || !IsActive[Node])
    return;
  for (int I = RowStart[Node]; I < RowStart[Node + 1]; ++I)
    Next[Column[I]] = Cost[Node] + 1;
}

__global__ void binarySearch(const int *Keys, const int *Queries, int *Found,
                             int NumKeys, int NumQueries) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= NumQueries)
    return;
  int Want = Queries[I], Low = 0, High = NumKeys;
  while (Low < High) {
    int Middle = (Low + High) / 2;
    if (Keys[Middle] < Want)
      Low = Middle + 1;
    else
      High = Middle;
  }
  Found[I] = Low;
}

__global__ void seriesOfHeavy(const float *Weight, const float *In, float *Out,
                              int N, int Terms) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  float Sum = 0;
  if (Weight[I] > 0.9f)
    for (int Term = 1; Term <= Terms; ++Term)
      Sum += sinf(In[I] * Term) / Term;
  Out[I] = Sum;
}

template <class T> T *upload(const std::vector<T> &Host) {
  T *Device;
  cudaMalloc(&Device, Host.size() * sizeof(T));
  cudaMemcpy(Device, Host.data(), Host.size() * sizeof(T),
             cudaMemcpyHostToDevice);
  return Device;
}

int main(int Count, char **Words) {
  const int N = Count > 1 ? atoi(Words[1]) : 1 << 20;
  srand(7);
  std::vector<int> RowStart(N + 1), Column, Cost(N), Keys(N), Queries(N);
  std::vector<char> IsActive(N);
  std::vector<float> Weight(N), In(N);
  for (int I = 0; I < N; ++I) {
    const int Degree = I % 64 == 0 ? 40 : rand() % 8;
    for (int K = 0; K < Degree; ++K)
      Column.push_back((I + rand() % 4096) % N);
    RowStart[I + 1] = int(Column.size());
    IsActive[I] = rand() % 10 == 0;
    Cost[I] = I % 9;
    Keys[I] = 2 * I;
    Queries[I] = I / 4 * 8;
    Weight[I] = I / 1024 % 8 == 0 ? 1.0f : 0.5f;
    In[I] = float(rand() % 1000) / 1000;
  }
  const std::vector<float> Value(Column.size(), 1.0f), X(N, 1.0f);
  int *DeviceRows = upload(RowStart), *DeviceColumns = upload(Column);
  int *Next, *Found;
  float *Y;
  cudaMalloc(&Next, N * sizeof(int));
  cudaMalloc(&Y, N * sizeof(float));
  cudaMalloc(&Found, N * sizeof(int));
  const int Blocks = (N + 255) / 256;
  sparseProduct<<<Blocks, 256>>>(DeviceRows, DeviceColumns, upload(Value),
                                 upload(X), Y, N);
  visitNeighbours<<<Blocks, 256>>>(DeviceRows, DeviceColumns, upload(IsActive),
                                   upload(Cost), Next, N);
  binarySearch<<<Blocks, 256>>>(upload(Keys), upload(Queries), Found, N, N);
  seriesOfHeavy<<<Blocks, 256>>>(upload(Weight), upload(In), Y, N, 64);
  return cudaDeviceSynchronize();
}
