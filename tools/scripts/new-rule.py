#!/usr/bin/env python3
"""Makes the files of a new rule: source, test, page, and their registrations.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: tools/scripts/new-rule.py NAME TITLE [--before RULE] [--root SOURCE_DIR]

NAME is in CamelCase, such as BankConflict; TITLE is what the rule finds, in a
few words in lower case. The rule is registered before RULE in
include/gpuocc/Report/Rules.def, which is the order in which findings without a
gain are shown; if not given, before ThroughputBound, where evidence begins.
What is made builds, finds nothing yet, and its test says so until it is
rewritten. docs/contributing.md goes on from there.
"""

import argparse
import re
import sys
from pathlib import Path

LICENSE = """\
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

SOURCE = """\
{banner}
//
{license}//
//===----------------------------------------------------------------------===//

#include "Price.h"
#include "gpuocc/WhatIf/CodeChanges.h"

using namespace gpuocc;
using namespace llvm;

void gpuocc::find{name}(const Case &C, Findings &Out) {{
  // What the rule looks for: C.Facts has the code, C.Profile how often it runs
  // for this launch, C.Predicted what the model makes of it.
  if (C.Facts.Operations.size() < 2)
    return;
  // A change of the room WhatIf; the prediction for the changed kernel is its
  // price.
  const Price Paid = price(C, replaceInstructions({{}}));
  if (Paid.Gain <= 1)
    return;
  FindingWriter W(RuleId::{name}, kernelLocation(C.Facts));
  W << "what is wrong, with numbers as " << named("Key", "value")
    << "; what to change";
  addPrice(W, Paid);
  Out.push_back(std::move(W.finding()));
}}
"""

TEST = """\
// A kernel that {name} speaks of, and one that it does not.
//
// RUN: %clang_cuda %remarks -mllvm -gpu-occupancy-launch=copy:grid=8192,block=256 -mllvm -gpu-occupancy-launch=wrong:grid=8192,block=256 %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: 'copy'
// CHECK-NOT: what is wrong
__global__ void copy(float *to, const float *from) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}}

// CHECK: remark: 'wrong'
// Fails until the rule speaks of this kernel:
// CHECK: remark: what is wrong
__global__ void wrong(float *to, const float *from) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}}
"""

PAGE = """\
# {name}

Shown by `-Rpass=gpu-occupancy`.

## What it says

{title}.

```
k.cu:6:1: remark: what is wrong, with numbers as value; what to change. Estimated gain: 1.9x
```

## Named arguments

| key | meaning |
|---|---|
| `Key` | what it is |
| `Gain` | predicted speed-up |
| `BoundAfter` | what the kernel is bound by once mended |

## What to do

The change, with the code before and after.

## How the gain is estimated

The model runs again on the same kernel with this one thing changed. The gain is the ratio of the
two predicted times, or of the throughputs where no grid is known.

## When it is silent

Where the change does not pay.
"""


def banner(name, title):
    text = f"//===- {name}.cpp - {title[0].upper() + title[1:]} "
    return text + "-" * (74 - len(text)) + "===//"


def insert(path, before, line):
    """Puts \\p line in front of the line of \\p path that \\p before matches."""
    text = path.read_text(encoding="utf-8")
    place = re.search(before, text, re.MULTILINE)
    if not place:
        sys.exit(f"new-rule.py: error: {path}: nothing matches '{before}'")
    return text[:place.start()] + line + text[place.start():]


def main():
    parser = argparse.ArgumentParser(description="Makes the files of a new rule.")
    parser.add_argument("name")
    parser.add_argument("title")
    parser.add_argument("--before", default="ThroughputBound", metavar="RULE")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    options = parser.parse_args()
    name, title, root = options.name, options.title.rstrip("."), options.root
    if not re.fullmatch(r"[A-Z][A-Za-z0-9]+", name):
        sys.exit(f"new-rule.py: error: '{name}' is no name in CamelCase")
    if not title or '"' in title or len(banner(name, title)) > 80:
        sys.exit(f"new-rule.py: error: the title of '{name}' must be a few words without quotes")

    made = {
        root / f"lib/Assess/{name}.cpp":
            SOURCE.format(banner=banner(name, title), license=LICENSE, name=name),
        root / f"test/lit/rules/{name}.cu": TEST.format(name=name),
        root / f"docs/rules/{name}.md":
            PAGE.format(name=name, title=title[0].upper() + title[1:]),
    }
    for path in made:
        if path.exists():
            sys.exit(f"new-rule.py: error: {path} exists")
    register = root / "include/gpuocc/Report/Rules.def"
    changes = root / "docs/CHANGELOG.md"
    edited = {
        register: insert(register, rf"^RULE\({options.before},",
                         f'RULE({name}, Passed, "{title}")\n'),
        changes: insert(changes, r"(?<=^## Unreleased\n\n)", f"- Rule {name}: {title}.\n"),
    }
    for path, text in {**made, **edited}.items():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(root))
    print(f"next: docs/contributing.md; cmake --build build && lit --filter={name} build/test/lit")


if __name__ == "__main__":
    main()
