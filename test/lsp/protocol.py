"""The language server and what clients do to it, messages by hand.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    GPUOCC_BUILD=build python3 test/lsp/protocol.py
"""

import json
import os
import random
import re
import signal
import sys
import time
import unittest
from pathlib import Path

from client import LIMIT_SECONDS, SOURCE, Client, copy_example, frame, temporary_folder, uri_of

PARSE_ERROR, INVALID_REQUEST, NOT_INITIALIZED = -32700, -32600, -32002
METHOD_NOT_FOUND, INVALID_PARAMS = -32601, -32602

# Threads of a warp 128 bytes apart: one request touches 32 sectors.
STRIDED = """__global__ void strided(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[32 * i];
}
"""


# Host code behind the kernel that launches it.
LAUNCHED = STRIDED + """
void run(float *out, const float *in) { strided<<<GRID, BLOCK>>>(out, in); }
"""


class RandomEdits:
    """A source of three kernels and a configuration, edited at random."""

    KERNEL = """NAMED__global__ void kernel@(float *out, const float *in, int n) {
  __shared__ float tile[32][PITCH];
  tile[threadIdx.x % 32][threadIdx.x / 32] = in[STEP * threadIdx.x];
  __syncthreads();
  for (int i = 0; i < n; ++i)SILENT
    out[i * blockDim.x + threadIdx.x] = tile[i % 32][threadIdx.x % 32];
}
"""

    def __init__(self, draw):
        self.draw = draw
        self.kernels = [{"NAMED": "", "PITCH": 32, "STEP": 1 + 31 * (k == 1), "SILENT": ""}
                        for k in range(3)]
        self.launches = [(64, 256, 100), (128, 256, 8), (32, 64, 50)]
        self.blanks = [0] * 5
        self.config = {}

    def edit(self):
        """Changes something; returns what."""
        draw = self.draw
        kernel = draw.choice(self.kernels)
        what = draw.choice(("code", "comment", "launch", "launch", "lines", "lines", "silence",
                            "configuration", "configuration"))
        if what == "code":
            kernel[draw.choice(("PITCH", "STEP"))] = draw.choice((1, 32, 33))
        elif what == "comment":
            kernel["NAMED"] = draw.choice(("", "// one\n", "/* two */ ", "\n\n"))
        elif what == "launch":
            self.launches[draw.randrange(3)] = (draw.choice((1, 64, 4096)),
                                                draw.choice((32, 128, 512)), draw.choice((2, 90)))
        elif what == "lines":
            self.blanks[draw.randrange(5)] += draw.choice((1, 2))
        elif what == "silence":
            kernel["SILENT"] = draw.choice(("", "  // NOLINTNEXTLINE(gpu-occupancy-*)"))
        else:
            self.config = {
                "device": draw.choice(("", "device: nvidia-a100-80gb\n")),
                "findings": draw.choice(("", "findings:\n  minimum_gain: 1.5\n",
                                         "findings:\n  suppress: [UncoalescedAccess]\n")),
                "launches": draw.choice(("", "launches:\n  - kernel: kernel2\n"
                                         f"    grid: [{draw.choice((16, 256))}, 1, 1]\n"
                                         "    block: [128, 1, 1]\n    arguments: {n: 8}\n"))}
        return what

    def text(self):
        """Host code moves device code: blank lines are not all that stands between."""
        parts = []
        for number, kernel in enumerate(self.kernels):
            words = self.KERNEL.replace("@", str(number))
            for name, value in kernel.items():
                words = words.replace(name, str(value))
            parts.append(self.host(number) + words)
        calls = "".join(f"  kernel{k}<<<{grid}, {block}>>>(out, in, {n});\n"
                        for k, (grid, block, n) in enumerate(self.launches))
        return ("".join(parts) + self.host(3)
                + f"void run(float *out, const float *in) {{\n{calls}}}\n")

    def host(self, number):
        return "".join(f"int host{number}_{line}() {{ return {line}; }}\n"
                       for line in range(self.blanks[number]))

    def configuration(self):
        return "".join(self.config.values())


def codes(diagnostics):
    return sorted(d.get("code", "") for d in diagnostics)


class Server(unittest.TestCase):
    def connect(self, **arguments):
        client = Client(**arguments)
        self.addCleanup(client.kill)
        return client

    def write(self, name, text, folder=None):
        path = os.path.join(folder or temporary_folder(self), name)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        return path


class TemporaryFiles(Server):
    """What the server and its jobs write below TMPDIR."""

    def start(self):
        self.folder = temporary_folder(self)
        client = self.connect(options={"delayMs": 0}, environment={"TMPDIR": self.folder})
        self.path = copy_example("transpose.cu", temporary_folder(self))
        self.text = client.open(self.path)
        return client

    def jobs(self):
        """Files and folders that are there while an analysis runs."""
        (own,) = os.listdir(self.folder)
        return [name for name in os.listdir(os.path.join(self.folder, own))
                if name == "job" or name.startswith("gpuocc-")]

    def wait_until(self, holds):
        end = time.monotonic() + LIMIT_SECONDS
        while not holds():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def test_analyses_that_an_edit_stops_leave_none(self):
        client = self.start()
        for step in range(3):
            self.wait_until(self.jobs)
            version = client.change(self.path, self.text + f"__device__ int edit{step};\n")
        self.assertNotEqual(client.diagnostics(self.path, version), [])
        self.wait_until(lambda: not self.jobs())
        self.assertEqual(client.end(), 0)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_signal_leaves_none(self):
        for stop in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=stop.name):
                client = self.start()
                self.wait_until(self.jobs)
                client.process.send_signal(stop)
                self.assertEqual(client.process.wait(LIMIT_SECONDS), -stop)
                self.assertEqual(os.listdir(self.folder), [])


class Messages(Server):
    """Nothing is analyzed here."""

    def test_malformed_json_is_an_error_and_no_end(self):
        client = self.connect()
        for body in ("{", "nonsense", "[" * 100_000, '{"a": "\xff"}'.encode("latin-1")):
            client.send_bytes(frame(body))
            reply = client.wait(lambda m: "error" in m)
            self.assertEqual((reply["id"], reply["error"]["code"]), (None, PARSE_ERROR))
        client.send_bytes(frame('{"id": 7, "method": "x"}'))
        reply = client.wait(lambda m: "error" in m)
        self.assertEqual(reply["error"]["code"], INVALID_REQUEST)
        self.assertEqual(client.end(), 0)

    def test_headers_of_any_size(self):
        client = self.connect()
        client.send_bytes(b"X-Long: " + b"a" * 10_000_000 + b"\r\n\r\n")
        self.assertEqual(client.wait(lambda m: "error" in m)["error"]["code"], PARSE_ERROR)
        client.send_bytes(b"Content-Length: -5\r\n\r\n")
        self.assertEqual(client.wait(lambda m: "error" in m)["error"]["code"], PARSE_ERROR)
        client.send_bytes(b"Content-Length: 99999999999999999999999\r\n\r\n")
        self.assertEqual(client.wait(lambda m: "error" in m)["error"]["code"], PARSE_ERROR)
        self.assertEqual(client.end(), 0)

    def test_a_message_that_never_comes_whole(self):
        client = self.connect()
        client.send_bytes(b"Content-Length: 1000000000\r\n\r\n{")
        client.process.stdin.close()
        self.assertEqual(client.process.wait(30), 2)

    def test_requests_before_initialize(self):
        client = self.connect(initialize=False)
        number = client.start_request("textDocument/hover", {})
        self.assertEqual(client.answer(number)["error"]["code"], NOT_INITIALIZED)
        client.notify("textDocument/didOpen", {})
        client.request("initialize", {"capabilities": {}})
        number = client.start_request("initialize", {"capabilities": {}})
        self.assertEqual(client.answer(number)["error"]["code"], INVALID_REQUEST)
        self.assertEqual(client.end(), 0)

    def test_unknown_methods_and_parameters(self):
        client = self.connect()
        number = client.start_request("textDocument/paint", {})
        self.assertEqual(client.answer(number)["error"]["code"], METHOD_NOT_FOUND)
        client.notify("$/paint", {})
        client.notify("textDocument/didOpen", {"textDocument": 3})
        number = client.start_request("textDocument/hover", {"textDocument": 3})
        self.assertEqual(client.answer(number)["error"]["code"], INVALID_PARAMS)
        number = client.start_request("workspace/executeCommand",
                                      {"command": "x", "arguments": ["file:///x.cu"]})
        self.assertIn("error", client.answer(number))
        self.assertEqual(client.end(), 0)

    def test_after_shutdown_only_exit(self):
        client = self.connect()
        client.request("shutdown", None)
        number = client.start_request("textDocument/hover", {})
        self.assertEqual(client.answer(number)["error"]["code"], INVALID_REQUEST)
        client.notify("exit", None)
        self.assertEqual(client.process.wait(30), 0)

    def test_leaving_without_shutdown_is_a_failure(self):
        client = self.connect()
        client.notify("exit", None)
        self.assertEqual(client.process.wait(30), 2)

    def test_a_setting_that_does_not_exist_is_named(self):
        client = self.connect(options={"warninGain": 1.5})
        shown = client.wait(lambda m: m.get("method") == "window/showMessage")
        self.assertIn("warninGain", shown["params"]["message"])
        self.assertIn("warningGain", shown["params"]["message"])
        client.notify("workspace/didChangeConfiguration",
                      {"settings": {"gpu-occupancy": {"codeLens": "yes"}}})
        shown = client.wait(lambda m: m.get("method") == "window/showMessage")
        self.assertIn("codeLens", shown["params"]["message"])
        self.assertEqual(client.end(), 0)

    def test_configuration_files_have_diagnostics(self):
        client = self.connect()
        path = self.write(".gpu-occupancy", "# first\nlaunchs: []\n")
        text = client.open(path, language="yaml")
        found, = client.diagnostics(path)
        self.assertIn("launches", found["message"])
        self.assertEqual(found["range"]["start"], {"line": 1, "character": 0})
        client.change(path, text.replace("launchs", "launches"))
        self.assertEqual(client.diagnostics(path), [])
        self.assertEqual(client.end(), 0)


class Analyses(Server):
    def test_diagnostics_lenses_hovers_and_hints(self):
        client = self.connect()
        path = copy_example("transpose.cu", temporary_folder(self))
        client.open(path)
        found = client.diagnostics(path)
        self.assertEqual(codes(found), ["BankConflict", "UncoalescedAccess"])
        conflict = next(d for d in found if d["code"] == "BankConflict")
        self.assertEqual(conflict["range"]["start"], {"line": 40, "character": 27})
        self.assertEqual(conflict["severity"], 2)
        self.assertIn("transposeCoalesced", conflict["relatedInformation"][0]["message"])
        page = conflict["codeDescription"]["href"]
        self.assertTrue(page.startswith("file:///"))
        with open(page[len("file://"):], encoding="utf-8") as file:
            self.assertIn("BankConflict", file.readline())

        document = {"textDocument": {"uri": uri_of(path)}}
        lenses = client.request("textDocument/codeLens", document)
        self.assertEqual([l["range"]["start"]["line"] for l in lenses],
                         [23, 23, 30, 30, 43, 43])
        self.assertRegex(lenses[2]["command"]["title"],
                         r"bound by shared memory \| needs \d+ warps, has 64 \| [\d.]+ us")
        self.assertEqual(lenses[3]["command"]["title"], "on nvidia-h200")
        hover = client.request("textDocument/hover",
                               dict(document, position={"line": 40, "character": 30}))
        self.assertIn("32 words: lanes 0 to 31", hover["contents"]["value"])
        self.assertIn("| shared |", hover["contents"]["value"])
        self.assertIsNone(client.request(
            "textDocument/hover", dict(document, position={"line": 0, "character": 0})))
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
        hints = client.request("textDocument/inlayHint", dict(document, range=whole))
        self.assertEqual([(h["position"]["line"], h["label"]) for h in hints],
                         [(27, "32 sectors"), (40, "32-way")])
        self.assertEqual(client.end(), 0)
        self.assertFalse(os.path.exists(page[len("file://"):]), "scratch files stay behind")

    def test_a_click_takes_the_next_device(self):
        client = self.connect(options={"devices": ["nvidia-h200", "nvidia-a100-80gb"]})
        path = self.write("strided.cu", STRIDED)
        client.open(path)
        client.diagnostics(path)
        document = {"textDocument": {"uri": uri_of(path)}}
        lens = client.request("textDocument/codeLens", document)[1]["command"]
        client.request("workspace/executeCommand", {"command": lens["command"],
                                                    "arguments": lens["arguments"]})
        client.diagnostics(path)
        lens = client.request("textDocument/codeLens", document)[1]["command"]
        self.assertEqual(lens["title"], "on nvidia-a100-80gb")

    def completions(self, client, path, text, line, character):
        """Labels at a place of a configuration."""
        client.change(path, text) if path in self.opened else client.open(path, text)
        self.opened.add(path)
        place = {"line": line, "character": character}
        answer = client.request("textDocument/completion", {
            "textDocument": {"uri": uri_of(path)}, "position": place})
        return {item["label"]: item for item in answer["items"]}

    def test_completion_in_a_configuration(self):
        client = self.connect()
        self.opened = set()
        source = self.write("strided.cu", STRIDED)
        client.open(source)
        client.diagnostics(source)
        path = os.path.join(os.path.dirname(source), ".gpu-occupancy")
        found = self.completions(client, path, "de", 0, 2)
        self.assertEqual(set(found), {"version", "device", "default_block", "launches", "gate",
                                      "findings"})
        self.assertEqual(found["device"]["insertText"], "device: ")
        self.assertIn("nvidia-h200", self.completions(client, path, "device: ", 0, 8))
        launch = "launches:\n  - kernel: \n    gr\n"
        self.assertEqual(set(self.completions(client, path, launch, 1, 12)), {"strided"})
        self.assertIn("grid", self.completions(client, path, launch, 2, 6))
        self.assertNotIn("device", self.completions(client, path, launch, 2, 6))
        findings = "findings:\n  suppress: [\n  rules:\n    Bank\n    TailEffect:\n      mi\n"
        self.assertIn("BankConflict", self.completions(client, path, findings, 1, 13))
        self.assertEqual(self.completions(client, path, findings, 3, 8)["BankConflict"]
                         ["insertText"], "BankConflict: ")
        self.assertEqual(set(self.completions(client, path, findings, 5, 8)), {"minimum_gain"})
        self.assertEqual(self.completions(client, path, "device: x # ", 0, 12), {})

    def test_diagnostics_in_a_device_file(self):
        client = self.connect()
        with open(os.path.join(SOURCE, "lib/Device/data/devices/nvidia-a100-80gb.json"),
                  encoding="utf-8") as file:
            text = file.read()
        line = next(i for i, words in enumerate(text.split("\n")) if "latency_cycles" in words)
        path = self.write("mine.json", "")
        client.open(path, text)
        self.assertEqual(client.diagnostics(path), [])
        lines = text.split("\n")
        lines[line] = lines[line].replace("latency_cycles", "latency_cycle", 1)
        found, = client.diagnostics(path, client.change(path, "\n".join(lines)))
        self.assertEqual(found["range"]["start"]["line"], line)
        self.assertIn("latency_cycles'?", found["message"])
        lines[line] = "}"
        found, = client.diagnostics(path, client.change(path, "\n".join(lines)))
        self.assertIn(found["range"]["start"]["line"], (line, line + 1))
        self.assertEqual(found["severity"], 1)
        client.change(path, '{"other": 1}')
        self.assertEqual(client.diagnostics(path), [])

    def test_a_device_file_that_changes_makes_a_new_report(self):
        with open(os.path.join(SOURCE, "lib/Device/data/devices/nvidia-h200.json"),
                  encoding="utf-8") as file:
            device = json.load(file)
        folder = temporary_folder(self)
        mine = self.write("mine.json", json.dumps(device), folder)
        path = self.write("strided.cu", STRIDED, folder)
        self.write(".gpu-occupancy", f"device: {mine}\n", folder)
        client = self.connect()
        client.open(path)
        client.diagnostics(path)

        def lenses():
            return str(client.request("textDocument/codeLens",
                                      {"textDocument": {"uri": uri_of(path)}}))
        before = lenses()
        for name, number in device["memory"].items():
            if name.endswith("latency_cycles"):
                number["value"] *= 4
        self.write("mine.json", json.dumps(device), folder)
        client.open(mine, json.dumps(device))
        client.save(mine)
        end = time.monotonic() + LIMIT_SECONDS
        while lenses() == before and time.monotonic() < end:
            time.sleep(0.1)
        self.assertNotEqual(lenses(), before)

    def test_completion_in_a_device_file(self):
        client = self.connect()
        self.opened = set()
        path = self.write("mine.json", "")
        head = '{"schema_version": 1, "display_name": "X", "architecture": "sm_90",\n'
        self.assertIn("instructions", self.completions(client, path, head + '"', 1, 1))
        found = self.completions(client, path, head + '"instructions": {"x.y": {', 1, 25)
        self.assertEqual(found["latency_cycles"]["insertText"], '"latency_cycles": ')
        self.assertNotIn("instructions", found)
        found = self.completions(client, path, head + '"instructions": {"x.y": {"', 1, 26)
        self.assertEqual(found["latency_cycles"]["insertText"], "latency_cycles")
        self.assertEqual(self.completions(client, path, head + '"instructions": "', 1, 17), {})

    def test_settings_are_asked_for_where_the_client_says_so(self):
        client = self.connect(capabilities={"workspace": {"configuration": True}})
        path = self.write("strided.cu", STRIDED)
        client.open(path)
        client.diagnostics(path)
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        asked = client.wait(lambda m: m.get("method") == "workspace/configuration")
        self.assertEqual(asked["params"], {"items": [{"section": "gpu-occupancy"}]})
        client.send({"id": asked["id"], "result": [{"warningGain": 1000, "informationGain": 999}]})
        self.assertEqual({d["severity"] for d in client.diagnostics(path)}, {4})

    def test_each_folder_has_its_own_configuration(self):
        client = self.connect()
        for device in ("nvidia-a100-80gb", "nvidia-h200"):
            folder = temporary_folder(self)
            self.write(".gpu-occupancy", f"device: {device}\n", folder)
            path = self.write("strided.cu", STRIDED, folder)
            client.notify("workspace/didChangeWorkspaceFolders", {
                "event": {"added": [{"uri": uri_of(folder), "name": device}], "removed": []}})
            client.open(path)
            client.diagnostics(path)
            lens = client.request("textDocument/codeLens",
                                  {"textDocument": {"uri": uri_of(path)}})[1]["command"]
            self.assertEqual(lens["title"], f"on {device}")

    def test_severity_follows_the_settings(self):
        client = self.connect(options={"warningGain": 1000, "informationGain": 999})
        path = self.write("strided.cu", STRIDED)
        client.open(path)
        self.assertEqual({d["severity"] for d in client.diagnostics(path)}, {4})
        client.notify("workspace/didChangeConfiguration",
                      {"settings": {"gpu-occupancy": {"warningGain": 1}}})
        self.assertEqual({d["severity"] for d in client.diagnostics(path)}, {2})

    def test_unsaved_text_counts_and_places_are_in_utf16(self):
        client = self.connect()
        path = self.write("strided.cu", "// nothing yet\n")
        text = client.open(path)
        client.diagnostics(path)
        # Three characters of 1, 2 and 4 bytes of UTF-8: 1, 1 and 2 units.
        odd = STRIDED.replace("  out[i] =", "  /* a\u00e9\U0001f600 */ out[i] =")
        client.change(path, [{"range": {"start": {"line": 0, "character": 0},
                                        "end": {"line": 1, "character": 0}}, "text": odd}])
        found = next(d for d in client.diagnostics(path) if d["code"] == "UncoalescedAccess")
        line = odd.split("\n")[2]
        units = len(line[:line.index("in[32")].encode("utf-16-le")) // 2
        self.assertEqual(found["range"]["start"], {"line": 2, "character": units})
        # An edit behind these characters: half of a surrogate pair is not asked for.
        start = units + len("in[")
        client.change(path, [{"range": {"start": {"line": 2, "character": start},
                                        "end": {"line": 2, "character": start + 2}},
                              "text": "1"}])
        self.assertNotIn("UncoalescedAccess", [d["code"] for d in client.diagnostics(path)])

    def test_line_ends_of_two_characters(self):
        client = self.connect()
        path = self.write("strided.cu", STRIDED.replace("\n", "\r\n"))
        client.open(path)
        found, = client.diagnostics(path)
        self.assertEqual(found["range"]["start"], {"line": 2, "character": 11})
        version = client.change(path, [{"range": {"start": {"line": 0, "character": 0},
                                                  "end": {"line": 0, "character": 0}},
                                        "text": "\r\n"}])
        found, = client.diagnostics(path, version)
        self.assertEqual(found["range"]["start"], {"line": 3, "character": 11})

    def test_paths_with_blanks_and_percent_signs(self):
        client = self.connect()
        folder = os.path.join(temporary_folder(self), "a b%20c \u00e9'\"#")
        os.mkdir(folder)
        path = self.write("k 100%.cu", STRIDED, folder)
        client.open(path)
        self.assertEqual(codes(client.diagnostics(path)), ["UncoalescedAccess"])
        client.change(path, STRIDED.replace("32 *", "16 *"))
        self.assertEqual(codes(client.diagnostics(path)), ["UncoalescedAccess"])

    def test_comments_and_blanks_move_places_at_once(self):
        client = self.connect(options={"delayMs": 100_000})
        path = self.write("strided.cu", STRIDED)
        client.open(path)
        client.diagnostics(path)
        version = client.change(path, "// one\n\n" + STRIDED.replace("= in", "=  /* two */  in"))
        found, = client.diagnostics(path, version)
        self.assertEqual(found["range"]["start"], {"line": 4, "character": 23})

    def test_a_comment_in_front_of_a_kernel_is_not_its_place(self):
        client = self.connect()
        path = self.write("strided.cu", "int before;\n/* a */ " + STRIDED)
        client.open(path)
        client.diagnostics(path)
        lens = client.request("textDocument/codeLens",
                              {"textDocument": {"uri": uri_of(path)}})[0]
        self.assertEqual(lens["range"]["start"], {"line": 1, "character": 8})
        hover = client.request("textDocument/hover", {
            "textDocument": {"uri": uri_of(path)}, "position": {"line": 1, "character": 30}})
        self.assertIn("strided", hover["contents"]["value"])

    def test_what_does_not_compile_keeps_the_last_result(self):
        client = self.connect()
        path = self.write("strided.cu", STRIDED)
        client.open(path)
        client.diagnostics(path)
        client.change(path, STRIDED.replace("  int i", "  itn i"))
        found = client.diagnostics(path)
        self.assertEqual(codes(found), ["", "UncoalescedAccess"])
        error = next(d for d in found if not d.get("code"))
        self.assertIn("itn", error["message"])
        self.assertEqual(error["range"]["start"]["line"], 1)
        self.assertIn("stale", next(d for d in found if d.get("code"))["message"])
        lens = client.request("textDocument/codeLens",
                              {"textDocument": {"uri": uri_of(path)}})[0]
        self.assertIn("stale", lens["command"]["title"])
        client.change(path, STRIDED)
        found, = client.diagnostics(path)
        self.assertNotIn("stale", found["message"])

    def test_what_does_not_compile_is_not_compiled_three_times(self):
        log = self.write("log", "")
        clang = self.write("clang++", "#!/bin/sh\ncase \"$*\" in *ivfsoverlay*)"
                           f" printf '%s\\n' \"$*\" >> {log};; esac\nexec clang++-22 \"$@\"\n")
        os.chmod(clang, 0o755)
        client = self.connect(options={"clang": clang})
        text = '#include "some.h"\n' + STRIDED
        folder = temporary_folder(self)
        self.write("some.h", "struct Some { int a; };\n", folder)
        path = self.write("strided.cu", text, folder)
        client.open(path)
        client.diagnostics(path)

        def runs(change):
            """Which runs of the compiler for a text had a preamble."""
            Path(log).write_text("", encoding="utf-8")
            found = client.diagnostics(path, client.change(path, change))
            self.assertTrue(found)
            words = [w for w in Path(log).read_text("utf-8").splitlines() if "-emit-pch" not in w]
            return ["-include-pch" in w for w in words]

        end = time.monotonic() + LIMIT_SECONDS
        number = 0
        while runs(text + f"__device__ int more{number};\n") != [True]:
            number += 1
            # It is made while nobody types.
            time.sleep(2)
            self.assertLess(time.monotonic(), end)
        self.assertEqual(runs(text.replace("  int i", "  itn i")), [True, False])

    def shown(self, client, path, text, version):
        """All that is seen of a text, but for the pages of rules."""
        found = client.diagnostics(path, version)
        for diagnostic in found:
            del diagnostic["codeDescription"]
        document = {"textDocument": {"uri": uri_of(path)}}
        line = text.split("\n").index("  out[i] = in[32 * i];")
        return (found, client.request("textDocument/codeLens", document),
                client.request("textDocument/hover", dict(
                    document, position={"line": line, "character": 12})))

    def test_edits_of_host_code_come_out_as_in_a_new_server(self):
        texts = [LAUNCHED.replace("GRID", grid).replace("BLOCK", block)
                 for grid, block in (("64", "256"), ("128", "64"), ("1024", "64"))]
        texts.append("int before;\n" + texts[0])
        path = self.write("strided.cu", texts[0])
        client = self.connect(options={"delayMs": 0})
        client.open(path, texts[0])
        seen = [self.shown(client, path, texts[0], 1)]
        for text in texts[1:]:
            seen.append(self.shown(client, path, text, client.change(path, text)))
        self.assertNotEqual(seen[0][1], seen[1][1])
        for text, before in zip(texts, seen):
            other = self.connect()
            other.open(path, text)
            self.assertEqual(self.shown(other, path, text, 1), before)
            other.kill()

    def test_random_edits_come_out_as_in_a_new_server(self):
        seed = int(os.environ.get("GPUOCC_SEED", "23"))
        draw = random.Random(seed)
        edits = RandomEdits(draw)
        folder = temporary_folder(self)
        path = self.write("edited.cu", edits.text(), folder)
        client = self.connect(options={"delayMs": 0})
        client.open(path, edits.text())
        self.everything(client, path, 1)
        differing = set()
        for step in range(int(os.environ.get("GPUOCC_STEPS", "8"))):
            what = edits.edit()
            if what == "configuration":
                self.write(".gpu-occupancy", edits.configuration(), folder)
                version = client.versions[path]
                client.notify("workspace/didChangeWatchedFiles", {"changes": []})
            else:
                version = client.change(path, edits.text())
            with self.subTest(seed=seed, step=step, what=what):
                shown = self.everything(client, path, version)
                other = self.connect()
                other.open(path, edits.text())
                self.assertEqual(shown, self.everything(other, path, 1))
                other.kill()
                differing.add(json.dumps(shown))
        # Edits that change nothing would compare nothing.
        self.assertGreater(len(differing), step // 2)

    def everything(self, client, path, version):
        """All that is seen of a text that compiles."""
        found = client.diagnostics(path, version)
        for diagnostic in found:
            diagnostic.pop("codeDescription", None)
        document = {"textDocument": {"uri": uri_of(path)}}
        lenses = client.request("textDocument/codeLens", document)
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
        hints = client.request("textDocument/inlayHint", dict(document, range=whole))
        lines = sorted({tuple(each["range"]["start"].items()) for each in found + lenses})
        hovers = [client.request("textDocument/hover", dict(document, position=dict(line)))
                  for line in lines]
        # Words of a report speak of the text that was analyzed; places were moved.
        return json.loads(re.sub(r"(edited\.cu:|kernel\d:|line )\d+", r"\1N",
                                 json.dumps([found, lenses, hints, hovers])))

    def test_headers_are_analyzed_by_what_includes_them(self):
        client = self.connect()
        folder = temporary_folder(self)
        header = self.write("strided.cuh", STRIDED.replace("32 *", "STEP *"), folder)
        source = self.write("main.cu", '#define STEP 32\n#include "strided.cuh"\n', folder)
        self.write("compile_commands.json", json.dumps([{
            "directory": folder, "file": source,
            "command": f"clang++ -x cuda -c {source} -o main.o"}]), folder)
        client.open(header)
        self.assertEqual(codes(client.diagnostics(header)), ["UncoalescedAccess"])

    def noted(self, client, words):
        return client.wait(lambda m: m.get("method") == "window/showMessage"
                           and words in m["params"]["message"])["params"]["message"]

    def test_options_are_guessed_where_no_database_knows_the_file(self):
        log = self.write("log", "")
        clang = self.write("clang++", f"#!/bin/sh\nprintf '%s\\n' \"$*\" >> {log}\n"
                           "exec clang++-22 \"$@\"\n")
        os.chmod(clang, 0o755)
        folder = temporary_folder(self)
        for name in (".git", "common/sizes", "src"):
            os.makedirs(os.path.join(folder, name))
        self.write("common/sizes/step.h", "#ifdef USE_GPU\nconstexpr int Step = 32;\n#endif\n",
                   folder)
        text = '#include "sizes/step.h"\n' + STRIDED.replace("32 *", "Step *")
        path = self.write("src/strided.cu", text, folder)
        client = self.connect(options={"clang": clang})
        client.open(path)
        self.assertEqual(codes(client.diagnostics(path)), ["UncoalescedAccess"])
        self.assertIn("name a compilation database with the setting 'compilationDatabase'",
                      self.noted(client, "include folders are guessed"))
        self.assertIn("USE_GPU is taken as defined", self.noted(client, "USE_GPU"))

        # A guess is for texts to come.
        def runs(change):
            Path(log).write_text("", encoding="utf-8")
            found = client.diagnostics(path, client.change(path, change))
            words = Path(log).read_text("utf-8").splitlines()
            # The preamble of the text before may still be being compiled.
            return codes(found), sum("ivfsoverlay" in w and "-emit-pch" not in w for w in words)

        self.assertEqual(runs(text.replace("out[i]", "out[2 * i]")), (["UncoalescedAccess"], 1))
        # What somebody is writing lacks names, and nothing is guessed about it.
        self.assertLessEqual(runs(text.replace("  int i", "  itn i"))[1], 2)

    def test_a_name_that_nobody_declares_is_guessed_about_once(self):
        client = self.connect()
        path = self.write("strided.cu", STRIDED.replace("32 *", "Step *"))
        client.open(path)
        found, = client.diagnostics(path)
        self.assertIn("'Step'", found["message"])
        found, = client.diagnostics(path, client.change(path, STRIDED))
        self.assertEqual(found["code"], "UncoalescedAccess")

    def test_a_compiler_that_is_killed_is_named(self):
        folder = temporary_folder(self)
        compiler = self.write("clang++", "#!/bin/sh\nkill -9 $$\n", folder)
        os.chmod(compiler, 0o755)
        client = self.connect(options={"clang": compiler})
        path = self.write("strided.cu", STRIDED)
        client.open(path)
        found, = client.diagnostics(path)
        self.assertIn("signal 9", found["message"])
        self.assertEqual(client.end(), 0)

    def test_an_analysis_leaves_the_processor_to_typing(self):
        folder = temporary_folder(self)
        priority = os.path.join(folder, "priority")
        compiler = self.write(
            "clang++", f"#!{sys.executable}\nimport os\nwith open({priority!r}, 'w') as file:\n"
            "    file.write(str(os.nice(0)))\n", folder)
        os.chmod(compiler, 0o755)
        client = self.connect(options={"clang": compiler})
        path = self.write("strided.cu", STRIDED)
        client.open(path)
        client.diagnostics(path)
        with open(priority, encoding="ascii") as file:
            self.assertGreaterEqual(int(file.read()), min(os.nice(0) + 5, 19))
        self.assertEqual(client.end(), 0)

    def slow_compiler(self):
        folder = temporary_folder(self)
        compiler = self.write("clang++", "#!/bin/sh\nexec sleep 600\n", folder)
        os.chmod(compiler, 0o755)
        return compiler

    def test_shutdown_in_the_middle_of_an_analysis(self):
        client = self.connect(options={"clang": self.slow_compiler()})
        path = self.write("strided.cu", STRIDED)
        client.open(path)
        time.sleep(0.5)
        start = time.monotonic()
        self.assertEqual(client.end(), 0)
        self.assertLess(time.monotonic() - start, 10)

    def test_a_client_that_dies_ends_the_server(self):
        client = self.connect(options={"clang": self.slow_compiler()})
        client.open(self.write("strided.cu", STRIDED))
        time.sleep(0.5)
        client.process.stdin.close()
        self.assertEqual(client.process.wait(10), 2)

    def test_an_analysis_of_an_older_text_is_stopped(self):
        client = self.connect(options={"clang": self.slow_compiler()},
                              capabilities={"window": {"workDoneProgress": True}})
        path = self.write("strided.cu", STRIDED)
        client.open(path)
        progress = lambda kind: lambda m: (
            m.get("method") == "$/progress" and m["params"]["value"]["kind"] == kind)
        client.wait(progress("begin"))
        client.change(path, STRIDED.replace("32 *", "16 *"))
        client.wait(progress("end"), limit=20)
        client.wait(progress("begin"), limit=20)

    def test_saving_does_not_begin_anew_what_runs(self):
        folder = temporary_folder(self)
        runs = os.path.join(folder, "runs")
        compiler = self.write("clang++", f"#!/bin/sh\necho run >> {runs}\nexec sleep 600\n",
                              folder)
        os.chmod(compiler, 0o755)

        def count(least):
            for _ in range(LIMIT_SECONDS * 10):
                if os.path.exists(runs):
                    with open(runs, encoding="ascii") as file:
                        found = len(file.readlines())
                    if found >= least:
                        return found
                time.sleep(0.1)
            raise TimeoutError("the compiler was not started")

        client = self.connect(options={"clang": compiler, "delayMs": 0})
        path = self.write("strided.cu", STRIDED)
        client.open(path)
        count(1)
        client.save(path)
        client.save(path)
        time.sleep(1)
        self.assertEqual(count(1), 1)
        # A text that the analysis does not read.
        client.change(path, STRIDED.replace("32 *", "16 *"))
        self.assertEqual(count(2), 2)
        client.save(path)
        other = self.write("other.h", "int other;\n", os.path.dirname(path))
        client.open(other)
        client.save(path)
        self.assertEqual(count(3), 3)

    def test_saving_starts_what_waits(self):
        client = self.connect(options={"delayMs": 100_000})
        path = self.write("strided.cu", STRIDED)
        client.open(path)
        client.diagnostics(path)
        text = STRIDED.replace("32 *", "4 *")
        version = client.change(path, text)
        client.save(path, text)
        self.assertIn("16 sectors", client.diagnostics(path, version)[0]["message"])

    def test_a_click_takes_the_next_launch(self):
        client = self.connect(capabilities={"workspace": {"codeLens": {"refreshSupport": True}}})
        text = STRIDED + ("void run(float *out, const float *in) {\n"
                          "  strided<<<64, 256>>>(out, in);\n"
                          "  strided<<<4096, 64>>>(out, in);\n}\n")
        path = self.write("strided.cu", text)
        client.open(path)
        client.diagnostics(path)
        document = {"textDocument": {"uri": uri_of(path)}}
        refreshed = lambda m: m.get("method") == "workspace/codeLens/refresh"
        client.wait(refreshed)
        titles = []
        for _ in range(3):
            lens = client.request("textDocument/codeLens", document)[0]["command"]
            titles.append(lens["title"])
            client.request("workspace/executeCommand", {"command": lens["command"],
                                                        "arguments": lens["arguments"]})
            client.wait(refreshed)
        self.assertIn("grid 64, block 256 (1 of 2)", titles[0])
        self.assertIn("grid 4096, block 64 (2 of 2)", titles[1])
        self.assertEqual(titles[2], titles[0])

    def test_a_thousand_edits_leave_memory_as_it_was(self):
        client = self.connect(options={"delayMs": 0})
        path = self.write("strided.cu", STRIDED)
        client.open(path)
        client.diagnostics(path)

        def memory():
            with open(f"/proc/{client.process.pid}/status", encoding="utf-8") as file:
                return next(int(l.split()[1]) for l in file if l.startswith("VmRSS"))

        def edit(count):
            for index in range(count):
                version = client.change(path, STRIDED + "\n" * (1 + index % 7))
            client.diagnostics(path, version)

        edit(100)
        before = memory()
        edit(1000)
        self.assertLess(memory() - before, 10_000, "kB")
        self.assertEqual(client.end(), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
