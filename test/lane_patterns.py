#!/usr/bin/env python3
"""Compares what is said of lanes with what 32 lanes do, for each compiler's code.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: lane_patterns.py GPU-OCCUPANCY [--show]

Each pattern is an index that is an expression of the thread and the block, in global
memory, in shared memory, or in the condition of a branch. What the lanes of all warps do
follows from the expression. The code is clang's and, where there is nvcc, nvcc's and the
PTX that it writes. Prints how many patterns each code has right; exits with 1 if one is
not exact.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

GRID, BLOCK, LANES = 16, 256, 32
MASK = 0xFFFFFFFF

# Of t (thread) and b (block), read alike by CUDA and, "/" apart, by Python.
PLAIN = [
    "t",
    "t * 2 + b",
    "(t & 31) * 33 + (t >> 5)",
    "t ^ (t >> 3)",
    "t ^ (t >> 2) ^ (b & 3)",
    "((t & 7) << 5) | (t >> 3)",
    "((t & 15) << 4) | ((t >> 4) & 15)",
    "((t >> 4) & 1) | ((t & 15) << 1)",
    "(t & 0xf0) | ((t & 3) << 2) | ((t >> 2) & 3)",
    "(t & ~12u) | ((t & 4) << 1) | ((t & 8) >> 1)",
    "(t & 1) | ((t & 2) << 3) | ((t & 4) << 6)",
    "(b << 8) | (t ^ 5)",
    "t / 7 * 16 + t % 7",
    "t % 32 * 17 + t / 32",
    "t % 3 + t / 3 * 5",
    "(t * 0x9e3779b9u) >> 20",
    "(t * 40503u + b) & 1023",
    "(t & 3) * 8 + ((t >> 2) & 7) * 36",
    "(t + b) % 5 * 9",
    "(t << 3) - (t & 7)",
    "(t ^ 0x1f) * 3",
    "((t & 0x18) << 4) + ((t & 7) ^ (t >> 5)) * 4",
    "(t >> 1) | ((t & 1) << 9)",
    "((t << 27) >> 25) + b",
    "t * t",
    "(t & (t >> 1)) * 12",
    "(t | 0x15) + (b ^ t)",
    "(t & 0x33) | ((t & 0x0c) << 4) | ((t & 0x40) >> 2)",
    "(t % 6) * 64 + (t / 6)",
    "~t & 0x3ff",
    "(t - 3u) & 0xfff",
    "((t >> 3) * 11) ^ (t & 7)",
]
# With functions of the toolkit.
FUNCTIONS = [
    "__brev(t) >> 22",
    "__popc(t) * 32 + (t & 1)",
    "__clz(t) * 9",
    "__ffs(t) * 8 + b",
    "__byte_perm(t, b, 0x4140) & 0xfff",
    "__byte_perm(t * 3, t, 0x6501) & 0xfff",
    "__funnelshift_l(t << 24, t, 4)",
    "__funnelshift_r(t, t * 8, 2)",
    "__funnelshift_lc(t, b, 40) + t",
    "__umulhi(t << 26, 160)",
    "__umul24(t, 72)",
    "__usad(t, 100, b)",
    "__dp4a(t, 0x04030201u, b)",
    "__fns(0x5555aaaau, t & 31, 2) & 0xff",
    "__vabsdiffu4(t * 0x01010101u, 0x20103005u) & 0xfff",
    "__vadd2(t * 0x00010003u, 0x00040007u) & 0xfff",
]


def u32(x):
    return x & MASK


def parts(x, n):
    bits = 32 // n
    return [(x >> (bits * i)) & ((1 << bits) - 1) for i in range(n)]


def join(values, n):
    bits = 32 // n
    return sum((v & ((1 << bits) - 1)) << (bits * i) for i, v in enumerate(values))


def byte_perm(a, b, selector):
    both = [(u32(a) | u32(b) << 32) >> (8 * i) & 255 for i in range(8)]
    return sum(both[(selector >> (4 * i)) & 7] << (8 * i) for i in range(4))


def find_nth(mask, base, offset):
    for place in range(base, 32):
        offset -= (mask >> place) & 1
        if offset == 0:
            return place
    return MASK


def functions():
    return {
        "__brev": lambda x: int(f"{u32(x):032b}"[::-1], 2),
        "__popc": lambda x: bin(u32(x)).count("1"),
        "__clz": lambda x: 32 - u32(x).bit_length(),
        "__ffs": lambda x: (u32(x) & -u32(x)).bit_length(),
        "__byte_perm": byte_perm,
        "__funnelshift_l": lambda lo, hi, s: u32(((u32(hi) << 32 | u32(lo)) << (s & 31)) >> 32),
        "__funnelshift_r": lambda lo, hi, s: u32((u32(hi) << 32 | u32(lo)) >> (s & 31)),
        "__funnelshift_lc": lambda lo, hi, s: u32(((u32(hi) << 32 | u32(lo)) << min(s, 32)) >> 32),
        "__umulhi": lambda x, y: (u32(x) * u32(y)) >> 32,
        "__umul24": lambda x, y: u32((x & 0xFFFFFF) * (y & 0xFFFFFF)),
        "__usad": lambda x, y, z: u32(abs(u32(x) - u32(y)) + z),
        "__dp4a": lambda x, y, z: u32(sum(p * q for p, q in zip(parts(x, 4), parts(y, 4))) + z),
        "__fns": find_nth,
        "__vabsdiffu4": lambda x, y: join(
            [abs(p - q) for p, q in zip(parts(u32(x), 4), parts(u32(y), 4))], 4
        ),
        "__vadd2": lambda x, y: join([p + q for p, q in zip(parts(u32(x), 2), parts(u32(y), 2))], 2),
    }


def warps(expression):
    """The value of the expression in the 32 lanes of each warp of the grid."""
    code = compile(as_python(expression), expression, "eval")
    names = functions()
    for block in range(GRID):
        for first in range(0, BLOCK, LANES):
            yield [
                u32(eval(code, dict(names, t=thread, b=block)))
                for thread in range(first, first + LANES)
            ]


def as_python(expression):
    """Without the suffix of unsigned numbers; products wrap before they are shifted."""
    text = re.sub(r"(?<=[0-9a-f])u\b", "", expression.replace("/", "//"))
    return text.replace("(t * 0x9e3779b9)", "((t * 0x9e3779b9) & 0xffffffff)").replace(
        "(t << 27)", "((t << 27) & 0xffffffff)"
    )


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def sectors(expression):
    return mean(len({(v & 0xFFFF) // 8 for v in lanes}) for lanes in warps(expression))


def wavefronts(expression):
    def most(lanes):
        banks = {}
        for v in lanes:
            banks.setdefault(v % 32, set()).add(v & 0xFFF)
        return max(len(words) for words in banks.values())

    return mean(most(lanes) for lanes in warps(expression))


def divergent(expression):
    return mean(len({v & 8 for v in lanes}) > 1 for lanes in warps(expression))


KINDS = {
    "global": ("o[({}) & 0xffff] = 1.0f;", sectors),
    "shared": ("s[({}) & 0xfff] = 1.0f; __syncthreads(); o[t] = s[t];", wavefronts),
    "branch": ("if (({}) & 8) for (int i = 0; i < n; ++i) o[t] += o[t + 1];", divergent),
}


def cases(with_functions):
    expressions = PLAIN + (FUNCTIONS if with_functions else [])
    for kind in KINDS:
        for number, expression in enumerate(expressions):
            yield f"{kind}{number}", kind, expression


def source(with_functions):
    text = []
    for name, kind, expression in cases(with_functions):
        shared = "__shared__ float s[4096]; " if kind == "shared" else ""
        text.append(
            f"__global__ void {name}(float *o, int n) {{ {shared}"
            f"const unsigned t = threadIdx.x, b = blockIdx.x; "
            f"{KINDS[kind][0].format(expression)} }}"
        )
    return "\n".join(text) + "\n"


def reports(tool, path, code, with_functions):
    launches = [
        f"--launch={name}:grid={GRID},block={BLOCK},n=4" for name, _, _ in cases(with_functions)
    ]
    if path.endswith(".ptx"):
        launches = [f"--launch=/.*/:grid={GRID},block={BLOCK},1=4"]
    command = [tool, "analyze", path, "--format=json", "--cache=off", "--device=nvidia-h100"]
    done = subprocess.run(
        command + [f"--code={code}"] + launches, capture_output=True, text=True
    )
    if done.returncode == 2:
        sys.exit(done.stderr)
    return {k["demangled"].split("(")[0]: k for k in json.loads(done.stdout)["kernels"]}


def said(report, kind):
    """The figure of a report, and whether it is exact. Conditions that never hold leave
    no branch."""
    if kind == "branch":
        # Others are those of the loop.
        branches = [b for b in report["branches"] if b["executions_per_warp"] == 1]
        if not branches:
            return 0, True
        return branches[0]["divergent_fraction"], branches[0]["class"] != "data-dependent"
    accesses = [a for a in report["accesses"] if a["space"] == kind and a["kind"] == "store"]
    if not accesses:
        return 0, False
    figure = "sectors_per_request" if kind == "global" else "wavefronts_per_request"
    return accesses[0][figure], accesses[0]["exactness"] != "data-dependent"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tool", metavar="GPU-OCCUPANCY")
    parser.add_argument("--show", action="store_true", help="print all patterns")
    options = parser.parse_args()
    toolkit = pathlib.Path(os.environ.get("CUDA_PATH", "/usr/local/cuda"))
    with_functions = (toolkit / "include/cuda_runtime.h").exists()
    nvcc = toolkit / "bin/nvcc"
    wrong = False
    with tempfile.TemporaryDirectory() as work:
        path = f"{work}/patterns.cu"
        pathlib.Path(path).write_text(source(with_functions))
        codes = [("clang", path, "clang")]
        if nvcc.exists():
            ptx = f"{work}/patterns.ptx"
            subprocess.run([nvcc, "-w", "-arch=sm_90", "-ptx", "-o", ptx, path], check=True)
            codes += [("nvcc", path, "nvcc"), ("ptx", ptx, "auto")]
        for label, file, code in codes:
            found = reports(options.tool, file, code, with_functions)
            right = number = 0
            for name, kind, expression in cases(with_functions):
                number += 1
                expected = KINDS[kind][1](expression)
                figure, exact = said(found[name], kind)
                good = exact and abs(figure - expected) < 0.005
                right += good
                if not good or options.show:
                    print(f"{label:6} {kind:7} {expression:50} {figure} of {expected:.3f}"
                          f"{'' if exact else ', not exact'}")
            print(f"{label}: {right} of {number} patterns are right")
            wrong |= right != number
    sys.exit(wrong)


if __name__ == "__main__":
    main()
