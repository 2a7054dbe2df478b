"""What became of the programs of a project that `analyze` read.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import re
from collections import Counter
from pathlib import Path

FAILURE = re.compile(r"^error: '(.*?)' was not analyzed: (.*)$", re.MULTILINE)
NO_HEADER = re.compile(r"'([^']+)' file not found")
UNKNOWN_NAME = re.compile(r"(?:undeclared identifier|unknown type name) '(\w+)'")
BUILD_FILES = ("Makefile*", "makefile*", "*.mk", "CMakeLists.txt")

# What messages mean to somebody who reads a table; the first that fits counts.
REASONS = (
    ("a macro that its build defines", r"Must define|need a defined constant"),
    ("kernels that launch kernels, without the option for it",
     r"requires relocatable device code"),
    ("more time than --timeout", r"was ended after|time limit"),
)


def failures_in(messages):
    """(source, message) of each source without a report."""
    return FAILURE.findall(messages)


def defines(folder, name):
    """Whether a build file of the folder defines the macro."""
    return any(re.search(rf"-D\s*{name}\b", file.read_text(encoding="utf-8", errors="replace"))
               for pattern in BUILD_FILES for file in Path(folder).glob(pattern))


def reason_of(source, message, names):
    """(reason, whether it is an absent header) of what was said of a source."""
    header = NO_HEADER.search(message)
    if header and os.path.basename(header[1]) not in names:
        return f"no header {header[1]}", True
    if header:
        return f"header {header[1]} lies elsewhere in the project", False
    unknown = UNKNOWN_NAME.search(message)
    if unknown and defines(os.path.dirname(source), unknown[1]):
        return REASONS[0][0], False
    for reason, pattern in REASONS:
        if re.search(pattern, message):
            return reason, False
    return re.sub(r"^.*?error: ", "", message), False


class Outcome:
    """What became of the programs of one project: the folders of `sources`."""

    def __init__(self, sources, failures, names):
        self.failed, self.absent, self.reasons = set(), set(), Counter()
        self.programs = {os.path.dirname(source) for source in sources}
        first = {}
        for source, message in failures:
            program = os.path.dirname(source)
            reason, is_absent = reason_of(source, message, names)
            self.failed.add(program)
            if is_absent:
                self.absent.add(program)
            if program not in first or is_absent:
                first[program] = reason
        self.reasons.update(first.values())

    @property
    def analyzed(self):
        return len(self.programs) - len(self.failed)

    @property
    def present(self):
        """Programs whose headers are present."""
        return len(self.programs) - len(self.absent)

    @property
    def share(self):
        return self.analyzed / self.present if self.present else 1.0


def each_nth_program(sources, step, start=0):
    """The sources of each Nth program, in the order of the programs."""
    programs = sorted({os.path.dirname(source) for source in sources})[start::step]
    return [source for source in sources if os.path.dirname(source) in programs]


def glob_of(folder, sources):
    """One pattern for the sources, so that the folder stays what is searched."""
    below = sorted(os.path.relpath(source, folder) for source in sources)
    if len(below) == 1:
        return f"{folder}/[{below[0][0]}]{below[0][1:]}"
    return f"{folder}/{{{','.join(below)}}}"
