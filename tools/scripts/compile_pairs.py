"""One source compiled without and with the plugin, and what differs.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import dataclasses
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time
from collections import Counter
from pathlib import Path

CRASH_TEXT = ("PLEASE submit a bug report", "Stack dump:", "LLVM ERROR:")
DIAGNOSTIC = re.compile(r"^.*?\b(?:warning|error): .*$", re.MULTILINE)


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
    """Warnings and errors that only the run with the plugin printed."""
    more = Counter(DIAGNOSTIC.findall(using)) - Counter(DIAGNOSTIC.findall(without))
    return sorted(more.elements())


def gap_reason(message):
    """The reason in a NotAnalyzed finding, without what is special to the place."""
    reason = message.removeprefix("not analyzed: ")
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


def digests(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.iterdir())}


def run(command, folder, timeout_s):
    """Runs the command in an empty folder, which is as empty afterwards."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    log = folder.with_name(folder.name + ".log")
    begin = time.monotonic()
    with open(log, "wb") as err:
        child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=err, start_new_session=True)
    late = threading.Event()

    def stop():
        late.set()
        os.killpg(child.pid, signal.SIGKILL)
    alarm = threading.Timer(timeout_s, stop)
    alarm.start()
    try:
        _, status, usage = os.wait4(child.pid, 0)
    except BaseException:
        os.killpg(child.pid, signal.SIGKILL)
        raise
    finally:
        alarm.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    result = Run(child.returncode, late.is_set(), usage.ru_utime + usage.ru_stime,
                 time.monotonic() - begin, usage.ru_maxrss,
                 log.read_text(encoding="utf-8", errors="replace"), digests(folder))
    shutil.rmtree(folder)
    log.unlink()
    return result


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def measured(pairs):
    """The costs without and with the plugin as they stand in the record: medians
    over the pairs."""
    def both(cost, digits):
        return [round(median(cost(one) for one in side), digits) for side in zip(*pairs)]
    return {"cpu_s": both(lambda r: r.cpu_s, 3), "wall_s": both(lambda r: r.wall_s, 3),
            "memory_mib": both(lambda r: r.memory_kib / 1024, 1)}


@dataclasses.dataclass
class Compile:
    """How to compile a source: `base` does, `plugin` are the arguments that load
    the plugin, with `{report}` where its report goes."""
    base: list
    plugin: list
    folder: Path
    timeout_s: float
    pairs: int = 1

    def without(self, source):
        return run([*self.base, str(source)], self.folder / "work", self.timeout_s)

    def using(self, source):
        arguments = [word.replace("{report}", str(self.reports / "report.json"))
                     for word in self.plugin]
        return run([*self.base, *arguments, str(source)], self.folder / "work", self.timeout_s)

    @property
    def reports(self):
        return self.folder / "reports"


def compile_pairs(how, source):
    """The row of one source."""
    without = how.without(source)
    if not without.good:
        first = DIAGNOSTIC.search(without.messages)
        return {"result": "not compiled", "crash": without.crashed,
                "why": "timeout" if without.timed_out else first.group(0) if first else ""}
    shutil.rmtree(how.reports, ignore_errors=True)
    how.reports.mkdir(parents=True)
    using = how.using(source)
    pairs = [(without, using)]
    if using.good:
        pairs += [(how.without(source), how.using(source)) for _ in range(1, how.pairs)]
    row = {"result": verdict(without, using), "kernels": 0, **measured(pairs)}
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
