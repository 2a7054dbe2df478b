"""`record -o` and configurations that people wrote."""

import os
import re
import resource
import unittest

from day import Day, main

PROGRAM = """
__global__ void k(float *p, int stride) { p[threadIdx.x * stride] = 1; }
#include <csignal>
#include <cstdlib>
int main(int, char **v) {
  float *p;
  cudaMalloc(&p, 1 << 20);
  for (int stride = 1; stride <= 4; stride *= 2)
    for (int i = 0; i < 3; ++i)
      k<<<4, 64>>>(p, stride);
  switch (std::atoi(v[1])) {
  case 0: return 0;
  case 1: std::raise(SIGSEGV);
  default: for (volatile int i = 0;; ++i) {}
  }
}
"""

# Does what nobody who records it wants, and ends well.
UNKIND = r"""
__global__ void k(float *p, int n) { p[threadIdx.x] = n; }
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <unistd.h>
static void write(const std::string &path, const char *text) {
  if (FILE *file = std::fopen(path.c_str(), "a")) {
    std::fputs(text, file);
    std::fclose(file);
  }
}
int main(int, char **v) {
  float *p;
  cudaMalloc(&p, 1 << 20);
  k<<<4, 64>>>(p, 7);
  const std::string own = std::getenv("TMPDIR"), there = v[1];
  write(own + "/own", "own");
  write("own", "# not by hand\n");
  write(there + "/new", "new");
  int said[2];
  char word;
  if (pipe(said) != 0)
    return 5;
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      std::fprintf(stderr, "daemon %d\n", getpid());
      if (::write(said[1], "x", 1) != 1)
        _exit(1);
      sleep(2);
      write(there + "/late", "late");
      sleep(60);
    }
    _exit(0);
  }
  if (read(said[0], &word, 1) != 1)
    return 6;
  const std::string lines(1 << 20, 'x');
  for (int i = 0; i < 300; ++i) {
    std::fputs(lines.c_str(), stderr);
    std::fputs(lines.c_str(), stdout);
  }
  write(std::getenv("GPUOCC_RECORD_LAUNCHES"),
        "_Z1kPfi 9 1 1 64 1 1 0 0000000000100000@64,0=/etc/passwd\"} 07000000\n"
        "\x1b[31mred 1 1 1 1 1 1 0 00\n");
  return 4;
}
"""

# Does not leave the record of its launches what it was.
DAMAGE = r"""
__global__ void k(int n) {}
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int, char **v) {
  k<<<1, 32>>>(1);
  const char *record = std::getenv("GPUOCC_RECORD_LAUNCHES");
  switch (std::atoi(v[1])) {
  case 0:
    return truncate(record, off_t(1) << 29);
  case 1:
    return truncate(std::getenv("GPUOCC_RECORD_HOST"), off_t(1) << 29);
  default:
    FILE *file = std::fopen(record, "w");
    std::fputs("x\x1b[31m\n", file);
    return std::fclose(file);
  }
}
"""

OWN = """# by hand
device: nvidia-h200
launches:
- kernel: mine   # and only mine
  block: 96
findings: {minimum_gain: 1.1}
"""


class Records(Day):
    def record(self, how, *options, **expected):
        program = self.file("program.cu", PROGRAM)
        return self.tool("record", program, f"--arguments={how}", *options, **expected)

    def test_own_configuration_stays(self):
        config = self.file("own", OWN)
        done = self.record(1, "-o", config)
        self.assertIn("the program was ended by signal 11 (Segmentation fault); what it launched",
                      done.stderr.decode())
        text = self.contents(config)
        begin, end = text.index("# >>>"), text.index("# <<< recorded launches\n") + 24
        self.assertEqual(text[:begin] + text[end:], OWN)
        for stride in (1, 2, 4):
            self.assertEqual(text[begin:end].count(f"arguments: {{1: {stride}}}"), 1, text)
        done = self.record(2, "--timeout=1", "-o", config)
        self.assertIn("was stopped at the limit of 1 second (--timeout)", done.stderr.decode())
        self.assertEqual(self.contents(config), text)

    def test_unkind_program(self):
        program = self.file("unkind.cu", UNKIND)
        self.file("own", OWN)
        there = self.path("there")
        os.mkdir(there)
        temporary = self.path("tmp")
        os.mkdir(temporary)
        done = self.tool(
            "record", program, f"--arguments={there}", f"--memory={self.path('memory')}",
            cwd=self.folder, env=dict(os.environ, TMPDIR=temporary), limit=60, status=2)
        said = done.stderr.decode()
        # A name of the program's own making is shown as it is not.
        self.assertIn(r"no given source defines the kernel \x1B[31mred", said)
        self.assertRegex(said, "the program ended with status 4, and said 'daemon [0-9]+'")
        self.assertIn("ended 1 process that the program left behind", said)
        self.assertIn("files that the recorder did not write are left out", said)
        daemon = int(re.search("daemon ([0-9]+)", said).group(1))
        self.assertFalse(os.path.exists(f"/proc/{daemon}"))
        shown = done.stdout.decode()
        self.assertIn("grid: [9, 1, 1]", shown)
        self.assertNotIn("passwd", shown)
        self.assertNotIn("\x1b", shown)
        # Neither the compiler nor this command keeps what the program prints.
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        self.assertLess(peak, 500, "MiB")
        self.assertEqual(os.listdir(temporary), [])
        if "no Landlock" in said:
            self.skipTest("the kernel has no Landlock")
        self.assertEqual(self.contents(self.path("own")), OWN)
        self.assertEqual(os.listdir(there), [])

    def test_damaged_record(self):
        program = self.file("damage.cu", DAMAGE)
        for how in ("0", "1", "2"):
            self.refused("record", program, f"--arguments={how}", says="record of its launches|"
                         r"'x\\x1B\[31m' is no launch")

    def test_help_says_that_the_program_runs(self):
        self.assertIn("The program is run:", self.tool("record", "--help").stdout.decode())

    def test_what_cannot_be_merged(self):
        for contents in ("launches: [{kernel: mine, block: 96}]\n", "shopping list\n"):
            config = self.file("own", contents)
            program = self.file("broken.cu", "not even C++")
            self.refused("record", program, "-o", config, says="--force replaces the file")
            self.assertEqual(self.contents(config), contents)
        self.record(0, "--force", "-o", config)
        self.assertTrue(self.contents(config).startswith("launches:\n  # >>>"))
        self.assertEqual(os.listdir(self.folder).count("own"), 1)


if __name__ == "__main__":
    main()
