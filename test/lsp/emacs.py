"""Emacs as a client of the language server; padding.py says what it does.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    GPUOCC_BUILD=build python3 test/lsp/emacs.py
"""

import shutil
import subprocess
import sys
import unittest

from padding import SKIPPED, check_padding, script


def has_eglot():
    """Whether there is an Emacs that has Eglot."""
    if not shutil.which("emacs"):
        return False
    command = ["emacs", "--batch", "-q", "--eval", "(progn (package-initialize) (require 'eglot))"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


class Emacs(unittest.TestCase):
    def test_padding_takes_the_diagnostic_away(self):
        check_padding(self, lambda path: ["emacs", "--batch", "-q", "-l", script("actions.el")])


if __name__ == "__main__":
    if not has_eglot():
        print("skipped: there is no Emacs with Eglot here (Debian packages emacs-nox, elpa-eglot)")
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)
