#!/usr/bin/env python3
"""Measures how long an editor waits for the language server.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: editor-speed.py [--runs N] [--source FILE]

Opens a CUDA source of about 300 lines, edits it in several ways, and prints for
each the median of the seconds until its diagnostics came, and the load of the
machine. Run it from a checkout with the build in build/, or name that with
GPUOCC_BUILD.
"""

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "test", "lsp"))
from client import EXAMPLES, Client, uri_of  # noqa: E402

LINES = 300
FILES = 99
TYPING = f"slowest hover beside {FILES} files"


def typical_source():
    """Some 300 lines: the kernels and host code of an example, and more of its kernels."""
    with open(os.path.join(EXAMPLES, "transpose.cu"), encoding="utf-8") as file:
        text = file.read()
    start, end = text.index("__global__"), text.index("static bool")
    kernels = text[start:end]
    number = 1
    while text.count("\n") < LINES:
        text += "\n" + kernels.replace("transpose", f"transpose{number}")
        number += 1
    return text


class Bench:
    def __init__(self, folder, text):
        self.path = os.path.join(folder, "typical.cu")
        self.text = text
        self.config = os.path.join(folder, ".gpu-occupancy")
        shutil.copy(os.path.join(EXAMPLES, "example.h"), folder)
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(text)
        self.client = Client(options={"delayMs": 0},
                             capabilities={"window": {"workDoneProgress": True}})

    def timed(self, action):
        start = time.monotonic()
        version = action()
        self.client.diagnostics(self.path, version)
        seconds = time.monotonic() - start
        # What it prepares for the next analysis is not part of this one.
        self.client.settle()
        return seconds

    def open(self):
        self.client.open(self.path, self.text)
        return 1

    def save(self, text):
        version = self.client.change(self.path, text)
        self.client.save(self.path, text)
        return version

    def set_launch(self, rows):
        with open(self.config, "w", encoding="utf-8") as file:
            file.write("launches:\n  - kernel: transposeNaive\n"
                       f"    grid: [{rows}, 32, 1]\n    block: [32, 8, 1]\n")
        self.client.notify("workspace/didChangeWatchedFiles", {"changes": []})

    def typing(self):
        """The slowest of some answers while FILES other files are analyzed."""
        folder = os.path.dirname(self.path)
        for number in range(FILES):
            path = os.path.join(folder, f"other{number}.cu")
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.text)
            self.client.open(path)
        line = next(n for n, text in enumerate(self.text.split("\n")) if "__global__" in text)
        slowest = 0
        for key in range(20):
            self.client.change(self.path, self.text + "/" * (key + 2) + "\n")
            start = time.monotonic()
            self.client.request("textDocument/hover", {
                "textDocument": {"uri": uri_of(self.path)},
                "position": {"line": line, "character": 20}})
            slowest = max(slowest, time.monotonic() - start)
            time.sleep(0.1)
        return slowest

    def run(self):
        seconds = {"opened": self.timed(self.open)}
        edited = self.text.replace("constexpr int Rows = 8", "constexpr int Rows = 4")
        seconds["saved, code edited"] = self.timed(lambda: self.save(edited))
        seconds["comment edited"] = self.timed(
            lambda: self.client.change(self.path, "// a comment\n" + edited))
        seconds["launch in .gpu-occupancy edited"] = self.timed(lambda: self.set_launch(64))
        host = edited.replace("block(Tile, Rows)", "block(Tile, 2 * Rows)")
        seconds["launch in host code edited"] = self.timed(lambda: self.save(host))
        seconds[TYPING] = self.typing()
        self.client.kill()
        return seconds


GOALS = {"opened": 1.5, "saved, code edited": 1, "comment edited": 0.3,
         "launch in .gpu-occupancy edited": 0.3, "launch in host code edited": 0.3,
         TYPING: 0.1}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--source", help="instead of the bundled one")
    options = parser.parse_args()
    text = typical_source()
    if options.source:
        with open(options.source, encoding="utf-8") as file:
            text = file.read()
    runs = []
    for _ in range(options.runs):
        with tempfile.TemporaryDirectory(prefix="editor-speed-") as folder:
            runs.append(Bench(folder, text).run())
    lines = text.count("\n")
    print(f"{lines} lines, {options.runs} runs, {os.cpu_count()} cores, "
          f"load {os.getloadavg()[0]:.1f}")
    print(f"{'what happened':34} {'seconds':>8} {'least':>8} {'goal':>6}")
    for name, goal in GOALS.items():
        values = [run[name] for run in runs]
        print(f"{name:34} {statistics.median(values):8.2f} {min(values):8.2f} {goal:6.1f}")


if __name__ == "__main__":
    main()
