#!/usr/bin/env python3
"""Compares instructions of mathematical functions with those that an H200 executed.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: math_functions.py GPU-OCCUPANCY SOURCE-ROOT
Needs libdevice, which is part of the CUDA toolkit: exits with 77 where there is
none.
"""

import csv
import json
import math
import os
import pathlib
import subprocess
import sys

# A function that is as many times off is listed; the mean has to be closer.
LISTED = 1.25
# Both sides of ranges are taken by some lanes where the measured arguments
# kept to one of them, or a loop runs as often as the arguments differ.
DECIDED_BY_ARGUMENTS = {"erfinv", "erfcinv", "normcdfinv", "fmod", "remainder"}
MEAN = {"clang": 1.10, "nvcc": 1.17}


def predicted(tool, source, names):
    command = [tool, "analyze", source, "--format=json", "--max-findings=1"]
    command += [f"--launch={n}:grid=16,block=256,n=64" for n in names]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    kernels = json.loads(run.stdout)["kernels"]
    return {k["name"]: k["instructions"]["per_warp"] / 64 for k in kernels}


def has_libdevice():
    toolkit = pathlib.Path(os.environ.get("CUDA_PATH", "/usr/local/cuda"))
    return (toolkit / "nvvm/libdevice/libdevice.10.bc").exists()


def main():
    tool, root = sys.argv[1:]
    if not has_libdevice():
        print("no CUDA toolkit, whose libdevice holds the functions")
        sys.exit(77)
    folder = pathlib.Path(root) / "test/golden/math-functions"
    with open(folder / "nvidia-h200.csv") as file:
        rows = list(csv.DictReader(file))
    counts = predicted(tool, folder / "functions.cu", [r["function"] for r in rows])
    failed = False
    for compiler, limit in MEAN.items():
        logs = []
        for row in rows:
            ratio = counts[row["function"]] / float(row[compiler])
            if not LISTED > ratio > 1 / LISTED:
                print(f"{row['function']}: {ratio:.2f} of what {compiler}'s code executes")
            if row["function"].split("_")[0] not in DECIDED_BY_ARGUMENTS:
                logs.append(abs(math.log(ratio)))
        mean = math.exp(sum(logs) / len(logs))
        print(f"{compiler}: {len(logs)} functions, {mean:.3f} times off in the geometric mean, at most {limit}")
        failed |= mean > limit
    sys.exit(failed)


if __name__ == "__main__":
    main()
