// A load whose lanes lie a row apart is found once, with its price; one whose
// lanes lie side by side is not, even where some lanes are inactive.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=columns:grid=4096,block=256,n=1024 \
// RUN:   -mllvm -gpu-occupancy-launch=rows:grid=4096,block=256 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'columns'
__global__ void columns(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: UncoalescedAccess.cu:[[@LINE+1]]:12: remark: uncoalesced load: a warp touches 32 sectors of 32 B where 4 hold its data (lanes are 4096 B (1024 elements) apart), 1 request per warp; {{.*}}. Estimated gain: {{[1-9](\.[0-9]+)?}}x (then bound by
  out[i] = in[i * n];
}

// CHECK: remark: 'rows'
// CHECK-NOT: uncoalesced
__global__ void rows(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 2)
    out[i] = in[i];
}
