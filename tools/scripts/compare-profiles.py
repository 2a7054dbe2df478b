#!/usr/bin/env python3
"""Runs programs of a recorded set with `gpu-occupancy profile`, and compares with a GPU.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

A recorded set (test/golden/*, written by record-kernels.py) has launches of programs, with the
command line of each program. Programs are drawn from it by a seed, run as recorded, and each
recorded launch is compared: predicted time and warp instructions over those of the GPU. The
recorder measures one of the first two launches of a kernel with this grid and block; here it is the
second. See docs/profile-suites.md.

    compare-profiles.py test/golden/random-kernels --sources SUITES --count 30 --seed 38
"""

import argparse
import json
import math
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

from suite_programs import SOURCES, commit_of, read_program

# A time that is further off is a miss.
MISS = 1.5
# Warp instructions that are further off are other counts.
OTHER_COUNTS = 1.25


def programs_of(folder):
    """The cases of each program of a recorded set, by suite and program."""
    programs = {}
    for path in sorted(Path(folder).glob("*.json")):
        for case in json.loads(path.read_text()):
            programs.setdefault((case["suite"], case["program"], case["args"]), []).append(case)
    return programs


def sources_of(case, root):
    """(sources, options) of a program: those of its build file where it has one."""
    folder = root / Path(case["files"][0]).parent
    options = ["-I" + str(root / word[2:]) if word.startswith("-I") else word
               for word in case["flags"].split()]
    sources = [root / name for name in case["files"]]
    program = read_program(folder) if (folder / "Makefile").is_file() else None
    if program:
        options += [option for option in program.options if option not in options]
        # What is recorded as a source may be a part that others include.
        sources = [folder / name for name in program.sources]
    return list(dict.fromkeys(os.path.normpath(source) for source in sources
                              if source.suffix in SOURCES)), options


def run(case, root, report, options):
    """(status, messages, seconds) of a program, whose report goes to a file."""
    sources, words = sources_of(case, root)
    command = [options.gpu_occupancy, "profile", *sources, "--device=" + options.device,
               "--folder=" + str(root / Path(case["files"][0]).parent), "--format=json",
               f"--timeout={options.timeout}", f"--budget={options.budget}", "-o", str(report)]
    if case["args"]:
        command.append("--arguments=" + case["args"])
    begin = time.monotonic()
    try:
        done = subprocess.run(command + ["--", *words], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
                              errors="replace", timeout=options.limit)
    except subprocess.TimeoutExpired:
        return 124, "", time.monotonic() - begin
    return done.returncode, done.stderr, time.monotonic() - begin


def outcome_of(status, messages, report):
    """What became of a program, in words."""
    if status == 124:
        return "time limit", "compiling, running and waiting for a processor"
    if found := re.search(r"stopped at the limit of \d+ seconds", messages):
        return "time limit", found[0]
    if not report.exists():
        found = re.search(r"error: (.*)", messages)
        return "failed", found[1][:160] if found else f"exit status {status}"
    if status != 0:
        found = re.search(r"(kernel '.*' (?:failed|did not run).*|the program (?:was|crash).*|"
                          r"exit.*)", messages)
        return "failed", found[1][:160] if found else f"exit status {status}"
    return "ran whole", ""


def plain(name):
    """Compilers differ in how they mark functions that only one file uses."""
    return re.sub(r"^_ZL", "_Z", name)


def second_launch(kernel):
    """The second of a group's launches; the only one where there is one."""
    calls = 0
    for launch in kernel["launches"]:
        calls += launch["calls"]
        if calls >= 2:
            return launch
    return kernel["launches"][-1]


def compare(case, report):
    """The row of a recorded launch; without a time where the program did not come to it."""
    row = {"id": case["id"], "measured_ns": case["time"]["duration_ns"]}
    launch = case["launch"]
    found = [kernel for kernel in report.get("kernels", [])
             if plain(kernel["name"]) == plain(case["kernel"]["mangled"]) and
             kernel["launch"]["grid"] == launch["grid"] and
             kernel["launch"]["block"] == launch["block"]]
    if not found:
        return row
    kernel = found[0]
    time_ns = second_launch(kernel)["time_ns"]
    row |= {"predicted_ns": round(time_ns, 1), "counts": kernel["counts"]["source"]}
    if "counted_blocks" in kernel["counts"]:
        row |= {key: kernel["counts"][key] for key in ("counted_blocks", "blocks", "is_cut")}
    # Other figures are those of the launch that takes most.
    if math.isclose(time_ns, kernel["max_time_ns"], rel_tol=0.02):
        warps = math.prod(launch["grid"]) * math.ceil(math.prod(launch["block"]) / 32)
        row["instructions"] = round(kernel["instructions"]["per_warp"], 1)
        row["measured_instructions"] = round(case["inst"]["warp_inst"] / warps, 1)
    return row


def times_off(a, b):
    """By which factor two numbers differ."""
    return max(a / b, b / a) if a > 0 and b > 0 else math.inf


def kind_of(row):
    """Why a launch is off, as far as its figures tell."""
    if "predicted_ns" not in row:
        return "not reached"
    if times_off(row["predicted_ns"], row["measured_ns"]) <= MISS:
        return "right"
    if "instructions" not in row:
        return "time off, counts of another launch"
    off = times_off(row["instructions"], row["measured_instructions"])
    return "time off, other counts" if off > OTHER_COUNTS else "time off, same counts"


def quantile(values, share):
    """The value that a share of all do not exceed."""
    values = sorted(values)
    return values[min(len(values) - 1, math.ceil(share * len(values)) - 1)] if values else math.nan


def summary(rows):
    """Figures of compared launches, by where their counts come from."""
    reached = [row for row in rows if "predicted_ns" in row]
    out = {}
    for name in ("all", "code", "recorded", "counted"):
        offs = [times_off(row["predicted_ns"], row["measured_ns"]) for row in reached
                if name in ("all", row["counts"])]
        if offs:
            out[name] = {"launches": len(offs), "p90": round(quantile(offs, 0.9), 2),
                         "geometric_mean":
                             round(math.exp(sum(map(math.log, offs)) / len(offs)), 2)}
    kinds = [kind_of(row) for row in rows]
    return out | {"kinds": {kind: kinds.count(kind) for kind in sorted(set(kinds))}}


def table(programs):
    """All launches in Markdown, those furthest off first."""
    lines = ["| launch | us | measured | off | instructions | measured | counts | program |",
             "|---|---:|---:|---:|---:|---:|---|---|"]
    rows = [(row, program["outcome"]) for program in programs for row in program["launches"]]
    rows.sort(key=lambda pair: -times_off(pair[0].get("predicted_ns", math.inf),
                                          pair[0]["measured_ns"]))
    for row, outcome in rows:
        predicted = row.get("predicted_ns")
        off = f"{times_off(predicted, row['measured_ns']):.2f}" if predicted else "-"
        lines.append(
            f"| {row['id'].partition('/')[2]} | {predicted / 1e3 if predicted else math.nan:.1f} | "
            f"{row['measured_ns'] / 1e3:.1f} | {off} | {row.get('instructions', '-')} | "
            f"{row.get('measured_instructions', '-')} | {row.get('counts', 'not reached')} | "
            f"{outcome} |")
    return "\n".join(lines)


def parse():
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("truth", help="folder of a recorded set")
    parser.add_argument("--sources", required=True, help="folder of the suites")
    parser.add_argument("--gpu-occupancy", default="gpu-occupancy", metavar="FILE")
    parser.add_argument("--device", default="nvidia-h200")
    parser.add_argument("--count", type=int, default=30, help="programs that are drawn (30)")
    parser.add_argument("--seed", type=int, default=38)
    parser.add_argument("--only", default="", metavar="REGEX", help="drawn programs that match")
    parser.add_argument("--timeout", type=int, default=40, help="seconds that a program may run")
    parser.add_argument("--budget", type=int, default=10, help="seconds for its predictions")
    parser.add_argument("--limit", type=int, default=240,
                        help="seconds for all of a program, with its compilation")
    parser.add_argument("--keep", default="compared", metavar="FOLDER",
                        help="reports go there (compared)")
    parser.add_argument("--json", metavar="FILE")
    return parser.parse_args()


def main():
    """Draws, runs, compares, and prints the table."""
    options = parse()
    Path(options.keep).mkdir(parents=True, exist_ok=True)
    programs = programs_of(options.truth)
    drawn = sorted(programs)
    random.Random(options.seed).shuffle(drawn)
    rows, commits = [], {}
    for key in drawn[:options.count]:
        suite, name, arguments = key
        if not re.search(options.only, name):
            continue
        cases, root = programs[key], Path(options.sources).resolve() / suite
        commits[suite] = commit_of(root)
        report = Path(options.keep).resolve() / f"{suite}.{name}.json"
        report.unlink(missing_ok=True)
        status, messages, seconds = run(cases[0], root, report, options)
        word, reason = outcome_of(status, messages, report)
        document = json.loads(report.read_text()) if report.exists() else {}
        rows.append({"program": name, "arguments": arguments, "outcome": word, "reason": reason,
                     "seconds": round(seconds, 1),
                     "launches": [compare(case, document) for case in cases]})
        print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    launches = [row for program in rows for row in program["launches"]]
    outcomes = [row["outcome"] for row in rows]
    result = {"seed": options.seed, "timeout": options.timeout, "commits": commits,
              "outcomes": {word: outcomes.count(word) for word in sorted(set(outcomes))},
              "summary": summary(launches), "programs": rows}
    if options.json:
        Path(options.json).write_text(json.dumps(result, indent=1) + "\n")
    print(table(rows))
    print(json.dumps({key: result[key] for key in ("outcomes", "summary")}, indent=1))


if __name__ == "__main__":
    main()
