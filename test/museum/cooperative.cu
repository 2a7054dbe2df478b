// A grid that waits for all of its blocks, of more blocks than fit.
#include "exhibit.h"
#include <cooperative_groups.h>

#ifndef AFTER
constexpr int Blocks = 256;
#else
constexpr int Blocks = 4096;
#endif

__global__ void iterate(float *a, float *b, int n) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  for (int step = 0; step < 4; ++step) {
    for (int i = blockIdx.x * 1024 + threadIdx.x; i < n; i += gridDim.x * 1024)
      b[i] = 0.5f * a[i];
    grid.sync();
    float *swap = a;
    a = b;
    b = swap;
  }
}

void launch(const Arrays &On) {
  float *a = On.A, *b = On.B;
  int n = 1 << 22;
  void *arguments[] = {&a, &b, &n};
  cudaLaunchCooperativeKernel(reinterpret_cast<void *>(iterate), dim3(Blocks),
                              dim3(1024), arguments, 0, nullptr);
}
