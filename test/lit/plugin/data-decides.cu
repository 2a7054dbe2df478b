// Code behind a condition that seldom holds is priced and shown, and the
// verdict says that data decides. Odds that the launch gives are nobody's guess.
//
// RUN: %clang_cuda %remarks -Rpass-analysis=gpu-occupancy -mllvm -gpu-occupancy-launch=visit:grid=4096,block=256,n=1048576 %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang_cuda %remarks -Rpass-analysis=gpu-occupancy -mllvm -gpu-occupancy-config=%S/Inputs/data-decides.yaml %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=GIVEN
//
// CHECK: remark: 'visit' is bound by {{.*}}; loaded data decides how much runs: share of the branch at data-decides.cu:17 that goes on to line {{[0-9]+}} = 0.16 is assumed
// CHECK: remark: uncoalesced load: {{.*}} requests per warp
// CHECK: assumed: share of the branch at data-decides.cu:17 {{.*}} = 0.16; odds in the configuration
// GIVEN: remark: 'visit' is bound by
// GIVEN-NOT: data decides
// GIVEN-NOT: uncoalesced load
// GIVEN-NOT: share of the branch

__global__ void visit(const int *flag, const float *in, float *out, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n && flag[v] == 7) {
    float s = 0;
    for (int j = 0; j < 32; ++j)
      s += in[v * 32 + j];
    out[v] = s;
  }
}
