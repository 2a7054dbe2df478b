// One lane of a warp draws a place for all lanes that keep their value, and
// tells it by a shuffle: only that lane sets what goes into the shuffle.
#include <cstdio>

__device__ int drawTogether(int *Counter) {
  const unsigned Active = __activemask();
  int Before, First;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(Before));
  const int Rank = __popc(Active & Before);
  if (Rank == 0)
    First = atomicAdd(Counter, __popc(Active));
  First = __shfl_sync(Active, First, __ffs(Active) - 1);
  return First + Rank;
}

__global__ void keep(int *Out, int *Counter, const int *In, int N) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N && In[I] > 0)
    Out[drawTogether(Counter)] = In[I];
}

// The words of the opcode as CUB writes them.
__global__ void vote(unsigned *Out) {
  unsigned Mask = threadIdx.x & 1;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0;"
               " vote.ballot.sync.b32 %0, p, 0xffffffff; }"
               : "+r"(Mask));
  Out[threadIdx.x] = Mask;
}

// A thread that ends in assembly, as CUB's radix sort does.
__global__ void leave(int *Out) {
  Out[threadIdx.x] = 1;
  if (threadIdx.x >= 8)
    asm volatile("exit;");
  Out[threadIdx.x] = 2;
}

int main(int argc, char **) {
  int Host[512], *In, *Out, *Counter, Count = 0;
  for (int I = 0; I < 512; ++I)
    Host[I] = I % 3;
  cudaMalloc((void **)&In, sizeof(Host));
  cudaMalloc((void **)&Out, sizeof(Host));
  cudaMalloc((void **)&Counter, sizeof(int));
  cudaMemset(Counter, 0, sizeof(int));
  cudaMemcpy(In, Host, sizeof(Host), cudaMemcpyHostToDevice);
  keep<<<4, 128>>>(Out, Counter, In, 512);
  cudaMemcpy(&Count, Counter, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("kept %d of 512, %d arguments\n", Count, argc - 1);
  vote<<<1, 32>>>((unsigned *)Out);
  cudaMemcpy(Host, Out, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("voted %x\n", unsigned(Host[0]));
  leave<<<1, 32>>>(Out);
  cudaMemcpy(Host, Out, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("left %d %d\n", Host[7], Host[8]);
}
