#!/usr/bin/env python3
"""How the cost of the analysis grows with the length of a kernel.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Each shape of growth_kernels.py is compiled at several lengths: without the
plugin, without it but with -Rpass (which alone makes clang keep track of
places), and with it. A row has the least user time of each over the runs, so
that other programs on the machine disturb it little; "added" is what the
plugin takes beyond -Rpass, also per instruction of the PTX.

Usage: growth.py [--shapes NAME,...] [--pieces N,...] [--runs N] [--shim]
                 [--factor LIMIT] [--seconds LIMIT] [-O LEVEL]
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from growth_kernels import SHAPES

ROOT = Path(__file__).resolve().parents[2]
# The user time of a compile differs by so much from run to run: the plugin adds
# less than that to a short kernel, so a ratio to it would be one to noise.
NOISE_SECONDS = 0.1
# How often a row over its limit is measured again before it counts.
RETRIES = 2
INSTRUCTION = re.compile(r"^\s+(?:@!?%p\d+\s+)?[a-z][\w.]*\s.*;|^\s+(?:ret|exit);", re.MULTILINE)


def toolkit_root():
    """The toolkit that the scripts beside this one would use, or None."""
    script = f"source {ROOT}/tools/scripts/toolkit.sh; cuda_root"
    return subprocess.run(["bash", "-c", script], capture_output=True,
                          text=True, check=True).stdout.strip() or None


def user_seconds(command):
    """User time of one run of the command."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit("error: failed: " + " ".join(command))
    return usage.ru_utime


def measure(options, headers, shape, pieces, folder):
    """(instructions, seconds without, with -Rpass, with the plugin)."""
    source, ptx = folder / "kernel.cu", folder / "kernel.ptx"
    source.write_text(SHAPES[shape](pieces), encoding="utf-8")
    base = [options.compiler, "-x", "cuda", "--cuda-gpu-arch=sm_90", f"-O{options.O}", "-w",
            "--cuda-device-only", "-S", *headers, "-o", str(ptx), str(source)]
    remarks = base + ["-Rpass=gpu-occupancy"]
    plugin = remarks + [f"-fpass-plugin={options.build}/lib/GpuOccupancy.so",
                        "-mllvm", "-gpu-occupancy-ptxas=off"]
    times = [min(user_seconds(command) for _ in range(options.runs))
             for command in (base, remarks, plugin)]
    return len(INSTRUCTION.findall(ptx.read_text(encoding="utf-8"))), *times


def print_row(shape, pieces, count, without, remarks, using):
    """Prints a row; the seconds that the plugin adds."""
    added = max(0.0, using - remarks)
    print(f"{shape:10}{pieces:8}{count:9}{without:10.2f}{remarks:11.2f}"
          f"{using:11.2f}{added:10.2f}{1e6 * added / count:9.1f}", flush=True)
    return added


def seconds_allowed(options, shape, pieces, shortest):
    """The most that may be added to a kernel of so many pieces, and why.
    shortest: pieces of the shortest kernel of the shape and seconds added to it."""
    allowed, why = float("inf"), ""
    if options.seconds:
        # The pieces of this shape are kernels, those of the others are parts of one.
        allowed = options.seconds * (pieces if shape == "kernels" else 1)
        why = f"--seconds={options.seconds:g}"
    if options.factor and shortest:
        first_pieces, first_added = shortest
        grown = options.factor * max(first_added, NOISE_SECONDS) * pieces / first_pieces
        if grown < allowed:
            allowed, why = grown, f"--factor={options.factor:g}"
    return allowed, why


def problem_of(options, headers, shape, pieces, shortest, folder):
    """Measures a shape at a length: seconds added and what is wrong, or None."""
    for _ in range(1 + RETRIES):
        added = print_row(shape, pieces, *measure(options, headers, shape, pieces, folder))
        allowed, why = seconds_allowed(options, shape, pieces, shortest)
        if added <= allowed:
            return added, None
    return added, (f"{shape}: {added:.2f} s added at {pieces} pieces, "
                   f"{why} allows {allowed:.2f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--compiler", default="clang++-22")
    parser.add_argument("--shapes", default=",".join(s for s in SHAPES if s != "chain"))
    parser.add_argument("--pieces", default="100,400,1600", help="lengths of each shape")
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--shim", action="store_true", help="do as if there were no toolkit")
    parser.add_argument("-O", default="3", help="optimization level")
    parser.add_argument("--factor", type=float,
                        help="fail if a piece costs so many times what it does in the "
                             "shortest kernel of its shape")
    parser.add_argument("--seconds", type=float, help="fail if a kernel adds more")
    options = parser.parse_args()

    root = None if options.shim else toolkit_root()
    shim = options.build / "share/gpu-occupancy/cuda-shim/gpuocc-cuda-shim.cfg"
    headers = ([f"--cuda-path={root}", "-Wno-unknown-cuda-version"] if root
               else [f"--config={shim}"])
    print(f"{'shape':10}{'pieces':>8}{'PTX':>9}{'clang, s':>10}{'-Rpass, s':>11}"
          f"{'plugin, s':>11}{'added, s':>10}{'us each':>9}")
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for shape in options.shapes.split(","):
            shortest = None
            for pieces in map(int, options.pieces.split(",")):
                added, problem = problem_of(options, headers, shape, pieces, shortest,
                                            Path(folder))
                shortest = shortest or (pieces, added)
                problems += [problem] if problem else []
    if problems:
        sys.exit("\n".join("error: " + p for p in problems))


if __name__ == "__main__":
    main()
