// Calls that stay in the code: what they lead to is counted once, and what is
// left out is named. What does not return is cold and needs no name.
//
// RUN: %clang_cuda -fgpu-rdc %s -o %t.without
// RUN: %clang_cuda -fgpu-rdc -fpass-plugin=%plugin -Rpass-missed=gpu-occupancy -mllvm -gpu-occupancy-facts-file=%t.json %s -o %t.with 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.remarks --implicit-check-not='device assert' --implicit-check-not='fail(int)'
// RUN: cmp %t.without %t.with
// RUN: %python -m json.tool %t.json | FileCheck %s --check-prefix=FACTS
//
// At -O0 every function stays a function.
// RUN: %clang_cuda -O0 -fgpu-rdc -fpass-plugin=%plugin -mllvm -gpu-occupancy-facts-file=%t.O0.json %s -o %t.O0
// RUN: %python -m json.tool %t.O0.json | FileCheck %s --check-prefix=O0

extern "C" __device__ void __assertfail(const char *, const char *, unsigned, const char *, size_t);
extern "C" __device__ int vprintf(const char *, const char *);
extern "C" __device__ void *malloc(size_t);
extern "C" __device__ [[noreturn]] void fail(int);
extern __device__ float elsewhere(float);

// CHECK: calls.cu:[[@LINE+1]]:{{.*}} not analyzed: call of 'elsewhere(float)', which another file defines
__global__ void remote(float *data) { data[threadIdx.x] = elsewhere(data[threadIdx.x]); }

__device__ __noinline__ int walk(const int *next, int i) {
  return next[i] < 0 ? i : walk(next, next[i]) + walk(next, i + 1);
}
// CHECK: calls.cu:[[@LINE+2]]:{{.*}} not analyzed: call of 'walk(int const*, int)', which was not inlined and has loops
// CHECK: calls.cu:[[@LINE+1]]:{{.*}} not analyzed: recursive call of 'walk(int const*, int)': counted once
__global__ void recursive(int *data) { data[threadIdx.x] = walk(data, threadIdx.x); }

// CHECK: calls.cu:[[@LINE+1]]:{{.*}} not analyzed: device printf: 6900 instructions and 55,000 cycles a warp
__global__ void prints(int *data) { if (data[threadIdx.x] < 0) vprintf("negative", nullptr); }

// CHECK: calls.cu:[[@LINE+1]]:{{.*}} not analyzed: device malloc: 17,000 cycles for one lane
__global__ void allocates(void **data) { data[threadIdx.x] = malloc(8); }

// FACTS: "prior_reason": "the other side prints a message"
// FACTS: "function": "malloc"
// FACTS-COUNT-3: "prior_reason": "the other side ends in a trap"
__global__ void asserts(int *data) {
  if (data[threadIdx.x] < 0)
    __assertfail("data", __FILE__, __LINE__, "asserts", 1);
  data[threadIdx.x] = 1;
}

__global__ void fails(int *data) {
  if (data[threadIdx.x] < 0) {
    vprintf("negative", nullptr);
    fail(data[threadIdx.x]);
  }
  data[threadIdx.x] = 1;
}

__global__ void traps(int *data) {
  if (data[threadIdx.x] < 0) {
    vprintf("negative", nullptr);
    __builtin_trap();
  }
  data[threadIdx.x] = 1;
}

// O0: "name": "_Z8withRootPf"
// O0: "class": "call"
// O0: "class": "mufu.rsq"
__device__ float root(float x) { return __fsqrt_rn(x); }
__global__ void withRoot(float *data) { data[threadIdx.x] = root(data[threadIdx.x]); }
