// Shared memory that lets few blocks in is named, with what one block more
// takes; a kernel that fills the SM gets no such remark. Blocks of one warp are
// priced by larger ones where the code adapts to them.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=work:grid=4096,block=256,shared=70000 %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=work:grid=4096,block=256 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=FULL

// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=add:grid=524288,block=32 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=NARROW

// NARROW: remark: the number of blocks limits the SM to 32 of 64 warps (32 blocks of 32 threads, {{.*}}); changing threads per block from 32 to {{64|128|256}} gives 64. Estimated gain: {{[2-9]}}

// CHECK: remark: 'work' {{.*}}, has 24 (limit: shared memory)
// CHECK: OccupancyLimit.cu:[[@LINE+4]]:{{[0-9]+}}: remark: shared memory limits the SM to 24 of 64 warps (3 blocks of 256 threads, {{[0-9]+}} registers per thread, 70000 B of shared memory per block); changing {{.*}} gives
// FULL: remark: 'work' {{.*}}, has 64 (limit: warps per SM)
// FULL-NOT: limits the SM
extern __shared__ float buffer[];
__global__ void work(float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  buffer[threadIdx.x] = data[i];
  __syncthreads();
  data[i] = buffer[255 - threadIdx.x];
}

__global__ void add(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1.5f;
}
