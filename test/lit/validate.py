#!/usr/bin/env python3
"""Checks a JSON document against a JSON schema.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: validate.py SCHEMA DOCUMENT

Knows the keywords that docs/report.schema.json uses and rejects a schema with
others, so that the tests need no package. Prints "valid" or all faults.
"""

import json
import sys

NOTES = {"$schema", "title", "description", "$defs"}
TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "null": lambda v: v is None,
}


def faults(value, schema, root, where):
    """Yields 'place: what' for each way in which value breaks schema."""
    for keyword, wanted in schema.items():
        if keyword in NOTES:
            continue
        elif keyword == "$ref":
            name = wanted.removeprefix("#/$defs/")
            yield from faults(value, root["$defs"][name], root, where)
        elif keyword == "type":
            names = [wanted] if isinstance(wanted, str) else wanted
            if not any(TYPES[name](value) for name in names):
                yield f"{where}: not {' or '.join(names)}"
                return
        elif keyword == "const":
            if value != wanted:
                yield f"{where}: not {wanted!r}"
        elif keyword == "enum":
            if value not in wanted:
                yield f"{where}: {value!r} is not one of {wanted}"
        elif keyword == "anyOf":
            if all(any(faults(value, s, root, where)) for s in wanted):
                yield f"{where}: fits none of the alternatives"
        elif keyword == "minimum":
            if TYPES["number"](value) and value < wanted:
                yield f"{where}: {value} is less than {wanted}"
        elif keyword == "maximum":
            if TYPES["number"](value) and value > wanted:
                yield f"{where}: {value} is more than {wanted}"
        elif keyword in ("minItems", "maxItems"):
            short = keyword == "minItems"
            if isinstance(value, list) and (
                len(value) < wanted if short else len(value) > wanted
            ):
                yield f"{where}: {len(value)} elements, not {wanted}"
        elif keyword == "items":
            if isinstance(value, list):
                for index, element in enumerate(value):
                    yield from faults(element, wanted, root, f"{where}[{index}]")
        elif keyword == "required":
            if isinstance(value, dict):
                for name in wanted:
                    if name not in value:
                        yield f"{where}: '{name}' is missing"
        elif keyword == "properties":
            if isinstance(value, dict):
                for name, element in value.items():
                    if name in wanted:
                        yield from faults(
                            element, wanted[name], root, f"{where}.{name}"
                        )
        elif keyword == "additionalProperties":
            if isinstance(value, dict):
                known = schema.get("properties", {})
                for name, element in value.items():
                    if name in known:
                        continue
                    if wanted is False:
                        yield f"{where}: '{name}' is not known"
                    else:
                        yield from faults(element, wanted, root, f"{where}.{name}")
        else:
            raise SystemExit(f"validate.py does not know the keyword '{keyword}'")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        document = json.load(file)
    found = list(faults(document, schema, schema, "report"))
    for fault in found:
        print(fault)
    if not found:
        print("valid")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
