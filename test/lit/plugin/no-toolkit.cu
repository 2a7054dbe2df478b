// What sources take from a toolkit's headers: the bundled ones serve to read
// device and host code where there is no toolkit.
// RUN: %clang_shim %s -o - | FileCheck %s --implicit-check-not=__nv_
// RUN: %clang_shim --cuda-host-only %s -o /dev/null

#include <cmath>
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <device_launch_parameters.h>
#include <math_constants.h>

namespace cg = cooperative_groups;

__constant__ float Weights[4];

// CHECK-LABEL: .entry single(
// CHECK-NOT: .f64
// CHECK: ret;
extern "C" __global__ void single(float *data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = __ldcg(data + i);
  x = exp(x) + std::sqrt(x) + powf(x, 2.5f) + tanhf(x) + erff(x) +
      atan2f(x, CUDART_PI_F) + fabs(x) + log1pf(x) + fmodf(x, 3.0f);
  __stcs(data + i, min(x, Weights[1]) + abs(x) + isnan(x));
}

// CHECK-LABEL: .entry wide(
// CHECK: fma.rn.f64
// CHECK: shfl.sync.down.b32
// CHECK: shfl.sync.down.b32
// CHECK: ret;
extern "C" __global__ void wide(double *data, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = data[i];
  x = exp(x) + sin(x) * std::log(x) + pow(x, 2) + sqrt(double(count)) +
      fmax(x, 0.0) + max(count, 3u) + atan(x);
  data[i] = x + __shfl_down_sync(~0u, x, 4);
}

// CHECK-LABEL: .entry tiles(
// CHECK: shfl.sync.bfly.b32
// CHECK: bar.sync
// CHECK: atom.{{.*}}inc.u32
// CHECK: ret;
extern "C" __global__ void tiles(int *data, unsigned *turns) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  data[block.thread_rank()] = tile.shfl_xor(data[tile.thread_rank()], 3);
  block.sync();
  if (tile.any(data[0] == 3))
    atomicInc(turns, 7);
}

int main() {
  float *Data, Milliseconds, Host[4] = {};
  double *Wide;
  cudaEvent_t Begin, End;
  cudaDeviceProp Properties;
  cudaGetDeviceProperties(&Properties, 0);
  cudaEventCreate(&Begin);
  cudaEventCreate(&End);
  cudaMallocManaged(&Data, 1024 * sizeof(float));
  cudaMalloc(&Wide, 1024 * sizeof(double));
  cudaMemcpyToSymbol(Weights, Host, sizeof(Host));
  cudaFuncSetAttribute(wide, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  cudaEventRecord(Begin);
  single<<<4, 256>>>(Data);
  wide<<<4, 256>>>(Wide, std::max(3, Properties.multiProcessorCount));
  cudaEventRecord(End);
  cudaEventSynchronize(End);
  cudaEventElapsedTime(&Milliseconds, Begin, End);
  printf("%f %f %s\n", Milliseconds, std::exp(Host[0]) + pow(2.0, 3),
         cudaGetErrorString(cudaGetLastError()));
}
