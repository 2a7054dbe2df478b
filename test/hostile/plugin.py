#!/usr/bin/env python3
"""The plugin on a hostile day: nothing that it is given fails a compile.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: plugin.py CLANG OPT PLUGIN SHIM

CLANG compiles with the options of the file SHIM, so that no toolkit is needed.
Each case must end with status 0 and the PTX of a compile without the plugin,
print no warning but at most one of ours, also under -Werror, and no report of a
crash. Modules that clang does not compile are given to OPT in the same way.
"""

import os
import random
import subprocess
import sys
import tempfile

KERNEL = """__global__ void scale(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = 2 * a[i];
}
void run(float *a) { scale<<<4, 128>>>(a, 512); }
"""
CONFIGURATION = b"""device: nvidia-h200
launches:
  - kernel: "scale"
    grid: [256, 'a', 1]
    block: 40x2
    arguments: {n: 8192, 2: -1}
findings:
  suppress: [TailEffect]
"""
OPTIONS = [
    ["max-findings=many"],
    ["max-findings=-1"],
    ["quiet=perhaps"],
    ["device"],
    ["device=nvidia-h2000"],
    ["device=nvidia-8800-gtx"],
    ["view=x-ray", "ptxas=/nonexistent"],
    ["launch=scale:block=4294967296", "launch=:::"],
    ["launch=other:grid=1"],
    ["registers-log=/nonexistent"],
    ["config=/"],
    ["report-file=/dev/full"],
    ["report-file=/proc/nothing/here.json", "facts-file=%"],
    ["print-report=sculpture"],
]
DEVICES = [
    b"",
    b"\0\xff\xfe",
    b"[" * 300000,
    b'{"schema_version": 1, "name": "n", "chip": {"sm_count": {"value": 1e400}}}',
]
MODULES = {
    "fp128": "  %v = load fp128, ptr %a\n  %w = fadd fp128 %v, %v\n"
    "  store fp128 %w, ptr %a\n",
    "asm": '  call void asm sideeffect "nonsense \\00 $0;", "r"(i32 1)\n',
    "trap": "  call void @llvm.trap()\n",
}
ATTRIBUTES = [
    '"nvvm.maxntid"="4294967295,4294967295"',
    '"nvvm.reqntid"="-1" "nvvm.maxnreg"="0"',
    '"nvvm.reqntid"="65536,65536,65536" "nvvm.minctasm"="4294967295"',
]


def damaged(data, seed):
    """Some bytes of data replaced, inserted and deleted; the same each time."""
    source = random.Random(seed)
    text = bytearray(data)
    for _ in range(source.randint(1, 5)):
        at = source.randrange(len(text))
        text[at : at + source.randint(0, 2)] = source.choice(
            [b"", b"\xff", b"[", b"\"'", b"{", b": ", b"\t", b"*x", b"\0"]
        )
    return bytes(text)


class Day:
    def __init__(self, clang, opt, plugin, shim, folder):
        self.clang, self.opt, self.plugin = clang, opt, os.path.abspath(plugin)
        self.folder = folder
        self.options = [f"--config={os.path.abspath(shim)}", "-x", "cuda", "--cuda-gpu-arch=sm_90"]
        self.options += ["--cuda-device-only", "-S", "-O1", "-Werror"]
        self.failed = self.count = 0
        self.source = self.write("k.cu", KERNEL.encode())
        self.plain = self.compile(self.source, [])[1]

    def write(self, name, data):
        path = os.path.join(os.fsencode(self.folder), os.fsencode(name))
        with open(path, "wb") as file:
            file.write(data)
        return os.fsdecode(path)

    def compile(self, source, options):
        out = os.path.join(self.folder, "out.ptx")
        if os.path.exists(out):
            os.remove(out)
        run = subprocess.run(
            [self.clang, *self.options, *options, source, "-o", out],
            capture_output=True,
            timeout=120,
        )
        ptx = open(out, "rb").read() if os.path.exists(out) else None
        return run, ptx

    def judge(self, name, run, faults):
        said = run.stderr + run.stdout
        if run.returncode != 0:
            faults.append(f"status {run.returncode}")
        if said.count(b"warning: ") > 1:
            faults.append("more than one warning")
        if b"PLEASE submit" in said or b"Stack dump" in said:
            faults.append("a crash")
        self.count += 1
        if faults:
            self.failed += 1
            print(f"{name}: {', '.join(faults)}\n{said.decode(errors='replace')}")

    def plugin_survives(self, name, options, source=None):
        remarks = [f"-fpass-plugin={self.plugin}", "-Rpass=gpu-occupancy"]
        remarks.append("-Rpass-missed=gpu-occupancy")
        for option in options:
            remarks += ["-mllvm", f"-gpu-occupancy-{option}"]
        run, ptx = self.compile(source or self.source, remarks)
        # The name of the source is not part of the code.
        self.judge(name, run, [] if ptx == self.plain else ["other code"])
        return run

    def several_architectures_survive(self, architectures):
        """Each has its report; one without a device is a remark, no failure."""
        reports = os.path.join(self.folder, "reports", "")
        options = [option for option in self.options if "gpu-arch" not in option]
        options += [f"--cuda-gpu-arch={name}" for name in architectures]
        run = subprocess.run(
            [self.clang, *options, f"-fpass-plugin={self.plugin}", "-Rpass=gpu-occupancy"]
            + ["-mllvm", f"-gpu-occupancy-report-file={reports}", self.source],
            capture_output=True,
            timeout=120,
            cwd=self.folder,
        )
        written = os.listdir(reports) if os.path.isdir(reports) else []
        lacking = [a for a in architectures if not any(f".{a}." in name for name in written)]
        self.judge(f"{architectures}", run, [f"no report for {a}" for a in lacking])

    def opt_survives(self, name, text):
        path = self.write("module.ll", text.encode())
        run = subprocess.run(
            [self.opt, f"-load-pass-plugin={self.plugin}", "-passes=gpu-occupancy"]
            + ["-disable-output", "-pass-remarks-missed=gpu-occupancy", path],
            capture_output=True,
            timeout=120,
        )
        self.judge(name, run, [])


def module(body, attributes=""):
    return (
        'target triple = "nvptx64-nvidia-cuda"\ndeclare void @llvm.trap()\n'
        f"define ptx_kernel void @k(ptr %a) #0 {{\n{body}  ret void\n}}\n"
        f'attributes #0 = {{ "target-cpu"="sm_90" {attributes} }}\n'
    )


def main():
    with tempfile.TemporaryDirectory() as folder:
        day = Day(*sys.argv[1:5], folder)
        if not day.plain:
            sys.exit("the kernel does not compile without the plugin")
        said = day.plugin_survives("nothing wrong", [])
        if b"'scale'" not in said.stderr:
            sys.exit("the plugin says nothing at all")
        for options in OPTIONS:
            day.plugin_survives(" ".join(options), options)
        for seed, data in enumerate(DEVICES):
            path = day.write(f"{seed}.json", data)
            day.plugin_survives(f"device {seed}", [f"device={path}"])
        for seed in range(12):
            path = day.write("configuration", damaged(CONFIGURATION, seed))
            day.plugin_survives(f"configuration {seed}", [f"config={path}"])
        for name in ("größe ü.cu", b"\xff\x1b[31m.cu", "%s %.cu"):
            source = day.write(name, KERNEL.encode())
            day.plugin_survives(repr(name), [f"report-file={folder}/"], source)
        day.several_architectures_survive(["sm_80", "sm_90"])
        day.several_architectures_survive(["sm_75", "sm_86", "sm_89", "sm_90"])
        for name, body in MODULES.items():
            day.opt_survives(name, module(body))
        for attributes in ATTRIBUTES:
            day.opt_survives(attributes, module("", attributes))
        print(f"{day.count} cases, {day.failed} failed")
        sys.exit(day.failed != 0)


if __name__ == "__main__":
    main()
