// Indices may count from the end, in each of four dimensions, in 64 bits.
#include "exhibit.h"

struct Shape {
  int Extent[4];
};

#ifndef AFTER
using Index = unsigned;
__device__ Index wrap(Index i, int) { return i; }
#else
using Index = long long;
__device__ Index wrap(Index i, int extent) { return i < 0 ? i + extent : i; }
#endif

__global__ void pick(float *out, const float *in, const int *chosen,
                     Shape shape, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Index rest = i, at = 0, stride = 1;
  for (int d = 0; d < 4; ++d) {
    Index here = wrap(rest % shape.Extent[d], shape.Extent[d]);
    rest /= shape.Extent[d];
    at += here * stride;
    stride *= shape.Extent[d];
  }
  out[i] = in[at];
}

void launch(const Arrays &On) {
  pick<<<Count / 256, 256>>>(On.B, On.A, On.Small, Shape{{64, 64, 64, 64}},
                             Count);
}
