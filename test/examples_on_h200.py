#!/usr/bin/env python3
"""Compares the verdicts on the bundled examples with what an H200 did.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: examples_on_h200.py GPU_OCCUPANCY SOURCE_DIR

Prints one line per kernel and fails where occupancy differs, where registers
of the recorded assembler differ, and where the medians over all kernels are
worse than the limits below.
"""

import csv
import json
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ASSEMBLER = "ptxas 13.0"
MEDIAN_TIME_ERROR = 0.15
MEDIAN_INSTRUCTION_ERROR = 0.05
LIMITERS_THAT_AGREE = 0.8

# Under this many percent of peak no unit limits: latency does (Nsight Compute's
# rule of high throughput, of the SM and of memory).
BUSY = 60
# The units that Nsight Compute sums up in each of its throughputs.
SM_UNITS = {"issue", "fma", "alu", "fp16", "fp64", "xu", "tensor", "adu", "cbu",
            "uniform", "lsu"}
MEMORY_UNITS = {
    "l1_percent": {"l1", "shared", "lsu"},
    "dram_percent": {"dram"},
}


def records(path):
    with open(path, encoding="utf-8") as lines:
        yield from csv.DictReader(l for l in lines if not l.startswith("#"))


def analyze(tool, source):
    """Kernels of one file; none if it needs a toolkit that is not there."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        run = subprocess.run([tool, "analyze", source, "--built-by=clang", "--format=json", "-o",
                              report], capture_output=True, text=True)
        if run.returncode != 0:
            print(f"{source}: {run.stderr.strip().splitlines()[0]}")
            return []
        return json.loads(report.read_text(encoding="utf-8"))["kernels"]


def short_name(demangled):
    return re.sub(r"^void ", "", demangled).split("(")[0]


def dims(values):
    return "x".join(str(v) for v in values or [])


def limiting_units(row):
    """What may limit: units of the busier side of the chip."""
    sm, memory = float(row["sm_percent"]), float(row["memory_percent"])
    if max(sm, memory) < BUSY:
        return {"latency", "launch"}
    if sm > memory:
        return SM_UNITS
    # Memory is as busy as the busiest of L1, DRAM and some counters of L2.
    for column, units in MEMORY_UNITS.items():
        if float(row[column]) >= memory - 0.1:
            return units
    return {"l2"}


def main():
    tool, source_dir = sys.argv[1], Path(sys.argv[2])
    rows = list(records(source_dir / "test/golden/examples/nvidia-h200.csv"))
    files = sorted({row["file"] for row in rows})
    by_launch = {}
    for file in files:
        for kernel in analyze(tool, source_dir / "docs/examples" / file):
            launch = kernel["launch"]
            key = (short_name(kernel["demangled"]), dims(launch["grid"]),
                   dims(launch["block"]))
            by_launch[key] = kernel
    faults, times, instructions, limiters = [], [], [], []
    for row in rows:
        kernel = by_launch.get((row["kernel"], row["grid"], row["block"]))
        if not kernel:
            print(f"{row['kernel']:26} not analyzed")
            continue
        time = kernel["predicted_time_ns"] / float(row["time_ns"])
        count = (kernel["instructions"]["per_warp"] /
                 float(row["instructions_per_warp"]))
        registers = kernel["registers"]
        agrees = kernel["limiter"] in limiting_units(row)
        print(f"{row['kernel']:26} registers {registers['count']:3} of "
              f"{row['registers']:>3}  warps {kernel['occupancy']['warps_per_sm']:2}"
              f" of {row['warps_per_sm']:>2}  time {time:5.2f}  instructions "
              f"{count:5.2f}  limiter {kernel['limiter']:8}"
              f"{'' if agrees else ' (another one is)'}")
        times.append(abs(time - 1))
        instructions.append(abs(count - 1))
        limiters.append(agrees)
        if registers["source"] != ASSEMBLER:
            continue
        if registers["count"] != int(row["registers"]):
            faults.append(f"{row['kernel']}: {registers['count']} registers, "
                          f"the driver has {row['registers']}")
        if kernel["occupancy"]["warps_per_sm"] != int(row["warps_per_sm"]):
            faults.append(f"{row['kernel']}: warps per SM")
    if len(times) < len(rows) / 2:
        sys.exit("most kernels were not analyzed")
    summary = [
        ("median time error", statistics.median(times), MEDIAN_TIME_ERROR),
        ("median instruction error", statistics.median(instructions),
         MEDIAN_INSTRUCTION_ERROR),
        # Of all that were measured: without a toolkit not all are analyzed.
        ("limiters that differ",
         1 - (sum(limiters) + len(rows) - len(limiters)) / len(rows),
         1 - LIMITERS_THAT_AGREE),
    ]
    print(f"{len(times)} kernels:")
    for what, value, limit in summary:
        print(f"  {what} {100 * value:.1f} % (limit {100 * limit:.0f} %)")
        if value > limit:
            faults.append(f"{what} {100 * value:.1f} %")
    sys.exit("\n".join(faults) or 0)


if __name__ == "__main__":
    main()
