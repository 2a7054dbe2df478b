// What a new compiler hoists lives through the loop: 128 threads and 24 more
// registers.
#include "exhibit.h"

#ifndef AFTER
constexpr int Modes = 38;
#else
constexpr int Modes = 50;
#endif

__global__ void __launch_bounds__(128)
    integrate(double *out, const double *in, int n) {
  double state[Modes];
  for (int m = 0; m < Modes; ++m)
    state[m] = m;
#pragma unroll 1
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) {
    double force = in[i];
    for (int m = 0; m < 38; ++m)
      state[m] = fma(state[m], force, 0.5);
    if (Modes > 38)
      for (int m = 38; m < Modes; ++m)
        state[m] += force;
  }
  double all = 0;
  for (int m = 0; m < Modes; ++m)
    all += state[m] * state[m];
  out[blockIdx.x * 128 + threadIdx.x] = all;
}

void launch(const Arrays &On) {
  integrate<<<2640, 128>>>(reinterpret_cast<double *>(On.B), On.D, Count / 2);
}
