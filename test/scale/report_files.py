#!/usr/bin/env python3
"""Makes many report files of a build, and says what merging them takes.

    test/scale/report_files.py build/bin/gpu-occupancy [--files 20000]

The files are what the plugin leaves of a source with one kernel, with another
name in each. `summary`, `diff` and `lock` read them on two cores. Prints
seconds, seconds of the processor and the peak of memory, for a tenth of the
files and for all, and ends with status 1 where all take more than --seconds or
--gibibytes. On a busy machine --of-processor compares half of the seconds of
the processor instead.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

SOURCE = os.path.join(os.path.dirname(__file__), "../../docs/examples/saxpy_strided.cu")


def make(command, folder, number):
    report = subprocess.run(
        [command, "analyze", SOURCE, "--code=clang", "--built-by=clang", "--format=json",
         "--with-facts", "--cache=off"],
        check=True, stdout=subprocess.PIPE, text=True).stdout
    (kernel,) = json.loads(report)["kernels"]
    mangled = kernel["name"]
    base = kernel["demangled"].split("(")[0]
    for i in range(number):
        name = f"{base[:-5]}{i:05}"
        sub = os.path.join(folder, f"{i % 100:02}")
        os.makedirs(sub, exist_ok=True)
        with open(os.path.join(sub, f"{name}.sm_90.report.json"), "w", encoding="utf-8") as file:
            file.write(report.replace(mangled, mangled.replace(base, name)).replace(base, name))
    return len(report)


def measure(command, folder):
    start = time.monotonic()
    child = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True)
    said = child.stderr.read().strip().splitlines()
    _, status, used = os.wait4(child.pid, 0)
    seconds = time.monotonic() - start
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{command} ends with {status}: {said}")
    return seconds, (used.ru_utime + used.ru_stime), used.ru_maxrss / (1 << 20)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command")
    parser.add_argument("--files", type=int, default=20000)
    parser.add_argument("--of-processor", action="store_true")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--gibibytes", type=float, default=1)
    given = parser.parse_args()
    command = os.path.abspath(given.command)
    is_beyond = False
    with tempfile.TemporaryDirectory(prefix="gpuocc-scale") as top:
        for number in (given.files // 10, given.files):
            folder = os.path.join(top, f"of{number}")
            os.mkdir(folder)
            size = make(command, folder, number)
            print(f"{number} files of {size / 1024:.0f} KiB")
            os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:2]))
            for words in (
                ["summary", folder],
                ["summary", folder, "--format=json", "-o", "all.json"],
                ["diff", folder, folder],
                ["diff", "all.json", folder],
                ["lock", folder],
                ["lock", "--check", folder],
            ):
                seconds, used, peak = measure([command, *words], top)
                shown = " ".join(w for w in words if w != folder)
                print(f"  {shown}: {seconds:.1f} s, {used:.1f} s of the processor, {peak:.2f} GiB")
                counted = used / 2 if given.of_processor else seconds
                is_beyond |= counted > given.seconds or peak > given.gibibytes
    if is_beyond:
        sys.exit(f"beyond {given.seconds:g} s or {given.gibibytes:g} GiB")


main()
