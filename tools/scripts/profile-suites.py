#!/usr/bin/env python3
"""Run programs of public suites with `gpu-occupancy profile`, and say what became of each.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

The programs are drawn from the folders of the suites by a seed. Sources, options and arguments are
those of each program's own build file. A program that exceeds the time runs again with a hundredth
of its last number, which is that of repetitions in most, then with a sixteenth of the largest, which
is a size. See docs/profile-suites.md.
"""

import argparse
import datetime
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from suite_programs import absent_input, commit_of, fewer, programs_of, read_program

# What messages mean to somebody who reads a table; the first that fits counts.
REASONS = (
    ("its input is absent", r"(?i)((?:unable to|cannot|can't|could not|couldn't|failed to) "
                            r"(?:read|open)[^\n]*|[^\n]*No such file or directory)"),
    ("a library that is absent", r"fatal error: '([^']+)' file not found"),
    # What the runtime lacks is ours; all other functions are those of libraries.
    ("a function that the runtime does not know",
     r"the host code needs '(cu(?:da)?[A-Z]\w*)', which no given source defines"),
    ("a library that is absent", r"the host code needs '(\w+)', which no given source defines"),
    ("a function that the runtime does not know", r"undefined (?:symbol|reference)[^:]*: *(.*)"),
    ("does not compile", r"does not compile: (?:.*?error: )?(.*)"),
    ("does not link", r"(?:does not link|cannot be linked)(.*)"),
    ("a kernel is refused", r"kernel '.*?' did not run: it (.*)"),
    ("a kernel fails", r"kernel '.*?' failed: it (.*)"),
    ("no device code", r"device code cannot be read: (.*)"),
    ("the program crashes", r"the program (?:was ended by|crashed)(.*)"),
    ("memory", r"(.*(?:memory limit|more memory).*)"),
    ("launches nothing", r"(the program launched no kernel)"),
    ("another error", r"error: (.*)"),
)
FAILED = re.compile(r"\b(?:fail(?:ed|ure)?|mismatch(?:es)?|incorrect|wrong)\b", re.IGNORECASE)
# "0 failures", "no mismatch" and "failed as expected" are good news.
NOT_FAILED = re.compile(r"\b(?:0|no|without)\b[^.\n]{0,20}(?:fail|mismatch|incorrect|wrong)\w*|"
                        r"(?:fail\w*|mismatch\w*|incorrect|wrong)\w*\s*[:=]\s*0\b|"
                        r"fail\w* as expected", re.IGNORECASE)
# A sample that needs two devices, or another one, waives itself.
WAIVED = re.compile(r"^.*\bwaiv(?:ed|ing)\b.*$", re.IGNORECASE | re.MULTILINE)
# Programs about failures make a kernel fail, and say so.
MEANT_TO_FAIL = re.compile(r"fail\w* as expected", re.IGNORECASE)
PASSED = re.compile(r"\b(?:pass(?:ed)?|success(?:ful(?:ly)?)?|correct|verified|OK)\b",
                    re.IGNORECASE)


def profile(program, arguments, options):
    """(status, what was printed, seconds) of `gpu-occupancy profile`."""
    command = [options.gpu_occupancy, "profile", *program.sources,
               "--folder=" + str(program.folder), f"--timeout={options.timeout}",
               f"--budget={options.budget}", *options.with_option]
    if arguments:
        command.append("--arguments=" + arguments)
    command += ["--", *program.options]
    begin = time.monotonic()
    try:
        run = subprocess.run(command, cwd=program.folder, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
                             errors="replace", timeout=options.limit)
    except subprocess.TimeoutExpired as late:
        return 124, "", f"{late}", time.monotonic() - begin
    return run.returncode, run.stdout, run.stderr, time.monotonic() - begin


def own_output(text):
    """What the program itself printed, before the table."""
    return re.split(r"^kernels on .*, predicted$", text, flags=re.MULTILINE)[0]


def outcome_of(status, output, messages):
    """(word, reason) of a run."""
    printed = own_output(output)
    bad = [line for line in printed.splitlines()
           if FAILED.search(line) and not NOT_FAILED.search(line)]
    if MEANT_TO_FAIL.search(printed) and PASSED.search(printed) and not bad:
        return "passed", "a kernel fails, as the program wants"
    if status != 0 and (waived := WAIVED.search(printed)):
        return "left out", f"it waives itself: {waived[0].strip()[:160]}"
    for reason, pattern in REASONS:
        found = re.search(pattern, printed + messages if "input" in reason else messages)
        if found and (status != 0 or "kernel is refused" in reason):
            return ("left out" if "absent" in reason else "failed",
                    f"{reason}: {found[1].strip()[:160]}")
    if bad:
        return "failed", f"its check: {bad[0].strip()[:160]}"
    if status != 0:
        return "failed", f"exit status {status}: {(messages.strip().splitlines() or [''])[-1][:160]}"
    return ("passed", "") if PASSED.search(printed) else ("ended", "checks nothing")


def run_one(folder, options):
    """The row of a program."""
    row = {"program": "/".join(folder.parts[-2:])}
    program = read_program(folder)
    if not program:
        return row | {"outcome": "left out", "reason": "no build file that names sources"}
    if missing := absent_input(program):
        return row | {"outcome": "left out", "reason": f"its input is absent: {missing}"}
    tried = program.arguments
    status, output, messages, seconds = profile(program, tried, options)
    for less in fewer(tried):
        if not is_over_time(status, messages):
            break
        tried = less
        status, output, messages, seconds = profile(program, tried, options)
    if status == 124:
        word, reason = "not finished", f"{options.limit} s with compilation and waiting"
    elif is_over_time(status, messages):
        word, reason = "failed", f"more than {options.timeout} s"
    else:
        word, reason = outcome_of(status, output, messages)
    if options.keep:
        Path(options.keep).mkdir(parents=True, exist_ok=True)
        (Path(options.keep) / (folder.name + ".txt")).write_text(
            f"{program.sources} {program.options}\n{output}\n--- messages\n{messages}")
    return row | {"arguments": tried, "outcome": word, "reason": reason,
                  "seconds": round(seconds, 1)}


def is_over_time(status, messages):
    """Whether the program was ended because it took too long."""
    return status == 124 or bool(re.search(r"stopped at the limit of \d+ seconds", messages))


def table(rows):
    """The rows in Markdown."""
    lines = ["| program | arguments | outcome | reason | s |", "|---|---|---|---|---:|"]
    for row in rows:
        reason = row["reason"].replace("|", "\\|")
        lines.append(f"| {row['program']} | {row.get('arguments', '')} | {row['outcome']} | "
                     f"{reason} | {row.get('seconds', '')} |")
    return "\n".join(lines)


def parse():
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("suites", nargs="+", metavar="SUITE[:COUNT]",
                        help="folder of a suite, and how many of its programs are drawn (10)")
    parser.add_argument("--gpu-occupancy", default="gpu-occupancy", metavar="FILE")
    parser.add_argument("--seed", type=int, default=38)
    parser.add_argument("--only", default="", metavar="REGEX", help="programs whose folder matches")
    parser.add_argument("--timeout", type=int, default=60, help="seconds that a program may run")
    parser.add_argument("--budget", type=int, default=10, help="seconds for its predictions")
    parser.add_argument("--limit", type=int, default=600,
                        help="seconds for all of a program, with its compilation")
    parser.add_argument("--with", dest="with_option", action="append", default=[],
                        metavar="OPTION", help="further option for profile")
    parser.add_argument("--keep", metavar="FOLDER", help="what was printed goes there")
    parser.add_argument("--json", metavar="FILE")
    return parser.parse_args()


def main():
    """Draws, runs, and prints the table."""
    options = parse()
    options.gpu_occupancy = shutil.which(options.gpu_occupancy) or options.gpu_occupancy
    rows, commits = [], {}
    for suite in options.suites:
        path, _, count = suite.partition(":")
        path = os.path.abspath(path)
        commits[os.path.basename(path)] = commit_of(path)
        folders = programs_of(path)
        draw = random.Random(options.seed).sample(folders, min(int(count or 10), len(folders)))
        for folder in sorted(draw):
            if options.only and not re.search(options.only, str(folder)):
                continue
            rows.append(run_one(folder, options))
            print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
            if options.json:
                Path(options.json).write_text(json.dumps(
                    {"date": str(datetime.date.today()), "seed": options.seed,
                     "commits": commits, "programs": rows}, indent=1) + "\n")
    print(table(rows))
    counted = [row for row in rows if row["outcome"] in ("passed", "failed")]
    print(f"\n{sum(row['outcome'] == 'passed' for row in rows)} of {len(counted)} that check "
          "themselves passed")


if __name__ == "__main__":
    main()
