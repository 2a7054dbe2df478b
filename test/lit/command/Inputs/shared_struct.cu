// A structure in dynamic shared memory, which nvcc takes and clang refuses, and
// an assertion that only compiles where it counts.
#include <cassert>
#include <cstdio>

template <int N> struct Tile {
  float Values[N];
  int Count;
};

__global__ void sums(const float *In, float *Out) {
  extern __shared__ Tile<64> S;
  S.Values[threadIdx.x] = In[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x != 0)
    return;
  float Sum = 0;
  for (int I = 0; I < 64; ++I)
    Sum += S.Values[I];
  Out[blockIdx.x] = Sum;
}

__global__ void ones(float *In) { In[blockIdx.x * 64 + threadIdx.x] = 1; }

int main() {
  constexpr int BLOCKS = 100;
  assert(NoSuchVariable < 3);
  float *In, *Out, Sum;
  cudaMalloc(&In, BLOCKS * 64 * sizeof(float));
  cudaMalloc(&Out, BLOCKS * sizeof(float));
  ones<<<BLOCKS, 64>>>(In);
  sums<<<BLOCKS, 64, sizeof(Tile<64>)>>>(In, Out);
  cudaMemcpy(&Sum, Out + 99, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("sum of the last block: %g\n", Sum);
}
