#!/usr/bin/env python3
"""Compares what is said of PTX with kernels of other compilers that a GPU ran.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: ptx_truth.py COMMAND DIR [--only TEXT] [--without MECHANISM] [--at-most MEDIAN P90]
                     [--at-least AGREE] [--grid-only GOOD]

DIR holds cases.json, a list of measured launches: the PTX, the kernel, its grid,
block and shared memory, scalar arguments by position, and the time of the launch;
the PTX is a file of DIR or of its kernels.tar.xz. COMMAND is gpu-occupancy. Prints
for each case the predicted over the measured time, sectors per request of global
loads, and the limiter, then the median, geometric mean and p90 of how far off the
times are, and for how many cases the limiters agree. --without leaves out a
mechanism of docs/model/ablation.md. --grid-only gives no arguments and counts the
cases without a time, or with one within 1.5x: at least GOOD of them.

Exit status: 0; 1 if nothing was read, or what --at-most and --at-least say does not
hold; 77 if there is no ptxas, which gives the registers.
"""

import argparse
import contextlib
import json
import math
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

# The side that limits, of our resources and of the words of the measurements.
SIDE = {"dram": "memory", "l2": "memory", "l1": "memory", "shared": "memory", "lsu": "memory",
        "atomics": "memory", "latency": "latency", "launch": "latency"}


# A time is of use that is off by less.
GOOD_FACTOR = 1.5


def launch_text(case, grid_only):
    """The --launch option of a case."""
    launch = case["launch"]
    parts = ["grid=" + "x".join(map(str, launch["grid"])),
             "block=" + "x".join(map(str, launch["block"])),
             f"shared={launch['dynamic_smem']}"]
    if grid_only:
        return f"{case['kernel']['name']}:" + ",".join(parts)
    # Of NVRTC the arguments by name are those of the kernel, in its order.
    values = [parameter.get("value") for parameter in case.get("ptx_params") or []]
    if case["compiler"].startswith("nvrtc") and isinstance(case["args"], dict):
        values = list(case["args"].values())
    parts += [f"{index}={value}" for index, value in enumerate(values)
              if isinstance(value, (int, float))]
    return f"{case['kernel']['name']}:" + ",".join(parts)


def assess(options, folder, case):
    command, without = options.command, options.without
    run = subprocess.run([command, "analyze", "--format", "json", str(folder / case["ptx"]),
                          "--device", "nvidia-h200", "--launch", launch_text(case, options.grid_only is not None),
                          *(["--without", without] if without else [])],
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


@contextlib.contextmanager
def folder_of_ptx(folder):
    """The folder that the paths of cases start from."""
    archive = folder / "kernels.tar.xz"
    if not archive.exists():
        yield folder
        return
    with tempfile.TemporaryDirectory() as unpacked, tarfile.open(archive) as files:
        for member in files:
            path = Path(unpacked) / member.name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(files.extractfile(member).read())
        yield Path(unpacked)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("command")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--without", default="", metavar="MECHANISM")
    parser.add_argument("--at-most", nargs=2, type=float, metavar=("MEDIAN", "P90"))
    parser.add_argument("--at-least", type=int, default=0, metavar="AGREE")
    parser.add_argument("--grid-only", type=int, metavar="GOOD")
    options = parser.parse_args()
    needs_registers = options.at_most or options.grid_only is not None
    if needs_registers and not (shutil.which("ptxas") or Path("/usr/local/cuda/bin/ptxas").exists()):
        print("no ptxas, which gives the registers")
        return 77
    cases = json.loads((options.folder / "cases.json").read_text(encoding="utf-8"))
    with folder_of_ptx(options.folder) as ptx:
        if options.grid_only is not None:
            return compare_with_grid_only(options, ptx, cases)
        return compare(options, ptx, cases)


def compare_with_grid_only(options, ptx, cases):
    good = untimed = read = 0
    for case in cases:
        if options.only not in case["id"]:
            continue
        time = assess(options, ptx, case)["predicted_time_ns"]
        # Between launches caches are flushed, or keep what fits.
        measured = [case["time"][key] for key in ("duration_ns", "natural_cache_ns")
                    if case["time"].get(key)]
        ratios = [time / m for m in measured] if time else []
        is_good = not time or any(1 / GOOD_FACTOR <= r <= GOOD_FACTOR for r in ratios)
        read += 1
        untimed += not time
        good += is_good
        print(f"{'good' if is_good else 'off ':4} {case['id']:36} time "
              + (f"{ratios[0]:6.2f}" if ratios else "     -"))
    print(f"with only the grid given {good} of {read} cases have a time within "
          f"{GOOD_FACTOR}x, or none ({untimed})")
    return 0 if read and good >= options.grid_only else 1


def compare(options, ptx, cases):
    off, agree, exact, compared, read = [], 0, 0, 0, 0
    for case in cases:
        if options.only not in case["id"]:
            continue
        try:
            kernel = assess(options, ptx, case)
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
    if not off:
        return 1
    median, p90 = off[len(off) // 2], off[min(len(off) - 1, int(0.9 * len(off)))]
    mean = math.exp(sum(map(math.log, off)) / len(off))
    print(f"{read} cases read: time off by {median:.2f} (median), {mean:.3f} (geometric mean), "
          f"{p90:.2f} (p90); "
          f"limiter agrees in {agree}; sectors of loads within 2 % in {exact} of {compared}")
    if options.at_most and (median > options.at_most[0] or p90 > options.at_most[1]):
        print(f"more than {options.at_most[0]} (median) or {options.at_most[1]} (p90)")
        return 1
    if agree < options.at_least:
        print(f"the limiter agrees in fewer than {options.at_least}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
