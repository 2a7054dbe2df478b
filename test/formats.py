#!/usr/bin/env python3
"""Checks that a file format whose keys change changes its version.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: formats.py SOURCE_DIR [--update]

test/formats/FORMAT-N.keys lists the keys of version N. The list of the version
that FileFormats.def names as the current one has to be what the sources say;
--update writes it. Do that for a version that is not released. For one that is,
raise the version there first: the new version gets a list of its own, and what
the older one has and the new one lacks is a row of its table of changes.
"""

import json
import re
import sys
from pathlib import Path

STRUCT = re.compile(r"^template <> struct JSONFields<(\w+)> \{(.*?)^\};", re.MULTILINE | re.DOTALL)
FORMAT = re.compile(r'^FILE_FORMAT\((\w+), "[^"]*", (\d+), (\d+),', re.MULTILINE)


def rows(text, macro, groups):
    """The texts in quotes among the first arguments of each row."""
    return re.findall(rf"^{macro}\({groups}", text, re.MULTILINE)


def device_keys(root):
    read = lambda name: (root / "include/gpuocc" / name).read_text()
    for section, key, unit in rows(read("Device/Quantity.def"), "QUANTITY",
                                   r'\w+, (\w+), "([^"]+)", "([^"]+)"'):
        yield f"{section.lower()}.{key} {unit}"
    for key in rows(read("Support/InstClass.def"), "INST_CLASS", r'\w+, "([^"]+)"'):
        yield f"instructions.{key}"
    for key in rows(read("Support/Resource.def"), "RESOURCE", r'\w+, "([^"]+)"'):
        yield f"pipe.{key}"
    reader = (root / "lib/Device/DeviceReader.cpp").read_text()
    for keys in re.findall(r"checkKeys\(\s*\{([^}]*)\}", reader):
        yield from (f"member.{key}" for key in re.findall(r'"([^"]+)"', keys))
    for key in re.findall(r'^    \{"(\w+)", read', reader, re.MULTILINE):
        yield f"section.{key}"


def data_keys(root):
    """Fields of facts and of all that a report with facts holds."""
    for path in sorted([*(root / "lib").rglob("*.[ch]*"), *(root / "include").rglob("*.h")]):
        for owner, body in STRUCT.findall(path.read_text()):
            for key in re.findall(r'Field\(\s*"([^"]+)"', body):
                yield f"{owner}.{key}"


def configuration_keys(root):
    text = (root / "lib/Config/ConfigKeys.cpp").read_text()
    for section, key in re.findall(r'^    \{"(\w*)", "(\w+)",', text, re.MULTILINE):
        yield f"{section}.{key}" if section else key


def report_keys(root):
    schema = json.loads((root / "docs/report.schema.json").read_text())

    def properties(owner, part):
        for key, value in part.get("properties", {}).items():
            yield f"{owner}.{key}"
            yield from properties(f"{owner}.{key}", value)
            yield from properties(f"{owner}.{key}", value.get("items", {}))

    yield from properties("report", schema)
    for name, part in schema["$defs"].items():
        yield from properties(name, part)


# Name of the lists: the formats that they are of, the keys, and whether keys may
# be added without a new version: where readers pass over what they do not know.
LISTS = {
    "device": (["DeviceDatabase"], device_keys, False),
    "data": (["Facts", "ReportData"], data_keys, False),
    "configuration": (["Configuration"], configuration_keys, False),
    "report": (["Report"], report_keys, True),
}


def faults(root, update):
    formats = (root / "include/gpuocc/Support/FileFormats.def").read_text()
    versions = {name: int(current) for name, _, current in FORMAT.findall(formats)}
    for name, (of, keys, may_grow) in LISTS.items():
        current = {versions[each] for each in of}
        if len(current) != 1:
            yield f"{' and '.join(of)} are one format and need one version, not {sorted(current)}"
            continue
        path = root / f"test/formats/{name}-{current.pop()}.keys"
        now = sorted(set(keys(root)))
        if not now:
            yield f"{name}: no key found; formats.py does not fit the sources any more"
        if update:
            path.write_text("\n".join(now) + "\n")
        kept = set(path.read_text().splitlines()) if path.exists() else set()
        for key in sorted(kept - set(now)):
            yield f"{path.name}: '{key}' is gone: the format has changed, see formats.py"
        if not may_grow:
            for key in sorted(set(now) - kept):
                yield f"{path.name}: '{key}' is new: the format has changed, see formats.py"


def main():
    problems = list(faults(Path(sys.argv[1]), "--update" in sys.argv))
    for problem in problems:
        print(problem)
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
