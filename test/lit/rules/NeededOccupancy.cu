// What hides the latency against what there is. A grid of fewer blocks than SMs
// is a finding, priced by smaller blocks; the rest is evidence: OccupancyLimit and
// DependencyChain say what to do.
//
// RUN: %clang_cuda %remarks -Rpass-analysis=gpu-occupancy -mllvm -gpu-occupancy-launch=copy:grid=4096,block=256,shared=200000 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: %clang_cuda %remarks -Rpass-analysis=gpu-occupancy -mllvm -gpu-occupancy-launch=copy:grid=65536,block=256 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ENOUGH
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=copy:grid=20,block=256 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SMALL

// SMALL: remark: hiding the latency takes {{.*}}, 64 are available and 8 active on average: the grid is too small to fill the SMs; launch more or smaller blocks. Estimated gain: {{[1-9]}}
// FEW: remark: hiding the latency takes {{[0-9]+}} warps per SM for 90 % of the bound by {{DRAM|L2 cache}} bandwidth, 8 are available: raise occupancy or give each warp more independent work [-Rpass-analysis=gpu-occupancy]
// ENOUGH: remark: hiding the latency takes {{[0-9]+}} warps per SM for 90 % of the bound by {{DRAM|L2 cache}} bandwidth, 64 are available: more would bring little [-Rpass-analysis=gpu-occupancy]
extern __shared__ float buffer[];
__global__ void copy(float *__restrict__ out, const float *__restrict__ in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 4
  for (int j = 0; j < 16; ++j)
    out[i + j * 1048576] = in[i + j * 1048576];
}
