"""`record -o` and configurations that people wrote."""

import os
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
