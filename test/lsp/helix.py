"""Helix as a client of the language server, in a terminal of tmux, configured
as docs/editors.md says; padding.py says what it does.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    GPUOCC_BUILD=build python3 test/lsp/helix.py

HELIX names the program where it is not `hx` in the PATH.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import unittest

from client import LIMIT_SECONDS, SOURCE, TOOL, copy_example, temporary_folder
from padding import SKIPPED

HELIX = os.environ.get("HELIX") or shutil.which("hx")
WARNING = "32-way bank conflict"


def documented(file):
    """The lines of the file that the documentation of Helix shows."""
    with open(os.path.join(SOURCE, "docs", "editors.md"), encoding="utf-8") as page:
        section = page.read().split("\n## Helix\n")[1].split("\n## ")[0]
    block = section.split(f"`{file}`")[1]
    lines = re.search(r"\n\n((?:    .*\n|\n)+)", block).group(1)
    return "".join(line[4:] + "\n" for line in lines.split("\n"))


class Terminal:
    def __init__(self, test, words, folder, environment):
        self.tmux = ["tmux", "-S", os.path.join(folder, "tmux"), "-f", os.devnull]
        test.addCleanup(subprocess.run, self.tmux + ["kill-server"], capture_output=True,
                        check=False)
        subprocess.run(self.tmux + ["new-session", "-d", "-x", "160", "-y", "50",
                                    shlex.join(words)], cwd=folder, env=environment, check=True)

    def keys(self, *names):
        subprocess.run(self.tmux + ["send-keys", *names], check=True)

    def screen(self):
        return subprocess.run(self.tmux + ["capture-pane", "-p"], capture_output=True,
                              text=True, check=True).stdout

    def wait(self, accepts, what):
        end = time.monotonic() + LIMIT_SECONDS
        while True:
            screen = self.screen()
            if accepts(screen):
                return screen
            if time.monotonic() > end:
                raise TimeoutError(f"no sign of {what}:\n{screen}")
            time.sleep(0.2)

    def wait_for(self, words):
        return self.wait(lambda screen: words in screen, words)


class Helix(unittest.TestCase):
    def start(self):
        """Helix at the bank conflict, its diagnostic shown."""
        folder = temporary_folder(self)
        path = copy_example("transpose.cu", folder)
        os.makedirs(os.path.join(folder, "helix"))
        for file in ("languages.toml", "config.toml"):
            text = documented(file).replace('command = "gpu-occupancy"', f'command = "{TOOL}"')
            with open(os.path.join(folder, "helix", file), "w", encoding="utf-8") as out:
                out.write(text)
        environment = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder,
                           XDG_CACHE_HOME=folder, TERM="xterm-256color", LANG="C.UTF-8")
        terminal = Terminal(self, [HELIX, path + ":41:28"], folder, environment)
        terminal.wait_for(WARNING)
        return path, terminal

    def test_padding_takes_the_diagnostic_away(self):
        path, terminal = self.start()
        terminal.keys("Space", "a")
        screen = terminal.wait_for("pad the rows of 'tile'")
        self.assertRegex(screen, r"by one element \(predicted 1\.\d+x faster: "
                                 r"[\d.]+ us to [\d.]+ us\)")
        terminal.keys("Enter")
        terminal.wait(lambda screen: screen.count("tile[Tile][Tile + 1]") == 2, "the edit")
        terminal.keys(":w", "Enter")
        # Helix asks for hints after keys, not when the server says they are new.
        terminal.wait_for("32 sectors")
        terminal.wait(lambda screen: WARNING not in screen, "the end of the warning")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read().count("tile[Tile][Tile + 1]"), 2)

    def test_hover_draws_the_access(self):
        _, terminal = self.start()
        terminal.keys("Space", "k")
        screen = terminal.wait_for("on nvidia-h200")
        self.assertIn("32 words: lanes 0 to 31", screen)


if __name__ == "__main__":
    for program, package in ((HELIX, "hx"), (shutil.which("tmux"), "tmux")):
        if not program:
            print(f"skipped: there is no {package} here (Debian package {package})")
            sys.exit(SKIPPED)
    unittest.main(verbosity=2)
