#!/usr/bin/env python3
"""Compares kernels for Hopper and of CUB with what a GPU took for them.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: modern_kernels.py GPU-OCCUPANCY SOURCE-ROOT [SET]
Records the launches of test/golden/SET (modern-kernels) without a GPU, which
needs nvcc 13 and takes about four minutes. Exits with 77 where there is no
nvcc, and with 1 where times are further off than they were.
"""

import csv
import json
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

OPTIONS = ["--", "-arch=sm_90a", "-std=c++17", "-O3"]
# By set: the device, and the most that times are off in the median and in the
# geometric mean.
SETS = {
    "modern-kernels": ("nvidia-h100", 1.15, 1.22),
    "modern-kernels-h200": ("nvidia-h200", 1.30, 1.40),
}


def run(*command):
    # The GPU ran nvcc's code; other tests of a build read clang's.
    environment = {k: v for k, v in os.environ.items() if k != "GPU_OCCUPANCY_CODE"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode not in (0, 2):
        sys.exit(done.stderr)
    return done.stdout


def name_of(demangled):
    """"gemmTma<4, 2>" of own templates, "DeviceScanKernel" of CUB's."""
    text = re.sub(r"^void ", "", demangled)
    own = re.match(r"(\w+<[^>]*>)\(", text)
    return own.group(1) if own else re.split(r"[<(]", text.replace("::", "\0"))[0].split("\0")[-1]


def is_limiter(measured, said):
    """Counters do not tell what of an SM's issue its arithmetic takes, nor what of
    its data stage shared memory does.
    """
    measured, said = measured.lower(), said.lower()
    alike = ({"alu", "issue"}, {"fma", "issue"}, {"shared", "l1"})
    return measured == said or {measured, said} in alike


def predicted(tool, device, source):
    with tempfile.TemporaryDirectory() as work:
        config = f"{work}/launches.yaml"
        options = [f"--device={device}", *OPTIONS]
        run(tool, "record", source, f"--memory={work}/memory", "-o", config, *options)
        text = run(tool, "analyze", source, f"--config={config}", "--format=json", *options)
    return [k for k in json.loads(text)["kernels"] if k.get("predicted_time_ns")]


def shape(extent):
    return "x".join(map(str, extent))


def main():
    tool, root = sys.argv[1:3]
    name = sys.argv[3] if len(sys.argv) > 3 else "modern-kernels"
    device, most_median, most_mean = SETS[name]
    if not shutil.which("nvcc") and not pathlib.Path("/usr/local/cuda/bin/nvcc").exists():
        print("no nvcc")
        sys.exit(77)
    folder = pathlib.Path(root) / "test/golden" / name
    with open(folder / f"{device}.csv") as file:
        rows = list(csv.DictReader(file))
    offs, limiters = [], 0
    print(f"{'kernel':32} {'grid':12} {'measured':>9} {'said':>9} {'off':>5}  limiter")
    for source in dict.fromkeys(r["file"] for r in rows):
        kernels = predicted(tool, device, str(folder / source))
        for row in (r for r in rows if r["file"] == source):
            found = next(
                (
                    k
                    for k in kernels
                    if name_of(k["demangled"]) == row["kernel"]
                    and shape(k["launch"]["grid"]) == row["grid"]
                    and shape(k["launch"]["block"]) == row["block"]
                ),
                None,
            )
            if not found:
                print(f"{row['kernel']:32} {row['grid']:12} no prediction")
                offs.append(10)
                continue
            kernels.remove(found)
            took, said = float(row["duration_ns"]), found["predicted_time_ns"]
            offs.append(max(took / said, said / took))
            limiters += is_limiter(row["limiter"], found["limiter"])
            print(
                f"{row['kernel']:32} {row['grid']:12} {took / 1e3:9.1f} {said / 1e3:9.1f} "
                f"{said / took:5.2f}  {row['limiter']}, {found['limiter']}"
            )
    offs.sort()
    mean = math.exp(statistics.fmean(map(math.log, offs)))
    median = statistics.median(offs)
    print(
        f"{len(offs)} launches: median {median:.2f}, geometric mean {mean:.2f}, "
        f"nine of ten within {offs[math.ceil(len(offs) * 0.9) - 1]:.2f}; "
        f"limiter {limiters} of {len(offs)}"
    )
    sys.exit(median > most_median or mean > most_mean)


if __name__ == "__main__":
    main()
