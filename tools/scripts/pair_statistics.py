"""Ratios of pairs, and the table that a run over sources prints.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from collections import Counter

RESULTS = ("equal", "changed", "failed", "crash", "hang")
COSTS = {"cpu_s": "CPU", "wall_s": "wall", "memory_mib": "memory"}


def quantile(values, share):
    """The smallest value that at least `share` of the values do not exceed."""
    ordered = sorted(values)
    index = -(-len(ordered) * share // 1) - 1  # ceil, from 0
    return ordered[max(0, int(index))]


def ratios(pairs, names):
    """Median, 95th percentile and worst ratio of (without, with), and the ratio
    of the sums; None for no pairs."""
    known = [(using / without, name)
             for (without, using), name in zip(pairs, names) if without > 0]
    if not known:
        return None
    values = [value for value, _ in known]
    worst, name = max(known)
    return {"median": quantile(values, 0.5), "p95": quantile(values, 0.95), "worst": worst,
            "worst_file": name, "sum": sum(p[1] for p in pairs) / sum(p[0] for p in pairs)}


def apart(rows):
    """The same of processor time for what clang takes for remarks, and for what
    the plugin adds to that; nothing where remarks were not measured alone."""
    rows = [row for row in rows if "remarks_cpu_s" in row]
    if not rows:
        return {}
    names = [row["file"] for row in rows]
    alone = [row["remarks_cpu_s"] for row in rows]
    without, using = zip(*(row["cpu_s"] for row in rows))
    return {"of remarks": ratios(list(zip(without, alone)), names),
            "of the plugin": ratios(list(zip(alone, using)), names)}


def summarize(rows):
    """Counts, ratios and reasons over rows {"file", "result", ...}."""
    compiled = [row for row in rows if row["result"] != "not compiled"]
    timed = [row for row in compiled if row["result"] in ("equal", "changed")]
    names = [row["file"] for row in timed]
    by_kernel, by_file = Counter(), Counter()
    for row in compiled:
        by_kernel.update(row.get("not_analyzed", {}))
        by_file.update(row.get("not_analyzed", {}).keys())
    counts = Counter(row["result"] for row in compiled)
    return {
        "sources": len(rows),
        "compiled": len(compiled),
        "kernels": sum(row["kernels"] for row in compiled),
        **{result: counts[result] for result in RESULTS},
        "varies": sum(row.get("varies", False) for row in compiled),
        "new_diagnostics": sum(len(row.get("new_diagnostics", ())) for row in compiled),
        "ratios": {key: ratios([row[key] for row in timed], names) for key in COSTS},
        "apart": apart(timed),
        "not_analyzed": [{"reason": reason, "kernels": count, "files": by_file[reason]}
                         for reason, count in sorted(by_kernel.items(),
                                                     key=lambda item: (-item[1], item[0]))],
    }


def bad_rows(rows):
    """What nobody should ever see."""
    return [row for row in rows if row["result"] in ("changed", "failed", "crash", "hang")
            or row.get("new_diagnostics")]


def table(summary):
    """The summary as text."""
    s = summary
    lines = [f"{s['sources']} sources, {s['compiled']} of them compile without the plugin; "
             f"{s['kernels']} kernels",
             f"PTX equal {s['equal']} of {s['compiled']}, changed {s['changed']}; crashes "
             f"{s['crash']}, hangs {s['hang']}, failed {s['failed']}, "
             f"new diagnostics {s['new_diagnostics']}"]
    if s["varies"]:
        lines.append(f"{s['varies']} of the equal ones are printed in several ways by the "
                     "compiler alone")
    lines.append(f"{'with / without':16}{'median':>8}{'p95':>8}{'worst':>8}{'sum':>8}")
    shown = {title: s["ratios"][key] for key, title in COSTS.items()}
    shown |= {f"CPU {what}": r for what, r in s["apart"].items()}
    for title, r in shown.items():
        if r:
            lines.append(f"{title:17}{r['median']:7.2f}{r['p95']:8.2f}{r['worst']:8.2f}"
                         f"{r['sum']:8.2f}  {r['worst_file']}")
    if s["not_analyzed"]:
        lines.append(f"{'kernels':>8}{'files':>8}  not analyzed")
    lines += [f"{g['kernels']:8}{g['files']:8}  {g['reason']}" for g in s["not_analyzed"]]
    return "\n".join(lines)
