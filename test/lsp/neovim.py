"""Neovim as a client of the language server; padding.py says what it does.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    GPUOCC_BUILD=build python3 test/lsp/neovim.py
"""

import shutil
import sys
import unittest

from padding import SKIPPED, check_padding, script


class Neovim(unittest.TestCase):
    def test_padding_takes_the_diagnostic_away(self):
        check_padding(self, lambda path: ["nvim", "--headless", "--clean", path, "-c",
                                          f"luafile {script('actions.lua')}"])


if __name__ == "__main__":
    if not shutil.which("nvim"):
        print("skipped: there is no nvim here (Debian package neovim)")
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)
