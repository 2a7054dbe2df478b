#!/usr/bin/env python3
"""Compares kernels whose work is in their data with what an H200 took for them.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: data_kernels.py GPU-OCCUPANCY SOURCE-ROOT [--without MECHANISM]
The host code of the kernels is run without a GPU. Needs the mathematical
functions of the CUDA toolkit: exits with 77 where there is none.
"""

import argparse
import csv
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

# Times off, of one kernel and in the mean; instructions off, of one kernel.
MOST, MEAN, MOST_INSTRUCTIONS = 1.7, 1.45, 1.15


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def predicted(tool, source, config, without):
    left_out = ["--without", without] if without else []
    text = run(
        tool, "analyze", source, "--config", config, "--format=json", "--max-findings=1", *left_out
    )
    return {k["name"]: k for k in json.loads(text)["kernels"]}


def times_off(ratio):
    return max(ratio, 1 / ratio)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tool", metavar="GPU-OCCUPANCY")
    parser.add_argument("root", metavar="SOURCE-ROOT")
    parser.add_argument("--without", default="", metavar="MECHANISM")
    options = parser.parse_args()
    tool, root = options.tool, options.root
    toolkit = pathlib.Path(os.environ.get("CUDA_PATH", "/usr/local/cuda"))
    if not (toolkit / "nvvm/libdevice/libdevice.10.bc").exists():
        print("no CUDA toolkit, whose libdevice has the sine")
        sys.exit(77)
    folder = pathlib.Path(root) / "test/golden/data-kernels"
    source = str(folder / "data.cu")
    with open(folder / "nvidia-h200.csv") as file:
        rows = list(csv.DictReader(file))
    with tempfile.TemporaryDirectory() as work:
        known = os.path.join(work, "known.yaml")
        run(tool, "record", source, "--memory", os.path.join(work, "memory"), "-o", known)
        unknown = os.path.join(work, "unknown.yaml")
        with open(known) as file, open(unknown, "w") as out:
            out.writelines(line for line in file if "memory:" not in line)
        with_data = predicted(tool, source, known, options.without)
        without = predicted(tool, source, unknown, options.without)
    failed, logs = False, []
    print(f"{'kernel':18}{'us':>8}{'time p/m':>10}{'inst p/m':>10}{'time p/m without the data':>28}")
    for row in rows:
        name = next(n for n in with_data if row["kernel"] in n)
        warps = (1 << 20) / 32

        def of(kernels, what):
            k = kernels[name]
            if what == "time":
                return k["predicted_time_ns"] / float(row["duration_ns"])
            return k["instructions"]["per_warp"] * warps / float(row["warp_instructions"])

        time, count = of(with_data, "time"), of(with_data, "count")
        print(
            f"{row['kernel']:18}{float(row['duration_ns']) / 1000:8.1f}{time:10.2f}{count:10.2f}"
            f"{of(without, 'time'):28.2f}"
        )
        logs.append(math.log(times_off(time)))
        failed |= times_off(time) > MOST or times_off(count) > MOST_INSTRUCTIONS
    mean = math.exp(sum(logs) / len(logs))
    print(f"times off in the geometric mean: {mean:.2f} (level {MEAN})")
    if failed or mean > MEAN:
        sys.exit("worse than the levels")


if __name__ == "__main__":
    main()
