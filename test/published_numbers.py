#!/usr/bin/env python3
"""Compares a device database with what others published.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: published_numbers.py DATABASE PUBLISHED [PAGE [--write]]

Prints a table. Fails when a number is missing, or apart from every published
one by more than a tenth without a reason. With a page, the table between its
two marks has to be the printed one; --write puts it there.
"""

import json
import re
import sys
import textwrap
from pathlib import Path

BEGIN, END = "<!-- published numbers -->", "<!-- end of published numbers -->"
APART = 0.1


def value_at(device, place):
    """The number at a place, or None."""
    cell = re.fullmatch(r"(\w+)\[(.*)\]\.(\w+)", place)
    if cell:
        table = device["tables"].get(cell[1])
        if not table:
            return None
        column = table["columns"].index
        wanted = [c.split("=") for c in cell[2].split(", ")]
        for row in table["rows"]:
            if all(row[column(c)] == float(v) for c, v in wanted):
                return row[column(cell[3])]
        return None
    section, rest = place.split(".", 1)
    member = device[section]
    if section == "instructions":
        rest, key = rest.rsplit(".", 1)
        member, rest = member.get(rest, {}), key
    return member.get(rest, {}).get("value")


def converted(device, number):
    """Our number in the unit of the published ones."""
    parts = [value_at(device, p) for p in number["place"]]
    if None in parts:
        return None
    value = sum(parts) * number.get("factor", 1)
    chip = {k: v["value"] for k, v in device["chip"].items()}
    per_ns = chip["sm_count"] * chip["sm_clock_mhz"] / 1000
    scale = {"": 1, "lane_inst": 32, "GB/s": per_ns, "TFLOP/s": per_ns / 1000}
    return value * scale[number.get("as", "")]


def bounds(published):
    value = published["value"]
    return value if isinstance(value, list) else [value, value]


def distance(value, published):
    """How far a value is from a range, relative; 0 within."""
    low, high = bounds(published)
    return max(0, low / value - 1, value / high - 1)


def text(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def row(number, value, nearest):
    published = "; ".join(
        " to ".join(dict.fromkeys(text(v) for v in bounds(p))) +
        f" ({p['source']})" for p in number["published"])
    state = "the same" if nearest < 0.03 else f"{100 * nearest:.0f} % apart"
    why = number.get("why") if nearest > APART else ""
    return (f"| {number['what']} | {text(value)} {number['unit']} | {published} "
            f"| {state}{': ' + why if why else ''} |")


def main():
    arguments = [a for a in sys.argv[1:] if a != "--write"]
    device = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    published = json.loads(Path(arguments[1]).read_text(encoding="utf-8"))
    lines = ["| number | here | published | nearest |", "|---|---:|---|---|"]
    faults = []
    for number in published["numbers"]:
        value = converted(device, number)
        if value is None:
            faults.append(f"{number['what']}: not in the database")
            continue
        nearest = min(distance(value, p) for p in number["published"])
        if nearest > APART and not number.get("why"):
            faults.append(f"{number['what']}: {text(value)} is {100 * nearest:.0f} "
                          "% from the nearest published number, and no reason "
                          "is given")
        for p in number["published"]:
            if p["source"] not in published["sources"]:
                faults.append(f"{number['what']}: unknown source {p['source']}")
        lines.append(row(number, value, nearest))
    sources = "Sources: " + "; ".join(f"{k}: {v}" for k, v in published["sources"].items()) + "."
    lines += ["", *textwrap.wrap(sources, 100, break_on_hyphens=False)]
    table = "\n".join(lines)
    print(table)
    if len(arguments) > 2:
        page = Path(arguments[2])
        before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
        old, _, after = rest.partition(END)
        if "--write" in sys.argv:
            page.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}",
                            encoding="utf-8")
        elif old.strip() != table:
            faults.append(f"{page}: the table of published numbers is not that "
                          "of the database; run this with --write")
    sys.exit("\n".join(faults) or 0)


if __name__ == "__main__":
    main()
