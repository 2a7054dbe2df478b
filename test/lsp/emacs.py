"""Emacs as a client of the language server: it opens the transpose example,
gets the diagnostics, applies the padding, saves, and the diagnostic is gone.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    GPUOCC_BUILD=build python3 test/lsp/emacs.py
"""

import os
import shutil
import subprocess
import sys
import unittest

from client import TOOL, copy_example, temporary_folder

SKIPPED = 77
SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "actions.el")


def has_eglot():
    """Whether there is an Emacs that has Eglot."""
    if not shutil.which("emacs"):
        return False
    command = ["emacs", "--batch", "-q", "--eval", "(progn (package-initialize) (require 'eglot))"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


class Emacs(unittest.TestCase):
    def test_padding_takes_the_diagnostic_away(self):
        folder = temporary_folder(self)
        path = copy_example("transpose.cu", folder)
        environment = dict(os.environ, GPUOCC_TOOL=TOOL, GPUOCC_SOURCE=path, HOME=folder)
        done = subprocess.run(["emacs", "--batch", "-q", "-l", SCRIPT], cwd=folder,
                              env=environment, capture_output=True, text=True, timeout=400)
        output = done.stdout + done.stderr
        self.assertEqual(done.returncode, 0, output)
        self.assertRegex(output, r"action: pad the rows of 'tile' by one element "
                                 r"\(predicted 1\.\d+x faster: [\d.]+ us to [\d.]+ us\)")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read().count("tile[Tile][Tile + 1]"), 2, output)


if __name__ == "__main__":
    if not has_eglot():
        print("skipped: there is no Emacs with Eglot here (Debian packages emacs-nox, elpa-eglot)")
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)
