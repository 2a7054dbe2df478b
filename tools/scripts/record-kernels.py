#!/usr/bin/env python3
"""Records kernels of public suites on the GPU of this machine.

Reads the cases of a recorded set (test/golden/*/SUITE.json), builds each
program with nvcc from checkouts of its sources, runs it under Nsight Compute
and writes the same cases with what this GPU did. The sources are not changed;
a case whose launch the program does not make is left out and named. A case
without a kernel, as draw-kernels.py writes them, stands for a program: one
launch of each of its first six kernels becomes a case.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: record-kernels.py build  --cases DIR --sources DIR --programs DIR
       record-kernels.py record --cases DIR --sources DIR --programs DIR -o DIR
                                [--seconds N] [--program-seconds N]
Exit status: 0 all cases, 2 some are left out.
"""

import argparse
import csv
import gzip
import io
import json
import math
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FLAGS = ["-arch=sm_90", "-O3", "-lineinfo"]
LAUNCHES_PER_KERNEL = 2
# Of a program whose kernels nobody named: launches looked at, kernels taken.
LAUNCHES_OF_PROGRAM = 24
KERNELS_OF_PROGRAM = 6

METRICS = {
    "duration": "gpu__time_duration.sum",
    "clock": "smsp__cycles_elapsed.avg.per_second",
    "warp_inst": "smsp__inst_executed.sum",
    "threads": "smsp__thread_inst_executed_per_inst_executed.ratio",
    "issue": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "achieved": "sm__warps_active.avg.per_cycle_active",
    "l1_hit": "l1tex__t_sector_hit_rate.pct",
    "l2_hit": "lts__t_sector_hit_rate.pct",
    "l2_sectors": "lts__t_sectors.sum",
    "dram_read": "dram__bytes_read.sum",
    "dram_write": "dram__bytes_write.sum",
    "registers": "launch__registers_per_thread",
    "dynamic_smem": "launch__shared_mem_per_block_dynamic",
    "theoretical": "sm__maximum_warps_per_active_cycle_pct",
}
# Words of LimiterWords.def for the counters of the two breakdowns.
LIMITER_WORDS = [
    (r"sm__issue_active|sm__inst_executed$", "issue slots"),
    (r"sm__(?:inst_executed_pipe|pipe)_(fp64|alu|xu|adu|lsu|cbu|uniform|fp16)", r"\1 pipe"),
    (r"sm__(?:inst_executed_pipe|pipe)_fma", "fma pipe"),
    (r"sm__(?:inst_executed_pipe|pipe)_(?:tensor|shared)", "tensor pipe"),
    (r"dram__", "DRAM"),
    (r"lts__|l2__", "L2"),
    (r"l1tex__data", "L1/shared data pipe"),
    (r"l1tex__t_", "L1 tags"),
    (r"l1tex__lsuin", "LSU input"),
    (r"l1tex__", "L1"),
    (r"sm__mio|idc__|sm__", "lsu pipe"),
]
LATENCY_BELOW_PERCENT = 60
WARPS_PER_SM = 64


def read_cases(folder):
    """Cases of each suite, by the name of its file."""
    return {f.stem: json.loads(f.read_text()) for f in sorted(Path(folder).glob("*.json"))}


def programs_of(suites):
    """Cases by program: what is built and run once."""
    programs = {}
    for suite, cases in suites.items():
        for case in cases:
            programs.setdefault((suite, case["program"], case["args"]), []).append(case)
    return programs


def in_turns(programs):
    """The programs of all suites in turns, so that time that runs out hits all of them."""
    seen, order = {}, []
    for key in programs:
        order.append((seen.setdefault(key[0], 0), key))
        seen[key[0]] += 1
    return {key: programs[key] for _, key in sorted(order, key=lambda turn: turn[0])}


def folder_of(sources, suite, case):
    return Path(sources) / suite / Path(case["files"][0]).parent


def binary_of(programs, suite, program):
    return Path(programs).resolve() / f"{suite}.{program}"


# Libraries of the toolkit by the header that asks for one.
LIBRARIES = [("cublas", "-lcublas"), ("cusparse", "-lcusparse"), ("curand", "-lcurand"),
             ("cufft", "-lcufft")]


def libraries_of(files):
    """Options for the libraries whose headers the files include."""
    text = "".join(file.read_text(errors="replace") for file in files)
    return [option for name, option in LIBRARIES if re.search(rf"#include\s*[<\"]{name}", text)]


def build_program(sources, programs, suite, case):
    """Returns what the compiler said last, or None where it is built."""
    output = binary_of(programs, suite, case["program"])
    if output.exists():
        return None
    root = (Path(sources) / suite).resolve()
    named = [root / f for f in case["files"]]
    beside = sorted(p for p in folder_of(sources, suite, case).resolve().iterdir()
                    if p.suffix in (".cu", ".cpp", ".c", ".cc"))
    others = [p for p in beside if p not in named]
    said = ""
    for files in (named, named + [p for p in others if p.suffix != ".cu"], named + others):
        command = ["nvcc", *FLAGS, *case["flags"].split(), "-o", str(output),
                   *map(str, dict.fromkeys(files)), *libraries_of(files), "-lm"]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True)
        if done.returncode == 0:
            return None
        said = (done.stderr.strip().splitlines() or ["no message"])[-1]
    return said


def build(options):
    Path(options.programs).mkdir(parents=True, exist_ok=True)
    programs = programs_of(read_cases(options.cases))

    def one(item):
        (suite, program, _), cases = item
        return suite, program, build_program(options.sources, options.programs, suite, cases[0])

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(one, programs.items()))
    for suite, program, error in results:
        if error:
            print(f"not built: {suite}/{program}: {error}")
    failed = sum(1 for r in results if r[2])
    print(f"{len(results) - failed} of {len(results)} programs built")
    return 2 if failed else 0


def number(text):
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def scaled(row, units, metric):
    """Value of a metric in ns, byte, Hz or as it is."""
    value = number(row.get(metric, ""))
    if value is None:
        return None
    unit = units.get(metric, "")
    factors = {"us": 1e3, "usecond": 1e3, "ms": 1e6, "msecond": 1e6, "s": 1e9, "second": 1e9,
               "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9, "Ghz": 1e9, "GHz": 1e9, "Mhz": 1e6,
               "MHz": 1e6, "Kbyte/block": 1e3, "cycle/nsecond": 1e9, "cycle/usecond": 1e6,
               "cycle/second": 1}
    return value * factors.get(unit, 1)


def limiter(row):
    """The higher of both throughputs by its busiest counter, or latency."""
    sides = {}
    for metric, text in row.items():
        m = re.fullmatch(r"breakdown:(sm__throughput|gpu__compute_memory_throughput)"
                         r"\S*?\s*/?\s*(\S+)|((?:sm|l1tex|lts|l2|dram|idc)__\S+)"
                         r"\.avg\.pct_of_peak_sustained_elapsed", metric)
        value = number(text)
        if m and value is not None:
            name = (m.group(2) or m.group(3)).split(".")[0]
            if name in ("sm__throughput", "l1tex__throughput", "lts__throughput",
                        "dram__throughput"):
                continue
            compute = name.startswith("sm__")
            side = "compute" if compute else "memory"
            if value > sides.get(side, ("", -1))[1]:
                sides[side] = (name, value)
    totals = {"compute": number(row.get("sm__throughput.avg.pct_of_peak_sustained_elapsed", "")),
              "memory": number(row.get(
                  "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", ""))}
    compute, memory = totals["compute"] or 0, totals["memory"] or 0
    if max(compute, memory) < LATENCY_BELOW_PERCENT:
        return f"latency: all under {LATENCY_BELOW_PERCENT} % (SM {compute:.0f}%, mem {memory:.0f}%)"
    side = "compute" if compute >= memory else "memory"
    name = sides.get(side, ("", 0))[0]
    for pattern, word in LIMITER_WORDS:
        m = re.match(pattern, name)
        if m:
            return f"{side}: {m.expand(word)} {max(compute, memory):.0f}%"
    return f"{side}: {name} {max(compute, memory):.0f}%"


def shape(text):
    return [int(n) for n in re.findall(r"\d+", text)][:3]


def profile(options, suite, cases, seconds):
    """Rows of Nsight Compute for a program's kernels; an error as text."""
    first = cases[0]
    kernels = sorted({c["kernel"]["mangled"] for c in cases if "kernel" in c})
    chosen = ["-k", "regex:^(" + "|".join(map(re.escape, kernels)) + ")$"] if kernels else []
    most = LAUNCHES_PER_KERNEL * len(kernels) or LAUNCHES_OF_PROGRAM
    # What was profiled until a program is ended is printed; where ncu itself is
    # ended, nothing is.
    command = ["timeout", "-k", "2", str(int(seconds) + 5), "ncu", "--csv", "--page", "raw",
               "--clock-control", "none", "--cache-control", "all", "--kill", "yes",
               "--kernel-name-base", "mangled", "--print-kernel-base", "mangled",
               *chosen, "-c", str(most),
               "--section", "SpeedOfLight", "--metrics",
               ",".join(list(METRICS.values()) +
                        ["breakdown:sm__throughput.avg.pct_of_peak_sustained_elapsed",
                         "breakdown:gpu__compute_memory_throughput.avg"
                         ".pct_of_peak_sustained_elapsed"]),
               "timeout", "-k", "1", str(int(seconds)),
               str(binary_of(options.programs, suite, first["program"])),
               *first["args"].split()]
    done = subprocess.run(command, cwd=folder_of(options.sources, suite, first),
                          capture_output=True, text=True, errors="replace")
    lines = done.stdout.splitlines()
    start = next((i for i, l in enumerate(lines) if l.startswith('"ID"')), None)
    if start is None:
        last = [l for l in lines + done.stderr.splitlines() if l.strip()][-1:]
        return [], {}, f"exit status {done.returncode}: {' '.join(last)[:120]}"
    rows = list(csv.DictReader(io.StringIO("\n".join(l for l in lines[start:]
                                                     if l.startswith('"')))))
    return rows[1:], rows[0], None


def measured(case, row, units):
    """The case with what this GPU did."""
    v = {k: scaled(row, units, m) for k, m in METRICS.items()}
    grid, block = shape(row["Grid Size"]), shape(row["Block Size"])
    return {
        **{k: case[k] for k in ("id", "suite", "program", "repo", "commit", "files", "compiler",
                                "compiler_version", "flags", "args", "kernel")},
        "launch": {"grid": grid, "block": block, "dynamic_smem": int(v["dynamic_smem"] or 0)},
        "time": {"duration_ns": v["duration"],
                 "sm_clock_ghz": round((v["clock"] or 0) / 1e9, 3)},
        "resources": {"regs_per_thread": int(v["registers"] or 0)},
        "occupancy": {"theoretical_warps": round((v["theoretical"] or 0) / 100 * WARPS_PER_SM, 2),
                      "achieved_warps": round(v["achieved"] or 0, 2)},
        "inst": {"warp_inst": v["warp_inst"], "avg_active_threads": round(v["threads"] or 0, 2)},
        "cache": {"l1_hit_pct": v["l1_hit"], "l2_hit_pct": v["l2_hit"],
                  "l2_sectors": {"all": v["l2_sectors"]}},
        "dram": {"bytes_read": v["dram_read"], "bytes_written": v["dram_write"]},
        "sched": {"issue_slots_busy_pct": v["issue"]},
        "sass_dyn": {},
        "derived": {"limiter": limiter(row)},
    }


def matches(case, row):
    return (row["Kernel Name"] == case["kernel"]["mangled"] and
            shape(row["Grid Size"]) == case["launch"]["grid"] and
            shape(row["Block Size"]) == case["launch"]["block"])


def row_of(case, rows):
    """The last of the first launches of a case; None where there is none.

    Caches of the driver and the program are then in the state of a run. Later
    launches may have other arguments.
    """
    found = [row for row in rows if matches(case, row)][:LAUNCHES_PER_KERNEL]
    return found[-1] if found else None


def cases_of_program(case, rows):
    """A case for each of the first kernels that a program launched."""
    names = list(dict.fromkeys(row["Kernel Name"] for row in rows))[:KERNELS_OF_PROGRAM]
    cases = []
    for name in names:
        # The second launch where there is one: the first finds caches of the
        # driver cold.
        row = [row for row in rows if row["Kernel Name"] == name][:LAUNCHES_PER_KERNEL][-1]
        plain = plain_name(name)
        cases.append({**case, "id": f"{case['id']}/{plain}",
                      "kernel": {"name": plain, "mangled": name},
                      "launch": {"grid": shape(row["Grid Size"]),
                                 "block": shape(row["Block Size"])}})
    return cases


def plain_name(mangled):
    """The last name in a mangled one."""
    m = re.match(r"_ZN?L?(.*)", mangled)
    text, name = (m.group(1) if m else ""), mangled
    while found := re.match(r"L?(\d+)", text):
        at = found.end()
        name, text = text[at:at + int(found[1])], text[at + int(found[1]):]
    return name


def record(options):
    out = Path(options.output)
    out.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    results, left_out, profiles = {}, [], []
    for (suite, program, _), cases in in_turns(
            programs_of(read_cases(options.cases))).items():
        left = options.seconds - (time.monotonic() - started)
        if left < 5:
            left_out += [(c["id"], "no time left") for c in cases]
            continue
        if not binary_of(options.programs, suite, program).exists():
            left_out += [(c["id"], "not built") for c in cases]
            continue
        rows, units, error = profile(options, suite, cases,
                                     min(options.program_seconds, left))
        if error:
            left_out += [(c["id"], error) for c in cases]
            continue
        profiles.append({"suite": suite, "program": program, "units": units, "rows": rows})
        if "kernel" not in cases[0]:
            cases = cases_of_program(cases[0], rows)
        for case in cases:
            row = row_of(case, rows)
            if not row:
                left_out.append((case["id"], "not among the first launches"))
            elif scaled(row, units, METRICS["duration"]) is None:
                left_out.append((case["id"], "no counters: the kernel failed"))
            else:
                results.setdefault(suite, []).append(measured(case, row, units))
    for suite, cases in results.items():
        (out / f"{suite}.json").write_text(json.dumps(cases, indent=1) + "\n")
    with gzip.open(out / "profiles.json.gz", "wt") as f:
        json.dump(profiles, f)
    for case, why in left_out:
        print(f"left out: {case}: {why}")
    print(f"{sum(map(len, results.values()))} launches recorded, {len(left_out)} left out, "
          f"{time.monotonic() - started:.0f} s")
    return 2 if left_out else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("verb", choices=["build", "record"])
    parser.add_argument("--cases", required=True)
    parser.add_argument("--sources", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("-o", "--output", default="recorded")
    parser.add_argument("--seconds", type=float, default=480)
    parser.add_argument("--program-seconds", type=float, default=40)
    options = parser.parse_args()
    return build(options) if options.verb == "build" else record(options)


if __name__ == "__main__":
    sys.exit(main())
