#!/usr/bin/env python3
"""Runs the commands whose output the documentation shows, and compares.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: sample_output.py SOURCE_DIR BUILD_DIR LLVM_TOOLS_DIR [--update]

A comment `<!-- prints: COMMAND -->` stands before a block of code that holds
what COMMAND prints, standard error included. Commands run in SOURCE_DIR, with
the commands of BUILD_DIR and LLVM_TOOLS_DIR found first. A line `...` of the
block stands for any number of lines. `<!-- prints with toolkit: COMMAND -->`
is compared only where a CUDA toolkit with an assembler is found.
--update writes what is printed today into blocks without `...`, and into those
that are nothing else.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

MARK = re.compile(r"<!-- prints( with toolkit)?: (.+?) -->\n\n((?:(?:    .*)?\n)+)")


def has_toolkit():
    """Whether the commands find one (gpuocc/Support/CudaToolkit.h)."""
    root = Path(os.environ.get("CUDA_PATH", "/usr/local/cuda"))
    return (root / "include/cuda_runtime.h").exists() and os.access(root / "bin/ptxas", os.X_OK)


def pages(root):
    return [root / "README.md"] + sorted((root / "docs").rglob("*.md"))


def printed(command, root, build, tools):
    """Lines of \\p command's output, with the build folder named `build`."""
    path = os.pathsep.join([str(build / "bin"), tools, os.environ["PATH"]])
    command = command.replace("build/", f"{build}/")
    done = subprocess.run(["bash", "-c", command], cwd=root, env=dict(os.environ, PATH=path),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=120)
    text = done.stdout.replace(f"{build}/", "build/").replace(f"{root}/", "")
    return [line.rstrip() for line in text.rstrip("\n").split("\n")]


def agree(shown, lines):
    """Whether \\p lines are those shown, `...` standing for any number."""
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line) + r"\n"
                      for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in lines)) is not None


def block_of(lines):
    return "".join(f"    {line}".rstrip() + "\n" for line in lines)


def check(page, root, build, tools, toolkit, update):
    """Number of samples that were run, and those that differ."""
    text = page.read_text(encoding="utf-8")
    run, faults = 0, []
    for mark in MARK.finditer(text):
        needs_toolkit, command, block = mark.groups()
        if needs_toolkit and not toolkit:
            continue
        run += 1
        shown = [line[4:] for line in block.rstrip("\n").split("\n")]
        lines = printed(command, root, build, tools)
        empty = shown == ["..."]
        if agree(shown, lines) and not empty:
            continue
        if update and (empty or "..." not in [line.strip() for line in shown]):
            text = text.replace(mark.group(0), mark.group(0).replace(
                block.rstrip("\n"), block_of(lines).rstrip("\n")))
            continue
        number = text[:mark.start()].count("\n") + 1
        faults.append(f"{page.relative_to(root)}:{number}: '{command}' prints\n{block_of(lines)}")
    if update:
        page.write_text(text, encoding="utf-8")
    return run, faults


def main():
    root, build, tools = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    update = sys.argv[4:] == ["--update"]
    toolkit = has_toolkit()
    results = [check(page, root, build, tools, toolkit, update) for page in pages(root)]
    faults = [fault for _, found in results for fault in found]
    print("\n".join(faults) if faults else f"{sum(run for run, _ in results)} samples agree")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
