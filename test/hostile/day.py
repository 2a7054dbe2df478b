"""What the themes of the hostile day share: running a command and judging how
it ends. A theme is a file of unittest cases beside this one:

    GPUOCC_BUILD=build python3 test/hostile/outputs.py
"""

import glob
import os
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("GPUOCC_BUILD", os.path.join(SOURCE, "build")))
TOOL = os.path.join(BUILD, "bin", "gpu-occupancy")
PLUGIN = os.path.join(BUILD, "lib", "GpuOccupancy.so")
SHIM = os.path.join(BUILD, "share/gpu-occupancy/cuda-shim/gpuocc-cuda-shim.cfg")
LLVM_TOOLS = os.environ.get("GPUOCC_LLVM_TOOLS", "/usr/lib/llvm-22/bin")

KERNEL = """__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = 2 * data[i];
}
"""

# Modules need no compiler: most cases are about something else.
MODULE = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @scale(ptr %data, i32 %n) #0 {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr float, ptr %data, i32 %i
  %old = load float, ptr %at
  %new = fmul float %old, 2.0
  store float %new, ptr %at
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { "target-cpu"="sm_90" }
"""

# What nvcc does with its words: it hands commands to `sh -c`, with names between
# double quotes, and lays what passes between them into TMPDIR. The first of its
# commands is that of the host compiler, here any preprocessor. Then it waits as
# long as SECONDS says, and all kernels are `scale`.
STAND_IN_NVCC = r'''#!/usr/bin/env python3
import os, subprocess, sys, tempfile
words, host, rest, output, source = sys.argv[1:], [], [], "", ""
while words:
    word = words.pop(0)
    name, equals, value = word.partition("=")
    if name in ("-Xcompiler", "--compiler-options"):
        host += (value if equals else words.pop(0)).split(",")
    elif word == "-o":
        output = words.pop(0)
    elif word == "-x":
        words.pop(0)
    elif word.startswith("-"):
        rest.append(word)
    else:
        source = word
between = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"tmpxft_{os.getpid()}")
commands = [f'"{os.environ["PREPROCESSOR"]}" -E -x c++ ' + " ".join(host)
            + f' "{source}" -o "{between}.cpp1.ii"',
            "true " + " ".join(rest),
            f'echo working > "{between}.module_id"; sleep {os.environ.get("SECONDS", 0)}']
for command in commands:
    status = subprocess.run(["sh", "-c", command]).returncode
    if status != 0:
        sys.exit(status)
for ending in ("cpp1.ii", "module_id"):
    os.remove(f"{between}.{ending}")
with open(output, "w") as file:
    file.write(""".version 8.0
.target sm_90
.address_size 64
.visible .entry _Z5scalePfi(.param .u64 data, .param .u32 n) {
  .reg .b64 %rd<3>;
  .reg .f32 %f<2>;
  ld.param.u64 %rd1, [data];
  ld.global.f32 %f1, [%rd1];
  st.global.f32 [%rd1], %f1;
  ret;
}
""")
'''

# What LLVM prints when it, or we, went down.
CRASH = re.compile(rb"Stack dump|PLEASE submit|LLVM ERROR|UNREACHABLE|Assertion")


def is_plain(text):
    """True for valid UTF-8 whose only control character is the end of a line."""
    try:
        decoded = text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return all(c == "\n" or ord(c) >= 0xA0 or 0x20 <= ord(c) < 0x7F for c in decoded)


def threads():
    """A line for each thread of the machine: what runs, its state, where it waits."""
    lines = []
    for task in glob.glob("/proc/[0-9]*/task/*"):
        try:
            with open(os.path.join(task, "..", "..", "cmdline"), "rb") as file:
                words = file.read().replace(b"\0", b" ").decode(errors="replace")
            with open(os.path.join(task, "stat"), encoding="utf-8", errors="replace") as file:
                state = file.read().rpartition(")")[2].split()[:2]
            with open(os.path.join(task, "wchan"), encoding="utf-8") as file:
                where = file.read()
        except OSError:
            continue
        if words:
            lines.append(f"{task} state {state[0]} parent {state[1]} in {where}: {words[:200]}")
    return "\n".join(lines)


class Day(unittest.TestCase):
    """Each case has a folder of its own, with kernel.cu and kernel.ll."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="hostile-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.source = self.file("kernel.cu", KERNEL)
        self.module = self.file("kernel.ll", MODULE)

    def path(self, name):
        return os.path.join(self.folder, name)

    def file(self, name, contents):
        path = self.path(name) if isinstance(name, str) else name
        data = contents if isinstance(contents, bytes) else contents.encode()
        with open(path, "wb") as file:
            file.write(data)
        return path

    def stand_in_toolkit(self):
        """A toolkit with the stand-in nvcc; variables that choose it."""
        root = self.path("toolkit")
        for folder in ("include", "nvvm/libdevice", "bin"):
            os.makedirs(os.path.join(root, folder), exist_ok=True)
        self.file("toolkit/include/cuda_runtime.h", "")
        os.chmod(self.file("toolkit/bin/nvcc", STAND_IN_NVCC), 0o755)
        return {"CUDA_PATH": root, "PREPROCESSOR": os.path.join(LLVM_TOOLS, "clang++"),
                "GPU_OCCUPANCY_CODE": "auto"}

    def toolkits(self):
        """Variables that choose an nvcc: the stand-in, and the machine's if there is one."""
        nvcc = next((path for path in ("/usr/local/cuda/bin/nvcc", shutil.which("nvcc"))
                     if path and os.path.exists(path)), None)
        real = [{"GPU_OCCUPANCY_CODE": "auto"}] if nvcc else []
        return [self.stand_in_toolkit()] + real

    def contents(self, path):
        with open(path, "rb") as file:
            return file.read().decode("utf-8", "replace")

    def ended(self, command, limit, **options):
        """How a command ended; one that does not fails with what it waits for."""
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              **options) as process:
            try:
                said = process.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                waiting = threads()
                process.kill()
                self.fail(f"{command} has not ended:\n{waiting}")
        return subprocess.CompletedProcess(command, process.returncode, *said)

    def run_any(self, *command, limit=60, **options):
        """Runs a program that must not crash, hang, or show raw bytes."""
        options.setdefault("stdout", subprocess.PIPE)
        done = self.ended(command, limit, **options)
        said = (done.stdout or b"") + done.stderr
        self.assertFalse(CRASH.search(said), (command, said[-2000:]))
        self.assertTrue(is_plain(said), (command, said[-2000:]))
        return done

    def tool(self, *arguments, status=0, **options):
        done = self.run_any(TOOL, *arguments, **options)
        self.assertEqual(done.returncode, status, (arguments, done.stderr.decode()))
        return done

    def refused(self, *arguments, says, status=2, **options):
        """The command fails with one line that matches `says`."""
        done = self.tool(*arguments, status=status, **options)
        lines = done.stderr.decode().splitlines()
        self.assertEqual(len(lines), 1, (arguments, lines))
        self.assertRegex(lines[0], says)
        self.assertTrue(lines[0].startswith("gpu-occupancy: error: "), lines[0])
        return done


def interrupt(process, number):
    """Sends a signal to a process and returns how it ended."""
    process.send_signal(number)
    return process.wait(timeout=20)


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    unittest.main(verbosity=2)
