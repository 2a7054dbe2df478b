#!/usr/bin/env python3
"""Runs the gate over the museum of regressions.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: museum.py COMMAND DIR [--code clang|nvcc] [--caught N] [--table] [NAME...]

For each exhibit of DIR/exhibits.json a lock file of the code before is written,
and the code after is checked with it. A regression is caught if the check fails
and the predicted change of time is within 1.3x of the measured one; a launch
that cannot run, if the check says so. A counter-example is flagged if the check
fails. --code=clang uses no program of a CUDA toolkit: spills are not seen and
registers are estimates. --table prints the table of DIR/README.md.

Exit status: 0; 1 if fewer than N are caught, or a counter-example is flagged or
not read; 77 if there is no nvcc for --code=nvcc.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

WITHIN = 1.3


def microseconds(text, sign):
    """The time of a launch in a lock file, or on the lines of a patch with that sign."""
    found = re.search(rf"^{re.escape(sign)} +time ([\d.]+) (ns|us|ms|s)\b", text, re.M)
    return found and float(found[1]) * {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}[found[2]]


class Verdict:
    def __init__(self, exhibit, status, before, output):
        self.exhibit = exhibit
        self.status = status
        self.output = output
        was = microseconds(before, " ")
        now = microseconds(output, "+") or was
        runs = exhibit["kind"] != "cannot-run"
        self.predicted = now / was if runs and now and was else None
        measured = exhibit["microseconds"]
        known = all(isinstance(time, (int, float)) for time in measured)
        self.measured = measured[1] / measured[0] if known else None

    @property
    def failed(self):
        return self.status == 1

    @property
    def broken(self):
        return self.status not in (0, 1)

    @property
    def near(self):
        if not self.predicted or not self.measured:
            return False
        return 1 / WITHIN <= self.predicted / self.measured <= WITHIN

    @property
    def caught(self):
        if self.exhibit["kind"] == "cannot-run":
            return self.failed and re.search("^cannot run", self.output, re.M) is not None
        return self.failed and self.near

    def line(self):
        kind = self.exhibit["kind"]
        if kind == "counter-example":
            said = "flagged" if self.failed else "passed"
        else:
            said = "caught" if self.caught else "off" if self.failed else "missed"
        if self.broken:
            said = "error"
            print(f"{self.exhibit['name']}: {self.output.strip()}", file=sys.stderr)
        ratio = lambda value: f"{value:.2f}x" if value else "-"
        return (
            f"{self.exhibit['name']:24} {kind:16} {said:8} "
            f"predicted {ratio(self.predicted)}, measured {ratio(self.measured)}"
        )


def gate(arguments, device, exhibit, folder):
    source = pathlib.Path(arguments.folder, exhibit["name"] + ".cu")
    lock = pathlib.Path(folder, exhibit["name"] + ".lock")
    common = [str(source), f"--device={device}", f"--code={arguments.code}", "-o", str(lock)]
    if arguments.code == "clang":
        common.append("--ptxas=off")
    tool = [str(arguments.tool), "lock"]
    wrote = subprocess.run(tool + common, capture_output=True, text=True)
    if wrote.returncode:
        return Verdict(exhibit, wrote.returncode, "", wrote.stderr)
    before = lock.read_text()
    check = subprocess.run(
        tool + ["--check"] + common + ["--", "-DAFTER"], capture_output=True, text=True
    )
    return Verdict(exhibit, check.returncode, before, check.stdout or check.stderr)


def table(verdicts):
    time = lambda value: f"{value:.1f}" if isinstance(value, (int, float)) else f"`{value}`"
    ratio = lambda value: f"{value:.2f}x" if value else "-"
    print("| exhibit | thread | cause | what changes | launch | us | us after | measured | predicted | gate |")
    print("|---|---|---|---|---|---:|---:|---:|---:|---|")
    for verdict in verdicts:
        it = verdict.exhibit
        owner, name, number = re.search(r"github.com/([^/]+)/([^/]+)/\w+/(\d+)", it["thread"]).groups()
        print(
            f"| [{it['name']}]({it['name']}.cu) | [{owner}/{name} #{number}]({it['thread']}) "
            f"| {it['cause']} | {it['expected']} | {it['launch']} "
            f"| {time(it['microseconds'][0])} | {time(it['microseconds'][1])} "
            f"| {ratio(verdict.measured)} | {ratio(verdict.predicted)} | {verdict.line().split()[2]} |"
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--code", default="clang", choices=("clang", "nvcc"))
    parser.add_argument("--caught", type=int, default=0)
    parser.add_argument("--table", action="store_true")
    arguments = parser.parse_intermixed_args()

    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if arguments.code == "nvcc" and not nvcc:
        print("no nvcc")
        return 77
    book = json.loads(pathlib.Path(arguments.folder, "exhibits.json").read_text())
    exhibits = [
        it for it in book["exhibits"] if not arguments.names or it["name"] in arguments.names
    ]
    with tempfile.TemporaryDirectory() as folder:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            verdicts = list(
                pool.map(lambda it: gate(arguments, book["device"], it, folder), exhibits)
            )

    if arguments.table:
        table(verdicts)
    else:
        for verdict in verdicts:
            print(verdict.line())
    regressions = [v for v in verdicts if v.exhibit["kind"] != "counter-example"]
    counters = [v for v in verdicts if v.exhibit["kind"] == "counter-example"]
    caught = sum(v.caught for v in regressions)
    failed = sum(v.failed for v in regressions)
    flagged = sum(v.failed for v in counters)
    print(
        f"\ncaught {caught} of {len(regressions)} within {WITHIN}x, {failed} at any change of time; "
        f"flagged {flagged} of {len(counters)} counter-examples"
    )
    judged = not any(v.broken for v in counters)
    return 0 if caught >= arguments.caught and not flagged and judged else 1


if __name__ == "__main__":
    sys.exit(main())
