//===- anystrides.cu - A kernel with one finding ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Coordinates by divisions in a loop; cure: by multiplications.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

struct Shape {
  int size[5];
  int stride[5];
};
struct Magic {
  unsigned size[5], factor[5], shift[5];
  int stride[5];
};
__global__ void slow(const float *in, float *out, Shape s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int rest = i, at = 0;
  for (int d = 4; d >= 0; d--) {
    at += rest % s.size[d] * s.stride[d];
    rest /= s.size[d];
  }
  out[i] = in[at];
}
__global__ void fast(const float *in, float *out, Magic s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned rest = i;
  int at = 0;
  for (int d = 4; d >= 0; d--) {
    unsigned q = (__umulhi(rest, s.factor[d]) + rest) >> s.shift[d];
    at += (rest - q * s.size[d]) * s.stride[d];
    rest = q;
  }
  out[i] = in[at];
}
int main() {
  const int n = 12 * 20 * 24 * 28 * 96;
  Shape s = {{12, 20, 24, 28, 96}, {0, 0, 0, 0, 1}};
  for (int d = 3; d >= 0; d--)
    s.stride[d] = s.stride[d + 1] * s.size[d + 1];
  Magic m;
  for (int d = 0; d < 5; d++) {
    unsigned l = 0;
    while ((1u << l) < (unsigned)s.size[d])
      l++;
    m.size[d] = s.size[d];
    m.stride[d] = s.stride[d];
    m.shift[d] = l;
    m.factor[d] =
        (uint64_t(1) << 32) * ((uint64_t(1) << l) - s.size[d]) / s.size[d] + 1;
  }
  float *a = numbers<float>(n), *b = numbers<float>(n);
  timeLaunches("anystrides,slow", beginClean,
               [&] { slow<<<(n + 255) / 256, 256>>>(a, b, s, n); });
  timeLaunches("anystrides,fast", beginClean,
               [&] { fast<<<(n + 255) / 256, 256>>>(a, b, m, n); });
}
