// A round of a hash is inlined everywhere: all of its state lives at once,
// under a bound.
#include "exhibit.h"

constexpr int Words = 24;

#ifndef AFTER
constexpr int Lanes = 1;
#else
constexpr int Lanes = 3;
#endif

__device__ void round(unsigned *s, unsigned key) {
#pragma unroll
  for (int w = 0; w < Words; ++w)
    s[w] = s[w] * 0x9e3779b1u + (s[(w + 7) % Words] ^ key);
}

__global__ void __launch_bounds__(256, 4)
    hash(unsigned *out, const unsigned *in, int rounds) {
  int i = blockIdx.x * 256 + threadIdx.x;
#pragma unroll 1
  for (int first = 0; first < 3; first += Lanes) {
    unsigned s[Lanes][Words];
#pragma unroll
    for (int l = 0; l < Lanes; ++l)
#pragma unroll
      for (int w = 0; w < Words; ++w)
        s[l][w] = in[i + l + w];
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
      for (int l = 0; l < Lanes; ++l)
        round(s[l], r + l);
#pragma unroll
    for (int l = 0; l < Lanes; ++l) {
      unsigned sum = 0;
#pragma unroll
      for (int w = 0; w < Words; ++w)
        sum ^= s[l][w];
      out[i * 3 + first + l] = sum;
    }
  }
}

void launch(const Arrays &On) {
  hash<<<1056, 256>>>(reinterpret_cast<unsigned *>(On.B),
                      reinterpret_cast<unsigned *>(On.Small), 64);
}
