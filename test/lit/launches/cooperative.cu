// A cooperative launch needs all of its blocks on the device at once, and
// attributes of kernels raise their limits.
//
// REQUIRES: cuda-toolkit
// RUN: %python %S/../command/Inputs/status.py 1 %gpu-occupancy check --cache=off --device=nvidia-h200 --fail-on=cannot-run %s | FileCheck %s --implicit-check-not=error:

#include <cuda_runtime.h>

__global__ void swept(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    x[i] = 2 * x[i];
}

void together(float *x, int n) {
  void *arguments[] = {&x, &n};
  // CHECK-DAG: cooperative.cu:[[@LINE+1]]:3: error: 'swept(float*, int)' cannot run on nvidia-h200: the grid of a cooperative launch has 4096 blocks, of which 264 can be resident (2 blocks on each of 132 SMs); launch at most 264 blocks, which loop over the work [CannotRun]
  cudaLaunchCooperativeKernel((void *)swept, dim3(4096), dim3(1024), arguments, 0, 0);
  cudaLaunchCooperativeKernel((void *)swept, dim3(264), dim3(1024), arguments, 0, 0);
  cudaLaunchKernel((void *)swept, dim3(4096), dim3(1024), arguments, 0, 0);
}

__global__ void raised(float *x) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[threadIdx.x ^ 1];
}
__global__ void carved(float *x) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[threadIdx.x ^ 1];
}

void attributes(float *x) {
  cudaFuncSetAttribute(raised, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  raised<<<8, 256, 65536>>>(x);
  cudaFuncSetAttribute(carved, cudaFuncAttributePreferredSharedMemoryCarveout, 50);
  int resident = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, carved, 256, 65536);
  // CHECK-DAG: cooperative.cu:[[@LINE+1]]:3: error: 'carved(float*)' {{.*}}allows 49152 without opting in
  carved<<<resident, 256, 65536>>>(x);
}
