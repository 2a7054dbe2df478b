// The backend numbers calls from a counter of the process and prints the number
// in a comment; reading a module first must not move it.
//
// RUN: %clang_cuda %s -o %t.without
// RUN: %clang_cuda %remarks %s -o %t.with
// RUN: cmp %t.without %t.with
// RUN: FileCheck %s < %t.with

// CHECK: callseq 0

extern __device__ float elsewhere(float);

__global__ void caller(float *data) {
  data[threadIdx.x] = elsewhere(data[threadIdx.x]);
}
