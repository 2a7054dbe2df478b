#!/usr/bin/env python3
"""Profile programs, and hold their kernels against what an H200 took for them.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: programs.py GPU-OCCUPANCY FOLDER [--reports=FOLDER] [PROGRAM...]

FOLDER has the checkouts of test/golden/programs-h200, whose README.md names them, or is a set with
programs and measurements of its own, test/golden/breadth-h200. A program is profiled as its
repository builds and runs it, unless --reports has a report of it, where the others are kept;
PROGRAM is a part of its path. Prints predicted over measured times, those furthest off first, and
how far they are apart. Exit status: 0, or 2 for a mistake in the command.
"""

import csv
import json
import math
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

TRUTH = Path(__file__).resolve().parent / "golden/programs-h200/nvidia-h200.csv"
FAR = 1.5


def short(name):
    """The name of a kernel without what tools spell in their own ways."""
    return name.split("(")[0].split("<")[0].split(" ")[-1].split("::")[-1]


def report_of(command, folder, program, sources, reports):
    """The report of a program; None where there is none."""
    kept = reports / (program.replace("/", "+") + ".json")
    if not kept.exists():
        path = folder / program
        where = path.parent if path.suffix == ".cu" else path
        subprocess.run([command, "profile", *sources.split(), f"--folder={where}",
                        "--timeout=60", "--budget=20", "--device=nvidia-h200", "--format=json",
                        "-o", str(kept), "--", "-O3", "-std=c++17", f"-I{where / 'src'}"],
                       cwd=where, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)
    return json.loads(kept.read_text()) if kept.exists() else None


def joined(report, rows):
    """(row, kernel) of what was measured and predicted, by kernel and shape of launch."""
    found = {(row["kernel"], int(row["blocks"]), int(row["threads"])): row for row in rows}
    for kernel in report["kernels"]:
        shape = kernel["launch"]
        row = found.get((short(kernel["demangled"]), math.prod(shape["grid"]),
                         math.prod(shape["block"])))
        if row and kernel["predicted_time_ns"]:
            yield row, kernel


def compare(row, kernel):
    """How a predicted kernel stands to its row."""
    mean = kernel["total_time_ns"] / kernel["calls"]
    measured = float(row["time_ns"])
    # The interval is that of the costliest launch.
    low, high = (bound and bound / kernel["predicted_time_ns"] * mean
                 for bound in kernel["interval"]["time_ns"])
    # The report has the instructions of the costliest launch, the row those of the mean one.
    warps = math.ceil(int(row["threads"]) / 32) * int(row["blocks"])
    instructions = (kernel["instructions"]["per_warp"] * warps / float(row["instructions"])
                    if kernel["counts"]["different_launches"] == 1 else math.nan)
    return {
        "ratio": mean / measured,
        "inside": low <= measured and (high is None or measured <= high),
        "instructions": instructions,
        "source": kernel["counts"]["source"],
        "known": len(kernel["interval"]["depends_on"]) == 1,
        "text": f"{row['program'].split('/')[-1][:40]} {row['kernel']} {measured / 1e3:.1f} us",
    }


def say(name, all_of):
    """One line of figures."""
    if not all_of:
        return
    off = sorted(math.exp(abs(math.log(one["ratio"]))) for one in all_of)
    mean = math.exp(sum(map(math.log, off)) / len(off))
    counted = [one["instructions"] for one in all_of if not math.isnan(one["instructions"])]
    near = sum(abs(ratio - 1) <= 0.05 for ratio in counted)
    print(f"{name}: {len(off)} launches, median {statistics.median(off):.2f}, "
          f"geometric mean {mean:.2f}, nine of ten {off[int(0.9 * len(off))]:.2f}; "
          f"{sum(one['inside'] for one in all_of)} inside, instructions within 5 % of {near} of {len(counted)}")


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    options = [word for word in sys.argv[1:] if word.startswith("--")]
    if len(words) < 2 or any(not word.startswith("--reports=") for word in options):
        print(__doc__)
        return 2
    command, folder = str(Path(words[0]).resolve()), Path(words[1]).resolve()
    programs = defaultdict(list)
    own = folder / TRUTH.name
    for row in csv.DictReader((own if own.exists() else TRUTH).open()):
        if len(words) == 2 or any(word in row["program"] for word in words[2:]):
            programs[row["program"], row["sources"]].append(row)
    with tempfile.TemporaryDirectory() as kept:
        reports = Path(options[-1].partition("=")[2]) if options else Path(kept)
        reports.mkdir(exist_ok=True)
        found = []
        for (program, sources), rows in programs.items():
            report = report_of(command, folder, program, sources, reports.resolve())
            found += [compare(*pair) for pair in joined(report, rows)] if report else []
    for one in sorted(found, key=lambda one: -abs(math.log(one["ratio"]))):
        print(f"{one['ratio']:6.2f} instructions {one['instructions']:5.2f} "
              f"{'inside ' if one['inside'] else 'outside'} {one['source']:8} {one['text']}")
    say("all", found)
    known = [one for one in found if one["known"]]
    say("nothing else unknown than the model", known)
    print(f"  {sum(abs(math.log(one['ratio'])) > math.log(FAR) for one in known)} of them off by more "
          f"than {FAR}, {sum(abs(one['instructions'] - 1) > 0.1 for one in known)} by more than 10 % "
          "in instructions")
    for source in ("code", "recorded", "counted"):
        say(source, [one for one in found if one["source"] == source])
    return 0


if __name__ == "__main__":
    sys.exit(main())
