// -Rpass-analysis shows the evidence: mix, latency, bounds, assumptions.
//
// RUN: %clang_cuda -fpass-plugin=%plugin -Rpass-analysis=gpu-occupancy %s -o /dev/null 2>&1 | FileCheck %s

// CHECK-NOT: is bound by
// CHECK-DAG: evidence.cu:[[@LINE+6]]:{{[0-9]+}}: remark: SM cycles per warp by resource: {{.*}}dram {{[0-9.]+}}, {{.*}}; largest use of {{[a-z0-9]+}}: {{.*}} x {{[0-9.]+}} cycles [-Rpass-analysis=gpu-occupancy]
// CHECK-DAG: evidence.cu:[[@LINE+5]]:{{[0-9]+}}: remark: a warp takes {{[0-9]+}} cycles alone, {{[0-9]+}} until its block is replaced; longest: {{[0-9]+}} cycles at {{.*}}evidence.cu:[[@LINE+8]]:
// CHECK-DAG: evidence.cu:[[@LINE+4]]:{{[0-9]+}}: remark: {{[0-9.]+}} warp instructions per warp: {{.*}}int.mad 1 (7 %)
// CHECK-DAG: evidence.cu:[[@LINE+3]]:{{[0-9]+}}: remark: assumed: block size = 256x1x1
// CHECK-DAG: evidence.cu:[[@LINE+2]]:{{[0-9]+}}: remark: assumed: argument n = {{[0-9]+}}

__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = 2 * data[i];
}
