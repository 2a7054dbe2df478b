"""Visual Studio Code in a browser as a client of the language server.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    GPUOCC_BUILD=build python3 test/lsp/vscode.py

Opens an example in code-server with the extension installed, waits for marks
and lenses, takes the action that pads the rows of a shared array, saves, and
waits until the mark is gone. Runs where there are code-server (CODE_SERVER, or
in the PATH), Chromium and the extension (GPUOCC_VSIX, or in the build), and is
skipped elsewhere. install-code-server.sh installs it. GPUOCC_PICTURES names a folder that keeps the pictures.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import unittest
import urllib.parse

from browser import Browser, find_chromium
from client import BUILD, TOOL, copy_example, temporary_folder
from padding import SKIPPED

# It has to start, and to load some 20 MB of pages; the machine may be busy.
LIMIT_SECONDS = 240
CODE_SERVER = os.environ.get("CODE_SERVER") or shutil.which("code-server")
EXTENSION = os.environ.get("GPUOCC_VSIX") or os.path.join(BUILD, "gpu-occupancy.vsix")
LINE = 41

CONTROL = 2
TEXT = "document.body.innerText"


def missing():
    """What this test needs and does not find."""
    for what, found in (("code-server (npm package)", CODE_SERVER),
                        ("Chromium (Debian package chromium)", find_chromium()),
                        ("the extension (ninja vscode-extension)", os.path.exists(EXTENSION))):
        if not found:
            return what
    return None


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class VSCode(unittest.TestCase):
    def write_settings(self, folder):
        user = os.path.join(folder, "data", "User")
        os.makedirs(user)
        with open(os.path.join(user, "settings.json"), "w", encoding="utf-8") as file:
            json.dump({"gpu-occupancy.path": TOOL, "workbench.startupEditor": "none",
                       "security.workspace.trust.enabled": False, "editor.minimap.enabled": False,
                       "workbench.colorTheme": "Default Light Modern"}, file)

    def command(self, *words):
        places = ["--user-data-dir", os.path.join(self.home, "data"),
                  "--extensions-dir", os.path.join(self.home, "extensions")]
        return [CODE_SERVER, *places, "--disable-telemetry", "--disable-update-check", *words]

    def start(self):
        self.home = temporary_folder(self, "vscode-")
        self.work = os.path.join(self.home, "work")
        os.mkdir(self.work)
        self.source = copy_example("transpose.cu", self.work)
        self.write_settings(self.home)
        # It leaves a configuration in the home folder.
        environment = dict(os.environ, HOME=self.home)
        subprocess.run(self.command("--install-extension", EXTENSION), check=True,
                       env=environment, capture_output=True, timeout=LIMIT_SECONDS)
        port = free_port()
        server = subprocess.Popen(
            self.command("--auth", "none", "--bind-addr", f"127.0.0.1:{port}"),
            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait, 30)
        self.addCleanup(server.terminate)
        self.wait_for_port(port)
        self.browser = Browser(find_chromium(), self.home)
        self.addCleanup(self.browser.end)
        payload = [["gotoLineMode", "true"],
                   ["openFile", f"vscode-remote://127.0.0.1:{port}{self.source}:{LINE}:28"]]
        self.browser.open(f"http://127.0.0.1:{port}/?folder={urllib.parse.quote(self.work)}"
                          f"&payload={urllib.parse.quote(json.dumps(payload))}")

    def wait_for_port(self, port):
        end = time.monotonic() + LIMIT_SECONDS
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                time.sleep(0.5)
        self.fail("code-server does not answer")

    def expect(self, words, what):
        if not self.browser.wait(words, LIMIT_SECONDS):
            self.picture("failed")
            self.fail(f"{what}; shown is:\n{self.browser.value(TEXT)}")

    def picture(self, name):
        if folder := os.environ.get("GPUOCC_PICTURES"):
            os.makedirs(folder, exist_ok=True)
            self.browser.picture(os.path.join(folder, f"vscode-{name}.png"))

    def warnings(self, count):
        return (f"document.querySelector('#status\\\\.problems a')?.ariaLabel"
                f"?.includes('Warnings: {count}')")

    def test_padding_takes_the_diagnostic_away(self):
        self.start()
        self.expect(f"{TEXT}.includes('bound by shared')", "no lens")
        self.expect(self.warnings(2), "no two warnings")
        self.expect(f"{TEXT}.includes('32-way')", "no inlay hint")
        self.picture("diagnostics")
        self.browser.value("document.querySelector('.monaco-editor textarea').focus()")
        self.browser.key(".", "Period", 190, CONTROL)
        self.expect(f"{TEXT}.includes('pad the rows')", "no action")
        self.picture("actions")
        # The preferred action is the first and the one that is chosen.
        self.browser.key("Enter", "Enter", 13)
        # One array is padded from the start.
        self.expect(f"{TEXT}.replaceAll('\\u00a0', ' ').split('[Tile + 1]').length == 3", "no edit")
        self.browser.key("s", "KeyS", 83, CONTROL)
        self.expect(self.warnings(1), "the diagnostic stays")
        self.picture("padded")
        with open(self.source, encoding="utf-8") as file:
            self.assertEqual(file.read().count("tile[Tile][Tile + 1]"), 2)
        self.show_page()

    def show_page(self):
        """The command that shows the page of the kernel under the cursor."""
        self.browser.key("F1", "F1", 112)
        self.expect("document.activeElement.matches('.quick-input-widget input')",
                    "no list of commands")
        self.browser.call("Input.insertText", text="Show Page of Kernel")
        self.expect(f"{TEXT}.includes('GPU Occupancy: Show Page of Kernel')", "no command")
        self.browser.key("Enter", "Enter", 13)
        self.expect("document.querySelector('iframe.webview.ready') != null", "no page")
        # What it shows is in a frame of another origin, which takes a moment.
        time.sleep(3)
        self.picture("page")


if __name__ == "__main__":
    if lacking := missing():
        print(f"skipped: there is no {lacking} here")
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)
