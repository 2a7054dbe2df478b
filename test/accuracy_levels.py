#!/usr/bin/env python3
"""Holds the accuracy that the bench has reached.

usage: accuracy_levels.py TOOL COMMAND

Runs `TOOL COMMAND` (gpu-occupancy-accuracy and one of the commands below) and
fails when a figure of its summary is worse than the level here. A level is what
was reached, rounded up; raise it with the figure, lower it only with a reason
in the commit. Figures above 1 are times off, others shares. Programs with host
code need the headers of a CUDA toolkit: without one the test is skipped (77).
"""

import re
import subprocess
import sys

# Pattern of a line of the summary, and for each of its groups the worst value.
LEVELS = {
    "alpha": [
        (r"this project, refined +([\d.]+) +([\d.]+)  typical ([\d.]+)", ["<=1.10", ">=0.91", "<=1.04"]),
        (r"this project, basic +([\d.]+) +([\d.]+)  typical ([\d.]+)", ["<=1.42", ">=0.91", "<=1.06"]),
    ],
    "pairs": [
        (r"gains that findings promise: (\d+) pairs, median error ([\d.]+).*worst ([\d.]+)", [">=31", "<=6.5", "<=1.42"]),
        (r"ratios of predicted times: (\d+) pairs, median error ([\d.]+).*worst ([\d.]+)", [">=43", "<=5", "<=1.5"]),
    ],
    "streams": [
        (r"(\d+) of 165 points within 10 %, typical ([\d.]+)", [">=163", "<=1.03"]),
        (r"(\d+) of 32 points within 10 %, typical ([\d.]+), worst ([\d.]+)", [">=32", "<=1.04", "<=1.1"]),
    ],
}


SKIPPED = 77
NO_TOOLKIT = re.compile(r"'(cuda_runtime(_api)?|cuda)\.h' file not found|(undeclared identifier|unknown type name) 'cuda[A-Z]")


def holds(value, level):
    bound = float(level[2:])
    return value <= bound if level.startswith("<=") else value >= bound


def main():
    tool, command = sys.argv[1:]
    run = subprocess.run([tool, command], capture_output=True, text=True)
    if run.returncode:
        sys.stderr.write(run.stderr)
        return SKIPPED if NO_TOOLKIT.search(run.stderr) else 1
    output = run.stdout
    # Summaries come last; tables above them have lines of the same form.
    failures = []
    for pattern, levels in LEVELS[command]:
        found = re.findall(pattern, output)
        if not found:
            failures.append(f"no line like '{pattern}'")
            continue
        for value, level in zip(found[-1], levels):
            print(f"{pattern}: {value}, level {level}")
            if not holds(float(value), level):
                failures.append(f"{value} is not {level} in '{pattern}'")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
