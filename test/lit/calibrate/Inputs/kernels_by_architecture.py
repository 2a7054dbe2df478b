"""Prints what `kernels` writes for each architecture without a toolkit.

    kernels_by_architecture.py gpu-occupancy-calibrate FOLDER
"""

import os
import subprocess
import sys

ARCHITECTURES = (70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121)

calibrate, folder = sys.argv[1:]
for architecture in ARCHITECTURES:
    name = f"sm_{architecture}"
    output = subprocess.run(
        [calibrate, "kernels", f"--arch={name}", os.path.join(folder, name)],
        env={"PATH": ""},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for line in output.splitlines():
        print(name, line, sep="\t")
