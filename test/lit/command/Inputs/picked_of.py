"""How many loads the kernels of a report make, and how many sectors are in L1.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import sys

for kernel in json.load(open(sys.argv[1]))["kernels"]:
    launch = kernel["launch"]
    warps = launch["grid"][0] * launch["block"][0] / 32
    loads = [access for access in kernel["accesses"]
             if access["kind"] == "load" and access["space"] == "global"]
    made = sum(load["executions_per_warp"] for load in loads) * warps
    found = sum(load["executions_per_warp"] * load["l1_hit_fraction"] for load in loads) * warps
    print(f"{kernel['demangled'].split('(')[0]}: {made:.0f} loads, {8 * found / made:.2f} of 8 in L1")
