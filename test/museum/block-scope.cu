// Atomics of the block instead of the device, on counters in memory that only
// the block has.
#include "exhibit.h"

__global__ void histogram(int *bins, const int *in) {
  int *mine = bins + blockIdx.x * 64;
  for (int k = threadIdx.x; k < 8192; k += 256) {
    int *bin = mine + (in[blockIdx.x * 8192 + k] & 63);
#ifndef AFTER
    atomicAdd(bin, 1);
#else
    atomicAdd_block(bin, 1);
#endif
  }
}

void launch(const Arrays &On) { histogram<<<2048, 256>>>(On.Flag, On.Small); }
