// Matches are kept in an array of the thread whose place the data decide.
#include "exhibit.h"

__global__ void probe(float *out, const int *keys, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float found[32] = {};
  int used = 0;
  for (int k = 0; k < 32; ++k) {
    int key = keys[i + k * n];
#ifndef AFTER
    bool hit = key & 1;
#pragma unroll
    for (int slot = 0; slot < 32; ++slot)
      if (slot == k)
        found[slot] = hit ? key : 0;
#else
    found[used] = key;
    used = (used + (key & 1)) & 31;
#endif
  }
  float sum = 0;
  for (int slot = 0; slot < 32; ++slot)
    sum += found[slot] * slot;
  out[i] = sum + used;
}

void launch(const Arrays &On) {
  probe<<<Count / 32 / 256, 256>>>(On.B, On.Small, Count / 32);
}
