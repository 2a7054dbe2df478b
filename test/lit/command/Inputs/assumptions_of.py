"""Prints what a report assumes of the kernel whose name holds a word.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: assumptions_of.py WORD REPORT
"""

import json
import sys

word, report = sys.argv[1:]
with open(report) as file:
    kernels = json.load(file)["kernels"]
for kernel in kernels:
    if word in kernel["name"]:
        print(*kernel["assumptions"], sep="\n")
print("end of assumptions")
