"""Signals: nothing is left behind, neither files nor processes."""

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
        process = self.start("record", program, "--timeout=60")
        self.wait_for(self.path("started"))
        self.end(process, signal.SIGTERM)


if __name__ == "__main__":
    main()
