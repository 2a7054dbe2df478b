"""Checks a timeline of streams.cu and prints its rows and kernels."""

import json
import sys

trace = json.load(open(sys.argv[1]))
rows = {
    e["tid"]: e["args"]["name"]
    for e in trace["traceEvents"]
    if e["ph"] == "M" and e["name"] == "thread_name"
}
slices = [e for e in trace["traceEvents"] if e["ph"] == "X"]
for row in rows:
    end = 0
    for s in sorted((s for s in slices if s["tid"] == row), key=lambda s: s["ts"]):
        assert s["ts"] >= end - 1e-6, "slices of a row overlap"
        end = s["ts"] + s["dur"]
print(", ".join(sorted(rows.values())))
kernels = [s for s in slices if s["cat"] == "kernel"]
print("kernels", [rows[k["tid"]].split(", ")[1] for k in kernels])


def end(s):
    return s["ts"] + s["dur"]


def follows(s, *others):
    return s["ts"] >= max(map(end, others)) - 1e-6


first, second, joined, last = kernels
print("streams overlap", second["ts"] < end(first))
print("the join waits", follows(joined, first, second))
copy = [s for s in slices if s["cat"] == "copy"][-1]
print("the default stream waits", follows(last, joined), follows(copy, last))
print("bytes", copy["args"]["bytes"], trace["otherData"])
