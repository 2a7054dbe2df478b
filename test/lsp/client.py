"""A client of the language server for tests and benches.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.parse

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("GPUOCC_BUILD", os.path.join(SOURCE, "build")))
TOOL = os.path.join(BUILD, "bin", "gpu-occupancy")
EXAMPLES = os.path.join(SOURCE, "docs", "examples")

# An analysis takes a second; the machine may be busy with other things.
LIMIT_SECONDS = 120


def uri_of(path):
    return "file://" + urllib.parse.quote(path)


def frame(body):
    if isinstance(body, str):
        body = body.encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


class Client:
    """Starts a server; what it sends is kept until somebody waits for it."""

    def __init__(self, capabilities=None, options=None, initialize=True, environment=None):
        self.process = subprocess.Popen([TOOL, "lsp"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env={**os.environ, **(environment or {})})
        self.received = queue.Queue()
        self.seen = []
        self.next_id = 0
        self.versions = {}
        self.threads = [threading.Thread(target=self._read, daemon=True),
                        threading.Thread(target=self._drain, daemon=True)]
        for thread in self.threads:
            thread.start()
        if initialize:
            self.initialized = self.request("initialize", {
                "processId": os.getpid(), "rootUri": None,
                "capabilities": capabilities or {},
                "initializationOptions": options or {}})
            self.notify("initialized", {})

    def _read(self):
        try:
            self._read_messages(self.process.stdout)
        finally:
            self.received.put(None)

    def _read_messages(self, stream):
        while True:
            length = None
            while True:
                line = stream.readline()
                if not line:
                    return
                line = line.strip()
                if not line:
                    break
                name, value = line.split(b":", 1)
                if name.lower() == b"content-length":
                    length = int(value)
            self.received.put(json.loads(stream.read(length)))

    def _drain(self):
        self.errors = b""
        for chunk in iter(lambda: self.process.stderr.read1(4096), b""):
            self.errors += chunk

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        self.send_bytes(frame(json.dumps(dict(message, jsonrpc="2.0"))))

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def start_request(self, method, params):
        self.next_id += 1
        self.send({"id": self.next_id, "method": method, "params": params})
        return self.next_id

    def wait(self, accepts, limit=LIMIT_SECONDS):
        """The first message not taken yet that `accepts`; None if the server left."""
        for index, message in enumerate(self.seen):
            if accepts(message):
                return self.seen.pop(index)
        end = time.monotonic() + limit
        while True:
            try:
                message = self.received.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                raise TimeoutError(f"no answer within {limit} s; stderr: {self.errors!r}")
            if message is None:
                return None
            if accepts(message):
                return message
            self.seen.append(message)

    def answer(self, request_id, limit=LIMIT_SECONDS):
        return self.wait(lambda m: m.get("id") == request_id and "method" not in m, limit)

    def request(self, method, params, limit=LIMIT_SECONDS):
        reply = self.answer(self.start_request(method, params), limit)
        if reply is None:
            raise EOFError("the server left")
        if "error" in reply:
            raise RuntimeError(reply["error"])
        return reply["result"]

    def open(self, path, text=None, language="cuda"):
        if text is None:
            with open(path, encoding="utf-8", newline="") as file:
                text = file.read()
        self.versions[path] = 1
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri_of(path), "languageId": language, "version": 1, "text": text}})
        return text

    def change(self, path, changes):
        """`changes`: a whole text, or a list of changes of the protocol."""
        self.versions[path] += 1
        if isinstance(changes, str):
            changes = [{"text": changes}]
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": uri_of(path), "version": self.versions[path]},
            "contentChanges": changes})
        return self.versions[path]

    def save(self, path, text=None):
        if text is not None:
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri_of(path)}})

    def diagnostics(self, path, version=None, limit=LIMIT_SECONDS):
        """The diagnostics published next for `path`, of `version` if given."""
        def accepts(message):
            params = message.get("params") or {}
            return (message.get("method") == "textDocument/publishDiagnostics"
                    and params["uri"] == uri_of(path)
                    and (version is None or params.get("version") == version))
        return self.wait(accepts, limit)["params"]["diagnostics"]

    def settle(self, quiet=4):
        """Waits until nothing came for so many seconds, and forgets what came."""
        while True:
            try:
                if self.received.get(timeout=quiet) is None:
                    raise EOFError("the server left")
            except queue.Empty:
                self.seen.clear()
                return

    def end(self):
        """Leaves in order; returns the exit status."""
        if self.process.poll() is None:
            self.request("shutdown", None)
            self.notify("exit", None)
        return self.process.wait(LIMIT_SECONDS)

    def kill(self):
        """Ends as by an editor that is left: the server leaves no files."""
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(LIMIT_SECONDS)
        for thread in self.threads:
            thread.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except OSError:
                pass  # What was still to be written to a server that has left.


def copy_example(name, folder):
    """A copy of an example with what it includes and its configuration."""
    for each in ("example.h", ".gpu-occupancy", name):
        shutil.copy(os.path.join(EXAMPLES, each), folder)
    return os.path.join(folder, name)


def temporary_folder(test, prefix="lsp-"):
    folder = tempfile.mkdtemp(prefix=prefix)
    test.addCleanup(shutil.rmtree, folder)
    return folder
