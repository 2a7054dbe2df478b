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
# Less is noise on a busy machine.
NOTICEABLE_SECONDS = 0.5
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
                        help="fail if an instruction costs so many times what it does in "
                             "the shortest kernel of its shape")
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
            first = None
            for pieces in map(int, options.pieces.split(",")):
                count, without, remarks, using = measure(options, headers, shape, pieces,
                                                         Path(folder))
                added = max(0.0, using - remarks)
                each = 1e6 * added / count
                print(f"{shape:10}{pieces:8}{count:9}{without:10.2f}{remarks:11.2f}"
                      f"{using:11.2f}{added:10.2f}{each:9.1f}", flush=True)
                first = first or each
                if (options.factor and added > NOTICEABLE_SECONDS and
                        each > options.factor * first):
                    problems.append(f"{shape}: {each:.1f} us an instruction at {pieces} pieces, "
                                    f"{first:.1f} in the shortest kernel")
                # The pieces of this shape are kernels, those of the others are parts of one.
                of_kernel = added / pieces if shape == "kernels" else added
                if options.seconds and of_kernel > options.seconds:
                    problems.append(f"{shape}: {of_kernel:.1f} s added to a kernel at {pieces} pieces")
    if problems:
        sys.exit("\n".join("error: " + p for p in problems))


if __name__ == "__main__":
    main()
