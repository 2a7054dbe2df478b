#!/usr/bin/env python3
"""Kernels of one shape and any length, as CUDA sources.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Each shape repeats one piece of code. Benches and tests compile the same shape
at several lengths and compare what the analysis costs per instruction.

Usage: growth_kernels.py SHAPE PIECES > kernel.cu
"""

import sys

HEAD = "#include <cuda_runtime.h>\n"
SIGNATURE = ("extern \"C\" __global__ void grow(const float *in, const int *key,\n"
             "                                float *out, int n) {\n"
             "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
             "  float x = in[i];\n  int k = key[i];\n")
END = "  out[i] = x + k;\n}\n"


def kernel(pieces):
    return HEAD + SIGNATURE + "".join(pieces) + END


def straight(count):
    """Arithmetic without branches."""
    return kernel(f"  x = x * in[{p}] + {p + 1}.5f;\n" for p in range(count))


def branches(count):
    """Divergent `if`, each with a store that keeps it a branch."""
    return kernel(f"  if (key[i + {p}] > {p % 7}) {{\n"
                  f"    x += in[{p} + k];\n    out[i + {p}] = x;\n  }}\n"
                  for p in range(count))


def nested(count):
    """Divergent `if`, each of which holds all that follow."""
    depth = min(count, 200)
    chunks = []
    for first in range(0, count, depth):
        level = min(depth, count - first)
        chunks += [f"  if (key[i + {first + p}] > {p % 7}) {{\n"
                   f"    x += in[{first + p} + k];\n    out[i + {first + p}] = x;\n"
                   for p in range(level)]
        chunks.append("  " + "}" * level + "\n")
    return kernel(chunks)


def switches(count):
    """One `switch` with a case a piece."""
    cases = [f"  case {p}:\n    x += in[i + {p * 3 % 101}] * {p}.25f;\n"
             f"    out[i + {p}] = x;\n    break;\n" for p in range(count)]
    return kernel(["  switch (k) {\n", *cases, "  default:\n    break;\n  }\n"])


def loops(count):
    """`while` loops that lanes leave at different times."""
    return kernel(f"  while (x > {p + 1}.0f) {{\n"
                  f"    x *= 0.5f;\n    out[k + {p}] += x;\n  }}\n"
                  f"  x += in[i + {p}];\n" for p in range(count))


def guarded(count):
    """Guarded blocks with uncoalesced accesses."""
    return kernel(f"  if (i < n + {p}) {{\n"
                  f"    out[i * {p % 30 + 2} + {p}] = in[i * {p % 29 + 3}] + x;\n  }}\n"
                  for p in range(count))


def tiles(count):
    """Uncoalesced loads and conflicting stores of shared memory in a loop."""
    body = "".join(f"    tile[threadIdx.x * {p % 31 + 1} % 2048] += in[i * {p % 30 + 2} + t];\n"
                   for p in range(count))
    return kernel(["  __shared__ float tile[2048];\n",
                   "  for (int t = 0; t < n; ++t) {\n", body,
                   "    __syncthreads();\n    x += tile[k & 2047];\n  }\n"])


def chain(count):
    """Functions that are not inlined, each of which calls the next twice."""
    functions = ["__device__ __noinline__ float f0(float x, float *out) {\n"
                 "  *out += x;\n  return x * 0.5f;\n}\n"]
    functions += [f"__device__ __noinline__ float f{p}(float x, float *out) {{\n"
                  f"  return f{p - 1}(x, out) + f{p - 1}(x * {p}.5f, out + {p});\n}}\n"
                  for p in range(1, count + 1)]
    return (HEAD + "".join(functions) + SIGNATURE +
            f"  x = f{count}(x, out + i);\n" + END)


def calls(count):
    """One function that is not inlined, called many times."""
    return (HEAD + "__device__ __noinline__ float f(float x, float *out) {\n"
            "  for (int t = 0; t < 3; ++t)\n    out[t] += x;\n  return x * 0.5f;\n}\n" +
            SIGNATURE + "".join(f"  x = f(x, out + i + {p});\n" for p in range(count)) +
            END)


def kernels(count):
    """Many kernels of one file."""
    return HEAD + "".join(
        SIGNATURE.replace("grow", f"grow{p}") +
        f"  if (i < n)\n    x += in[i * {p % 30 + 2}];\n" + END for p in range(count))


SHAPES = {"straight": straight, "if": branches, "nested": nested, "switch": switches,
          "while": loops, "guarded": guarded, "tiles": tiles, "chain": chain,
          "calls": calls, "kernels": kernels}


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in SHAPES or not sys.argv[2].isdigit():
        sys.exit(f"usage: growth_kernels.py {'|'.join(SHAPES)} PIECES")
    sys.stdout.write(SHAPES[sys.argv[1]](int(sys.argv[2])))


if __name__ == "__main__":
    main()
