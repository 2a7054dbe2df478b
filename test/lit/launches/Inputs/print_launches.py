"""Prints the launches of a facts file, one a line.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import sys

CONVERSIONS = ("int32", "uint32", "int64", "uint64", "float32", "float64", "bool")


def text(e, inner=False):
    if isinstance(e, dict):
        return str(float(e["real"]))
    if not isinstance(e, list):
        return str(e)
    name, *operands = e
    if name in CONVERSIONS:
        return text(operands[0], inner)
    if name == "?:":
        return "{}?{}:{}".format(*map(text, operands))
    if len(operands) != 2:
        return f"{name}({text(operands[0])})"
    written = f"{text(operands[0], True)}{name}{text(operands[1], True)}"
    return f"({written})" if inner else written


with open(sys.argv[1], encoding="utf-8") as file:
    launches = json.load(file)["launches"]
for l in launches:
    arguments = [f"{i}={text(e)}" for i, e in sorted(l["arguments"].items())]
    for i, members in sorted(l.get("members", {}).items()):
        arguments += [f"{i}+{byte}={text(e)}" for byte, e in sorted(members.items())]
    if sizes := l.get("array_bytes"):
        arguments += ["arrays"] + [f"{i}={text(e)}" for i, e in sorted(sizes.items())]
    print(l["kernel"], l["line"], "grid", ",".join(map(text, l["grid"])), "block",
          ",".join(map(text, l["block"])), "shared",
          text(l["dynamic_shared_bytes"]), " ".join(["args"] + arguments))
