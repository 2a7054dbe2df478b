// A latency-bound kernel is told the line of its chain; a throughput-bound one
// has none.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=chain:grid=132,block=64 \
// RUN:   -mllvm -gpu-occupancy-launch=copy:grid=65536,block=256 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'chain' is bound by latency
__global__ void chain(float *data) {
  float x = data[threadIdx.x];
#pragma unroll
  for (int i = 0; i < 500; ++i)
    // CHECK: DependencyChain.cu:[[@LINE+1]]:{{[0-9]+}}: remark: a chain of dependent instructions passes here: {{[0-9]+}} of the {{[0-9]+}} cycles of a warp; two independent chains would halve them. Estimated gain: 1.
    x = x * x + 1.5f;
  data[threadIdx.x] = x;
}

// CHECK: remark: 'copy' is bound by {{DRAM|L2 cache}} bandwidth
// CHECK-NOT: chain of dependent
__global__ void copy(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < 16; ++j)
    out[i + j * 1048576] = in[i + j * 1048576];
}
