#!/usr/bin/env python3
"""What people type in their first minutes, on public projects; writes a record.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: public_projects.py GPU_OCCUPANCY RECORD.json NAME=CHECKOUT[:FOLDERS]...

FOLDERS is one folder or, as for a shell, a pattern. The check-outs are fetched by hand; the
record names their commits, and keeps what it has of other projects. For each project it has
the commands, their status, their seconds on the machine at hand and what they end
with, the kernels of the report, how many of them have a time or times over sizes, and
what contradicts itself:

- a gain, a plan or an edit of a kernel whose time nobody can know,
- a share of a peak above 1,
- times over sizes that fall where the size grows,
- a text that names another number of kernels than JSON.

Exit status: 1 if something does.
"""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# A last line and those in front of it that a person sees first.
SHOWN_LINES = 3


class Project:
    def __init__(self, tool, name, place):
        checkout, _, below = place.partition(":")
        self.tool = tool
        self.name = name
        self.checkout = Path(checkout)
        self.below = below or "."
        self.folders = sorted(p for p in self.checkout.glob(below) if p.is_dir()) if below else [
            self.checkout]
        self.steps = []
        self.wrong = []

    def commit(self):
        return subprocess.run(["git", "-C", self.checkout, "rev-parse", "HEAD"], check=True,
                              capture_output=True, text=True).stdout.strip()

    def typed(self, *words):
        started = time.monotonic()
        done = subprocess.run([self.tool, *map(str, words)], capture_output=True, text=True,
                              check=False)
        plain = lambda text: text.replace(str(self.checkout), self.name).replace(
            tempfile.gettempdir(), "")
        shown = [plain(line) for line in done.stdout.rstrip().splitlines()[-SHOWN_LINES:]]
        self.steps.append({
            "command": plain(" ".join(map(str, ["gpu-occupancy", *words]))).replace(
                " ".join(plain(str(f)) for f in self.folders), f"{self.name}/{self.below}"),
            "status": done.returncode, "seconds": round(time.monotonic() - started, 1),
            "last_lines": shown if len("".join(shown)) < 1000 else [],
            "errors": dict(collections.Counter(
                re.sub(r"'[^']*'|[\w./-]+\.cuh?:[\d:]*", "FILE", plain(line)).strip()[:120]
                for line in done.stderr.splitlines() if "error:" in line).most_common(5))})
        return done.stdout

    def check(self, holds, words):
        if not holds:
            self.wrong.append(words)

    def check_kernel(self, kernel):
        name = f"{self.name}: {kernel['demangled'].split('(')[0]}"
        undecided = kernel["predicted_time_ns"] is None and kernel["launch"]["grid"] is not None
        gains = [f for f in kernel["findings"] if f["gain"] is not None and "Estimated gain"
                 in f["message"]]
        self.check(not (undecided and gains), f"{name}: a gain of a time that nobody knows")
        self.check(not (kernel["predicted_time_ns"] is None and kernel["plan"]),
                   f"{name}: a plan without a time")
        for key, rate in kernel["rates"].items():
            if isinstance(rate, dict) and rate.get("share") is not None:
                self.check(rate["share"] <= 1.0005, f"{name}: {key} at {rate['share']:.3f} of its peak")
        times = [p["time_ns"] for p in kernel.get("sweep", {}).get("points", [])]
        self.check(all(a <= b * 1.02 for a, b in zip(times, times[1:])),
                   f"{name}: times over sizes fall: {times}")

    def record(self, scratch):
        report = Path(scratch, f"{self.name}.json")
        said = self.typed("analyze", *self.folders)
        self.typed("analyze", *self.folders, "--format=json", "-o", report)
        self.typed("analyze", *self.folders, f"--write-launches={scratch}/{self.name}.yaml")
        kernels = json.loads(report.read_text("utf-8"))["kernels"]
        for kernel in kernels:
            self.check_kernel(kernel)
        count = re.search(r"(\d+) kernels", said)
        self.check(count is None or int(count.group(1)) <= len(kernels),
                   f"{self.name}: the summary has {count and count.group(1)} kernels, "
                   f"JSON {len(kernels)}")
        timed = sum(k["predicted_time_ns"] is not None for k in kernels)
        lines = Path(scratch, f"{self.name}.yaml").read_text("utf-8").count("- kernel:")
        return {"commit": self.commit(), "folder": self.below,
                "files": sum(len(list(f.rglob("*.cu"))) for f in self.folders), "kernels": len(kernels),
                "with_a_time": timed, "with_times_over_sizes": sum("sweep" in k for k in kernels),
                "launches_to_fill_in": lines, "contradictions": self.wrong, "steps": self.steps}


def main():
    tool, record = sys.argv[1:3]
    projects = [Project(tool, *words.split("=", 1)) for words in sys.argv[3:]]
    os.environ["NO_COLOR"] = "1"
    with tempfile.TemporaryDirectory() as scratch:
        tempfile.tempdir = scratch + "/"
        found = {p.name: p.record(scratch) for p in projects}
    kept = json.loads(Path(record).read_text("utf-8")) if Path(record).exists() else {}
    Path(record).write_text(json.dumps(kept | found, indent=1) + "\n", encoding="utf-8")
    for name, of in found.items():
        print(f"{name}: {of['files']} files, {of['kernels']} kernels, {of['with_a_time']} with a time, "
              f"{of['with_times_over_sizes']} with times over sizes; "
              f"{sum(s['seconds'] for s in of['steps']):.0f} s, "
              f"{len(of['contradictions'])} contradictions")
        for words in of["contradictions"]:
            print(f"  {words}")
    return any(of["contradictions"] for of in found.values())


if __name__ == "__main__":
    sys.exit(main())
