#!/usr/bin/env python3
"""What people type in their first minutes, on miniature projects of their kind.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: first_minutes.py GPU_OCCUPANCY

Each test is a person who types what README and docs say and acts on what the
screen says next. No toolkit and no GPU is needed.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = None
NO_TOOLKIT = ["--code=clang", "--ptxas=off", "--cache=off"]

SCALE = """__global__ void scale{0}(float *out, const float *in, int n, int stride) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i * stride] * {0}.0f;
}}
"""
ROWS = """__global__ void rows{0}(float *out, const float *in, int cols) {{
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    sum += in[blockIdx.x * cols + c];
  atomicAdd(out + blockIdx.x, sum);
}}
"""
ONE_EACH = """__global__ void each(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * FACTOR;
}
"""
COLUMNS = """__global__ void columns(float *out, const float *in, int w, int h) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < h && col < w)
    out[row * w + col] = 2 * in[row * w + col];
}
void run(float *out, const float *in) {
  columns<<<dim3(64, 64), dim3(16, 16)>>>(out, in, 1024, 1024);
}
"""
# A block of 128 threads copies 1024 words, as Triton's do.
TILE = """.version 8.0
.target sm_80
.address_size 64
.visible .entry tile(.param .u64 out, .param .u64 in, .param .u32 count) .reqntid 128
{
  .reg .b64 %rd<8>;
  .reg .b32 %r<12>;
  .reg .pred %p<2>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [in];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %ctaid.x;
  shl.b32 %r3, %r2, 10;
  mov.u32 %r4, %tid.x;
  shl.b32 %r5, %r4, 3;
  or.b32 %r6, %r3, %r5;
  setp.lt.s32 %p1, %r6, %r1;
  mul.wide.s32 %rd3, %r6, 4;
  add.s64 %rd4, %rd2, %rd3;
  add.s64 %rd5, %rd1, %rd3;
  @%p1 ld.global.v4.b32 {%r7, %r8, %r9, %r10}, [%rd4];
  @%p1 st.global.v4.b32 [%rd5], {%r7, %r8, %r9, %r10};
  ret;
}
"""


def typed(*words, status=0):
    done = subprocess.run([TOOL, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode != status:
        raise AssertionError(f"{words}: status {done.returncode}\n{done.stderr}")
    return done.stdout


class Journey(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        return self.folder / name

    def test_a_shop_with_files_gets_a_list_and_then_times(self):
        for number in range(1, 6):
            self.write(f"k{number}.cu", SCALE.format(number) + ROWS.format(number))
        said = typed("analyze", self.folder, *NO_TOOLKIT)
        self.assertNotIn("?", said)
        for number in range(1, 6):
            self.assertRegex(said, rf"(?m)^ +\d+ +\d+ +\S+ +rows{number} ")
        self.assertIn("--write-launches", said.splitlines()[-1])
        # What it says next, filled in.
        launches = self.folder / ".gpu-occupancy"
        typed("analyze", self.folder, f"--write-launches={launches}", *NO_TOOLKIT)
        lines = launches.read_text(encoding="utf-8")
        self.assertEqual(lines.count("- kernel:"), 10)
        filled = re.sub(r"# (grid|block|arguments)", r"\1", lines)
        filled = re.sub(r"'stride': \?", "'stride': 1", filled).replace("?", "4096")
        launches.write_text(filled, encoding="utf-8")
        said = typed("analyze", self.folder, *NO_TOOLKIT)
        self.assertNotIn("without a time", said)
        self.assertNotIn("no time", said)

    def test_a_triton_user_gives_the_grid_alone(self):
        ptx = self.write("tile.ptx", TILE)
        other = self.write("other.ptx", TILE.replace("tile", "other"))
        for words in ([ptx], [ptx, other], [self.folder]):
            said = typed("analyze", *words, "--launch", "tile:grid=32768", "--ptxas=off",
                         "--format=json", "--device=h200")
            kernel = next(k for k in json.loads(said)["kernels"] if k["name"] == "tile")
            # 32768 blocks move 134 MB to and fro: 56 us at the peak of DRAM.
            self.assertGreater(kernel["predicted_time_ns"], 50e3)
            self.assertIn("argument count = 33554432", str(kernel["assumptions"]))

    def test_an_engineer_is_asked_for_what_decides(self):
        source = self.write("rows.cu", ROWS.format(1))
        said = typed("analyze", source, "--launch", "rows1:grid=1024,block=256", *NO_TOOLKIT)
        self.assertNotIn("Estimated gain", said)
        option = re.search(r"--launch='([^']*)'", said).group(1)
        self.assertEqual(option, "rows1:grid=1024,block=256,cols=...")
        times = []
        for cols in (1024, 65536):
            said = typed("analyze", source, "--launch", option.replace("...", str(cols)),
                         "--format=json", *NO_TOOLKIT)
            times.append(json.loads(said)["kernels"][0]["predicted_time_ns"])
        self.assertGreater(times[1], 3 * times[0])

    def test_somebody_in_an_editor_is_asked_and_then_told(self):
        sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lsp"))
        os.environ["GPUOCC_BUILD"] = str(Path(TOOL).resolve().parent.parent)
        import client as lsp  # pylint: disable=import-outside-toplevel
        source = self.write("rows.cu", ROWS.format(1))
        server = lsp.Client(environment={"GPU_OCCUPANCY_CODE": "clang", "XDG_CACHE_HOME": str(self.folder)})
        self.addCleanup(server.end)

        def lens(version):
            server.diagnostics(str(source), version)
            found = server.request("textDocument/codeLens", {
                "textDocument": {"uri": lsp.uri_of(str(source))}})
            return found[0]["command"]["title"]

        text = server.open(str(source))
        asked = lens(1)
        self.assertIn("no time: it follows from cols", asked)
        self.assertNotIn("bound by", asked)
        told = lens(server.change(str(source), text + "void f(float *a, float *b) {\n"
                                  "  rows1<<<1024, 256>>>(a, b, 4096);\n}\n"))
        self.assertRegex(told, r"bound by .* [0-9.]+ us \| grid 1024, block 256")

    def test_a_newcomer_sees_times_over_sizes_and_then_one(self):
        # The last line of first-light.sh, on an own source.
        (self.folder / "include").mkdir()
        self.write("include/factor.h", "#define FACTOR 2.0f\n")
        source = self.write("kernel.cu", '#include "factor.h"\n' + ONE_EACH)
        said = typed("analyze", source, *NO_TOOLKIT, "--", f"-I{self.folder}/include")
        self.assertRegex(said, r"by size +2\^16: [0-9.]+ us .*, 2\^28: [0-9.]+ us .*assumed launch: "
                               r"n = elements")
        over = float(re.search(r"2\^24: ([0-9.]+) us", said).group(1))
        option = re.search(r"--launch='(each:grid=...,block=...)'", said).group(1)
        option = option.replace("grid=...", "grid=65536").replace("block=...", "block=256,n=16777216")
        said = typed("analyze", source, "--launch", option, *NO_TOOLKIT, "--", f"-I{self.folder}/include")
        self.assertNotIn("by size", said)
        self.assertAlmostEqual(float(re.search(r"; ([0-9.]+) us for grid 65536", said).group(1)), over,
                               delta=0.02 * over)

    def test_an_edit_gains_what_it_says(self):
        self.write("columns.cu", COLUMNS)
        source = "columns.cu"
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        said = typed("analyze", source, "--diff", *NO_TOOLKIT)
        before, after = re.search(r"edit: swap threadIdx.* faster: ([0-9.]+ us) to ([0-9.]+ us)",
                                  said).groups()
        self.assertIn(f"{before} for grid 64x64", said)
        patch = subprocess.run(["patch", "-p0"], input=said, capture_output=True, text=True,
                               check=False)
        self.assertEqual(patch.returncode, 0, patch.stdout + patch.stderr)
        self.assertIn(f"{after} for grid 64x64", typed("analyze", source, *NO_TOOLKIT))

    def test_a_wrong_device_leaves_the_others(self):
        source = self.write("kernel.cu", "#define FACTOR 2\n" + ONE_EACH)
        done = subprocess.run([TOOL, "analyze", source, "--devices=h200,bogus,L4",
                               "--launch=each:grid=64", *NO_TOOLKIT],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("error:"), 1)
        self.assertIn("unknown device 'bogus'", done.stderr)
        for device in ("nvidia-h200", "nvidia-l4"):
            self.assertRegex(done.stdout, rf"(?m)^ +{device} .* us ")

    def test_an_argument_has_one_spelling_with_three_forms(self):
        self.write("a.cu", SCALE.format(1))
        self.write("b.cu", SCALE.format(2))
        times = set()
        files = [self.folder / "a.cu", self.folder / "b.cu"]
        for name, words in (("stride", [self.folder]), ("arg3", files), ("3", files[:1]),
                            ("#3", files[:1])):
            said = typed("analyze", *words, "--launch", f"scale1:grid=4096,{name}=32",
                         *(["--launch", "scale2:grid=64"] if len(words) == 2 else []),
                         "--format=json", *NO_TOOLKIT)
            kernels = {k["name"]: k for k in json.loads(said)["kernels"]}
            times.add(kernels["_Z6scale1PfPKfii"]["predicted_time_ns"])
        self.assertEqual(len(times), 1)
        self.assertNotIn(None, times)

    def test_a_wrong_argument_of_one_file_leaves_the_others(self):
        self.write("a.cu", SCALE.format(1))
        self.write("b.cu", SCALE.format(2))
        done = subprocess.run([TOOL, "analyze", self.folder / "a.cu", self.folder / "b.cu",
                               "--launch", "scale1:grid=64,sride=1", *NO_TOOLKIT],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no parameter is named 'sride'", done.stderr)
        # Its kernel is there, and is not said to be missing.
        self.assertEqual(done.stderr.count("error:"), 1)
        self.assertIn("of what could be analyzed", done.stderr)
        self.assertIn("scale2", done.stdout)

    def test_one_wrong_name_is_told_once(self):
        self.write("a.cu", SCALE.format(1))
        self.write("b.cu", SCALE.format(2))
        done = subprocess.run([TOOL, "analyze", self.folder, "--launch", "scael1:grid=64",
                               *NO_TOOLKIT], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("error:"), 1)
        self.assertIn("did you mean 'scale1'?", done.stderr)
        self.assertIn("scale2", done.stdout)


if __name__ == "__main__":
    TOOL = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
