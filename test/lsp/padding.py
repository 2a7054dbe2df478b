"""What each editor does as a client of the language server: it opens the
transpose example, gets the diagnostics, applies the padding, saves, and the
diagnostic is gone.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import subprocess

from client import TOOL, copy_example, temporary_folder

SKIPPED = 77


def script(name):
    """The path of a script of this folder."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), name)


def check_padding(test, command_for):
    """Runs the editor as command_for(path of the source) says."""
    folder = temporary_folder(test)
    path = copy_example("transpose.cu", folder)
    environment = dict(os.environ, GPUOCC_TOOL=TOOL, GPUOCC_SOURCE=path, HOME=folder,
                       XDG_STATE_HOME=folder)
    done = subprocess.run(command_for(path), cwd=folder, env=environment, capture_output=True,
                          text=True, timeout=400)
    output = done.stdout + done.stderr
    test.assertEqual(done.returncode, 0, output)
    test.assertRegex(output, r"action: pad the rows of 'tile' by one element "
                             r"\(predicted 1\.\d+x faster: [\d.]+ us to [\d.]+ us\)")
    with open(path, encoding="utf-8") as file:
        test.assertEqual(file.read().count("tile[Tile][Tile + 1]"), 2, output)
