#!/usr/bin/env python3
"""Checks how predictions change with what they are made of.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: metamorphic.py GPU_OCCUPANCY GPU_OCCUPANCY_ACCURACY SOURCE_DIR

No measurement is needed to know that a faster device is not slower, that more
blocks of the same work are not faster, and that names and the order of files
decide nothing.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL, ACCURACY, SOURCE = (Path(argument).resolve() for argument in sys.argv[1:4])

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"
# Work that does not depend on the size of the grid: arithmetic, a stream, shared
# memory behind a barrier. Where blocks share lines, or atomics, this cannot be
# asked for yet: hits are means over all blocks, so that the first wave of a
# larger grid waits less, by up to 1.3 % from one size here to the next.
BODIES = {
    "compute": "  mov.b32 %x, %tid.x;\n" + "  mad.lo.u32 %x, %x, %x, 3;\n" * 64
               + "  st.global.u32 [%p], %x;\n",
    "stream": "  ld.global.u32 %x, [%q];\n  add.u32 %x, %x, 1;\n  st.global.u32 [%q], %x;\n",
    "exchange": "  mov.u32 %s, tile;\n  shl.b32 %o, %i, 2;\n  and.b32 %o, %o, 1020;\n"
                "  add.u32 %s, %s, %o;\n  st.shared.u32 [%s], %i;\n  bar.sync 0;\n"
                "  ld.shared.u32 %x, [%s];\n  st.global.u32 [%q], %x;\n",
}
GRIDS = (1, 2, 66, 131, 132, 133, 264, 265, 528, 1000, 1056, 1057, 4096, 20000, 65536, 200000)


def kernel(name, body):
    return f"""
.visible .entry {name}(.param .u64 {name}_p)
{{
  .reg .b64 %p; .reg .b64 %q; .reg .b64 %w;
  .reg .b32 %x; .reg .b32 %i; .reg .b32 %b; .reg .b32 %t; .reg .b32 %s; .reg .b32 %o;
  .shared .align 4 .b8 tile[1024];
  ld.param.u64 %p, [{name}_p];
  mov.u32 %b, %ctaid.x;
  mov.u32 %t, %ntid.x;
  mov.u32 %i, %tid.x;
  mad.lo.u32 %i, %b, %t, %i;
  mul.wide.u32 %w, %i, 4;
  add.u64 %q, %p, %w;
{body}  ret;
}}
"""
TOOLKIT = Path(os.environ.get("CUDA_PATH", "/usr/local/cuda"))
HAS_TOOLKIT = (TOOLKIT / "include/cuda_runtime.h").exists()


class Metamorphic(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="metamorphic-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return str(path)

    def text(self, *arguments):
        done = subprocess.run([TOOL, "analyze", "--ptxas=off", *arguments], capture_output=True,
                              text=True, check=False, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def noted(self, *arguments):
        """The output and what is said of guessed include folders."""
        done = subprocess.run([TOOL, "analyze", *arguments], capture_output=True, text=True,
                              check=True)
        return done.stdout, done.stderr

    def kernels(self, *arguments):
        return json.loads(self.text("--format=json", *arguments))["kernels"]

    def test_a_better_device_is_not_slower(self):
        report = self.folder / "report.json"
        examples = sorted(str(path) for path in (SOURCE / "docs/examples").glob("*.cu")
                          if HAS_TOOLKIT or "Needs the toolkit" not in path.read_text())
        self.text("--format=json", "--with-facts", "--code=clang", "--device=nvidia-h200",
                  "-o", str(report), *examples)
        done = subprocess.run([ACCURACY, "monotone", str(report)], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout,
                         r"^[1-9]\d+ kernels, [1-9]\d\d better numbers, 0 times slower\n$")

    def test_a_larger_grid_is_not_faster(self):
        ptx = self.file("k.ptx", HEAD + "".join(kernel(*row) for row in BODIES.items()))
        config = self.file("config.yaml", "launches:\n" + "".join(
            f"  - {{kernel: {name}, grid: [{grid}], block: [256]}}\n"
            for name in BODIES for grid in GRIDS))
        times = {}
        for k in self.kernels(ptx, f"--config={config}"):
            times.setdefault(k["name"], {})[k["launch"]["grid"][0]] = k["predicted_time_ns"]
        self.assertEqual(set(times), set(BODIES))
        for name, by_grid in times.items():
            self.assertEqual(sorted(by_grid), sorted(GRIDS))
            for small, large in zip(GRIDS, GRIDS[1:]):
                # A wave that lacks a block is 0.02 % longer than a whole one.
                self.assertLessEqual(by_grid[small], by_grid[large] * 1.0005,
                                     f"{name}: grid {small} against {large}")

    def test_names_decide_nothing(self):
        def report(name):
            file = self.file("k.ptx", HEAD + kernel(name, BODIES["exchange"]))
            return self.text("--format=json", "--launch", f"{name}:grid=1056,block=256", file)

        self.assertEqual(report("first").replace("first", "other"), report("other"))

    def test_the_order_of_files_decides_nothing(self):
        files = [self.file(f"set/{name}.ptx", HEAD + kernel(name, body))
                 for name, body in BODIES.items()]
        forward, backward = self.kernels(*files), self.kernels(*reversed(files))
        self.assertEqual(forward, backward[::-1])
        alone = self.text("--format=json", "--cache=off", "--jobs=1", str(self.folder / "set"))
        for jobs in (2, 5):
            self.assertEqual(self.text("--format=json", "--cache=off", f"--jobs={jobs}",
                                       str(self.folder / "set")), alone)

    def test_a_warm_cache_says_what_a_cold_one_says(self):
        for name in ("first", "second"):
            self.file(f"set/{name}.cu", f"__global__ void {name}(float *p) {{\n"
                                        "  p[threadIdx.x] *= p[blockIdx.x];\n}\n")
        cache = self.folder / "cache"
        for form in ("json", "summary"):
            command = (f"--format={form}", "--code=clang", f"--cache={cache}",
                       str(self.folder / "set"))
            shutil.rmtree(cache, ignore_errors=True)
            cold = self.noted(*command)
            self.assertEqual(len(list(cache.glob("*.json"))), 2)
            self.assertEqual(self.noted(*command), cold)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
