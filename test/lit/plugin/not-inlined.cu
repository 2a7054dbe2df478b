// A function that clang leaves alone is part of the kernels that call it; the
// code that clang emits keeps it.
//
// RUN: %clang_cuda %s -o %t.without
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-facts-file=%t.json %s -o %t.with
// RUN: cmp %t.without %t.with
// RUN: FileCheck %s < %t.json
// RUN: FileCheck %s --check-prefix=PTX < %t.with

// CHECK: "space":"global"
// CHECK-NOT: "gaps"
// PTX: call
__noinline__ __device__ void store(float *data, float value) {
  data[threadIdx.x] = value;
}

// Nobody calls it.
__noinline__ __device__ float unused(float *data) { return data[0]; }

__global__ void caller(float *data) { store(data, 1); }
