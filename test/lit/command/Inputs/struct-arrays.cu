// Two kernels take their arrays in a structure; the first one writes to one of
// them, and how far both go is in another.
#include <cuda_runtime.h>

struct Arrays {
  const float *In;
  float *Out;
  const int *Begin;
};

__global__ void doubled(Arrays A) {
  for (int I = A.Begin[blockIdx.x]; I < A.Begin[blockIdx.x + 1]; ++I)
    A.Out[I] = 2 * A.In[I];
}

__global__ void tripled(Arrays A) {
  for (int I = A.Begin[blockIdx.x]; I < A.Begin[blockIdx.x + 1]; ++I)
    A.Out[I] = 3 * A.In[I];
}

int main() {
  const int Blocks = 64, Each = 16;
  int Begin[Blocks + 1];
  for (int I = 0; I <= Blocks; ++I)
    Begin[I] = I * Each;
  float *In, *Out;
  int *Rows;
  cudaMalloc(&In, Blocks * Each * sizeof(float));
  cudaMalloc(&Out, Blocks * Each * sizeof(float));
  cudaMalloc(&Rows, sizeof(Begin));
  cudaMemcpy(Rows, Begin, sizeof(Begin), cudaMemcpyHostToDevice);
  doubled<<<Blocks, 32>>>({In, Out, Rows});
  tripled<<<Blocks, 32>>>({In, Out, Rows});
}
