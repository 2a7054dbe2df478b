#include <cstdio>

__global__ void sum(float *Out) {
  float V = threadIdx.x;
  for (int Offset = 16; Offset; Offset /= 2)
    V += __shfl_down(V, Offset);
  V = __shfl(V, 0);
  if (__any(threadIdx.x == 3))
    V += 1;
  if (__ballot(threadIdx.x & 1) == 0xaaaaaaaau)
    V += 2;
  Out[threadIdx.x] = V;
}

int main() {
  float *Device, Host[64];
  cudaMalloc(&Device, sizeof(Host));
  sum<<<1, 64>>>(Device);
  cudaMemcpy(Host, Device, sizeof(Host), cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", Host[0], Host[63]);
}
