// Host code that decides launches: by its command line, in a loop, by what it
// asks of the device, after a library that is not there, and behind comparisons
// that fail since no kernel ran.
#include <cassert>
#include <cstdio>
#include <cstdlib>

struct Shape {
  int Width;
  float Scale;
  float *Out;
};

__global__ void fill(Shape S, int N, float Value) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    S.Out[I * S.Width] = Value * S.Scale;
}

__global__ void check(const float *In, const float *Mask, long long N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N && (!Mask || Mask[I] > 0) && In[I] < 0)
    asm volatile("trap;");
}

extern "C" int cublasNobodyHasThis(void);

int main(int Count, char **Words) {
  const int N = Count > 1 ? atoi(Words[1]) : 1000;
  float *Out;
  cudaMalloc(&Out, N * 8);
  Shape S = {2, 0.5f, Out};
  for (int I = 0; I < 3; ++I)
    fill<<<(N + 127) / 128, 128>>>(S, N, 1.5f + I);
  float First = 1;
  cudaMemcpy(&First, Out, sizeof(First), cudaMemcpyDeviceToHost);
  if (First != 0 || cublasNobodyHasThis() != 0)
    return 1;
  assert(First == 1.75f);
  if (First != 1.75f)
    std::exit(1);
  check<<<7, 64, 256>>>(Out, nullptr, N);
  return Count > 2 ? 3 : 0;
}
