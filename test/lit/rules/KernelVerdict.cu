// The verdict names mode, limiter, occupancy and time; without a launch it says
// what it took instead.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=ns::copy:grid=65536,block=256 %s -o /dev/null 2>&1 | FileCheck %s

namespace ns {
// CHECK: KernelVerdict.cu:[[@LINE+1]]:{{[0-9]+}}: remark: 'ns::copy<float>' is bound by {{DRAM|L2 cache}} bandwidth on nvidia-h200: needs {{[0-9]+}} warps per SM for 90 % of {{.*}}, has 64 (limit: warps per SM); {{[0-9.]+}} us for grid 65536, block 256 [-Rpass=gpu-occupancy]
template <typename T> __global__ void copy(T *out, const T *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < 16; ++j)
    out[i + j * 1048576] = in[i + j * 1048576];
}
template __global__ void copy(float *, const float *);
} // namespace ns

// CHECK: KernelVerdict.cu:[[@LINE+1]]:{{[0-9]+}}: remark: 'chain' is bound by {{.*}} on nvidia-h200: no number of warps reaches 90 % of that bound, has 32 (limit: blocks per SM); block 32 (launch bounds), no time predicted: {{.*}}; give a launch by --launch='chain:grid=...,block=...', or run 'gpu-occupancy record' on the program [-Rpass=gpu-occupancy]
__global__ void __launch_bounds__(32, 1) chain(float *data) {
  float x = data[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < 1000; ++i)
    x = x * x + 1.0f;
  data[threadIdx.x] = x;
}

// CHECK: KernelVerdict.cu:[[@LINE+1]]:{{[0-9]+}}: remark: 'rows' has 64 warps per SM (limit: warps per SM) on nvidia-h200; block 256 (default), no time predicted: it follows from stride, which nobody gave; give a launch by --launch='rows:grid=...,block=...,stride=...', or run
__global__ void rows(const float *in, float *out, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < stride; ++k)
    out[i * stride + k] = in[k * stride + i] * 2;
}
