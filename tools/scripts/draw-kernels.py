#!/usr/bin/env python3
"""Draws programs of public suites for a set of kernels that nobody chose.

Writes one case a program, without a kernel, for record-kernels.py: that builds
them where a GPU is and records the first launches of each kernel. Programs of
which a recorded set has a kernel are not drawn, nor those whose input or
headers are absent. The drawn sources go to a folder that travels to the GPU,
with a script that does all there; what gpu-occupancy predicts of them comes
first:

    draw-kernels.py hecbench=HeCBench:40 --seed 1 --known test/golden --cases draw/cases --travel draw/sources --script draw/all.sh --predict gpu-occupancy --device nvidia-h200
    (on the GPU) draw/all.sh recorded
    gpu-occupancy-accuracy kernels --truth recorded --sources SUITES --device nvidia-h200 --code=nvcc

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from suite_programs import absent_input, commit_of, headers_beside, programs_of, read_program

# Data of a program that is larger stays where it is, and the program too.
MOST_BYTES = 4 << 20


def name_of(path):
    """The name that recorded sets have for the program of a folder or a file."""
    if path.suffix == ".cu":
        return f"{path.parent.name}-{path.stem}"
    return re.sub(r"-cuda$", "", path.name)


def known_programs(folder):
    """Programs of each suite that a recorded set has a kernel of."""
    known = set()
    for path in Path(folder).rglob("*.json"):
        cases = json.loads(path.read_text())
        if isinstance(cases, list):
            known |= {(case["suite"], case["program"]) for case in cases
                      if isinstance(case, dict) and {"suite", "program"} <= case.keys()}
    return known


def size_of(folder):
    """Bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def within(option, root):
    """An option for a folder of headers, from the root of the suite; None where it is elsewhere."""
    if not option.startswith("-I"):
        return option
    folder = os.path.relpath(option[2:], root)
    return None if folder.startswith("..") else "-I" + folder


def absent_header(program):
    """A header that nvcc does not find; None where there is none, or no nvcc."""
    if not shutil.which("nvcc"):
        return None
    for source in program.sources:
        run = subprocess.run(["nvcc", "-M", *program.options, source], cwd=program.folder,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                             errors="replace", timeout=60, check=False)
        if found := re.search(r"error: (\S+): No such file", run.stderr):
            return found[1]
    return None


def case_of(suite, root, path, commit):
    """The case of a program; None, and why, where it cannot be built elsewhere."""
    program = read_program(path)
    if not program:
        return None, "no build file that names sources"
    if missing := absent_input(program):
        return None, f"its input is absent: {missing}"
    if header := absent_header(program):
        return None, f"its header is absent: {header}"
    folder = program.folder
    if path.is_dir() and size_of(folder) > MOST_BYTES:
        return None, f"more than {MOST_BYTES >> 20} MiB"
    files = [os.path.relpath(folder / source, root) for source in program.sources]
    options = [within(option, root) for option in program.options]
    if None in options or any(name.startswith("..") for name in files):
        return None, "files outside of its suite"
    if not any(option.startswith(("-std", "--std")) for option in options):
        options.insert(0, "-std=c++17")
    # The first file names the folder that the program runs in.
    files.sort(key=lambda name: Path(root, name).parent != folder)
    return {"id": f"{suite}/{name_of(path)}", "suite": suite, "program": name_of(path),
            "repo": suite, "commit": commit, "files": files, "compiler": "nvcc",
            "compiler_version": "", "flags": " ".join(options), "args": program.arguments}, ""


def no_header(folder, names):
    """What of a folder is neither a header nor a folder."""
    return [name for name in names if not name.endswith((".h", ".hpp", ".cuh", ".inl")) and
            not Path(folder, name).is_dir()]


def travel(cases, roots, target):
    """Copies what the programs are built from."""
    for case in cases:
        root, goal = roots[case["suite"]], Path(target) / case["suite"]
        folders = {str(Path(name).parent) for name in case["files"]}
        folders |= {word[2:] for word in case["flags"].split() if word.startswith("-I")}
        for folder in folders:
            if not (root / folder).is_dir():
                continue
            # Folders of headers may hold libraries too.
            is_small = size_of(root / folder) <= MOST_BYTES
            shutil.copytree(root / folder, goal / folder, dirs_exist_ok=True,
                            ignore_dangling_symlinks=True,
                            ignore=None if is_small else no_header)
        for header in {h for name in case["files"] for h in headers_beside(root / name)}:
            copy = goal / header.relative_to(root) if header.is_relative_to(root) else None
            if copy and not copy.exists():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(header, copy)
        for name in case["files"]:
            copy = goal / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, copy)


def analysis_of(case, root, options):
    """What is said of the kernels of a case from its sources alone."""
    flags = ["-I" + str(root / word[2:]) if word.startswith("-I") else word
             for word in case["flags"].split()]
    sources = [str(root / name) for name in case["files"] if name.endswith(".cu")]
    try:
        run = subprocess.run([options.predict, "analyze", *sources, f"--device={options.device}",
                              "--built-by=nvcc", f"--code={options.code}", "--format=json",
                              "--cache=off", "--", *flags],
                             capture_output=True, text=True, errors="replace", timeout=300,
                             check=False)
        return json.loads(run.stdout).get("kernels", [])
    except (json.JSONDecodeError, subprocess.TimeoutExpired):
        return []


def predict(cases, roots, options):
    """Writes a line of each kernel: launch, ns, interval, what binds, assumptions.
    Returns how many there are."""
    lines = []
    for case in cases:
        for kernel in analysis_of(case, roots[case["suite"]], options):
            launch, interval = kernel["launch"], kernel["interval"] or {}
            lines.append({"program": case["id"], "kernel": kernel["name"],
                          "grid": launch.get("grid"), "block": launch.get("block"),
                          "time_ns": kernel["predicted_time_ns"],
                          "interval_ns": interval.get("time_ns"), "limiter": kernel["limiter"],
                          "assumptions": len(kernel["assumptions"])})
    path = Path(options.cases).parent / "predictions.json"
    path.write_text("[\n" + ",\n".join(map(json.dumps, lines)) + "\n]\n")
    timed = sum(bool(line["time_ns"]) for line in lines)
    return f"{len(lines)} kernels predicted, {timed} with a time"


# Everything lies beside it: the cases, the sources and record-kernels.py.
ON_DEVICE = """#!/bin/sh
# Builds the drawn programs and records their kernels into the folder $1.
set -u
out=$(realpath -m "$1")
cd "$(dirname "$0")" || exit 2
mkdir -p "$out"
python3 record-kernels.py build --cases {cases} --sources {sources} \\
  --programs "$out/programs" > "$out/build.txt" 2>&1
python3 record-kernels.py record --cases {cases} --sources {sources} \\
  --programs "$out/programs" -o "$out" --seconds {seconds} \\
  --program-seconds {program_seconds} > "$out/record.txt" 2>&1
rm -rf "$out/programs"
"""


def write_script(options):
    """The script for the machine with the GPU, and what it calls."""
    path = Path(options.script)
    beside = lambda folder: shlex.quote(os.path.relpath(folder, path.parent))
    path.write_text(ON_DEVICE.format(cases=beside(options.cases), sources=beside(options.travel),
                                     seconds=options.seconds,
                                     program_seconds=options.program_seconds))
    path.chmod(0o755)
    shutil.copy(Path(__file__).parent / "record-kernels.py", path.parent)


def parse():
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("suites", nargs="+", metavar="NAME=CHECKOUT[:COUNT]",
                        help="a suite, and how many of its programs are drawn (10)")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--known", required=True, help="folder of recorded sets")
    parser.add_argument("--cases", required=True, help="where NAME.json goes, one a suite")
    parser.add_argument("--travel", help="copy the drawn sources there")
    parser.add_argument("--script", help="write what records them on a GPU there")
    parser.add_argument("--seconds", type=int, default=480, help="of that script's measurements")
    parser.add_argument("--program-seconds", type=int, default=30,
                        help="of one program under the profiler")
    parser.add_argument("--predict", metavar="GPU_OCCUPANCY",
                        help="predict them first by this program, into predictions.json")
    parser.add_argument("--device", default="nvidia-h200", help="of the predictions")
    parser.add_argument("--code", default="nvcc", help="whose code is predicted")
    options = parser.parse_args()
    if options.script and not options.travel:
        parser.error("--script needs --travel")
    return options


def main():
    """Draws, and says what was left out."""
    options = parse()
    known = known_programs(options.known)
    drawn, roots = [], {}
    for suite in options.suites:
        name, _, rest = suite.partition("=")
        path, _, count = rest.partition(":")
        roots[name] = root = Path(path).resolve()
        # The first of those that share a name.
        programs = list({name_of(path): path for path in reversed(programs_of(root))
                         if (name, name_of(path)) not in known}.values())
        random.Random(options.seed).shuffle(programs)
        cases, commit = [], commit_of(root)
        for path in programs:
            if len(cases) == int(count or 10):
                break
            case, why = case_of(name, root, path, commit)
            if case:
                cases.append(case)
            else:
                print(f"left out: {name}/{name_of(path)}: {why}", file=sys.stderr)
        Path(options.cases).mkdir(parents=True, exist_ok=True)
        (Path(options.cases) / f"{name}.json").write_text(json.dumps(cases, indent=1) + "\n")
        drawn += cases
    if options.travel:
        travel(drawn, roots, options.travel)
    if options.script:
        write_script(options)
    if options.predict:
        print(predict(drawn, roots, options))
    print(f"{len(drawn)} programs drawn with seed {options.seed}")


if __name__ == "__main__":
    main()
