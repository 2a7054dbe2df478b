// A loop of compare and swap that adds is one atomic; one that multiplies has
// to stay a loop.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=/./:grid=4096,block=256 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'addBySwaps'
__global__ void addBySwaps(int *words, const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int *word = words + (i & 0xffff), value = in[i];
  int old = *word, seen;
  do {
    seen = old;
    // CHECK: CasLoop.cu:[[@LINE+1]]:{{[0-9]+}}: remark: a loop of compare and swap updates 32-bit integers, and lanes and warps that meet on a word try again; use the atomic of the hardware (atomicAdd), which needs no loop. Estimated gain:
    old = atomicCAS(word, seen, seen + value);
  } while (seen != old);
}

// CHECK: remark: 'multiplyBySwaps'
// CHECK-NOT: loop of compare and swap
__global__ void multiplyBySwaps(int *words, const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int *word = words + (i & 0xffff), value = in[i];
  int old = *word, seen;
  do {
    seen = old;
    old = atomicCAS(word, seen, seen * value);
  } while (seen != old);
}

// What is added is loaded in each turn, since it may be the word itself as far
// as the compiler knows.
// CHECK: remark: 'addLoadedBySwaps'
__global__ void addLoadedBySwaps(float *words, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int *word = (int *)(words + (i & 0xffff)), old = *word, seen;
  do {
    seen = old;
    // CHECK: CasLoop.cu:[[@LINE+1]]:{{[0-9]+}}: remark: a loop of compare and swap updates 32-bit floating-point numbers{{.*}} (atomicAdd)
    old = atomicCAS(word, seen, __float_as_int(in[i] + __int_as_float(seen)));
  } while (seen != old);
}
