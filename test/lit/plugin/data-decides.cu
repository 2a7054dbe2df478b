// Code behind a condition that seldom holds is shown with the branch that
// decides, and the verdict says that data decides; the time does not change.
// Odds that the launch gives are nobody's guess.
//
// RUN: %clang_cuda %remarks -Rpass-analysis=gpu-occupancy -mllvm -gpu-occupancy-launch=visit:grid=4096,block=256,n=1048576 %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang_cuda %remarks -Rpass-analysis=gpu-occupancy -mllvm -gpu-occupancy-config=%S/Inputs/data-decides.yaml %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=GIVEN
//
// CHECK: remark: 'visit' is bound by {{.*}}; data decides how much runs: the share of the branch at data-decides.cu:[[#BRANCH:]] that goes on to line [[#BODY:]] is assumed to be 0 (with 1: {{.*}}s)
// CHECK: data-decides.cu:[[#BODY]]:{{.*}} remark: where the branch at data-decides.cu:[[#BRANCH]] goes on to line [[#BODY]]: uncoalesced load: {{.*}}, 32 requests per warp; {{.*}}. Estimated gain if all warps go there: {{.*}}x (then bound by
// CHECK: assumed: share of the branch at data-decides.cu:[[#BRANCH]] that goes on to line [[#BODY]] = 0; odds in the configuration
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
