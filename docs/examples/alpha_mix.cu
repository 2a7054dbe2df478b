//===- alpha_mix.cu - Needed occupancy against intensity -------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One load, then Alpha additions, each dependent on the one before, over and
// over (Volkov 2016, section 4.1). The warps needed to hide latency rise with
// Alpha while memory is the limit, and fall again once arithmetic is: a cusp.
//
// The value loaded is the index of the next load, kept in the bits of a
// float, to which adding zero changes nothing; the zero is an argument so that
// no compiler can drop the addition. Compile without -ffast-math: the bits of
// small integers are denormal numbers, which it flushes. Lanes of a warp
// always load 32 neighbours.
//
// Usage: alpha_mix [blocks]
//
//===----------------------------------------------------------------------===//

#include "example.h"

constexpr int Iterations = 64;

template <int Alpha>
__global__ void alphaMix(const float *memory, float *last, float zero) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = __int_as_float(i);
#pragma unroll 4
  for (int k = 0; k < Iterations; ++k) {
    a = memory[__float_as_int(a)];
#pragma unroll
    for (int j = 0; j < Alpha; ++j)
      a = a + zero;
  }
  last[i] = a;
}

template <int Alpha>
static bool run(int blocks, DeviceArray<float> &memory, std::size_t size) {
  constexpr int BlockSize = 256;
  DeviceArray<float> last(static_cast<std::size_t>(blocks) * BlockSize);
  alphaMix<Alpha><<<blocks, BlockSize>>>(memory, last, 0.0f);
  finish("alphaMix");

  bool right = true;
  std::vector<float> values = last.toHost();
  std::size_t step = values.size() % size * Iterations;
  for (std::size_t i = 0; i < values.size(); ++i) {
    unsigned int index;
    __builtin_memcpy(&index, &values[i], sizeof(index));
    right &= index == (i + step) % size;
  }
  return verdict("alphaMix", right);
}

int main(int argc, char **argv) {
  // 256 MiB, and each load as far from the last as the grid is wide: with the
  // default grid no launch reads an entry twice, and every load is from DRAM.
  int blocks = argumentOr(argc, argv, 1, 1056);
  std::size_t size = 1 << 26, step = static_cast<std::size_t>(blocks) * 256;
  std::vector<float> next(size);
  for (std::size_t i = 0; i < size; ++i) {
    unsigned int index = static_cast<unsigned int>((i + step) % size);
    __builtin_memcpy(&next[i], &index, sizeof(index));
  }
  DeviceArray<float> memory(next);

  bool right = run<1>(blocks, memory, size);
  right &= run<8>(blocks, memory, size);
  right &= run<32>(blocks, memory, size);
  right &= run<128>(blocks, memory, size);
  return right ? 0 : 1;
}
