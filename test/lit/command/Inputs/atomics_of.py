"""Prints of each kernel of a profile where its counts come from and how often
a warp executes an atomic."""
import json
import sys

for kernel in sorted(json.load(open(sys.argv[1]))["kernels"], key=lambda k: k["name"]):
    counts = kernel["counts"]
    executions = sum(a["executions_per_warp"] for a in kernel["accesses"]
                     if a["kind"] in ("atomic", "reduction"))
    print(kernel["demangled"].split("(")[0], counts["source"], counts.get("counted_blocks"), counts.get("blocks"),
          counts.get("is_cut"), round(executions, 1))
