// Blocks of a cluster that the kernel's attribute gives read each other's shared memory.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) exchange(int *Out) {
  __shared__ int Own[32];
  cg::cluster_group Cluster = cg::this_cluster();
  Own[threadIdx.x] = blockIdx.x * 100 + threadIdx.x;
  Cluster.sync();
  const int *Far = Cluster.map_shared_rank(Own, Cluster.block_rank() ^ 1);
  Out[blockIdx.x * 32 + threadIdx.x] =
      Far[threadIdx.x] + 10000 * Cluster.num_blocks();
  Cluster.sync();
}

int main() {
  int Out[128], *Device, Wrong = 0;
  cudaMalloc(&Device, sizeof(Out));
  exchange<<<4, 32>>>(Device);
  cudaMemcpy(Out, Device, sizeof(Out), cudaMemcpyDeviceToHost);
  for (int I = 0; I < 128; ++I)
    Wrong += Out[I] != 20000 + (I / 32 ^ 1) * 100 + I % 32;
  std::printf("clusters of 2, wrong %d\n", Wrong);
  return Wrong != 0;
}
