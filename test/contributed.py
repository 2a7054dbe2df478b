#!/usr/bin/env python3
"""Checks the devices that people contributed, and predicts with each.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: contributed.py COMMAND CALIBRATE ACCURACY SOURCE_DIR

Each file of calibration/contributed has to be what `submit` writes, be plausible,
and be near to what its relative gives. On each, two bundled examples get a time
and the recorded streams of short blocks are replayed. Where a device of the same
name is built in, times have to be within a tenth of those on it. The streams need
the headers of a CUDA toolkit; without one they are left out.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLES = ["vector_add", "permute"]
# Two runs of one model; what is built in may be of another one.
NEAR = 1.1
# A number that is further from its relative than this needs a reason.
FAR = 4


def run(*command):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)


def lint(command, calibrate, path):
    """What is wrong with the file, one line each."""
    for arguments in ([calibrate, "--check", path], [command, "device", "check", path]):
        done = run(*arguments)
        if done.returncode != 0:
            yield done.stderr + done.stdout
    with tempfile.TemporaryDirectory() as folder:
        again = Path(folder) / path.name
        done = run(calibrate, "submit", path, again)
        if done.returncode != 0:
            yield done.stderr
        elif again.read_text(encoding="utf-8") != path.read_text(encoding="utf-8"):
            yield "is not what 'gpu-occupancy-calibrate submit' writes"
    if not json.loads(path.read_text(encoding="utf-8")).get("relative"):
        return
    for line in run(command, "device", "derive", path).stdout.splitlines():
        ratio = next((w[:-1] for w in line.split() if w.endswith("x") and w[:-1].replace(".", "", 1).isdigit()), None)
        if line.startswith("memory.") and ratio and not 1 / FAR < float(ratio) < FAR:
            yield f"far from its relative: {line}"


def times(command, root, device):
    """Predicted nanoseconds of the first launch of each example."""
    for example in EXAMPLES:
        done = run(command, "analyze", root / f"docs/examples/{example}.cu", "--format=json",
                   f"--device={device}")
        report = json.loads(done.stdout)
        yield report["kernels"][0]["predicted_time_ns"]


def replay(accuracy, root, device):
    """The streams of short blocks: whether they are priced at all."""
    toolkit = Path(os.environ.get("CUDA_PATH", "/usr/local/cuda"))
    if not (toolkit / "include/cuda_runtime.h").exists():
        return
    data = root / "test/golden/streams/nvidia-h200.csv"
    done = run(accuracy, "streams", f"--device={device}", f"--data={data}", "--format=json")
    if done.returncode != 0 or not json.loads(done.stdout):
        yield f"the streams of short blocks are not priced: {done.stderr}"


def faults(command, calibrate, accuracy, root, path):
    found = list(lint(command, calibrate, path))
    if found:
        return found
    found = list(replay(accuracy, root, path))
    mine = list(times(command, root, path))
    if run(command, "device", "show", path.stem).returncode == 0:
        for name, own, other in zip(EXAMPLES, mine, times(command, root, path.stem)):
            if not 1 / NEAR < own / other < NEAR:
                found.append(f"{name} takes {own:.0f} ns on it, {other:.0f} on the built-in one")
    return found


def main():
    command, calibrate, accuracy, root = (Path(a) for a in sys.argv[1:])
    files = sorted((root / "calibration/contributed").glob("*.json"))
    if not files:
        sys.exit("no contributed file")
    failed = False
    for path in files:
        for fault in faults(command, calibrate, accuracy, root, path):
            failed = True
            print(f"{path.name}: {fault}")
    print(f"{len(files)} contributed files")
    sys.exit(failed)


if __name__ == "__main__":
    main()
