#!/usr/bin/env python3
"""The pure parts of tools/scripts/run-on-sources.py.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools/scripts"))

from compile_pairs import (Run, gap_reason, gaps_of_report, is_written_alone, measured, median,
                           new_diagnostics, run, verdict)
from nearby_headers import HeaderIndex, include_folders, included_names
from pair_statistics import bad_rows, quantile, ratios, summarize, table


def ran(status=0, timed_out=False, messages="", outputs=None):
    return Run(status, timed_out, 1.0, 1.0, 1024, messages, outputs or {"a.s": "1"})


class Verdict(unittest.TestCase):
    def test_equal_and_changed(self):
        self.assertEqual(verdict(ran(), ran()), "equal")
        self.assertEqual(verdict(ran(), ran(outputs={"a.s": "2"})), "changed")
        self.assertEqual(verdict(ran(), ran(outputs={"a.s": "1", "b": "2"})), "changed")

    def test_what_does_not_compile_alone_says_nothing(self):
        self.assertEqual(verdict(ran(status=1), ran(status=-11)), "not compiled")
        self.assertEqual(verdict(ran(timed_out=True), ran()), "not compiled")

    def test_a_compiler_that_varies_is_told_apart(self):
        texts = iter([{"a.s": "1"}, {"a.s": "1"}, {"a.s": "2"}])
        self.assertTrue(is_written_alone({"a.s": "2"}, lambda: next(texts)))
        self.assertFalse(is_written_alone({"a.s": "3"}, lambda: {"a.s": "1"}))

    def test_crash_failure_and_hang_are_told_apart(self):
        self.assertEqual(verdict(ran(), ran(status=-11)), "crash")
        self.assertEqual(verdict(ran(), ran(status=139)), "crash")
        self.assertEqual(verdict(ran(), ran(status=1, messages="LLVM ERROR: x")), "crash")
        self.assertEqual(verdict(ran(), ran(status=1, messages="error: x")), "failed")
        self.assertEqual(verdict(ran(), ran(status=-9, timed_out=True)), "hang")


class Messages(unittest.TestCase):
    def test_only_what_is_new_counts_and_as_often_as_it_is(self):
        old = "a.cu:1:2: warning: x\nnote: y\n"
        self.assertEqual(new_diagnostics(old, old), [])
        self.assertEqual(new_diagnostics(old, old + old), ["a.cu:1:2: warning: x"])
        self.assertEqual(new_diagnostics("warning: <unknown>:0:0: w\n", "a.cu:1:2: warning: w\n"),
                         [])
        self.assertEqual(new_diagnostics("", "a.cu:1:2: remark: z\nwarning: w\n"),
                         ["warning: w"])

    def test_reasons_drop_the_place(self):
        self.assertEqual(gap_reason("not analyzed: inline assembly 'vset2' is unknown"),
                         "inline assembly 'vset2' is unknown")
        self.assertEqual(gap_reason("lane addresses of this global load are unknown: r"),
                         "lane addresses unknown: r")
        self.assertEqual(gap_reason("not analyzed: further places, which cost less: 2 of R; a"),
                         gap_reason("not analyzed: further places, which cost less: 3 of R; b"))

    def test_kernels_are_counted_once_a_reason(self):
        gap = {"name": "NotAnalyzed", "message": "not analyzed: r"}
        other = {"name": "KernelVerdict", "message": "v"}
        report = {"kernels": [{"findings": [other, gap, gap]}, {"findings": [gap]},
                              {"findings": [other]}]}
        self.assertEqual(gaps_of_report(report), (3, {"r": 2}))


class Runs(unittest.TestCase):
    def test_outputs_status_and_messages(self):
        with tempfile.TemporaryDirectory() as scratch:
            done = run(["sh", "-c", "echo one > a.s; echo error: no >&2; exit 3"],
                       Path(scratch, "work"), 60)
            again = run(["sh", "-c", "echo two > a.s"], Path(scratch, "work"), 60)
            self.assertEqual(list(Path(scratch).iterdir()), [])
        self.assertEqual((done.status, done.timed_out, done.messages), (3, False, "error: no\n"))
        self.assertEqual(list(done.outputs), ["a.s"])
        self.assertNotEqual(done.outputs, again.outputs)

    def test_what_hangs_is_killed_with_its_children(self):
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as scratch:
            done = run(["sh", "-c", "sleep 600 & wait"], Path(scratch, "work"), 0.02)
        self.assertTrue(done.timed_out)
        self.assertFalse(done.crashed)
        self.assertLess(time.monotonic() - begin, 60)

    def test_what_computes_for_ever_is_killed(self):
        with tempfile.TemporaryDirectory() as scratch:
            done = run(["sh", "-c", "while :; do :; done"], Path(scratch, "work"), 1)
        self.assertTrue(done.timed_out)
        self.assertFalse(done.crashed)
        self.assertGreaterEqual(done.cpu_s, 0.9)


    def test_costs_are_medians_over_the_pairs(self):
        def took(cpu_s):
            return Run(0, False, cpu_s, cpu_s, 1024, "", {})
        pairs = [(took(1), took(2)), (took(5), took(3)), (took(2), took(9))]
        self.assertEqual(measured(pairs), {"cpu_s": [2, 3], "wall_s": [2, 3],
                                           "memory_mib": [1, 1]})
        self.assertEqual(measured(pairs, [took(4), took(3), took(3)])["remarks_cpu_s"], 3)
        self.assertEqual(median([1, 2]), 1.5)


class Headers(unittest.TestCase):
    def folders(self, texts, source, system=()):
        return include_folders(source, HeaderIndex(texts), system,
                               lambda path: texts.get(path, ""),
                               lambda path: path in texts or path in system_files)

    def test_names(self):
        self.assertEqual(included_names('#include <a.h>\n # include "b/c.h"\n// #x\n'
                                        '#include <a.h>\nint include;\n'), ["a.h", "b/c.h"])

    def test_nearest_folder_is_taken(self):
        texts = {"/s/one/a.cu": '#include "x.h"', "/s/one/inc/x.h": "", "/s/two/inc/x.h": ""}
        self.assertEqual(self.folders(texts, "/s/one/a.cu"), ["/s/one/inc"])

    def test_headers_of_headers_and_of_subfolders(self):
        texts = {"/s/a.cu": '#include "sub/x.h"', "/s/inc/sub/x.h": '#include "y.h"\n'
                 '#include "beside.h"', "/s/lib/y.h": "", "/s/inc/sub/beside.h": ""}
        self.assertEqual(self.folders(texts, "/s/a.cu"), ["/s/inc", "/s/lib"])

    def test_what_is_beside_the_compilers_or_nowhere_needs_no_folder(self):
        texts = {"/s/a.cu": '#include "b.h"\n#include <math.h>\n#include <gone.h>',
                 "/s/b.h": "", "/s/other/math.h": ""}
        system_files.add("/usr/include/math.h")
        self.assertEqual(self.folders(texts, "/s/a.cu", ["/usr/include"]), [])

    def test_a_name_is_no_ending_of_another(self):
        texts = {"/s/a.cu": '#include "x.h"', "/s/inc/box.h": ""}
        self.assertEqual(self.folders(texts, "/s/a.cu"), [])


system_files = set()


class Statistics(unittest.TestCase):
    def test_quantiles(self):
        self.assertEqual(quantile([3], 0.95), 3)
        self.assertEqual(quantile([4, 1, 3, 2], 0.5), 2)
        self.assertEqual(quantile(range(1, 101), 0.95), 95)

    def test_ratios(self):
        r = ratios([(1.0, 1.5), (2.0, 2.0), (1.0, 4.5)], "abc")
        self.assertEqual((r["median"], r["worst"], r["worst_file"], r["sum"]), (1.5, 4.5, "c", 2))
        self.assertIsNone(ratios([], []))

    def test_summary(self):
        cost = {"cpu_s": [1, 2], "wall_s": [1, 2], "memory_mib": [1, 2]}
        rows = [{"file": "a", "result": "equal", "kernels": 2, "not_analyzed": {"r": 2}, **cost},
                {"file": "b", "result": "not compiled", "why": "w"},
                {"file": "c", "result": "crash", "kernels": 0, "cpu_s": [1, 99],
                 "wall_s": [1, 99], "memory_mib": [1, 99], "new_diagnostics": ["e"]}]
        s = summarize(rows)
        self.assertEqual((s["sources"], s["compiled"], s["kernels"], s["equal"], s["crash"],
                          s["new_diagnostics"]), (3, 2, 2, 1, 1, 1))
        # What crashed says nothing about costs.
        self.assertEqual(s["ratios"]["cpu_s"]["worst"], 2)
        self.assertEqual(s["not_analyzed"], [{"reason": "r", "kernels": 2, "files": 1}])
        self.assertEqual([row["file"] for row in bad_rows(rows)], ["c"])
        self.assertIn("PTX equal 1 of 2", table(s))


    def test_what_remarks_take_is_shown_apart(self):
        cost = {"wall_s": [1, 2], "memory_mib": [1, 2], "result": "equal", "kernels": 1}
        rows = [{"file": "a", "cpu_s": [4, 6], "remarks_cpu_s": 5, **cost},
                {"file": "b", "cpu_s": [4, 9], **cost}]
        s = summarize(rows)
        self.assertEqual(s["apart"]["of remarks"]["sum"], 1.25)
        self.assertEqual(s["apart"]["of the plugin"]["sum"], 1.2)
        self.assertIn("CPU of remarks", table(s))
        self.assertNotIn("CPU of remarks", table(summarize(rows[1:])))


if __name__ == "__main__":
    unittest.main()
