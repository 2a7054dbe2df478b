// Launch bounds that leave too few registers make ptxas spill. Values that live
// across the place where most are alive are shown, with a price; the same kernel
// with enough registers has nothing to spill, and without ptxas nobody says what
// is spilled.
//
// REQUIRES: ptxas
// RUN: %clang_cuda %remarks -DBOUNDS="1024, 2" %s -o %t.ptx 2>&1 | FileCheck %s --check-prefix=TIGHT --implicit-check-not="an array lives"
// RUN: %clang_cuda %remarks -DBOUNDS="256, 1" %s -o %t.wide.ptx 2>&1 | FileCheck %s --check-prefix=WIDE --implicit-check-not=spilled
// RUN: %clang_cuda %remarks -DBOUNDS="1024, 2" -mllvm -gpu-occupancy-ptxas=off %s -o %t.off.ptx 2>&1 | FileCheck %s --check-prefix=WIDE --implicit-check-not=spilled
// RUN: cmp %t.ptx %t.off.ptx

// WIDE: remark: 'keeping'
__global__ void __launch_bounds__(BOUNDS) keeping(float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float kept[60];
#pragma unroll
  for (int k = 0; k < 60; ++k)
    // TIGHT: Spills.cu:[[@LINE+1]]:{{[0-9]+}}: remark: registers are spilled: values made here live across line {{[0-9]+}} where most are alive, with 32 registers per thread; {{[1-9][0-9]*}} B are stored and {{[1-9][0-9]*}} B loaded per thread in the code ({{[1-9][0-9.]*}} requests per warp); make them later or again, or allow more registers. Estimated gain: {{[0-9.]+}}x (then bound by {{.+}})
    kept[k] = data[i + k * 65536];
  float x = data[i];
#pragma unroll 1
  for (int j = 0; j < 16; ++j)
    x = x * x + 1.5f;
#pragma unroll
  for (int k = 0; k < 60; ++k)
    x = x * kept[k] + 1.5f;
  data[i] = x;
}

void run(float *data) { keeping<<<26400, 256>>>(data); }
