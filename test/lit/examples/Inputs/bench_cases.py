#!/usr/bin/env python3
"""The kernels of a report as cases of the bench, and back.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

usage: bench_cases.py write REPORT.json EXAMPLE > CASES.json
       bench_cases.py compare REPORT.json BENCH.json

The second fails unless the bench predicts for each case what the report says of
the kernel.
"""

import json
import math
import sys
from pathlib import Path


def kernels(path):
    with open(path, encoding="utf-8") as report:
        return json.load(report)["kernels"]


def case_id(index, kernel):
    return f"examples/{index}/{kernel['name']}"


def case(index, kernel, example):
    launch = kernel["launch"]
    # What was measured does not matter here.
    return {"id": case_id(index, kernel), "suite": "examples", "program": str(index),
            "files": [Path(example).name], "compiler": "nvcc", "flags": "",
            "kernel": {"name": kernel["name"], "mangled": kernel["name"]},
            "launch": {"grid": launch["grid"], "block": launch["block"],
                       "dynamic_smem": launch["dynamic_shared_bytes"]},
            "time": {"duration_ns": 1}, "resources": {}, "occupancy": {},
            "inst": {"warp_inst": 1}, "sass_dyn": {}, "derived": {}}


def compare(report, bench):
    with open(bench, encoding="utf-8") as file:
        found = json.load(file)
    rows = {row["id"]: row for row in found["kernels"]}
    faults = [f"{id}: {why}" for id, why in found["declined"].items()]
    for index, kernel in enumerate(kernels(report)):
        row = rows.get(case_id(index, kernel))
        if not row:
            faults.append(f"{case_id(index, kernel)} is missing")
            continue
        for what, ours, theirs in [
                ("ns", kernel["predicted_time_ns"], row["time_ns"]["predicted"]),
                ("instructions", kernel["instructions"]["per_warp"],
                 row["warp_instructions_per_warp"]["predicted"])]:
            if not math.isclose(ours, theirs, rel_tol=1e-9):
                faults.append(f"{row['id']}: {ours} {what}, the bench has {theirs}")
        if kernel["limiter"] != row["limiter"]:
            faults.append(f"{row['id']}: {kernel['limiter']}, the bench has {row['limiter']}")
    sys.exit("\n".join(faults) or 0)


def main():
    if sys.argv[1] == "compare":
        compare(*sys.argv[2:])
    report, example = sys.argv[2:]
    json.dump([case(*entry, example) for entry in enumerate(kernels(report))], sys.stdout)


if __name__ == "__main__":
    main()
