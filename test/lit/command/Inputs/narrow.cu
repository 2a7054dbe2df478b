// Rows whose lengths are signed bytes: those of padding have length -1.
#include <cstdlib>

__global__ void rows(const signed char *Length, float *Sum, int N) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  float Total = 0;
  if (Row < N)
    for (int I = 0; I < Length[Row]; ++I)
      Total += Sum[Row + I * N];
  Sum[Row] = Total;
}

int main() {
  const int N = 1024;
  signed char Lengths[N];
  for (int I = 0; I < N; ++I)
    Lengths[I] = I % 2 ? 2 : -1;
  signed char *Length;
  float *Sum;
  cudaMalloc(&Length, N);
  cudaMalloc(&Sum, 4 * N * sizeof(float));
  cudaMemcpy(Length, Lengths, N, cudaMemcpyHostToDevice);
  rows<<<N / 128, 128>>>(Length, Sum, N);
  cudaFree(Length);
  cudaFree(Sum);
}
