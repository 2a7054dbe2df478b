#!/usr/bin/env python3
"""Compares what is said of PTX with kernels of other compilers that a GPU ran.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: ptx_truth.py COMMAND DIR [--only TEXT]

DIR holds cases.json, a list of measured launches: the PTX, the kernel, its grid,
block and shared memory, scalar arguments by position, and the time of the launch.
COMMAND is gpu-occupancy. Prints for each case the predicted over the measured
time, sectors per request of global loads, and the limiter, then the median and
p90 of how far off the times are, and for how many cases the limiters agree.
"""

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path

# The side that limits, of our resources and of the words of the measurements.
SIDE = {"dram": "memory", "l2": "memory", "l1": "memory", "shared": "memory", "lsu": "memory",
        "atomics": "memory", "latency": "latency", "launch": "latency"}


def launch_text(case):
    """The --launch option of a case."""
    launch = case["launch"]
    parts = ["grid=" + "x".join(map(str, launch["grid"])),
             "block=" + "x".join(map(str, launch["block"])),
             f"shared={launch['dynamic_smem']}"]
    # Of NVRTC the arguments by name are those of the kernel, in its order.
    values = [parameter.get("value") for parameter in case.get("ptx_params") or []]
    if case["compiler"].startswith("nvrtc") and isinstance(case["args"], dict):
        values = list(case["args"].values())
    parts += [f"{index}={value}" for index, value in enumerate(values)
              if isinstance(value, (int, float))]
    return f"{case['kernel']['name']}:" + ",".join(parts)


def assess(command, folder, case):
    run = subprocess.run([command, "analyze", "--format", "json", str(folder / case["ptx"]),
                          "--device", "nvidia-h200", "--launch", launch_text(case)],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(run.stderr.strip().splitlines()[-1])
    for kernel in json.loads(run.stdout)["kernels"]:
        if kernel["name"] == case["kernel"]["name"]:
            return kernel
    raise RuntimeError("the kernel is not in the report")


def load_sectors(kernel):
    """Sectors per request over all global loads; None without any."""
    loads = [a for a in kernel["accesses"]
             if a["space"] == "global" and a["kind"] in ("load", "async-copy")]
    requests = sum(a["executions_per_warp"] for a in loads)
    if not requests:
        return None
    return sum(a["executions_per_warp"] * a["sectors_per_request"] for a in loads) / requests


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("command")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    cases = json.loads((options.folder / "cases.json").read_text(encoding="utf-8"))
    off, agree, exact, compared, read = [], 0, 0, 0, 0
    for case in cases:
        if options.only not in case["id"]:
            continue
        try:
            kernel = assess(options.command, options.folder, case)
        except RuntimeError as error:
            print(f"{case['id']}: {error}")
            continue
        read += 1
        ratio = (kernel["predicted_time_ns"] or math.nan) / case["time"]["duration_ns"]
        ours = SIDE.get(kernel["limiter"], "compute")
        theirs = case["derived"]["limiter"].split(":")[0]
        agree += ours == theirs
        sectors = load_sectors(kernel)
        measured = case["global"].get("ld", {}).get("sectors_per_request")
        if sectors is not None and measured:
            compared += 1
            exact += abs(sectors / measured - 1) <= 0.02
        off.append(max(ratio, 1 / ratio))
        print(f"{case['id']:36} time {ratio:6.2f}  registers {kernel['registers']['count']}/"
              f"{case['resources']['regs_per_thread']}  sectors {sectors or 0:.2f}/"
              f"{measured or 0:.2f}  {kernel['limiter']} / {case['derived']['limiter']}")
    off.sort()
    if off:
        p90 = off[min(len(off) - 1, int(0.9 * len(off)))]
        print(f"{read} cases read: time off by {off[len(off) // 2]:.2f} (median), {p90:.2f} (p90); "
              f"limiter agrees in {agree}; sectors of loads within 2 % in {exact} of {compared}")
    return 0 if off else 1


if __name__ == "__main__":
    sys.exit(main())
