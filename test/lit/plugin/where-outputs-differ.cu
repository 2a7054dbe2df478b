// The options with which outputs differ with the plugin (docs/plugin.md), and
// what keeps them equal. Where they differ, the plugin is not the cause: the
// command line is, or -Rpass, and two compiles without the plugin differ alike.
//
// RUN: rm -rf %t && mkdir %t
//
// The id of the compilation is made of the command line.
// RUN: %clang_cuda -fgpu-rdc %s -o %t/plain
// RUN: %clang_cuda -fgpu-rdc -DOTHER %s -o %t/other
// RUN: %clang_cuda -fgpu-rdc %remarks %s -o %t/with 2> %t/said
// RUN: FileCheck %s --check-prefix=SAID < %t/said
// RUN: not cmp %t/plain %t/other
// RUN: not cmp %t/plain %t/with
// RUN: FileCheck %s --check-prefix=NAME < %t/with
// RUN: sed 's/counter__static__[0-9a-f]*/counter/' %t/plain > %t/plain.named
// RUN: sed 's/counter__static__[0-9a-f]*/counter/' %t/with > %t/with.named
// RUN: cmp %t/plain.named %t/with.named
// RUN: %clang_cuda -fgpu-rdc -cuid=a %s -o %t/plain
// RUN: %clang_cuda -fgpu-rdc -cuid=a %remarks %s -o %t/with 2> %t/said
// RUN: FileCheck %s --check-prefix=SAID < %t/said
// RUN: cmp %t/plain %t/with
// RUN: %clang_cuda -fgpu-rdc -fuse-cuid=none %s -o %t/plain
// RUN: %clang_cuda -fgpu-rdc -fuse-cuid=none %remarks %s -o %t/with 2> %t/said
// RUN: cmp %t/plain %t/with
//
// A random one differs each time.
// RUN: %clang_cuda -fgpu-rdc -fuse-cuid=random %s -o %t/plain
// RUN: %clang_cuda -fgpu-rdc -fuse-cuid=random %s -o %t/again
// RUN: not cmp %t/plain %t/again
//
// LLVM IR has the places that clang keeps for -Rpass, with any pass.
// RUN: %clang_cuda -fgpu-rdc -cuid=a -foffload-lto %s -o %t/plain
// RUN: %clang_cuda -fgpu-rdc -cuid=a -foffload-lto -fpass-plugin=%plugin -mllvm -gpu-occupancy-report-file=%t/report.json %s -o %t/with
// RUN: cmp %t/plain %t/with
// RUN: %clang_cuda -fgpu-rdc -cuid=a -foffload-lto %remarks %s -o %t/with
// RUN: not cmp %t/plain %t/with
// RUN: %clang_cuda -fgpu-rdc -cuid=a -foffload-lto -Rpass=none-of-ours %s -o %t/plain
// RUN: cmp %t/plain %t/with
// RUN: %clang_cuda -emit-llvm %s -o %t/plain
// RUN: %clang_cuda -emit-llvm -fpass-plugin=%plugin -mllvm -gpu-occupancy-report-file=%t/report.json %s -o %t/with
// RUN: cmp %t/plain %t/with

// SAID: remark: {{.*}}count
// NAME: counter__static__

static __device__ int counter;

__global__ void count(int *to) { to[threadIdx.x] = atomicAdd(&counter, 1); }

// What the host names has a name of its own in the device's code.
int *where() { return &counter; }
