// -Rpass-missed names what could not be read, and nothing else.
//
// RUN: %clang_cuda -fpass-plugin=%plugin -Rpass-missed=gpu-occupancy %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=remark:

__global__ void unknownCode(int *data, int (*f)(int)) {
  // CHECK: NotAnalyzed.cu:[[@LINE+1]]:{{[0-9]+}}: remark: not analyzed: call through a pointer: {{.*}} [-Rpass-missed=gpu-occupancy]
  data[threadIdx.x] = f(data[threadIdx.x]);
}

__global__ void plain(int *data) { data[threadIdx.x] = 1; }
