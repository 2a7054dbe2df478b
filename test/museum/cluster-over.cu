// Clusters of sixteen blocks, which need a permission that nobody asks for.
#include "exhibit.h"

#ifndef AFTER
#define CLUSTER __cluster_dims__(8, 1, 1)
#else
#define CLUSTER __cluster_dims__(16, 1, 1)
#endif

__global__ void CLUSTER team(float *out, const float *in) {
  int i = blockIdx.x * 256 + threadIdx.x;
  out[i] = 3 * in[i];
}

void launch(const Arrays &On) { team<<<16384, 256>>>(On.B, On.A); }
