// OpenMP offload through the plugin: device code is analyzed as far as the file
// has it. What clang leaves to OpenMP's device library, which is linked later,
// is named; nothing fails.
//
// REQUIRES: cuda-toolkit
// RUN: %clang_bare -fopenmp --offload-arch=sm_90 --offload-device-only -O3 -gline-tables-only -S \
// RUN:   -fpass-plugin=%plugin -Rpass=gpu-occupancy -Rpass-missed=gpu-occupancy -o %t.ptx %s 2>&1 \
// RUN:   | FileCheck %s
// RUN: %clang_bare -fopenmp --offload-arch=sm_90 --offload-device-only -O3 -gline-tables-only -S \
// RUN:   -o %t.plain.ptx %s
// RUN: cmp %t.ptx %t.plain.ptx

void scale(float *out, const float *in, int n) {
// CHECK: openmp.cpp:[[@LINE+2]]:1: remark: '__omp_offloading_{{.*}}scale{{.*}}' {{.*}} no time predicted: no launch is known
// CHECK: remark: not analyzed: call of '__kmpc_target_init', which another file defines
#pragma omp target teams distribute parallel for map(from : out[0 : n]) map(to : in[0 : n])
  for (int i = 0; i < n; ++i)
    out[i] = 2 * in[i];
}
