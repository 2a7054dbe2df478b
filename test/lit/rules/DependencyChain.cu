// A latency-bound kernel is told the line of its chain; a throughput-bound one
// has none. Chains that are independent already are counted, and a wait for a
// load is told apart. A load outside of loops has nothing to be loaded ahead of.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=chain:grid=132,block=64 \
// RUN:   -mllvm -gpu-occupancy-launch=copy:grid=65536,block=256 \
// RUN:   -mllvm -gpu-occupancy-launch=pair:grid=132,block=32 -mllvm -gpu-occupancy-launch=list:grid=132,block=32 \
// RUN:   -mllvm -gpu-occupancy-launch=row:grid=16,block=256 %s -o /dev/null 2>&1 | FileCheck %s

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

// CHECK: remark: 'pair' is bound by latency
__global__ void pair(float *data) {
  float x[2] = {data[threadIdx.x], data[threadIdx.x + 32]};
  for (int i = 0; i < 1000; ++i)
#pragma unroll
    for (int j = 0; j < 2; ++j)
      // CHECK: DependencyChain.cu:[[@LINE+1]]:{{[0-9]+}}: remark: a chain of dependent instructions passes here: {{.*}}; there are 2 independent chains, and 4 would halve them
      x[j] = x[j] * x[j] + 1.5f;
  data[threadIdx.x] = x[0] + x[1];
}

// CHECK: remark: 'list' is bound by latency
__global__ void list(const int *next, int *out) {
  int i = threadIdx.x;
  for (int step = 0; step < 1000; ++step)
    // CHECK: remark: a chain of dependent instructions passes here: {{.*}} waiting for the load, whose address the loop has loaded before; two independent chains would halve them
    i = next[i];
  out[threadIdx.x] = i;
}

// CHECK: remark: 'row' is bound by latency
// CHECK-NOT: a chain of dependent instructions
__global__ void row(const float *a, const float *g, float *b) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  b[c] = a[c] * g[c];
}
