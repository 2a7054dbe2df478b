#!/usr/bin/env python3
"""Checks how much of the build the plugin needs, which first-light.sh builds.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: plugin_share.py BUILD MOST_PERCENT

Counts compilations, those of tests excepted. Other generators than Ninja are
not asked.
"""

import re
import subprocess
import sys
from pathlib import Path

OBJECT = re.compile(r" -o (\S+) -c ")


def objects_of(build, targets):
    done = subprocess.run(["ninja", "-C", build, "-t", "commands", *targets],
                          capture_output=True, text=True, check=True)
    found = set(OBJECT.findall(done.stdout))
    return {name for name in found if not name.startswith("test/")}


def main():
    build, most = sys.argv[1], float(sys.argv[2])
    if not Path(build, "build.ninja").exists():
        print("no build.ninja: nothing checked")
        return 0
    plugin, everything = objects_of(build, ["GpuOccupancy"]), objects_of(build, [])
    if not plugin or not plugin <= everything:
        print("error: the compilations of the build are not known")
        return 1
    share = 100 * len(plugin) / len(everything)
    print(f"the plugin compiles {len(plugin)} of {len(everything)} files: {share:.1f} %")
    if share > most:
        print(f"error: that is more than {most:g} %: leave what only commands need out of PLUGINS "
              "in the CMakeLists.txt of the room")
    return int(share > most)


if __name__ == "__main__":
    sys.exit(main())
