"""Code actions of the language server: what is offered was tried.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    GPUOCC_BUILD=build python3 test/lsp/actions.py
"""

import os
import unittest

from client import Client, copy_example, temporary_folder, uri_of

CONSTANTS = """__global__ void scaled(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  for (int k = 0; k < 64; ++k)
    x = x * 1.000001 + 0.5e-3;
  out[i] = x;
}
"""

SMALL_BLOCKS = """__global__ void add(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + 1;
}

void run(float *out, const float *in) {
  const int n = 1 << 22;
  const int threads = 32;
  add<<<(n + threads - 1) / threads, threads>>>(out, in, n);
}

void runOthers(float *out, const float *in) {
  int blocks = (4096 + 31) / 32;
  add<<<blocks, 32>>>(out, in, 4096);
}
"""

ALIASES = """__global__ void smooth(float *out, float *in, float *weights) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 64; ++k)
    out[i] += in[i] * weights[k];
}
"""


def apply(text, edits):
    """`text`, of ASCII only, with the edits of the protocol."""
    lines = text.splitlines(keepends=True)
    offset = lambda p: sum(map(len, lines[:p["line"]])) + p["character"]
    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        start, end = (offset(edit["range"][which]) for which in ("start", "end"))
        text = text[:start] + edit["newText"] + text[end:]
    return text


class Actions(unittest.TestCase):
    def connect(self, **arguments):
        self.client = Client(**arguments)
        self.addCleanup(self.client.kill)

    def write(self, text):
        path = os.path.join(temporary_folder(self), "kernel.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def actions_at(self, path, line):
        place = {"line": line, "character": 0}
        return self.client.request("textDocument/codeAction", {
            "textDocument": {"uri": uri_of(path)}, "range": {"start": place, "end": place},
            "context": {"diagnostics": []}})

    def after(self, path, text, action):
        """The diagnostics of the text with the action."""
        edited = apply(text, action["edit"]["changes"][uri_of(path)])
        version = self.client.change(path, edited)
        return edited, self.client.diagnostics(path, version)

    def test_padding_gains_what_its_title_says(self):
        self.connect()
        path = copy_example("transpose.cu", temporary_folder(self))
        text = self.client.open(path)
        self.client.diagnostics(path)
        pad, suppress = self.actions_at(path, 40)
        self.assertRegex(pad["title"], r"^pad the rows of 'tile' by one element "
                                       r"\(predicted 1\.\d+x faster: 7\.\d+ us to 4\.\d+ us\)$")
        self.assertEqual(pad["diagnostics"][0]["code"], "BankConflict")
        self.assertTrue(pad["isPreferred"])
        self.assertEqual(suppress["title"], "suppress BankConflict here")
        self.assertEqual(self.actions_at(path, 3), [])
        edited, found = self.after(path, text, pad)
        self.assertIn("float tile[Tile][Tile + 1];\n  int x", edited)
        self.assertEqual([d["code"] for d in found], ["UncoalescedAccess"])

    def test_what_is_suppressed_is_silent(self):
        self.connect()
        path = copy_example("transpose.cu", temporary_folder(self))
        text = self.client.open(path)
        self.client.diagnostics(path)
        suppress = self.actions_at(path, 40)[-1]
        edited, found = self.after(path, text, suppress)
        self.assertIn("// NOLINT(gpu-occupancy-BankConflict)\n", edited)
        self.assertEqual([d["code"] for d in found], ["UncoalescedAccess"])
        # The comment moves with its line.
        version = self.client.change(path, "\n\n" + edited)
        found = self.client.diagnostics(path, version)
        self.assertEqual([d["code"] for d in found], ["UncoalescedAccess"])

    def test_constants_get_their_suffix(self):
        self.connect(options={"launches": ["scaled:grid=1024,block=256"]})
        path = self.write(CONSTANTS)
        text = self.client.open(path)
        found = self.client.diagnostics(path)
        line = next(d for d in found if d["code"] == "SlowInstruction")["range"]["start"]["line"]
        action = self.actions_at(path, line)[0]
        self.assertRegex(action["title"], r"^write 1\.000001f, 0\.5e-3f instead of double \(pred")
        edited, found = self.after(path, text, action)
        self.assertIn("x * 1.000001f + 0.5e-3f;", edited)
        self.assertNotIn("SlowInstruction", [d["code"] for d in found])

    def test_a_block_size_is_chosen_where_it_is_named(self):
        self.connect()
        text = SMALL_BLOCKS.split("void runOthers")[0]
        path = self.write(text)
        self.client.open(path, text)
        self.client.diagnostics(path)
        for line in (0, text.splitlines().index("  add<<<(n + threads - 1) / threads, threads>>>"
                                                "(out, in, n);")):
            actions = [a for a in self.actions_at(path, line) if "in blocks of" in a["title"]]
            self.assertRegex(actions[0]["title"],
                             r"^launch 'add' in blocks of 128 threads instead of 32 \(pred")
        edited = apply(text, actions[0]["edit"]["changes"][uri_of(path)])
        self.assertEqual(edited, text.replace("threads = 32", "threads = 128"))

    def test_a_block_size_is_chosen_with_its_grid(self):
        self.connect()
        text = SMALL_BLOCKS.replace("4096", "4194304")
        text = text[:text.index("void run(")] + text[text.index("void runOthers"):]
        path = self.write(text)
        self.client.open(path, text)
        self.client.diagnostics(path)
        action = next(a for a in self.actions_at(path, 0) if "blocks of 256" in a["title"])
        edited = apply(text, action["edit"]["changes"][uri_of(path)])
        self.assertEqual(edited, text.replace("+ 31) / 32", "+ 255) / 256")
                                     .replace("blocks, 32", "blocks, 256"))

    def test_no_block_size_where_two_launches_share_the_kernel(self):
        self.connect()
        path = self.write(SMALL_BLOCKS)
        self.client.open(path, SMALL_BLOCKS)
        self.client.diagnostics(path)
        self.assertEqual([a["title"] for a in self.actions_at(path, 0)
                          if "in blocks of" in a["title"]], [])

    def test_arrays_that_do_not_overlap(self):
        self.connect(options={"launches": ["smooth:grid=1024,block=256"]})
        path = self.write(ALIASES)
        self.client.open(path, ALIASES)
        self.client.diagnostics(path)
        action = next(a for a in self.actions_at(path, 0) if "__restrict__" in a["title"])
        self.assertRegex(action["title"], r"^promise with __restrict__ that the arrays of "
                                          r"'smooth' do not overlap \(predicted \d+\.?\d*x faster")
        edited = apply(ALIASES, action["edit"]["changes"][uri_of(path)])
        self.assertIn("smooth(float *__restrict__ out, float *__restrict__ in, "
                      "float *__restrict__ weights)", edited)

    def test_an_assumed_launch_is_written_down(self):
        self.connect()
        path = self.write(CONSTANTS)
        self.client.open(path)
        self.client.diagnostics(path)
        action, = [a for a in self.actions_at(path, 0) if "launch of" in a["title"]]
        create, edit = action["edit"]["documentChanges"]
        self.assertEqual(create["kind"], "create")
        self.assertTrue(create["uri"].endswith("/.gpu-occupancy"))
        # Nothing is given by what is written: it is assumed as before.
        self.assertEqual(edit["edits"][0]["newText"],
                         "launches:\n  - kernel: scaled\n"
                         "    # assumed: correct the numbers and take away the '#'\n"
                         "    # block: [256, 1, 1]\n    # grid: [?, 1, 1]\n")
        with open(os.path.join(os.path.dirname(path), ".gpu-occupancy"), "w",
                  encoding="utf-8") as file:
            file.write(edit["edits"][0]["newText"])
        self.client.notify("workspace/didChangeWatchedFiles", {"changes": []})
        self.client.diagnostics(path)
        self.assertEqual([a for a in self.actions_at(path, 0) if "launch of" in a["title"]], [])

    def test_a_request_beside_another(self):
        self.connect()
        path = copy_example("transpose.cu", temporary_folder(self))
        self.client.open(path)
        self.client.diagnostics(path)
        place = {"line": 40, "character": 0}
        # The sign beside the line, and the menu.
        first, second = (self.client.start_request("textDocument/codeAction", {
            "textDocument": {"uri": uri_of(path)}, "range": {"start": place, "end": place},
            "context": {"diagnostics": []}}) for _ in range(2))
        titles = [[a["title"] for a in self.client.answer(each)["result"]]
                  for each in (first, second)]
        self.assertEqual(len(titles[0]), 2)
        self.assertEqual(titles[0], titles[1])

    def test_a_request_that_is_taken_back(self):
        self.connect()
        path = copy_example("transpose.cu", temporary_folder(self))
        self.client.open(path)
        self.client.diagnostics(path)
        place = {"line": 40, "character": 0}
        number = self.client.start_request("textDocument/codeAction", {
            "textDocument": {"uri": uri_of(path)}, "range": {"start": place, "end": place},
            "context": {"diagnostics": []}})
        self.client.notify("$/cancelRequest", {"id": number})
        self.assertEqual(self.client.answer(number, limit=20)["error"]["code"], -32800)
        self.assertEqual(self.client.end(), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
