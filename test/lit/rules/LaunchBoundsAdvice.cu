// Asked for advice the plugin tries register limits; without being asked it says
// nothing, and code that is emitted stays the same.
//
// REQUIRES: ptxas
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-advise %s -o %t.with.ptx 2>&1 | FileCheck %s
// RUN: %clang_cuda %remarks %s -o %t.ptx 2>&1 | FileCheck %s --check-prefix=UNASKED
// RUN: cmp %t.ptx %t.with.ptx
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-advise -mllvm -gpu-occupancy-ptxas=off %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ESTIMATE

// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-advise -mllvm -gpu-occupancy-launch=wide:grid=64,block=512 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=FEW

// All blocks of a small grid are resident as they are.
// FEW: remark: 'wide'
// FEW-NOT: set __launch_bounds__(512

// UNASKED: remark: 'wide'
// UNASKED-NOT: launch bounds

// Sixty values live across a loop of one dependent chain. Its launch bounds do
// not keep the limits from being tried; what is spilled then is in the price.
//
// CHECK-DAG: LaunchBoundsAdvice.cu:[[@LINE+2]]:{{[0-9]+}}: remark: set __launch_bounds__(512, {{[2-4]}}): {{32|48|64}} warps per SM are resident instead of 16, with {{[0-9]+}} registers per thread instead of {{[0-9]+}} (ptxas {{[0-9.]+}}){{( and [0-9]+ B spilled)?}}. Estimated gain: 1.
// ESTIMATE-DAG: LaunchBoundsAdvice.cu:[[@LINE+1]]:{{[0-9]+}}: remark: leave launch bounds as they are: {{.*}} cannot be told without ptxas
__global__ void __launch_bounds__(512) wide(float *data) {
  int i = blockIdx.x * 512 + threadIdx.x;
  float kept[60];
#pragma unroll
  for (int k = 0; k < 60; ++k)
    kept[k] = data[i + k * 65536];
  float x = data[i];
#pragma unroll 1
  for (int j = 0; j < 4096; ++j)
    x = x * x + 1.5f;
#pragma unroll
  for (int k = 0; k < 60; ++k)
    x = x * kept[k] + 1.5f;
  data[i] = x;
}

// CHECK-DAG: LaunchBoundsAdvice.cu:[[@LINE+1]]:{{[0-9]+}}: remark: leave launch bounds as they are: {{.*}}, so more occupancy is useless
__global__ void small(float *data) {
  float x[8];
#pragma unroll
  for (int k = 0; k < 8; ++k)
    x[k] = data[k];
#pragma unroll 1
  for (int j = 0; j < 4096; ++j)
#pragma unroll
    for (int k = 0; k < 8; ++k)
      x[k] = x[k] * x[k] + 1.5f;
#pragma unroll
  for (int k = 0; k < 8; ++k)
    data[blockIdx.x * 256 + threadIdx.x] += x[k];
}

// Its block size was tried, too.
// CHECK-DAG: LaunchBoundsAdvice.cu:[[@LINE+1]]:{{[0-9]+}}: remark: leave launch bounds and block size as they are: {{.*}}, so more occupancy is useless
__global__ void adapts(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
#pragma unroll 1
  for (int j = 0; j < n; ++j)
    x = sinf(x);
  data[i] = x;
}

void run(float *data) {
  adapts<<<13200, 256>>>(data, 4096);
  wide<<<13200, 512>>>(data);
  small<<<13200, 256>>>(data);
}
