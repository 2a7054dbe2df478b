// Extents that lambdas capture are those of the variables, unless the lambda, or
// what it calls, changes them.
//
// RUN: %clang_cuda -fpass-plugin=%plugin -mllvm -gpu-occupancy-quiet -mllvm -gpu-occupancy-facts-file=%t.json %s -o %t.ptx
// RUN: %python %S/Inputs/print_launches.py %t.json | FileCheck %s --match-full-lines --implicit-check-not=_Z

__global__ void set(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
template <class F> void twice(F f) {
  f();
  f();
}
void change(dim3 &);

void run(float *a) {
  dim3 grid(64, 16), block(32, 8), copied(128), set1(64), handed(96);
  // CHECK: _Z3setPf [[@LINE+1]] grid 64,16,1 block 32,8,1 shared 0 args
  twice([&] { set<<<grid, block>>>(a); });
  // CHECK: _Z3setPf [[@LINE+1]] grid 7,1,1 block 128,1,1 shared 0 args
  twice([=] { set<<<7, copied>>>(a); });
  // CHECK: _Z3setPf [[@LINE+3]] grid 8,1,1 block 256,1,1 shared 0 args
  twice([&] {
    set1.x = 256;
    set<<<8, set1>>>(a);
  });
  // CHECK: _Z3setPf [[@LINE+3]] grid 9,1,1 block handed.x,handed.y,handed.z shared 0 args
  twice([&] {
    change(handed);
    set<<<9, handed>>>(a);
  });
}
