//===- bytes.cu - Loads of one byte, and of sixteen ------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Brightens an image: a byte a thread, and sixteen.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

__global__ void naive(unsigned char *out, const unsigned char *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] / 2 + 100;
}

/// Halves four bytes and adds 100 to each.
__device__ unsigned brighten(unsigned four) {
  return (four >> 1 & 0x7f7f7f7fu) + 0x64646464u;
}

__global__ void fixed(uint4 *out, const uint4 *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 v = in[i];
  out[i] =
      make_uint4(brighten(v.x), brighten(v.y), brighten(v.z), brighten(v.w));
}

int main() {
  int size = 1 << 28;
  std::vector<unsigned char> image(size);
  for (int i = 0; i < size; ++i)
    image[i] = (unsigned char)(i * 7 + i / 251);
  DeviceArray<unsigned char> in(image), naiveOut(size), fixedOut(size);
  unsigned char *from = in, *to = fixedOut;
  Pair pair("bytes");
  while (pair.next("naive"))
    naive<<<size / 256, 256>>>(naiveOut, in);
  while (pair.next("fixed"))
    fixed<<<size / 16 / 256, 256>>>(reinterpret_cast<uint4 *>(to),
                                    reinterpret_cast<const uint4 *>(from));
  return compare(naiveOut.toHost(), fixedOut.toHost());
}
