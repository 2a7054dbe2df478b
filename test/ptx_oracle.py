#!/usr/bin/env python3
"""Compares kernels with what is read back from the PTX that clang makes of them.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: ptx_oracle.py [--least SHARE] [--every N [--from K]] COMMAND SOURCE... -- COMPILER [FLAGS...]

COMPILER, which is clang, with FLAGS and -emit-llvm turns device code into a
module, and the module into PTX. COMMAND is gpu-occupancy. Each source is analyzed as
a module and as PTX, for the same launches. Kernels are equal when their
instructions by class, accesses with what lanes do, branches and loops are. Where
executions depend on data, which is drawn anew for each reading, the code itself
is compared: instructions by class, accesses, branches and loops without what a
launch makes of them.
Prints those that are not, with what differs, how many are, and how many others
differ in less than 1 % of their instructions and nothing else; fails when less
than SHARE of them are equal. Of folders all .cu below them are taken, or one in
N, of which the first is number K, 0 unless it is said. Sources find headers in their own folder; those that the compiler refuses are
left out.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

ACCESS = ("space", "kind", "bytes_per_lane", "sectors_per_request", "wavefronts_per_request",
          "lane_stride_bytes", "exactness", "executions_per_warp")
CODE_ACCESS = ("space", "kind", "bytes_per_lane")
BRANCH = ("class", "executions_per_warp", "divergent_fraction")


def rounded(value):
    """What two sums of the same numbers in another order have in common."""
    return round(float(f"{value:.12g}"), 6)


def rows(items, names):
    """Items as a multiset of what is compared of them."""
    def plain(value):
        return rounded(value) if isinstance(value, float) else json.dumps(value)
    def compared(item):
        # Addresses that depend on data are drawn anew for each reading, and
        # those of accesses that no warp executes are of sampled ones.
        random = (item.get("exactness") == "data-dependent" or
                  item.get("executions_per_warp") == 0)
        return [n for n in names if not random or not n.endswith("_per_request")]
    return collections.Counter(tuple(plain(i.get(n)) for n in compared(i)) for i in items)


def depends_on_data(kernel):
    """Were conditions or addresses of a kernel drawn?"""
    return any(i.get("class", i.get("exactness")) == "data-dependent"
               for i in kernel["branches"] + kernel["accesses"])


def as_executed(kernel):
    """What a launch of a kernel executes."""
    classes = {c: rounded(n) for c, n in kernel["instructions"]["by_class"].items()}
    return {
        "instructions": collections.Counter(classes),
        "accesses": rows(kernel["accesses"], ACCESS),
        "branches": rows(kernel["branches"], BRANCH),
    }


def as_written(kernel):
    """The code of a kernel, each instruction once."""
    classes = collections.Counter()
    for operation in kernel["data"]["facts"]["operations"]:
        for emission in operation.get("emits") or []:
            classes[emission["class"]] += emission.get("count", 1)
    return {
        "instructions": collections.Counter({c: round(n, 3) for c, n in classes.items()}),
        "accesses": rows(kernel["data"]["facts"].get("accesses", []), CODE_ACCESS),
        "branches": collections.Counter(
            {"branches": len(kernel["data"]["facts"].get("branches", []))}),
    }


def facts_of(report):
    """What is compared, by kernel, for either way; of kernels with several
    launches the first."""
    kernels = {}
    for k in report["kernels"]:
        loops = collections.Counter(
            loop.get("depth", 1) for loop in k["data"]["facts"].get("loops", []))
        kernels.setdefault(k["name"], {
            "drawn": depends_on_data(k),
            "executed": {**as_executed(k), "loops": loops},
            "written": {**as_written(k), "loops": loops},
        })
    return kernels


def compared_parts(a, b):
    """The facts of two readings of a kernel that have to be equal."""
    way = "written" if a["drawn"] or b["drawn"] else "executed"
    return a[way], b[way]


def difference(a, b):
    """What a and b, multisets, differ in."""
    keys = sorted(set(a) | set(b), key=str)
    return ", ".join(f"{key}: {a[key]} as module, {b[key]} as PTX"
                     for key in keys if a[key] != b[key])


def is_close(a, b):
    """Do a and b differ in less than 1 % of their instructions, and nothing else?"""
    apart = sum(abs(a["instructions"][c] - b["instructions"][c])
                for c in set(a["instructions"]) | set(b["instructions"]))
    return (apart < 0.01 * sum(a["instructions"].values()) and
            all(a[part] == b[part] for part in a if part != "instructions"))


def sources_of(paths, every, first=0):
    found = []
    for path in paths:
        if os.path.isdir(path):
            found += sorted(os.path.join(folder, name) for folder, _, names in os.walk(path)
                            for name in names if name.endswith(".cu"))
        else:
            found.append(path)
    return found[first::every]


def runs(words):
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def target_options(module_file):
    """Options for what a module's functions are compiled for: without a toolkit
    clang would write a version of PTX that is too old for it."""
    with open(module_file, encoding="utf-8") as module:
        text = module.read()
    version = re.search(r'"target-features"="[^"]*(\+ptx\d+)', text)
    architecture = re.search(r'"target-cpu"="(\w+)"', text)
    return ["-march=" + (architecture.group(1) if architecture else "sm_90"),
            "--cuda-feature=" + (version.group(1) if version else "+ptx80")]


def analyze(command, path):
    run = subprocess.run([command, "analyze", "--ptxas", "off", "--format", "json",
                          "--with-facts", path], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(run.stderr.strip().splitlines()[-1])
    return facts_of(json.loads(run.stdout))


def compare(command, compiler, source, folder):
    """For each kernel its name, what differs, and whether it is close; None when there is no code."""
    module_file, ptx_file = (os.path.join(folder, os.path.basename(source) + extension)
                             for extension in (".ll", ".ptx"))
    own = ["-I", os.path.dirname(source) or "."]
    if not runs(compiler + own + ["-emit-llvm", source, "-o", module_file]):
        return None
    # From the module: what code generation may fuse is an option of clang that a
    # module does not keep.
    if not runs([compiler[0], "--target=nvptx64-nvidia-cuda", *target_options(module_file), "-O3",
                 "-Xclang", "-disable-llvm-passes", "-Wno-everything", "-S", "-x", "ir", module_file,
                 "-o", ptx_file]):
        return None
    try:
        module = analyze(command, module_file)
    except RuntimeError:
        return None
    ptx = analyze(command, ptx_file)
    compared = []
    for name, facts in module.items():
        read = ptx.get(name)
        if read is None:
            compared.append((name, ["not read"], False))
            continue
        a, b = compared_parts(facts, read)
        parts = [(part, difference(a[part], b[part])) for part in a]
        compared.append((name, [f"{part}: {text}" for part, text in parts if text],
                         is_close(a, b)))
    return compared


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--least", type=float, default=0)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("command")
    parser.add_argument("sources", nargs="+")
    own, compiler = sys.argv[1:], []
    if "--" in own:
        at = own.index("--")
        own, compiler = own[:at], own[at + 1:]
    options = parser.parse_args(own)
    equal = close = total = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in sources_of(options.sources, options.every, options.first):
            try:
                kernels = compare(options.command, compiler, source, folder)
            except RuntimeError as error:
                print(f"{source}: {error}")
                total += 1
                continue
            if kernels is None:
                refused += 1
                continue
            for name, parts, is_near in kernels:
                total += 1
                equal += not parts
                close += bool(parts) and is_near
                if parts:
                    print(f"{source}: {name}")
                for part in parts:
                    print(f"  {part}")
    print(f"{equal} of {total} kernels equal, {close} others within 1 %; "
          f"{refused} sources refused")
    return 0 if total and equal >= options.least * total else 1


if __name__ == "__main__":
    sys.exit(main())
