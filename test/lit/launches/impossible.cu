// A launch of host code that cannot run is a warning that names the limit: the
// host may never get there. So is the same from a user; of several the first is
// the warning, and all are remarks.
//
// RUN: %clang_cuda %remarks -Rpass-missed=gpu-occupancy -fno-caret-diagnostics %s -o %t.ptx 2>&1 | FileCheck %s
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=tall:grid=1x70000,block=32 %s -o %t.none.ptx 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: %clang_cuda %s -o %t.without.ptx
// RUN: cmp %t.ptx %t.without.ptx

__global__ void tall(float *x) { x[threadIdx.x] = 1; }
__global__ void __launch_bounds__(128) bounded(float *x) { x[threadIdx.x] = 1; }

void run(float *x) {
  // CHECK-DAG: warning: gpu-occupancy: launch at impossible.cu:[[@LINE+1]]: 'tall(float*)' cannot run on {{.*}}: block has 2048 threads, sm_90 allows 1024
  tall<<<1, 2048>>>(x);
  // CHECK-DAG: remark: 'bounded(float*)' cannot run on {{.*}}: block has 256 threads, the launch bound of the kernel is 128
  bounded<<<1, 256>>>(x);
}

// ERROR: warning: gpu-occupancy: 'tall(float*)' cannot run on {{.*}}: grid is 70000 in y, CUDA allows 65535
