#!/usr/bin/env python3
"""Compares kernels read from machine code alone with the same kernels read from PTX.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: machine_code.py [--least SHARE] [--arch ARCH] [--launch SPEC]... COMMAND SOURCE...

COMMAND is gpu-occupancy. nvcc, ptxas and nvdisasm are looked for where COMMAND
looks for them. nvcc turns each source into PTX and into a cubin without line
information; both are analyzed for the launches SPEC, else for those of the
source's host code. Prints for each kernel
registers, warp instructions, sectors of global memory and predicted time, as
machine code over PTX, and the medians. Fails when less than SHARE of the kernels
are within a tenth in instructions and a fifth in time.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile


def nvcc_path():
    root = os.environ.get("CUDA_PATH", "/usr/local/cuda")
    return shutil.which(os.path.join(root, "bin", "nvcc")) or shutil.which("nvcc")


def analyze(command, path, launches):
    words = [command, "analyze", "--format", "json", "--with-facts", path]
    for launch in launches:
        words += ["--launch", launch]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1) or not run.stdout:
        raise RuntimeError(run.stderr.strip().splitlines()[-1])
    return {k["name"]: k for k in json.loads(run.stdout)["kernels"]}


def figures(kernel):
    # A guarded instruction without a lane asks for nothing.
    profiles = kernel["data"]["profile"]["accesses"]
    sectors = sum(p.get("requests_per_warp", 0) * p.get("sectors_per_request", 0)
                  for a, p in zip(kernel["accesses"], profiles)
                  if a["space"] in ("global", "generic"))
    return {
        "registers": kernel["registers"]["count"],
        "instructions": kernel["instructions"]["per_warp"],
        "sectors": sectors,
        "time": kernel["predicted_time_ns"],
    }


def launches_of(command, source):
    """The launches in the host code of source, one a kernel, as options."""
    run = subprocess.run([command, "analyze", "--code=clang", "--ptxas=off", "--format=json", source,
                          "--", "-I", os.path.dirname(source) or "."],
                         capture_output=True, text=True, check=False)
    if not run.stdout:
        return []
    found = {}
    for k in json.loads(run.stdout)["kernels"]:
        launch = k["launch"]
        if "grid" not in launch or launch["sources"]["grid"] == "default":
            continue
        words = [f"grid={'x'.join(map(str, launch['grid']))}",
                 f"block={'x'.join(map(str, launch['block']))}",
                 f"shared={launch['dynamic_shared_bytes']}"]
        found.setdefault(k["name"], f"{k['name']}:{','.join(words)}")
    return list(found.values())


def ratio(a, b):
    return a / b if b else 1.0 if not a else float("inf")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--least", type=float, default=0)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--launch", action="append", default=[])
    parser.add_argument("command")
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args()
    nvcc = nvcc_path()
    if not nvcc:
        sys.exit("no nvcc")
    names = ("registers", "instructions", "sectors", "time")
    print(f"{'kernel':40}" + "".join(f"{n:>14}" for n in names))
    compared, good = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for source in options.sources:
            base = os.path.join(folder, os.path.basename(source))
            files = {"-ptx": base + ".ptx", "-cubin": base + ".cubin"}
            made = [subprocess.run([nvcc, kind, "-arch=" + options.arch, "-I",
                                    os.path.dirname(source) or ".", source, "-o", path],
                                   capture_output=True, check=False).returncode
                    for kind, path in files.items()]
            if any(made):
                print(f"{os.path.basename(source)}: nvcc refuses it")
                continue
            launches = options.launch or launches_of(options.command, source)
            try:
                ptx = analyze(options.command, files["-ptx"], launches)
                code = analyze(options.command, files["-cubin"], launches)
            except RuntimeError as problem:
                print(f"{os.path.basename(source)}: {problem}")
                continue
            for name in sorted(ptx):
                if name not in code:
                    print(f"{ptx[name]['demangled'].split('(')[0]:40} not read")
                    compared.append(None)
                    continue
                a, b = figures(code[name]), figures(ptx[name])
                row = {n: ratio(a[n], b[n]) for n in names}
                compared.append(row)
                good += abs(row["instructions"] - 1) <= 0.1 and 1 / 1.2 <= row["time"] <= 1.2
                print(f"{ptx[name]['demangled'].split('(')[0]:40}" +
                      "".join(f"{row[n]:14.3f}" for n in names))
    rows = [r for r in compared if r]
    if not rows:
        sys.exit("no kernel was compared")
    print(f"{'median':40}" + "".join(f"{statistics.median(r[n] for r in rows):14.3f}" for n in names))
    far = {n: statistics.median(max(r[n], 1 / r[n]) if r[n] else float("inf") for r in rows)
           for n in names}
    print(f"{'median factor':40}" + "".join(f"{far[n]:14.3f}" for n in names))
    print(f"{good} of {len(compared)} kernels within a tenth in instructions and a fifth in time")
    sys.exit(good < options.least * len(compared))


if __name__ == "__main__":
    main()
