// A sparse product whose rows host code makes: 3 to 7 elements, at most 35
// columns from each other; and a kernel that reads what the first would write.
#include <cstdlib>
#include <vector>

__global__ void product(const int *RowStart, const int *Column,
                        const float *Value, const float *X, float *Y, int N) {
  int Row = blockIdx.x * blockDim.x + threadIdx.x;
  if (Row >= N)
    return;
  float Sum = 0;
  for (int I = RowStart[Row]; I < RowStart[Row + 1]; ++I)
    Sum += Value[I] * X[Column[I]];
  Y[Row] = Sum;
}

__global__ void threshold(const float *Y, float *Out, int N) {
  int Row = blockIdx.x * blockDim.x + threadIdx.x;
  if (Row < N && Y[Row] > 1)
    Out[Row] = Y[Row];
}

template <class T> T *upload(const std::vector<T> &Host) {
  T *Device;
  cudaMalloc(&Device, Host.size() * sizeof(T));
  cudaMemcpy(Device, Host.data(), Host.size() * sizeof(T),
             cudaMemcpyHostToDevice);
  return Device;
}

int main(int Count, char **Words) {
  const int N = atoi(Words[1]);
  std::vector<int> RowStart(1), Column;
  for (int Row = 0; Row != N; ++Row) {
    for (int I = 0; I != 3 + Row % 5; ++I)
      Column.push_back((Row + I * 7) % N);
    RowStart.push_back(int(Column.size()));
  }
  const std::vector<float> Value(Column.size(), 1), X(N, 1);
  float *Y, *Out;
  cudaMalloc(&Y, N * sizeof(float));
  cudaMalloc(&Out, N * sizeof(float));
  product<<<(N + 127) / 128, 128>>>(upload(RowStart), upload(Column),
                                    upload(Value), upload(X), Y, N);
  threshold<<<(N + 127) / 128, 128>>>(Y, Out, N);
  return 0;
}
