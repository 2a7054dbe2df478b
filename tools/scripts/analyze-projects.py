#!/usr/bin/env python3
"""Analyze whole projects and tell which programs have no report, and why.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Runs `gpu-occupancy analyze` as a user would, on folders or with a compilation
database, and reads what it says. A program is a folder that holds CUDA sources;
it is analyzed where each of its sources is, or is a part that others include.
The share is that of the programs whose headers are present: a header is absent
where no file of the project has its name.

  analyze-projects.py ~/rodinia
  analyze-projects.py ~/HeCBench/src:3 --only='*-cuda/*' --jobs=1
  analyze-projects.py ~/cuda-samples --build=~/cuda-samples/build

Exit status: 0, 1 where the share is below --least, 2 for a mistake in the
command.
"""

import argparse
import fnmatch
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from project_outcome import Outcome, each_nth_program, failures_in, glob_of

ROOT = Path(__file__).resolve().parents[2]


def sources_below(folder, only, skip):
    found = []
    for source in sorted(folder.rglob("*.cu")):
        below = str(source.relative_to(folder))
        wanted = not only or any(fnmatch.fnmatch(below, pattern) for pattern in only)
        if wanted and not any(fnmatch.fnmatch(below, pattern) for pattern in skip):
            found.append(str(source))
    return found


def selection(folder, sources, everything):
    """What to ask for: the folder, or patterns of at most 200 sources each."""
    if len(sources) == len(everything):
        return [str(folder)]
    return [glob_of(folder, sources[i:i + 200]) for i in range(0, len(sources), 200)]


def analyze(options, folder, sources, everything):
    with tempfile.TemporaryDirectory(prefix="analyze-projects-") as scratch:
        command = [options.tool, "analyze", "--format=json", "-o", f"{scratch}/report.json",
                   f"--jobs={options.jobs}", f"--timeout={options.timeout}",
                   f"--cache={options.cache}"]
        if options.build:
            command += ["-p", options.build]
            command += [] if len(sources) == len(everything) else sources
        else:
            command += selection(folder, sources, everything)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1, 2) or not os.path.exists(f"{scratch}/report.json"):
            sys.exit(done.stderr or f"error: status {done.returncode}")
        return failures_in(done.stderr)


def sources_of_build(build):
    path = Path(build)
    path = path / "compile_commands.json" if path.is_dir() else path
    entries = json.loads(path.read_text(encoding="utf-8"))
    files = (os.path.join(entry["directory"], entry["file"]) for entry in entries)
    return list(dict.fromkeys(os.path.normpath(f) for f in files if f.endswith(".cu")))


def outcome_of(options, word):
    place, colon, step = word.rpartition(":")
    place, step = (place, int(step)) if colon and step.isdigit() else (word, 1)
    folder = Path(place).expanduser().resolve()
    if not folder.is_dir():
        sys.exit(f"error: '{folder}' is not a folder")
    everything = sources_of_build(options.build) if options.build \
        else sources_below(folder, options.only, options.skip)
    sources = each_nth_program(everything, step, options.start) if step > 1 else everything
    names = {name for _, _, files in os.walk(folder) for name in files}
    # A part of a pattern is all that the folder holds.
    all_of_folder = everything if options.build else sources_below(folder, [], [])
    return Outcome(sources, analyze(options, folder, sources, all_of_folder), names)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", metavar="FOLDER[:N]",
                        help="a project; with :N each Nth of its programs")
    parser.add_argument("--start", type=int, default=0, metavar="N",
                        help="first program of those that :N takes")
    parser.add_argument("--build", help="compilation database instead of guessed options")
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN")
    parser.add_argument("--skip", action="append", default=[], metavar="PATTERN")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=int, default=300)
    parser.add_argument("--cache", default="auto")
    parser.add_argument("--least", type=float, metavar="PERCENT")
    parser.add_argument("--tool", default=str(ROOT / "build/bin/gpu-occupancy"))
    return parser.parse_args()


def main():
    options = parse_options()
    low = False
    for word in options.folders:
        outcome = outcome_of(options, word)
        print(f"{word}: {len(outcome.programs)} programs, {outcome.present} with their headers, "
              f"{outcome.analyzed} analyzed: {100 * outcome.share:.1f} %", flush=True)
        for reason, count in outcome.reasons.most_common():
            print(f"  {count:4} {reason}", flush=True)
        low |= options.least is not None and 100 * outcome.share < options.least
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
