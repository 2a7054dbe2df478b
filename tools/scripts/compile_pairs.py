"""One source compiled without and with the plugin, and what differs.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import dataclasses
import hashlib
import json
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import threading
import time
from collections import Counter
from pathlib import Path

CRASH_TEXT = ("PLEASE submit a bug report", "Stack dump:", "LLVM ERROR:")
DIAGNOSTIC = re.compile(r"^.*?\b(?:warning|error): .*$", re.MULTILINE)
ERROR = re.compile(r"^.*?\berror: .*$", re.MULTILINE)


@dataclasses.dataclass
class Run:
    """What one run of the compiler did and took."""
    status: int
    timed_out: bool
    cpu_s: float
    wall_s: float
    memory_kib: int
    messages: str
    outputs: dict  # digest of each file written, by name

    @property
    def crashed(self):
        return not self.timed_out and (
            self.status < 0 or self.status >= 128 or
            any(text in self.messages for text in CRASH_TEXT))

    @property
    def good(self):
        return self.status == 0 and not self.timed_out


def verdict(without, using):
    """What became of a source: one word, the worst that holds."""
    if not without.good:
        return "not compiled"
    if using.timed_out:
        return "hang"
    if using.crashed:
        return "crash"
    if using.status:
        return "failed"
    if using.outputs != without.outputs:
        return "changed"
    return "equal"


def new_diagnostics(without, using):
    """Warnings and errors that only the run with the plugin printed. Remarks make
    clang keep track of places, so that it says them where it did not before: the
    place does not count."""
    def words(line):
        return re.sub(r"^.*?\b(warning|error): (<unknown>:0:0: )?", r"\1: ", line)
    known = Counter(map(words, DIAGNOSTIC.findall(without)))
    more = []
    for line in DIAGNOSTIC.findall(using):
        known[words(line)] -= 1
        if known[words(line)] < 0:
            more.append(line)
    return sorted(more)


def gap_reason(message):
    """The reason in a NotAnalyzed finding, without what is special to the place."""
    reason = message.removeprefix("not analyzed: ")
    if reason.startswith("further places"):
        return "places beyond the budget of the kernel, which cost less"
    access = re.match(r"lane addresses of this .*? are unknown: (.*)", reason)
    if access:
        reason = "lane addresses unknown: " + access.group(1)
    return re.sub(r"'[^']*\b_Z\w+[^']*'|'_Z\w+'", "'...'", reason)


def gaps_of_report(report):
    """Kernels and NotAnalyzed reasons of a report as JSON: (count, Counter of
    the kernels that have each reason)."""
    kernels = report.get("kernels", [])
    reasons = Counter()
    for kernel in kernels:
        reasons.update({gap_reason(finding["message"]) for finding in kernel["findings"]
                        if finding["name"] == "NotAnalyzed"})
    return len(kernels), reasons


def is_over(cpu_s, limit_s, status):
    """Did the limit on processor time end it?"""
    return status == -signal.SIGXCPU or (status != 0 and cpu_s >= limit_s)


def digests(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.iterdir())}


# A compile that waits instead of computing hangs too. Other programs may take
# the processor meanwhile, so that it gets much more of wall time.
WALL_PER_CPU_TIME = 20


def run(command, folder, timeout_s):
    """Runs the command in an empty folder, which is as empty afterwards. It hangs
    when it takes more processor time than `timeout_s`."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    log = folder.with_name(folder.name + ".log")
    begin = time.monotonic()
    with open(log, "wb") as err:
        child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=err, start_new_session=True)
    limit_s = math.ceil(timeout_s)
    resource.prlimit(child.pid, resource.RLIMIT_CPU, (limit_s, limit_s + 1))
    late = threading.Event()

    def stop():
        late.set()
        os.killpg(child.pid, signal.SIGKILL)
    alarm = threading.Timer(timeout_s * WALL_PER_CPU_TIME, stop)
    alarm.start()
    try:
        _, status, usage = os.wait4(child.pid, 0)
    except BaseException:
        os.killpg(child.pid, signal.SIGKILL)
        raise
    finally:
        alarm.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    cpu_s = usage.ru_utime + usage.ru_stime
    result = Run(child.returncode, late.is_set() or is_over(cpu_s, limit_s, child.returncode),
                 cpu_s, time.monotonic() - begin, usage.ru_maxrss,
                 log.read_text(encoding="utf-8", errors="replace"), digests(folder))
    shutil.rmtree(folder)
    log.unlink()
    return result


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def measured(pairs, alone=()):
    """The costs without and with the plugin as they stand in the record: medians
    over the pairs. `alone`: runs without it that were asked for remarks."""
    def both(cost, digits):
        return [round(median(cost(one) for one in side), digits) for side in zip(*pairs)]
    costs = {"cpu_s": both(lambda r: r.cpu_s, 3), "wall_s": both(lambda r: r.wall_s, 3),
             "memory_mib": both(lambda r: r.memory_kib / 1024, 1)}
    if alone:
        costs["remarks_cpu_s"] = round(median(run.cpu_s for run in alone), 3)
    return costs


@dataclasses.dataclass
class Compile:
    """How to compile a source: `base` does, `plugin` are the arguments that load
    the plugin, with `{report}` where its report goes."""
    base: list
    plugin: list
    # Options that go with the plugin and that the compiler alone takes too.
    remarks: list
    folder: Path
    timeout_s: float
    pairs: int = 1
    # Measure what the remarks take without the plugin, too.
    apart: bool = False

    def without(self, source):
        return run([*self.base, str(source)], self.folder / "work", self.timeout_s)

    def alone(self, source):
        """As `using` but for the plugin."""
        return run([*self.base, *self.remarks, str(source)], self.folder / "work", self.timeout_s)

    def using(self, source):
        arguments = [word.replace("{report}", str(self.reports / "report.json"))
                     for word in [*self.plugin, *self.remarks]]
        return run([*self.base, *arguments, str(source)], self.folder / "work", self.timeout_s)

    @property
    def reports(self):
        return self.folder / "reports"


# clang orders some global variables by their addresses, which change from run to
# run: a source that it prints in two ways is not one that the plugin changes.
MOST_COMPILES_ALONE = 20


def is_written_alone(outputs, compile_alone):
    """Whether the compiler writes these outputs without the plugin too."""
    return any(compile_alone() == outputs for _ in range(MOST_COMPILES_ALONE))


def compile_pairs(how, source):
    """The row of one source."""
    without = how.without(source)
    if not without.good:
        first = ERROR.search(without.messages)
        return {"result": "not compiled", "crash": without.crashed,
                "why": "timeout" if without.timed_out else first.group(0) if first else ""}
    shutil.rmtree(how.reports, ignore_errors=True)
    how.reports.mkdir(parents=True)
    using = how.using(source)
    pairs = [(without, using)]
    alone = []
    if using.good:
        pairs += [(how.without(source), how.using(source)) for _ in range(1, how.pairs)]
        alone = [how.alone(source) for _ in range(how.pairs if how.apart else 0)]
    row = {"result": verdict(without, using), "kernels": 0, **measured(pairs, alone)}
    if row["result"] == "changed" and is_written_alone(using.outputs,
                                                       lambda: how.alone(source).outputs):
        row |= {"result": "equal", "varies": True}
    reasons = Counter()
    for report in sorted(how.reports.iterdir()):
        kernels, gaps = gaps_of_report(json.loads(report.read_text(encoding="utf-8")))
        row["kernels"] += kernels
        reasons += gaps
    if reasons:
        row["not_analyzed"] = dict(reasons)
    if new := new_diagnostics(without.messages, using.messages):
        row["new_diagnostics"] = new
    return row
