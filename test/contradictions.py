#!/usr/bin/env python3
"""Looks for screens that contradict each other about the bundled examples.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: contradictions.py GPU_OCCUPANCY SOURCE_DIR [--editor=EXAMPLE,...]
                         [--folder=FOLDER] [EXAMPLE...]

Reads text, JSON, page, explanation, plan and the diagnostics, lenses and hovers of
the language server of each example and prints one line for each pair that says
different things: gains, times and what binds, shares of a peak, a plan and its
ceiling or its findings, edits of the command and of the editor, lines that a file
does not have, and remarks that pages of rules show.

With --editor the server and edits are asked for of the named examples only: prices of edits
take most of the time.
With --folder the examples are those of another folder of the sources.

Exit status: 1 if there is one, or if nothing was read; 77 where nothing was, since the headers
of a CUDA toolkit are not there.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Of two numbers of one thing; three digits are shown.
SAME = 0.006
GAIN = re.compile(r"Estimated gain: ([0-9.e+]+)x")
# What `why` and `rates` call one unit.
UNITS = {"DRAM bandwidth": "DRAM", "L2 cache bandwidth": "L2", "the L1 cache": "L1",
         "shared memory": "shared", "instruction issue": "IPC"}
SKIPPED = 77
SECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def run(tool, *arguments):
    done = subprocess.run([tool, *arguments], capture_output=True, text=True, check=False)
    if done.returncode == 2:
        raise RuntimeError(done.stderr.strip())
    return done.stdout


def page_report(text):
    """The report that a page holds."""
    match = re.search(r'<script type="application/json" id="report">(.*?)</script>', text, re.S)
    return json.loads(match.group(1))


def differ(a, b):
    return abs(a - b) > SAME * max(abs(a), abs(b))


def shown_gain(gain):
    """A gain as all screens show it: two digits behind the point below 2, one below 10."""
    return float(f"{gain:.{2 if gain < 1.995 else 1 if gain < 10 else 0}f}")


def nanoseconds(number, unit):
    return float(number) * SECONDS[unit]


class Example:
    """What all screens say of one file."""

    def __init__(self, tool, source):
        common = [str(source), "--code=clang"]
        self.source = source.resolve()
        self.report = json.loads(run(tool, "analyze", *common, "--advise", "--format=json"))
        self.plain = json.loads(run(tool, "analyze", *common, "--format=json"))
        self.text = run(tool, "analyze", *common, "--advise", "--max-findings=0")
        self.page = page_report(run(tool, "analyze", *common, "--advise", "--format=html"))
        self.explained = {kernel["name"]: run(tool, "explain", kernel["name"], *common)
                          for kernel in self.plain["kernels"]}

    def kernels(self):
        return self.report["kernels"]

    def problems(self):
        if self.page["kernels"] != self.kernels():
            yield "the page holds another report than JSON"
        texts = self.text.split("\n\n")
        for kernel, text in zip(self.kernels(), texts):
            for problem in [*gains(kernel), *text_of(kernel, text), *shares(text), *sweep(kernel, text),
                            *plan(kernel, text), *places(kernel)]:
                yield f"{kernel['demangled']}: {problem}"
        for advised, kernel in zip(self.kernels(), self.plain["kernels"]):
            if advised["predicted_time_ns"] != kernel["predicted_time_ns"]:
                yield f"{kernel['demangled']}: --advise predicts another time"
        for kernel in self.plain["kernels"]:
            yield from explained(kernel, self.explained[kernel["name"]])
        for name, text in self.explained.items():
            for file, line in set(re.findall(r"([\w./-]+\.cuh?):(\d+)", text)):
                yield from place_problem(Path(file), int(line), f"explain {name}")


def place_problem(file, line, who):
    if file.is_file() and line > len(file.read_text(encoding="utf-8").splitlines()):
        yield f"{who} names line {line} of {file.name}, which has fewer"


def places(kernel):
    for finding in kernel["findings"]:
        if finding.get("line"):
            yield from place_problem(Path(finding["file"]), finding["line"], finding["name"])


def gains(kernel):
    """What the sentence of a finding says against its number."""
    for finding in kernel["findings"]:
        for stated in GAIN.findall(finding["message"]):
            if not finding["gain"] or differ(float(stated), shown_gain(finding["gain"])):
                yield f"{finding['name']} says {stated}x, its gain is {finding['gain']}"


def sweep(kernel, text):
    """Times over sizes: those of text against JSON, and only where there is no time."""
    points = kernel.get("sweep", {}).get("points", [])
    if points and kernel["predicted_time_ns"] is not None:
        yield "has a time and times over sizes"
    row = re.search(r"^  by size +(.*)$", text, re.M)
    shown = re.findall(r"2\^(\d+): ([0-9.e+]+) (ns|us|ms|s) ", row.group(1)) if row else []
    said = [(1 << int(power), nanoseconds(number, unit)) for power, number, unit in shown]
    if [size for size, _ in said] != [p["elements"] for p in points] or any(
            differ(ns, p["time_ns"]) for (_, ns), p in zip(said, points)):
        yield f"text has the times over sizes {said}, JSON {points}"


def text_of(kernel, text):
    """The paragraph of text against JSON."""
    time = re.search(r"verdict .*; ([0-9.e+]+) (ns|us|ms|s) for grid", text)
    if (time is None) != (kernel["predicted_time_ns"] is None):
        yield "text and JSON disagree on whether there is a time"
    elif time and differ(nanoseconds(*time.groups()), kernel["predicted_time_ns"]):
        yield f"text says {time.group(1)} {time.group(2)}"
    shown = collections.Counter(
        (float(gain), name) for gain, name
        in re.findall(r"^ {4}([0-9.e+]+)x .*\[(\w+)\]$", text, re.M))
    for finding in kernel["findings"]:
        if not finding["gain"] or finding["kind"] != "passed":
            continue
        found = [key for key in shown if key[1] == finding["name"] and shown[key]
                 and not differ(key[0], shown_gain(finding["gain"]))]
        if found:
            shown[found[0]] -= 1
        else:
            yield f"text does not say {finding['gain']:.3g}x of {finding['name']}"


def explained(kernel, text):
    """The head of an explanation against JSON."""
    why = kernel["diagnosis"]["why"]
    if kernel["predicted_time_ns"] is not None and not re.search(rf"^bound by .*: {re.escape(why)}$", text, re.M):
        yield f"explain does not say of {kernel['demangled']}: {why}"
    registers = f"{kernel['registers']['count']} registers"
    if registers not in text.splitlines()[1]:
        yield f"explain does not give {kernel['demangled']} {registers}"


def shares(text):
    """How busy a unit is, by `why` and by `rates`."""
    why = re.search(r"^  why +(.*?) (?:is|serves these requests) at ([0-9.]+) % of its peak", text,
                    re.M)
    if why and why.group(1) in UNITS:
        rate = re.search(rf"^  rates .*\b{UNITS[why.group(1)]} [^(,]*\(([0-9.]+) %\)", text, re.M)
        if rate and rate.group(1) != why.group(2):
            yield f"{why.group(1)} is at {why.group(2)} % by why, at {rate.group(1)} % by rates"


def plan(kernel, text):
    """The plan against findings, times and its ceiling."""
    plan = kernel["plan"]
    if not plan:
        return
    if differ(plan["before_ns"], kernel["predicted_time_ns"]):
        yield "the plan begins at another time than the verdict"
    priced = [f for f in kernel["findings"] if f["gain"] and f["kind"] == "passed"]
    if plan["steps"]:
        step = plan["steps"][0]
        if not any(f["name"] == step["rule"] and f.get("line") == step.get("line")
                   and not differ(f["gain"], step["gain"]) for f in priced):
            yield f"the plan begins with {step['rule']} {step['gain']:.3g}x, which no finding says"
        if differ(plan["steps"][-1]["time_ns"], plan["after_ns"]):
            yield "the plan ends at another time than its last step"
    stated = re.search(r"^  plan .*; ([0-9.e+]+) (ns|us|ms|s) is what (.*) allows$", text, re.M)
    if stated and nanoseconds(stated.group(1), stated.group(2)) > plan["after_ns"] * (1 + SAME):
        yield f"the plan ends below what it says {stated.group(3)} allows"
    if re.search(r"^  plan +no change pays", text, re.M) and priced:
        yield f"no change pays, and {priced[0]['name']} gains {priced[0]['gain']:.3g}x"


def page_problems(example, pages):
    """Remarks that pages of rules show of this file against its findings."""
    remark = re.compile(rf"^{re.escape(example.source.name)}:(\d+):(\d+): remark: (.*)$", re.M)
    said = {(f.get("line"), f.get("column"), f["message"]) for kernel in example.plain["kernels"]
            for f in kernel["findings"]}
    for page in sorted(pages.glob("*.md")):
        for line, column, message in remark.findall(page.read_text(encoding="utf-8")):
            if (int(line), int(column), message) not in said:
                yield f"{page.name} shows what line {line} is not told: {message[:60]}..."


def action_problems(example, server):
    """Edits of the command against the actions of the editor at their lines."""
    found = json.loads(run(server.tool, "analyze", str(example.source), "--code=clang", "--diff",
                           "--format=json"))
    edits = [(f["line"], f["edit"]) for kernel in found["kernels"] for f in kernel["findings"]
             if f.get("edit") and f["name"] != "KernelVerdict"
             and Path(f["file"]).resolve() == example.source]
    for line, edit in edits:
        place = {"line": line - 1, "character": 0}
        actions = server.request("textDocument/codeAction", {
            "textDocument": {"uri": server.uri}, "range": {"start": place, "end": place},
            "context": {"diagnostics": []}})
        title = f"{edit['title']} (predicted {edit['price']})"
        if title not in [action["title"] for action in actions]:
            yield f"the editor does not offer '{title}' at line {line}"


def lens_problems(example, server):
    """Lenses and hovers at kernels against the kernels of JSON at their lines."""
    document = {"uri": server.uri}
    for lens in server.request("textDocument/codeLens", {"textDocument": document}):
        title, line = lens["command"]["title"], lens["range"]["start"]["line"]
        if not title.startswith("bound by"):
            continue
        here = [k for k in example.plain["kernels"] if k["line"] == line + 1]
        time = re.search(r"\| ([0-9.e+]+) (ns|us|ms|s) \|", title)
        told = nanoseconds(*time.groups()) if time else None
        same = [k for k in here if (k["predicted_time_ns"] is None) == (told is None)
                and (told is None or not differ(told, k["predicted_time_ns"]))
                and f"has {k['occupancy']['warps_per_sm']} |" in title]
        if not same:
            yield f"the lens at line {line + 1} says '{title}', the command does not"
        hover = server.request("textDocument/hover", {
            "textDocument": document, "position": {"line": line, "character": 18}})
        said = hover["contents"]["value"] if hover else ""
        if said and not any(k["diagnosis"]["why"] in said for k in here):
            yield f"the hover at line {line + 1} says another reason than the command"


def editor_problems(example, tool):
    """Diagnostics of the language server against the command."""
    sys.path.insert(0, str(Path(__file__).parent / "lsp"))
    import client as lsp  # pylint: disable=import-outside-toplevel
    server = lsp.Client(environment={"GPU_OCCUPANCY_CODE": "clang"})
    try:
        server.open(str(example.source))
        shown = server.diagnostics(str(example.source))
        server.tool, server.uri = tool, lsp.uri_of(str(example.source))
        yield from action_problems(example, server)
        yield from lens_problems(example, server)
    finally:
        server.end()
    said = [(d["range"]["start"]["line"] + 1, float(gain))
            for d in shown for gain in GAIN.findall(d["message"])]
    known = [(f.get("line"), f["gain"]) for kernel in example.plain["kernels"]
             for f in kernel["findings"] if f["gain"]]
    if known and not said:
        yield "the editor says no gain, the command does"
    for line, gain in said:
        if not any(line == other and not differ(gain, shown_gain(price)) for other, price in known):
            yield f"the editor says {gain}x at line {line}, the command does not"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tool")
    parser.add_argument("root", type=Path)
    parser.add_argument("examples", nargs="*")
    parser.add_argument("--folder", default="docs/examples")
    parser.add_argument("--editor", type=lambda names: names.split(","))
    options = parser.parse_intermixed_args()
    os.environ.setdefault("GPUOCC_BUILD", str(Path(options.tool).resolve().parent.parent))
    read = found = 0
    needs_toolkit = False
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        for source in sorted((options.root / options.folder).glob("*.cu")):
            if options.examples and source.stem not in options.examples:
                continue
            try:
                example = Example(options.tool, source)
            except RuntimeError as error:
                print(f"{source.name}: not read: {str(error).splitlines()[-1]}")
                needs_toolkit |= "unknown type name 'cuda" in str(error)
                continue
            read += len(example.kernels())
            problems = [*example.problems(), *page_problems(example, options.root / "docs/rules")]
            if options.editor is None or source.stem in options.editor:
                problems += editor_problems(example, options.tool)
            for problem in problems:
                print(f"{source.name}: {problem}")
            found += len(problems)
    print(f"{found} contradictions on the screens of {read} kernels")
    if not read and needs_toolkit:
        return SKIPPED
    return 1 if found or not read else 0


if __name__ == "__main__":
    sys.exit(main())
