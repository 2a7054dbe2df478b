"""Signals: nothing is left behind, neither files nor processes."""

import json
import os
import signal
import subprocess
import time
import unittest

from day import TOOL, Day, interrupt, main

LOOP = """
__global__ void k(int n) {}
#include <cstdio>
int main() {
  k<<<1, 32>>>(1);
  std::fclose(std::fopen("started", "w"));
  for (volatile int i = 0;; ++i) {}
}
"""


class Interrupts(Day):
    def start(self, *arguments):
        """Starts the command with a folder of its own for temporary files."""
        self.temporary = self.path("tmp")
        os.makedirs(self.temporary, exist_ok=True)
        environment = dict(os.environ, TMPDIR=self.temporary)
        return subprocess.Popen(
            [TOOL, *arguments], env=environment, cwd=self.folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def wait_for(self, path):
        for _ in range(400):
            if os.path.exists(path) and os.path.getsize(path) >= 0:
                return
            time.sleep(0.1)
        self.fail(f"{path} did not appear")

    def wait_for_end(self, number):
        for _ in range(100):
            try:
                with open(f"/proc/{number}/stat", encoding="utf-8") as file:
                    if file.read().rsplit(")", 1)[1].split()[0] in "ZX":
                        return
            except (FileNotFoundError, ProcessLookupError):
                return
            time.sleep(0.1)
        self.fail(f"process {number} goes on")

    def end(self, process, number):
        status = interrupt(process, number)
        said = process.stderr.read()
        process.stderr.close()
        self.assertEqual((status, said), (-number, b""))
        for _ in range(50):
            if not os.listdir(self.temporary):
                break
            time.sleep(0.1)
        self.assertEqual(os.listdir(self.temporary), [])

    def test_while_the_compiler_runs(self):
        clang = self.file("clang", f'#!/bin/sh\necho $$ > "{self.path("pid")}"\nexec sleep 60\n')
        os.chmod(clang, 0o755)
        output = self.file("report", "old")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            pid = self.path("pid")
            if os.path.exists(pid):
                os.remove(pid)
            process = self.start("analyze", f"--clang={clang}", "-o", output, self.source)
            self.wait_for(pid)
            time.sleep(0.1)
            self.end(process, number)
            self.wait_for_end(int(self.contents(pid)))
            self.assertEqual(self.contents(output), "old")

    def test_while_a_recorded_program_runs(self):
        program = self.file("loop.cu", LOOP)
        process = self.start("record", program, "--timeout=60", f"--folder={self.folder}")
        self.wait_for(self.path("started"))
        self.end(process, signal.SIGTERM)


# Takes nvcc seconds.
LONG = """__global__ void scale(float *data, int n) {
  float a[64];
  for (int i = 0; i != 64; ++i) a[i] = data[i * n];
#pragma unroll
  for (int j = 0; j != 400; ++j)
#pragma unroll
    for (int i = 0; i != 64; ++i) a[i] = a[(i * 7 + j) % 64] * a[i] + j;
  for (int i = 0; i != 64; ++i) data[i] = a[i];
}
"""


class WhileNvccRuns(Day):
    """No end of an analysis leaves a file or a process: TMPDIR, the cache, /proc."""

    def start(self, arguments, variables, **options):
        self.temporary, self.cache = self.path("tmp"), self.path("cache")
        os.makedirs(self.temporary, exist_ok=True)
        self.mark = f"{os.getpid()}-{self.id()}"
        environment = dict(os.environ, TMPDIR=self.temporary, XDG_CACHE_HOME=self.cache,
                           HOSTILE_DAY=self.mark, SECONDS="30", **variables)
        return subprocess.Popen([TOOL, *arguments], env=environment, cwd=self.folder,
                                stderr=subprocess.DEVNULL, **options)

    def marked(self):
        """The processes that the analysis started, itself among them, as long as they run."""
        found = []
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{number}/environ", "rb") as file:
                    is_marked = f"HOSTILE_DAY={self.mark}".encode() in file.read().split(b"\0")
                with open(f"/proc/{number}/comm", encoding="utf-8") as file:
                    name = file.read().strip()
            except OSError:
                continue
            if is_marked:
                found.append(name)
        return found

    def files_below(self, folder):
        return [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names]

    def wait_until(self, is_so, what):
        for _ in range(600):
            if is_so():
                return
            time.sleep(0.05)
        self.fail(what)

    def wait_for_nvcc(self):
        self.wait_until(lambda: any("cpp1.ii" in path or "module_id" in path
                                    for path in self.files_below(self.temporary)), "no nvcc ran")

    def nothing_stays(self, before):
        self.wait_until(lambda: not self.marked(), f"{self.marked()} go on")
        self.assertEqual(os.listdir(self.temporary), [])
        self.assertEqual([path for path in self.files_below(self.cache) if path.endswith(".tmp")], [])
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("tree"))
        self.long = self.file("tree/long.cu", LONG)

    def test_signals(self):
        for variables in self.toolkits():
            for what, number in ((self.long, signal.SIGINT), (self.path("tree"), signal.SIGTERM),
                                 (self.path("tree"), signal.SIGHUP)):
                with self.subTest(what=what, number=number, **variables):
                    process = self.start(["analyze", what, "--ptxas=off"], variables,
                                         stdout=subprocess.DEVNULL)
                    self.wait_for_nvcc()
                    before = sorted(os.listdir(self.folder))
                    self.assertEqual(interrupt(process, number), -number)
                    self.nothing_stays(before)

    def test_limit(self):
        for variables in self.toolkits():
            with self.subTest(**variables):
                process = self.start(["analyze", self.path("tree"), "--ptxas=off", "--timeout=1"],
                                     variables, stdout=subprocess.DEVNULL)
                self.assertEqual(process.wait(timeout=20), 2)
                self.nothing_stays(sorted(set(os.listdir(self.folder)) | {"tmp"}))

    def test_an_editor_that_went_away(self):
        # Without buffers and preambles it would be nvcc.
        clang = self.file("clang", "#!/bin/sh\n: > module_id; sleep 30 & wait\n")
        os.chmod(clang, 0o755)
        process = self.start(["lsp"], {}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

        def send(method, **parameters):
            text = json.dumps({"jsonrpc": "2.0", "method": method, "params": parameters,
                               **({"id": 1} if method == "initialize" else {})})
            process.stdin.write(f"Content-Length: {len(text)}\r\n\r\n{text}".encode())
            process.stdin.flush()

        self.addCleanup(process.kill)
        send("initialize", capabilities={}, initializationOptions={"clang": clang})
        send("textDocument/didOpen", textDocument={"uri": f"file://{self.long}", "version": 1,
                                                   "languageId": "cuda-cpp", "text": LONG})
        self.wait_until(lambda: "sleep" in self.marked(), "no compiler ran")
        before = sorted(os.listdir(self.folder))
        process.stdout.close()
        process.stdin.close()
        process.wait(timeout=20)
        self.nothing_stays(before)


if __name__ == "__main__":
    main()
