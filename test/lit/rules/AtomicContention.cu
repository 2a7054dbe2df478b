// Atomics of all lanes on one address are found; on one address a lane they are
// not.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=/./:grid=4096,block=256 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: kernel 'oneCounter'
__global__ void oneCounter(int *old, int *counter) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: AtomicContention.cu:[[@LINE+2]]:{{[0-9]+}}: remark: 32 lanes of a warp use one address in this shared {{atomic|reduction}} and are served one after the other; combine them in the warp first
  __shared__ int bins[1];
  old[i] = atomicExch(&bins[0], i);
}

// CHECK: remark: kernel 'ownCounters'
// CHECK-NOT: use one address
__global__ void ownCounters(int *old) {
  __shared__ int bins[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  old[i] = atomicExch(&bins[threadIdx.x], i);
}

// The assembler adds up the lanes itself; what is left are the warps.
// CHECK: remark: kernel 'allWarps'
__global__ void allWarps(int *counter) {
  // CHECK: AtomicContention.cu:[[@LINE+1]]:{{[0-9]+}}: remark: all warps of the grid meet on 1 sector in this global reduction (the assembler combines the lanes of a warp already) and are served one after the other; combine the warps of a block in shared memory
  atomicAdd(counter, 1);
}
