// A barrier of the core libraries in shared memory, whose destructor is not empty.
#include <cuda/barrier>
#include <cstdio>
#include <utility>

__global__ void sums(int *Out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> Barrier;
  __shared__ int Words[128];
  const int Thread = threadIdx.x;
  if (Thread == 0)
    init(&Barrier, blockDim.x);
  __syncthreads();
  Words[Thread] = Thread;
  Barrier.wait(Barrier.arrive());
  Out[Thread] = Words[127 - Thread];
}

int main() {
  int *Out;
  cudaMallocManaged(&Out, 128 * sizeof(int));
  sums<<<1, 128>>>(Out);
  cudaDeviceSynchronize();
  bool IsRight = true;
  for (int I = 0; I != 128; ++I)
    IsRight &= Out[I] == 127 - I;
  puts(IsRight ? "PASSED" : "FAILED");
}
