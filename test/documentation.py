#!/usr/bin/env python3
"""Checks the Markdown files: width of prose, and that links have their targets.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: documentation.py SOURCE_DIR

Prose is at most 100 columns wide. Tables, code blocks, comments and lines that
are one word are not prose. A link into the tree names a file that exists; one with an
anchor names a heading of that file. The settings that docs/editors.md lists are
those of the package for VS Code.
"""

import json
import re
import sys
from pathlib import Path

WIDTH = 100
LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.*?)\s*$")


def pages(root):
    yield root / "README.md"
    for folder in ("docs", "test", "calibration", "tools"):
        yield from sorted((root / folder).rglob("*.md"))


def prose(text):
    """Numbered lines that are neither code nor tables."""
    fenced = False
    after_blank = True
    indented = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
            continue
        blank = not line.strip()
        indented = line.startswith("    ") and (after_blank or indented)
        after_blank = blank
        other = line.lstrip().startswith(("|", "<!--"))
        if not (fenced or blank or indented or other):
            yield number, line


def anchor_of(heading):
    """As GitHub makes it."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def anchors(text):
    return {anchor_of(m.group(1)) for _, line in prose(text) if (m := HEADING.match(line))}


def faults_of_links(page, text, root):
    body = "\n".join(line for _, line in prose(text))
    body += "\n".join(line for line in text.splitlines() if line.lstrip().startswith("|"))
    for target in LINK.findall(re.sub(r"`[^`\n]*`", "", body)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            yield f"{page.relative_to(root)}: link to {target}: no such file"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text("utf-8")):
            yield f"{page.relative_to(root)}: link to {target}: no such heading"


def faults(page, root):
    text = page.read_text(encoding="utf-8")
    for number, line in prose(text):
        if len(line) > WIDTH and not re.fullmatch(r"\s*(?:[-*] )?\S+", line):
            yield (f"{page.relative_to(root)}:{number}: {len(line)} columns of prose; "
                   f"wrap at {WIDTH}")
    yield from faults_of_links(page, text, root)


def faults_of_settings(root):
    """Settings of editors that the package of VS Code does not offer, and others."""
    text = (root / "docs/editors.md").read_text(encoding="utf-8")
    table = text.partition("\n| setting |")[2].partition("\n\n")[0]
    documented = {name for row in table.splitlines()
                  for name in re.findall(r"`(\w+)`", row.partition("|")[2].partition("|")[0])}
    package = json.loads((root / "tools/vscode/package.json").read_text(encoding="utf-8"))
    offered = {name.partition(".")[2]
               for name in package["contributes"]["configuration"]["properties"]} - {"path"}
    for name in sorted(documented - offered):
        yield f"tools/vscode/package.json: the setting '{name}' of docs/editors.md is missing"
    for name in sorted(offered - documented):
        yield f"docs/editors.md: the setting '{name}' of tools/vscode/package.json is missing"
    if "example." in json.dumps(package.get("repository", "")):
        yield "tools/vscode/package.json: the repository is a placeholder"


def main():
    root = Path(sys.argv[1]).resolve()
    found = [fault for page in pages(root) for fault in faults(page, root)]
    found += faults_of_settings(root)
    print("\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
