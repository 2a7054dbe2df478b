// What the assembler advises is a finding of the kernel that it is about.
//
// REQUIRES: ptxas, cuda-toolkit
// RUN: %gpu-occupancy analyze --code=clang --arch=sm_90a %s --format=remarks | FileCheck %s
// RUN: %python %S/../command/Inputs/status.py 1 %gpu-occupancy analyze --code=clang --arch=sm_90a %s --fail-on=advisory -o /dev/null

// CHECK: AssemblerAdvisory.cu:[[@LINE+1]]:{{.*}}remark: the assembler advises: Potential Performance Loss: 'setmaxnreg' ignored; unable to determine register count at entry (C7508) [AssemblerAdvisory]
__global__ void takes(float *x) {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  x[threadIdx.x] = 1;
}
// CHECK-NOT: advises
__global__ void plain(float *x) { x[threadIdx.x] = 1; }
