#!/usr/bin/env python3
"""What the plugin costs a device compile, over the bundled examples.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Each example is compiled to PTX with and without the plugin in turn; the time
is the processor time of the compiler, user and system, so that other programs
disturb it little. A row is the median over the pairs of both times and of
their ratio; the last row compares the sums of the medians.

The assembler is not asked for registers unless --ptxas is given: its time is
its own.

Usage: compile-overhead.py [--runs N] [--limit PERCENT] [--shim] [--ptxas]
                           [EXAMPLE.cu...]
"""

import argparse
import os
import shlex
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
SHIM = BUILD / "share/gpu-occupancy/cuda-shim/gpuocc-cuda-shim.cfg"


def toolkit_root():
    """The toolkit that the scripts beside this one would use, or None."""
    script = f"source {ROOT}/tools/scripts/toolkit.sh; cuda_root"
    return subprocess.run(["bash", "-c", script], capture_output=True,
                          text=True, check=True).stdout.strip() or None


def cpu_ms(command):
    """Processor time of one run of the command, in milliseconds."""
    with open(os.devnull, "w") as null:
        child = subprocess.Popen(command, stdout=null, stderr=null)
        _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"error: failed: {shlex.join(command)}")
    return 1e3 * (usage.ru_utime + usage.ru_stime)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=9, help="pairs an example")
    parser.add_argument("--limit", type=float, help="fail above this overhead in percent")
    parser.add_argument("--shim", action="store_true", help="do as if there were no toolkit")
    parser.add_argument("--compiler", default="clang++-22")
    parser.add_argument("--ptxas", action="store_true", help="let the plugin run ptxas")
    parser.add_argument("examples", nargs="*", type=Path)
    options = parser.parse_args()

    root = None if options.shim else toolkit_root()
    headers = ([f"--cuda-path={root}", "-Wno-unknown-cuda-version"] if root
               else [f"--config={SHIM}"])
    base = [options.compiler, "-x", "cuda", "--cuda-gpu-arch=sm_90", "-O3",
            "--cuda-device-only", "-S", *headers, "-o", os.devnull]
    plugin = [f"-fpass-plugin={BUILD}/lib/GpuOccupancy.so", "-Rpass=gpu-occupancy",
              "-mllvm", f"-gpu-occupancy-ptxas={'auto' if options.ptxas else 'off'}"]
    examples = options.examples or [
        e for e in sorted((ROOT / "docs/examples").glob("*.cu"))
        if root or "Needs the toolkit" not in e.read_text(encoding="utf-8")]

    print(f"headers: {root or 'shim'}; {options.runs} pairs each; processor time")
    print(f"{'example':24}{'without, ms':>12}{'with, ms':>12}{'overhead':>10}")
    sums = [0.0, 0.0]
    for example in examples:
        pairs = [(cpu_ms([*base, str(example)]), cpu_ms([*base, *plugin, str(example)]))
                 for _ in range(options.runs)]
        without, using = (statistics.median(times) for times in zip(*pairs))
        percent = 100 * (statistics.median(w / o for o, w in pairs) - 1)
        sums = [sums[0] + without, sums[1] + using]
        print(f"{example.name:24}{without:12.1f}{using:12.1f}{percent:9.1f}%", flush=True)
    percent = 100 * (sums[1] / sums[0] - 1)
    print(f"{'all':24}{sums[0]:12.1f}{sums[1]:12.1f}{percent:9.1f}%")
    if options.limit is not None and percent > options.limit:
        sys.exit(f"error: overhead {percent:.1f} % is above {options.limit:g} %")


if __name__ == "__main__":
    main()
