// Atomics on words that loaded labels choose: the size of the array bounds how
// many there are. Many updates of each word are told what sorted labels cost.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=/./:grid=4096,block=256,sum.bytes=64 %s -o /dev/null 2>&1 | FileCheck --check-prefix=FEW %s
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=/./:grid=4096,block=256,sum.bytes=0x10000 %s -o /dev/null 2>&1 | FileCheck --check-prefix=SORTED %s
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=/./:grid=4096,block=256,sum.bytes=0x100000 %s -o /dev/null 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=/./:grid=4096,block=256 %s -o /dev/null 2>&1 | FileCheck --check-prefix=NONE %s

// FEW: remark: 'labels'
// SORTED: remark: 'labels'
// NONE: remark: 'labels'
// NONE-NOT: this global reduction
__global__ void labels(float *sum, const float *x, const int *label) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // FEW: AtomicLabels.cu:[[@LINE+2]]:{{[0-9]+}}: remark: all blocks of the grid meet on 16 words in this global reduction, if loaded indices choose all of them alike, and L2 serves {{.*}}count in shared memory
  // SORTED: AtomicLabels.cu:[[@LINE+1]]:{{[0-9]+}}: remark: loaded indices lead to {{16[0-9]*}} words in this global reduction, {{6[0-9.]*}} times each; if they are sorted, neighbouring lanes meet on a word and are served one after the other: let the warp add up runs of equal indices by shuffles, and one lane of each run update. Estimated gain if they are: {{[2-9]}}
  atomicAdd(&sum[label[i]], x[i]);
}

// Neighbouring threads do not load neighbouring labels.
// SORTED: remark: 'apart'
// SORTED-NOT: if they are sorted
__global__ void apart(float *sum, const float *x, const int *label) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sum[label[i * 8]], x[i]);
}
