#!/usr/bin/env python3
"""The pure parts of tools/scripts/analyze-projects.py.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools/scripts"))

from project_outcome import Outcome, each_nth_program, failures_in, glob_of, reason_of

SAID = """note: include folders are guessed
error: '/p/a/x.cu' was not analyzed: /p/a/x.cu:5:10: fatal error: 'mpi.h' file not found
error: '/p/b/y.cu' was not analyzed: /p/b/y.cu:1:1: error: unknown type name 'fp'
2 of 4 files not analyzed
"""


class Outcomes(unittest.TestCase):
    def test_programs_without_their_headers_do_not_count(self):
        outcome = Outcome(["/p/a/x.cu", "/p/b/y.cu", "/p/b/z.cu", "/p/c/w.cu"],
                          failures_in(SAID), names={"other.h"})
        self.assertEqual((len(outcome.programs), outcome.present, outcome.analyzed), (3, 2, 1))
        self.assertEqual(outcome.share, 0.5)
        self.assertEqual(dict(outcome.reasons), {"no header mpi.h": 1, "unknown type name 'fp'": 1})

    def test_a_header_that_the_project_has_is_no_excuse(self):
        message = "/p/a/x.cu:5:10: fatal error: 'inc/mpi.h' file not found"
        self.assertEqual(reason_of("/p/a/x.cu", message, {"mpi.h"}),
                         ("header inc/mpi.h lies elsewhere in the project", False))

    def test_macros_of_makefiles_are_told_from_mistakes(self):
        message = "x.cu:1:1: error: use of undeclared identifier 'N'"
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(reason_of(f"{folder}/x.cu", message, set())[0],
                             "use of undeclared identifier 'N'")
            Path(folder, "Makefile").write_text("CFLAGS = -DN=4\n", encoding="utf-8")
            self.assertEqual(reason_of(f"{folder}/x.cu", message, set())[0],
                             "a macro that its build defines")


class Choice(unittest.TestCase):
    def test_each_nth_program_with_all_its_sources(self):
        sources = ["/p/a/1.cu", "/p/b/1.cu", "/p/b/2.cu", "/p/c/1.cu"]
        self.assertEqual(each_nth_program(sources, 2, 1), ["/p/b/1.cu", "/p/b/2.cu"])

    def test_a_pattern_is_never_a_file_name(self):
        self.assertEqual(glob_of("/p", ["/p/b/1.cu", "/p/a/1.cu"]), "/p/{a/1.cu,b/1.cu}")
        self.assertEqual(glob_of("/p", ["/p/a/1.cu"]), "/p/[a]/1.cu")


if __name__ == "__main__":
    unittest.main()
