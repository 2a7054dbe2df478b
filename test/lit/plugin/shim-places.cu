// What a function of the shim becomes belongs to the line that calls it.
//
// RUN: %clang_shim %remarks -mllvm -gpu-occupancy-launch=oneCounter:grid=4096,block=256 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=cuda-shim

__global__ void oneCounter(int *old) {
  __shared__ int counter;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: shim-places.cu:[[@LINE+1]]:{{[0-9]+}}: remark: 32 lanes of a warp use one address
  old[i] = atomicExch(&counter, i);
}
