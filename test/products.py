#!/usr/bin/env python3
"""Hold reports of public programs against what an H200 took for their kernels.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: products.py [--set=SET] REPOSITORY=REPORT.json...

The repositories are those of test/golden/SET (products-h200), whose README.md says
how reports are made. Prints predicted and measured times, and how far they are apart.
Exit status: 0, or 2 for a mistake in the command.
"""

import collections
import csv
import json
import math
import re
import statistics
import sys
from pathlib import Path

from modern_kernels import is_limiter

GOLDEN = Path(__file__).resolve().parent / "golden"


def plain(name):
    """The name of a kernel without what tools spell in their own ways."""
    name = re.sub(r"\((int|unsigned int|unsigned long|bool)\)", "", name)
    name = re.sub(r"\(.*", "", name)
    name = re.sub(r"(?<=\d)(ul|u)\b|\s|^void", "", name)
    return name.replace("true", "1").replace("false", "0")


def predictions(words):
    """Predicted kernels of each repository, by plain name and grid, in their order."""
    found = collections.defaultdict(list)
    for word in words:
        repository, equals, file = word.partition("=")
        if not equals:
            sys.exit(f"error: '{word}' is not REPOSITORY=REPORT.json")
        for kernel in json.loads(Path(file).read_text())["kernels"]:
            if kernel.get("predicted_time_ns"):
                grid = "x".join(str(n) for n in kernel["launch"]["grid"])
                found[repository, plain(kernel["demangled"]), grid].append(kernel)
    return found


def main():
    words = sys.argv[1:]
    named = bool(words) and words[0].startswith("--set=")
    truth = words.pop(0).partition("=")[2] if named else "products-h200"
    if not words or words[0].startswith("-") or not (GOLDEN / truth).is_dir():
        print(__doc__)
        return 2
    found = predictions(words)
    off, inside, limiter = [], 0, 0
    for row in csv.DictReader((GOLDEN / truth / "nvidia-h200.csv").open()):
        kernels = found.get((row["repository"], row["kernel"], row["grid"]))
        if not kernels:
            continue
        kernel = kernels.pop(0)
        measured, predicted = int(row["duration_ns"]), kernel["predicted_time_ns"]
        low, high = (kernel["interval"].get("time_ns") or [None, None])
        off.append(math.exp(abs(math.log(predicted / measured))))
        inside += (low or 0) <= measured <= (high or math.inf)
        limiter += is_limiter(row["limiter"], kernel["limiter"])
        print(f"{row['repository']:23} {row['kernel'][:44]:44} {measured / 1e3:9.1f} us "
              f"{predicted / 1e3:9.1f} {predicted / measured:5.2f}  "
              f"{row['limiter']:8} {kernel['limiter']}")
    if off:
        geometric = math.exp(statistics.fmean(map(math.log, off)))
        print(f"{len(off)} launches: {statistics.median(off):.2f}x in the median, "
              f"{geometric:.2f}x geometric mean, {sorted(off)[int(len(off) * .9)]:.2f}x at p90; "
              f"{inside} inside their interval, limiter of {limiter}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
