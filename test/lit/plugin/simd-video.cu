// Instructions on the halves and bytes of registers, and conversions of double
// precision to 16 bits, have timing rules: nothing is left out.
//
// RUN: %clang_cuda -fpass-plugin=%plugin -Rpass-missed=gpu-occupancy -mllvm -gpu-occupancy-facts-file=%t.json %s -o %t.with 2>&1 | FileCheck %s --allow-empty
// RUN: %python -m json.tool %t.json | FileCheck %s --check-prefix=FACTS
// CHECK-NOT: remark:

#define VIDEO(NAME)                                                            \
  asm(NAME " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0)); sum += r;

__global__ void halves(unsigned *data) {
  unsigned a = data[threadIdx.x], b = data[threadIdx.x + 32], r, sum = 0;
  VIDEO("vset2.u32.u32.eq")
  VIDEO("vset2.s32.s32.lt")
  VIDEO("vabsdiff2.u32.u32.u32")
  VIDEO("vabsdiff2.s32.s32.s32.sat")
  VIDEO("vavrg2.s32.s32.s32")
  VIDEO("vmin2.u32.u32.u32")
  VIDEO("vmax2.s32.s32.s32")
  VIDEO("vadd2.s32.s32.s32.sat")
  VIDEO("vsub4.u32.u32.u32.sat")
  data[threadIdx.x] = sum;
}

// FACTS: "name": "_Z6shortsPtPKd"
// FACTS: "class": "cvt.f64_int"
__global__ void shorts(unsigned short *out, const double *in) {
  out[threadIdx.x] = (unsigned short)in[threadIdx.x];
}
