"""Prints what a report says of each kernel that MLIR and CUDA have in common.

Usage: profile.py REPORT.json

Integer arithmetic is left out: indices of MLIR are 64 bits wide, ints of CUDA
32.
"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
for kernel in report["kernels"]:
    print("kernel", kernel["name"], kernel["launch"]["grid"], kernel["launch"]["block"])
    for name, count in sorted(kernel["instructions"]["by_class"].items()):
        if not name.startswith(("int.", "uniform.int", "mov")):
            print("  class", name, round(count, 3))
    keys = ("space", "kind", "bytes_per_lane", "executions_per_warp", "sectors_per_request",
            "wavefronts_per_request", "exactness")
    for access in sorted(str([access[key] for key in keys]) for access in kernel["accesses"]):
        print("  access", access)
    print("  shared", kernel["shared_bytes"], "limiter", kernel["limiter"])
