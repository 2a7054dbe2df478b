// Reads a word in front of an allocation and one behind its page, as programs do that a GPU
// forgives.
#include <cstdio>

__global__ void around(const int *In, int *Out) { *Out = In[-1] + In[0] + In[1024]; }

int main() {
  int *In, *Out, One = 1, Sum = 0;
  cudaMalloc(&In, 4096);
  cudaMalloc(&Out, sizeof(int));
  cudaMemcpy(In, &One, sizeof(int), cudaMemcpyHostToDevice);
  around<<<1, 1>>>(In, Out);
  cudaMemcpy(&Sum, Out, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("sum %d, error %d\n", Sum, int(cudaGetLastError()));
}
