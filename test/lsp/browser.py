"""A browser without a screen, driven by the DevTools protocol over two pipes.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import base64
import json
import os
import queue
import shutil
import subprocess
import threading
import time


def find_chromium():
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """One page. Keys are sent as a keyboard sends them."""

    def __init__(self, chromium, folder, size=(1400, 900)):
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()

        def lay_pipes():
            # Chromium reads commands from descriptor 3 and answers on 4.
            high_in, high_out = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(high_in, 3)
            os.dup2(high_out, 4)

        self.process = subprocess.Popen(
            [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             f"--window-size={size[0]},{size[1]}", "--remote-debugging-pipe",
             "--user-data-dir=" + os.path.join(folder, "profile"), "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False,
            preexec_fn=lay_pipes)
        os.close(theirs_in)
        os.close(theirs_out)
        self.commands = os.fdopen(ours_out, "wb")
        self.answers = os.fdopen(ours_in, "rb")
        self.received = queue.Queue()
        self.number = 0
        self.session = None
        threading.Thread(target=self._read, daemon=True).start()
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")

    def _read(self):
        rest = b""
        while chunk := self.answers.read1(1 << 16):
            *whole, rest = (rest + chunk).split(b"\0")
            for message in whole:
                self.received.put(json.loads(message))
        self.received.put(None)

    def call(self, method, limit=60, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.commands.write(json.dumps(message).encode() + b"\0")
        self.commands.flush()
        end = time.monotonic() + limit
        while True:
            answer = self.received.get(timeout=max(0.1, end - time.monotonic()))
            if answer is None:
                raise EOFError("the browser left")
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(answer["error"])
                return answer["result"]

    def open(self, url):
        self.call("Page.navigate", url=url)

    def value(self, words):
        """The value of an expression of JavaScript."""
        return self.call("Runtime.evaluate", expression=words,
                         returnByValue=True)["result"].get("value")

    def wait(self, words, limit):
        """Waits for an expression to be true; False when it did not come true in time."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if found := self.value(words):
                return found
            time.sleep(0.5)
        return False

    def key(self, key, code, number, modifiers=0):
        """modifiers: 1 alt, 2 control, 4 meta, 8 shift."""
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code,
                      windowsVirtualKeyCode=number, modifiers=modifiers)

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def end(self):
        self.process.terminate()
        self.process.wait(30)
        self.commands.close()
