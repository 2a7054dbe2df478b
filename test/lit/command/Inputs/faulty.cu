// A kernel that is launched a thousand times with the same data, then one that
// accesses memory that is not there.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void scale(const float *In, float *Out, float Factor) {
  Out[threadIdx.x] = In[threadIdx.x] * Factor;
}

__global__ void addOne(float *Data) { Data[threadIdx.x] += 1; }

__global__ void faulty(int *Data, int *Elsewhere) {
  __syncthreads();
  if (threadIdx.x == 5)
    Elsewhere[0] = 1;
  Data[threadIdx.x] = 1;
}

int main() {
  float *In = nullptr, *Out = nullptr, Host[32] = {1, 2, 3};
  cudaMalloc((void **)&In, sizeof(Host));
  cudaMalloc((void **)&Out, sizeof(Host));
  cudaMemcpy(In, Host, sizeof(Host), cudaMemcpyHostToDevice);
  for (int I = 0; I < 1000; ++I) {
    scale<<<1, 32>>>(In, Out, 2);
    // Its result is another each time.
    addOne<<<1, 32>>>(In + 0);
  }
  for (int I = 0; I < 1000; ++I)
    scale<<<1, 32>>>(In, Out, 3);
  cudaMemcpy(Host, Out, sizeof(Host), cudaMemcpyDeviceToHost);
  std::printf("%.0f %.0f\n", Host[0], Host[31]);
  faulty<<<1, 32>>>((int *)Out, (int *)8192);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  scale<<<1, 32>>>(In, Out, 5);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
