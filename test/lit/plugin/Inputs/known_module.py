"""Prints what a facts file holds, and writes the options that name its module.

  known_module.py FACTS.json [OPTIONS.rsp]
"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    facts = json.load(file)
print(f"{len(facts['kernels'])} kernels, grid {facts['launches'][0]['grid'][0]}")
assert len(facts["made_of"]) == 32
if len(sys.argv) > 2:
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(f"-mllvm -gpu-occupancy-known-module={facts['made_of']}\n")
