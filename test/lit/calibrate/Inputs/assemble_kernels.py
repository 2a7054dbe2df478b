"""Assembles the microkernels for each architecture that ptxas knows.

    assemble_kernels.py gpu-occupancy-calibrate ptxas FOLDER [--every=N]

Prints a line for each architecture. With --every=N only every Nth module is
assembled, in the order of their names, beginning at another one for each
architecture. Exit status 1 when one is refused.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("calibrate")
parser.add_argument("ptxas")
parser.add_argument("folder")
parser.add_argument("--every", type=int, default=1)
options = parser.parse_args()


def known_architectures():
    """Those of `ptxas --help` from sm_70 to sm_121."""
    text = subprocess.run(
        [options.ptxas, "--help"], check=True, capture_output=True, text=True
    ).stdout
    numbers = {int(n) for n in re.findall(r"'sm_(\d+)'", text)}
    return sorted(n for n in numbers if 70 <= n <= 121)


def assemble(path):
    """The first error, or nothing."""
    with open(path) as file:
        target = re.search(r"^\.target (\S+)", file.read(), re.M).group(1)
    result = subprocess.run(
        [options.ptxas, f"-arch={target}", path, "-o", path[:-3] + "cubin"],
        capture_output=True,
        text=True,
    )
    if result.returncode == 0:
        return None
    errors = [line for line in result.stderr.splitlines() if "error" in line]
    return f"{os.path.basename(path)}: {(errors or ['no error line'])[0]}"


refused = 0
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for row, number in enumerate(known_architectures()):
        folder = os.path.join(options.folder, f"sm_{number}")
        subprocess.run(
            [options.calibrate, "kernels", f"--arch=sm_{number}", folder],
            env={"PATH": ""},
            check=True,
            capture_output=True,
        )
        modules = sorted(f for f in os.listdir(folder) if f.endswith(".ptx"))
        chosen = modules[row % options.every :: options.every]
        errors = list(
            filter(None, pool.map(lambda f: assemble(os.path.join(folder, f)), chosen))
        )
        refused += len(errors)
        print(
            f"sm_{number}\t{len(modules)} modules\t{len(chosen)} assembled\t"
            f"{len(errors)} refused"
        )
        for error in errors:
            print("  " + error)
sys.exit(refused > 0)
