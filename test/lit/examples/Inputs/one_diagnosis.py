#!/usr/bin/env python3
"""Fails unless all views of a file tell the same diagnosis of each kernel.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

usage: one_diagnosis.py REPORT.json TEXT WORKSHEETS PLUGIN.json RECORD.yaml

TEXT and WORKSHEETS are what `analyze` and `explain` print for the kernels of
REPORT; RECORD is the optimization record of the compile that wrote PLUGIN.
"""

import json
import re
import sys

VERDICT = re.compile(r"'(?P<kernel>.*)' is bound by (?P<unit>.*?)(?P<why> \(.*\))? "
                     r"on (?P<device>[\w-]+): "
                     r"((needs (?P<needed>\w+)|no number of warps reaches) .*, )?"
                     r"has (?P<has>\d+) .*")
# Causes for which units idle though there are enough warps.
IDLE_FOR_ANOTHER_REASON = {"slow-requests", "uncounted-unit", "short-launch"}
faults = []
words = {}


def expect(what, holds):
    if not holds:
        faults.append(what)


def kernels(path):
    with open(path, encoding="utf-8") as report:
        return json.load(report)["kernels"]


def verdict_of(kernel):
    return next(f["message"] for f in kernel["findings"] if f["name"] == "KernelVerdict")


def check_report(kernel):
    """The parts of one entry of a report."""
    name, diagnosis = kernel["demangled"], kernel["diagnosis"]
    expect(f"{name}: mode", kernel["mode"] == diagnosis["mode"])
    expect(f"{name}: limiter", kernel["limiter"] == diagnosis["unit"])
    expect(f"{name}: latency-bound where the unit is not latency",
           (diagnosis["mode"] == "latency-bound") == (diagnosis["unit"] == "latency"))
    expect(f"{name}: an unknown launch", diagnosis["launch_known"] ==
           (kernel["launch"]["grid"] is not None))
    expect(f"{name}: why", diagnosis["launch_known"] or "no grid is known" in diagnosis["why"])
    verdict = VERDICT.fullmatch(verdict_of(kernel))
    expect(f"{name}: {verdict_of(kernel)}", verdict)
    if not verdict:
        return
    # One word for each unit.
    expect(f"{name}: {verdict['unit']} for {diagnosis['unit']}",
           words.setdefault(diagnosis["unit"], verdict["unit"]) == verdict["unit"])
    expect(f"{name}: cause in the verdict",
           bool(verdict["why"]) == (diagnosis["cause"] in IDLE_FOR_ANOTHER_REASON))
    needed = float(verdict["needed"]) if (verdict["needed"] or "").isdigit() else float("inf")
    if diagnosis["cause"] in IDLE_FOR_ANOTHER_REASON:
        expect(f"{name}: idle for want of warps", needed <= int(verdict["has"]))
    if diagnosis["cause"] == "few-warps":
        expect(f"{name}: {needed} warps are enough", needed >= int(verdict["has"]))
    for finding in kernel["findings"]:
        expect(f"{name}: {finding['name']} leaves nothing to do",
               finding["kind"] != "passed" or "more would bring little" not in finding["message"])


def check_text(kernel, text, worksheets):
    name, diagnosis = kernel["demangled"], kernel["diagnosis"]
    own = text.split(name + "  ")[1]
    rows = dict(re.findall(r"^  (verdict|why) +(.*)$", own, re.MULTILINE)[:2])
    expect(f"{name}: verdict of the text", rows["verdict"] == verdict_of(kernel))
    expect(f"{name}: why of the text", rows["why"] == diagnosis["why"])
    own = worksheets.split(name + "  ")[1]
    expect(f"{name}: worksheet",
           f"\nbound by {words[diagnosis['unit']]}: {diagnosis['why']}\n" in own)


def check_record(plugin, record):
    verdicts = [dict(re.findall(r"^  - (\w+): +'?(.*?)'?$", entry, re.MULTILINE))
                for entry in record.split("--- !")
                if re.search(r"^Name: +KernelVerdict$", entry, re.MULTILINE)]
    expect(f"{len(verdicts)} verdicts of {len(plugin)}", len(verdicts) == len(plugin))
    for kernel, arguments in zip(plugin, verdicts):
        name, diagnosis = kernel["demangled"], kernel["diagnosis"]
        check_report(kernel)
        expect(f"{name}: Limiter", arguments["Limiter"] == words[diagnosis["unit"]])
        expect(f"{name}: Mode", arguments["Mode"] == diagnosis["mode"])
        expect(f"{name}: Why", arguments["Why"] == diagnosis["why"])


def main():
    report, text, worksheets, plugin, record = sys.argv[1:]
    with open(text, encoding="utf-8") as file:
        text = file.read()
    with open(worksheets, encoding="utf-8") as file:
        worksheets = file.read()
    for kernel in kernels(report):
        check_report(kernel)
        check_text(kernel, text, worksheets)
    with open(record, encoding="utf-8") as file:
        check_record(kernels(plugin), file.read())
    sys.exit("\n".join(faults) or 0)


if __name__ == "__main__":
    main()
