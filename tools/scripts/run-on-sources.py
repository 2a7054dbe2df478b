#!/usr/bin/env python3
"""Compile CUDA sources with and without the plugin and tell what differs.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Takes files and folders. Each source is compiled to PTX (device code only, no
assembler) without and with the plugin in turn. A source that does not compile
without it is counted and left out. Printed are: kernels, whether the PTX is
equal to the letter, crashes, hangs, failures, diagnostics that only the plugin
brings, what was not analyzed and why, and the ratios of processor time, wall
time and memory. --json keeps all of it, one row a source.

Headers are found by name in the tree that the source was found in. What
follows `--` goes to the compiler:

  run-on-sources.py ~/cuda-samples --json=samples.json
  run-on-sources.py ~/cuda-samples --every=10 --level=0 --arch=sm_80 --arch=sm_90 -- -g -std=c++20

Exit status: 0, 1 where the plugin changed something or costs more than
--limit, 2 for a mistake in the command.
"""

import argparse
import datetime
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from compile_pairs import Compile, compile_pairs
from nearby_headers import HeaderIndex, include_folders
from pair_statistics import bad_rows, summarize, table

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
SHIM = BUILD / "share/gpu-occupancy/cuda-shim/gpuocc-cuda-shim.cfg"


def toolkit_root():
    """The toolkit that the scripts beside this one would use, or None."""
    script = f"source {ROOT}/tools/scripts/toolkit.sh; cuda_root"
    return subprocess.run(["bash", "-c", script], capture_output=True,
                          text=True, check=True).stdout.strip() or None


def header_arguments(root):
    """Where CUDA's headers are: of a toolkit, with those that nvcc alone would
    find, or those that stand in for one."""
    if not root:
        return [f"--config={SHIM}"]
    core = Path(root, "include/cccl")
    return [f"--cuda-path={root}", "-Wno-unknown-cuda-version",
            *(["-isystem", str(core)] if core.is_dir() else [])]


def first_line(command, folder=None):
    """What a program prints first; None where it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()[0] if done.returncode == 0 and done.stdout else None


def commit_of(folder):
    """The commit that a folder is checked out at, if git knows; with '+' where
    tracked files differ from it."""
    commit = first_line(["git", "rev-parse", "HEAD"], folder)
    changed = commit and first_line(["git", "status", "--porcelain", "-uno", "."], folder)
    return commit and commit + ("+" if changed else "")


def system_folders(compiler, headers):
    """Where the compiler looks for headers of its own accord."""
    command = [compiler, *headers, "-x", "cuda", "--cuda-device-only", "-nocudalib", "-v", "-E",
               os.devnull]
    text = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    _, _, listed = text.partition("#include <...> search starts here:\n")
    listed, _, _ = listed.partition("End of search list.")
    return [line.strip() for line in listed.splitlines()]


def sources_of(place, skip=()):
    if place.is_dir():
        return [path for path in sorted(place.rglob("*.cu"))
                if not any(path.match(pattern) for pattern in skip)]
    if not place.exists():
        sys.exit(f"error: '{place}' does not exist")
    return [place]


def tree_record(place, sources):
    """What says later which sources these were."""
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.read_bytes())
    folder = place if place.is_dir() else place.parent
    return {"name": place.resolve().name, "sources": len(sources), "commit": commit_of(folder),
            "sha256": digest.hexdigest()}


def place_and_step(word, every):
    """`FOLDER` or `FOLDER:N`, each Nth source of it."""
    place, colon, step = word.rpartition(":")
    if colon and step.isdigit() and int(step) and not Path(word).exists():
        return Path(place), int(step)
    return Path(word), every


def parse_options():
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0],
                                     epilog="What follows -- goes to the compiler.")
    parser.add_argument("places", nargs="+", metavar="FILE-OR-FOLDER[:N]",
                        help="with :N each Nth source of it")
    parser.add_argument("--level", default="3", help="of optimization: 0, 1, 2, 3, s, z")
    parser.add_argument("--arch", action="append", help="may be repeated; default sm_90")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth source")
    parser.add_argument("--skip", action="append", default=[], metavar="PATTERN",
                        help="leave out sources whose path ends so: '*-hip/*'; may be repeated")
    parser.add_argument("--pairs", type=int, default=1, metavar="N",
                        help="compiles without and with it, of which costs are medians")
    parser.add_argument("--apart", action="store_true",
                        help="compile with remarks and without the plugin, too, and show what "
                             "they take apart")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--nice", type=int, default=0, metavar="N")
    parser.add_argument("--timeout", type=float, default=120, metavar="SECONDS",
                        help="of processor for one compile; what takes longer hangs")
    parser.add_argument("--compiler", default="clang++-22")
    parser.add_argument("--plugin", type=Path, default=BUILD / "lib/GpuOccupancy.so")
    parser.add_argument("--shim", action="store_true", help="do as if there were no toolkit")
    parser.add_argument("--ptxas", action="store_true", help="let the plugin ask the assembler")
    parser.add_argument("--no-remarks", action="store_true",
                        help="only the report: remarks make clang keep track of places")
    parser.add_argument("--limit", type=float, metavar="PERCENT",
                        help="most that the plugin may add to the sum of processor time")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--resume", action="store_true",
                        help="keep the rows that an earlier run left in --json FILE")
    options = parser.parse_args(words[:split])
    options.clang_arguments = words[split + 1:]
    options.arch = options.arch or ["sm_90"]
    options.places = [place_and_step(word, options.every) for word in options.places]
    if options.apart and options.no_remarks:
        parser.error("--apart is about remarks, which --no-remarks leaves out")
    if options.resume and not options.json:
        parser.error("--resume needs --json")
    if not options.plugin.exists():
        parser.error(f"no plugin '{options.plugin}': build it or name it with --plugin")
    return options


def compiler_arguments(options, headers):
    return [options.compiler, "-x", "cuda", *headers,
            *(f"--cuda-gpu-arch={arch}" for arch in options.arch), f"-O{options.level}",
            "--cuda-device-only", "-S", "-ferror-limit=1", "-fno-crash-diagnostics",
            *options.clang_arguments]


def remark_arguments(options):
    return [] if options.no_remarks else ["-Rpass=gpu-occupancy"]


def plugin_arguments(options):
    return [f"-fpass-plugin={options.plugin.resolve()}",
            "-mllvm", f"-gpu-occupancy-ptxas={'auto' if options.ptxas else 'off'}",
            "-mllvm", "-gpu-occupancy-report-file={report}"]


class Runner:
    """Compiles the sources of trees and shows each as it is done."""

    def __init__(self, options, scratch, known):
        self.known = known
        headers = header_arguments(None if options.shim else toolkit_root())
        self.options = options
        self.scratch = Path(scratch)
        self.base = compiler_arguments(options, headers)
        self.plugin = plugin_arguments(options)
        self.remarks = remark_arguments(options)
        self.system = system_folders(options.compiler, headers)

    def row(self, number, place, source, index):
        name = name_of(place, source)
        if name in self.known:
            return self.known[name]
        folders = include_folders(source, index, self.system)
        base = [*self.base, *(f"-I{folder}" for folder in folders)]
        row = compile_pairs(Compile(base, self.plugin, self.remarks,
                                    self.scratch / str(number), self.options.timeout,
                                    self.options.pairs, self.options.apart), source)
        row = {"file": name, **row}
        for key in ("why", "new_diagnostics"):
            if key in row:
                row[key] = without_paths(row[key], place)
        print(f"{row['result']:14}{row['file']}", file=sys.stderr, flush=True)
        if self.options.json:
            with open(journal_of(self.options.json), "a", encoding="utf-8") as journal:
                journal.write(json.dumps(row) + "\n")
        return row

    def run(self, trees):
        """One row a source. What an interrupt leaves undone is left out."""
        with ThreadPoolExecutor(self.options.jobs) as pool:
            tasks = []
            for place, sources in trees:
                index = HeaderIndex.of_tree(place if place.is_dir() else place.parent)
                for source in sources:
                    tasks.append(pool.submit(self.row, len(tasks), place, source, index))
            try:
                return [task.result() for task in tasks], False
            except KeyboardInterrupt:
                pool.shutdown(cancel_futures=True)
                return [t.result() for t in tasks
                        if t.done() and not t.cancelled() and not t.exception()], True


def name_of(place, source):
    """The source as the record names it."""
    return str(source.relative_to(place.parent if place.is_dir() else source.parent))


def journal_of(record):
    """Where rows go as they are done, one a line, until the record is written."""
    return record.with_name(record.name + ".part")


def earlier_commits(record):
    """Commits whose plugin made rows that stay."""
    if not record.exists():
        return []
    old = json.loads(record.read_text(encoding="utf-8"))
    return list(dict.fromkeys([*old.get("earlier_commits", []), old["commit"]]))


def rows_of_record(record):
    """The rows that earlier runs left, by name of the source."""
    rows = []
    if record.exists():
        rows += json.loads(record.read_text(encoding="utf-8"))["files"]
    if journal_of(record).exists():
        lines = journal_of(record).read_text(encoding="utf-8").splitlines(keepends=True)
        rows += [json.loads(line) for line in lines if line.endswith("\n")]
    return {row["file"]: row for row in rows}


def record_text(record):
    """The record as JSON with one row a line."""
    rows = ",\n".join("  " + json.dumps(row) for row in record["files"])
    head = json.dumps({**record, "files": []}, indent=1)
    return head.replace('"files": []', '"files": [\n' + rows + "\n ]") + "\n"


def without_paths(value, place):
    """The text, or the texts, without where the tree lies on this machine."""
    if isinstance(value, list):
        return [without_paths(text, place) for text in value]
    folder = place if place.is_dir() else place.parent
    return value.replace(str(folder.parent) + os.sep, "")


def header(options, trees):
    """What says later how the rows were made."""
    return {"date": datetime.date.today().isoformat(),
            "commit": commit_of(ROOT),
            "compiler": first_line([options.compiler, "--version"]),
            "arguments": compiler_arguments(options, [])[1:], "remarks": not options.no_remarks, "ptxas": options.ptxas,
            "every": {place.resolve().name: step for place, step in options.places
                      if step > 1},
            "skip": options.skip, "pairs": options.pairs, "timeout_s": options.timeout,
            "trees": [tree_record(place, sources) for place, sources in trees]}


def main():
    options = parse_options()
    os.nice(options.nice)
    # In the background, interrupts are ignored unless somebody asks for them.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    all_trees = [(place.resolve(), sources_of(place.resolve(), options.skip))
                 for place, _ in options.places]
    trees = [(place, sources[::step])
             for (place, sources), (_, step) in zip(all_trees, options.places)]
    known = rows_of_record(options.json) if options.resume else {}
    if options.json and not options.resume:
        journal_of(options.json).unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="run-on-sources-") as scratch:
        runner = Runner(options, scratch, known)
        record = header(options, all_trees)
        if options.resume:
            record["earlier_commits"] = earlier_commits(options.json)
        rows, interrupted = runner.run(trees)
    summary = summarize(rows)
    print(table(summary))
    for row in bad_rows(rows):
        print(f"{row['result']}: {row['file']}", *row.get("new_diagnostics", ()), sep="\n  ")
    if options.json:
        record |= {"interrupted": interrupted, "summary": summary, "files": rows}
        options.json.write_text(record_text(record), encoding="utf-8")
        journal_of(options.json).unlink(missing_ok=True)
    cpu = summary["ratios"]["cpu_s"]
    over = options.limit is not None and cpu and 100 * (cpu["sum"] - 1) > options.limit
    if over:
        print(f"error: the plugin adds {100 * (cpu['sum'] - 1):.1f} % of processor time, "
              f"over {options.limit:g} %", file=sys.stderr)
    return 1 if over or bad_rows(rows) else 0


if __name__ == "__main__":
    sys.exit(main())
