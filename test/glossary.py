#!/usr/bin/env python3
#===- glossary.py - Names are made of the words of the glossary -----------===//
#
# Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===//
"""Checks docs/glossary.md: at most 40 words in alphabetical order, and no
identifier of the sources that holds a word of the column 'not'.

  glossary.py ROOT
  glossary.py --self-test
"""

import pathlib
import re
import sys

MOST_WORDS = 40
SOURCES = {".cpp", ".h", ".def"}
FOLDERS = ("include", "lib", "tools", "calibration", "test/unit")
PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# What the names of files and users' keys say stays in strings and comments.
NO_NAME = re.compile(r'R"(\w*)\(.*?\)\1"|//[^\n]*|"(?:\\.|[^"\\\n])*"|/\*.*?\*/', re.DOTALL)


def read_glossary(text):
    """The words in their order, and the words that names must not hold."""
    words, forbidden = [], {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|") or len(cells) != 3 or cells[0] in ("word", "---"):
            continue
        words.append(cells[0])
        for word in filter(None, (w.strip() for w in cells[2].split(","))):
            forbidden[word] = cells[0]
    return words, forbidden


def faults_of_glossary(words):
    faults = []
    if len(words) > MOST_WORDS:
        faults.append(f"{len(words)} words; at most {MOST_WORDS}")
    for first, second in zip(words, words[1:]):
        if first >= second:
            faults.append(f"'{second}' is out of order")
    return faults


def faults_of_source(text, forbidden):
    """Each name of text that holds a forbidden word, once."""
    faults = {}
    for name in re.findall(r"[A-Za-z_]\w*", NO_NAME.sub(" ", text)):
        for piece in PIECE.findall(name):
            if piece.lower() in forbidden:
                faults[name] = f"'{name}': say '{forbidden[piece.lower()]}'"
    return list(faults.values())


def self_test():
    words, forbidden = read_glossary(
        "| word | meaning | not |\n|---|---|---|\n"
        "| fix | a change | mend, mended |\n| lane | a thread | |\n")
    assert words == ["fix", "lane"] and forbidden == {"mend": "fix", "mended": "fix"}
    assert not faults_of_glossary(words)
    assert faults_of_glossary(["b", "a"]) == ["'a' is out of order"]
    assert faults_of_glossary([f"{i:03}" for i in range(MOST_WORDS + 1)])
    assert faults_of_source("int numMended; // Mended\n", forbidden) == [
        "'numMended': say 'fix'"]
    assert not faults_of_source('f("mended"); int Amendment, Recommended;', forbidden)


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = pathlib.Path(sys.argv[1])
    words, forbidden = read_glossary((root / "docs/glossary.md").read_text())
    faults = [f"docs/glossary.md: {fault}" for fault in faults_of_glossary(words)]
    count = 0
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SOURCES or not path.is_file():
                continue
            count += 1
            text = path.read_text(errors="replace")
            faults += [f"{path.relative_to(root)}: {fault}"
                       for fault in faults_of_source(text, forbidden)]
    print("\n".join(faults + [f"{len(words)} words, {count} files, {len(faults)} faults"]))
    return 1 if faults or not words or not count else 0


if __name__ == "__main__":
    sys.exit(main())
