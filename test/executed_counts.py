#!/usr/bin/env python3
"""Holds the counts that are predicted of launches against those that warps execute.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: executed_counts.py GPU-OCCUPANCY [FILE.cu...] [--suite FOLDER[:COUNT]...] [--seed N]

Runs each program with `gpu-occupancy profile --executed`: its kernels run as the code that is
read of them, and count how often each warp goes through each block, where its lanes part, and
the sectors that it asks for. Of each kernel the launch that takes most is compared. FILE is a
program by itself; of a suite so many programs are drawn by the seed (tools/scripts/
suite_programs.py knows how each is built and called). Launches are silent where nothing is
assumed, and named where something is. Prints those whose instructions or sectors differ by more
than --most (0.02), with --hardware FILE how many ask for the sectors that a device counted, and
with --most-silent N fails where more than N silent ones do, or nothing was compared.
"""

import argparse
import csv
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools/scripts"))

from suite_programs import absent_input, fewer, programs_of, read_program  # noqa: E402


# Assumptions that no count rests on.
OF_TIME = re.compile(r"the device database lacks|managed memory|^registers per thread")


def profile(options, sources, folder, arguments, words):
    """(what was printed, report) of a program; no report where there is none."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [options.command, "profile", *map(str, sources), "--executed", "--format=json",
                   "-o", out.name, f"--timeout={options.timeout}", f"--budget={options.budget}",
                   *options.with_option]
        if folder:
            command.append(f"--folder={folder}")
        if arguments:
            command.append("--arguments=" + arguments)
        try:
            run = subprocess.run(command + ["--", *words], capture_output=True, text=True,
                                 errors="replace", stdin=subprocess.DEVNULL, cwd=folder or None,
                                 timeout=options.limit)
        except subprocess.TimeoutExpired:
            return "more than --limit", None
        text = Path(out.name).read_text()
        return run.stdout + run.stderr, json.loads(text) if text else None


def program_of(file, folder):
    """The file, or where it has no main but "// launch" and "// executed" comments as
    test/branch_counts.cu has them, a program in the folder that makes these launches."""
    text = Path(file).read_text()
    launches = re.findall(r"^// (?:launch|executed) (\w+) grid=(\d+) block=(\d+) ?(.*)$", text, re.M)
    if not launches or re.search(r"\bmain\s*\(", text):
        return os.path.abspath(file)
    lines = [text, "int main() {", "  void *memory;", "  cudaMalloc(&memory, 1 << 22);",
             "  cudaMemset(memory, 0, 1 << 22);"]
    for name, grid, block, rest in launches:
        given = [word.split("=")[1] for word in rest.split()]
        kinds = re.search(rf"void {name}\(([^)]*)\)", text)[1].split(",")
        pointers = [f"({re.sub(r'[ ]*[*].*', ' *', kind).strip()})memory"
                    for kind in kinds if "*" in kind]
        lines.append(f"  {name}<<<{grid}, {block}>>>({', '.join(pointers + given)});")
    made = Path(folder) / Path(file).name
    made.write_text("\n".join(lines + ["  return cudaDeviceSynchronize();", "}", ""]))
    return str(made)


def ratio(said, executed):
    """How many times what was executed is said."""
    return said / executed if executed else (1 if said < 1e-9 else float("inf"))


def worst(rows, said, executed, weight=lambda row: 1):
    """The line of the row whose two counts are furthest apart, with both."""
    row = max(rows, key=lambda r: abs(r[said] - r[executed]) * weight(r), default=None)
    if not row or abs(row[said] - row[executed]) < 1e-9:
        return ""
    return f"{row['line']}: {row[said]:.4g} for {row[executed]:.4g}"


def shape_of(kernel):
    """(kernel, grid, block), as files of counters have them."""
    launch = kernel["launch"]
    return (kernel["demangled"].split("(")[0], "x".join(map(str, launch["grid"])),
            "x".join(map(str, launch["block"])))


def against_hardware(rows, file, most):
    """How many launches, of those in the file of counters that one row is of, ask for the sectors
    that the device counts. Its counters leave out atomics."""
    with open(file, encoding="utf8") as lines:
        counted = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    shapes = [(row["kernel"], row["grid"], row["block"]) for row in counted]
    alike = all_of = 0
    for row in rows:
        if "missing" in row or shapes.count(row["shape"]) != 1:
            continue
        of_device = counted[shapes.index(row["shape"])]
        sectors = int(of_device["load_sectors"]) + int(of_device["store_sectors"])
        all_of += 1
        if abs(ratio(row["all_sectors"], sectors) - 1) <= most:
            alike += 1
        else:
            print(f"{row['kernel']}: {row['all_sectors']:.0f} sectors executed, {sectors} counted "
                  "by the device")
    print(f"device: {alike} of {all_of} launches execute the sectors that it counts")


def compare(program, kernel):
    """The row of a launch."""
    row = {"program": program, "kernel": kernel["demangled"].split("(")[0],
           "shape": shape_of(kernel),
           "counts": kernel["counts"]["source"],
           "assumed": [a for a in kernel["assumptions"] if not OF_TIME.search(a)]}
    ran = kernel.get("executed")
    if not ran:
        return row | {"missing": "not counted"}
    if not ran["fits"]:
        return row | {"missing": "other blocks"}
    row |= {"executed": ran["instructions_per_warp"], "warps": ran["warps"],
            "all_sectors": ran["sectors_per_warp"] * ran["warps"],
            "instructions": ratio(ran["said_instructions_per_warp"], ran["instructions_per_warp"]),
            "sectors": ratio(ran["said_sectors_per_warp"], ran["sectors_per_warp"]),
            "unpaired": ran["unpaired_accesses"], "whole": ran["whole_grid"]}
    row["block"] = worst(ran["blocks"], "said", "executed", lambda r: r["instructions"])
    row["branch"] = worst(ran["branches"], "said", "executed")
    row["parting"] = worst(ran["branches"], "said_parted", "parted")
    row["access"] = worst(ran["accesses"], "said_sectors", "sectors")
    return row


def is_off(row, most):
    """Whether instructions or sectors of a launch differ."""
    return "missing" not in row and any(abs(row[what] - 1) > most
                                        for what in ("instructions", "sectors"))


def show(row):
    """A line for a launch."""
    return (f"{row['program']} {row['kernel']} ({row['counts']}, {row['executed']:.5g} a warp): "
            f"instructions {row['instructions']:.3f}, sectors {row['sectors']:.3f}; block "
            f"{row['block']}; branch {row['branch']}; parting {row['parting']}; "
            f"access {row['access']}" +
            (f"; assumed: {' | '.join(row['assumed'])[:300]}" if row["assumed"] else ""))


def drawn(options):
    """(name, program) of those of the suites that are drawn."""
    for suite in options.suite:
        path, _, count = suite.partition(":")
        folders = programs_of(os.path.abspath(path))
        count = min(int(count or 10), len(folders))
        for folder in sorted(random.Random(options.seed).sample(folders, count)):
            if re.search(options.only, str(folder)):
                yield "/".join(folder.parts[-2:]), folder


def parse():
    """The options of the command line."""
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("command")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--suite", action="append", default=[])
    parser.add_argument("--seed", type=int, default=36)
    parser.add_argument("--only", default="")
    parser.add_argument("--arguments", default="", help="of the programs that are files")
    parser.add_argument("--most", type=float, default=0.02)
    parser.add_argument("--most-silent", type=int)
    parser.add_argument("--hardware", help="counters of the launches, as CSV")
    parser.add_argument("--timeout", type=int, default=30)
    parser.add_argument("--budget", type=int, default=15)
    parser.add_argument("--limit", type=int, default=180)
    parser.add_argument("--define", action="append", default=[],
                        help="further option for the compiler of a suite's programs")
    parser.add_argument("--with", dest="with_option", action="append", default=[])
    parser.add_argument("--json", help="a line of JSON for each launch goes there")
    options = parser.parse_args()
    options.command = os.path.abspath(options.command)
    return options


def main():
    """Compares, prints, and fails where more differs than may."""
    options = parse()
    rows = []

    def add(name, *what):
        printed, report = profile(options, *what)
        if not report:
            found = re.search(r"error: (.*)", printed)
            print(f"{name}: no report: {found[1][:160] if found else printed[-160:]}", flush=True)
            return "launched no kernel" not in printed
        new = [compare(name, kernel) for kernel in report["kernels"]]
        rows.extend(new)
        if options.json:
            with open(options.json, "a", encoding="utf8") as out:
                out.writelines(json.dumps(row) + "\n" for row in new)
        for row in new:
            if "missing" in row:
                print(f"{name} {row['kernel']}: {row['missing']}", flush=True)
            elif is_off(row, options.most):
                print(("named  " if row["assumed"] else "SILENT ") + show(row), flush=True)
        return True

    with tempfile.TemporaryDirectory() as folder:
        for file in options.files:
            add(Path(file).name, [program_of(file, folder)], "", options.arguments, [])
    for name, folder in drawn(options):
        program = read_program(folder)
        if not program or absent_input(program):
            print(f"{name}: left out", flush=True)
            continue
        # Smaller ones, unless the program refuses them.
        for arguments in [*reversed(fewer(program.arguments)), program.arguments]:
            if add(name, program.sources, program.folder, arguments,
                   program.options + options.define):
                break
    compared = [row for row in rows if "missing" not in row]
    for word, those in (("silent", [r for r in compared if not r["assumed"]]),
                        ("named", [r for r in compared if r["assumed"]])):
        off = sum(is_off(row, options.most) for row in those)
        print(f"{word}: {len(those) - off} of {len(those)} launches have the counts that warps "
              "execute")
    if options.hardware:
        against_hardware(rows, options.hardware, options.most)
    silent = sum(is_off(row, options.most) for row in compared if not row["assumed"])
    if options.most_silent is None:
        return 0
    return 1 if silent > options.most_silent or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
