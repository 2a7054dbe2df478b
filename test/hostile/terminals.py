"""Names from sources, files and options reach no terminal as they are. Every
command of the day is checked for that (day.py); here the names are hostile."""

import json
import os
import re
import unittest

from day import LLVM_TOOLS, PLUGIN, Day, main

# ESC, BEL, CR, a byte that is not UTF-8, a character that turns text around.
EVIL = "\\1B[31mred\\07\\0D\\FF\\E2\\80\\AE"

MODULE = f"""target triple = "nvptx64-nvidia-cuda"
@"tile{EVIL}" = internal addrspace(3) global [1024 x float] undef
define ptx_kernel void @"evil{EVIL}"(ptr %"to{EVIL}", i32 %"n{EVIL}") #0 !dbg !4 {{
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %far = mul i32 %i, 32
  %at = getelementptr float, ptr %"to{EVIL}", i32 %far
  %old = load float, ptr %at, !dbg !5
  %word = getelementptr float, ptr addrspace(3) @"tile{EVIL}", i32 %far
  store float %old, ptr addrspace(3) %word, !dbg !5
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %back = load float, ptr addrspace(3) %word, !dbg !5
  store float %back, ptr %at, !dbg !5
  ret void
}}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
attributes #0 = {{ "target-cpu"="sm_90" }}
!llvm.dbg.cu = !{{!0}}
!llvm.module.flags = !{{!2}}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "FILENAME", directory: "/tmp")
!2 = !{{i32 2, !"Debug Info Version", i32 3}}
!4 = distinct !DISubprogram(name: "evil{EVIL}", file: !1, line: 1, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 7, column: 3, scope: !4)
"""

HOSTILE = "\x1b[31mred\x07\r"


class Terminals(Day):
    # Without an assembler: LLVM writes no PTX for such names.
    def setUp(self):
        super().setUp()
        self.evil = self.file("evil.ll", MODULE.replace("FILENAME", f"evil{EVIL}.cu"))

    def test_every_format(self):
        # All that there are, also those that come later.
        done = self.tool("analyze", "--format=none", self.evil, status=2)
        formats = re.search(r"is not one of (.*)", done.stderr.decode()).group(1).split(", ")
        self.assertIn("text", formats)
        for name in formats:
            done = self.tool("analyze", "--ptxas=off", f"--format={name}", self.evil)
            self.assertIn(b"evil", done.stdout)
        json.loads(self.tool("analyze", "--ptxas=off", "--format=json", "--with-facts",
                             self.evil).stdout)

    def test_worksheet(self):
        self.assertIn(rb"evil\x1B[31mred\x07\x0D", self.tool(
            "explain", "--ptxas=off", "/evil/", self.evil).stdout)

    def test_remarks(self):
        opt = os.path.join(LLVM_TOOLS, "opt")
        # The place in front of a remark is written by the host, and functions
        # whose names are not UTF-8 are not found again behind JSON.
        module = self.file("remarks.ll",
                           MODULE.replace("FILENAME", "evil.cu").replace("\\FF", ""))
        done = self.run_any(opt, f"-load-pass-plugin={PLUGIN}", "-passes=gpu-occupancy<ptxas=off>",
                            "-disable-output", "-pass-remarks=gpu-occupancy",
                            "-pass-remarks-missed=gpu-occupancy",
                            "-pass-remarks-analysis=gpu-occupancy",
                            module)
        self.assertIn(rb"evil\x1B[31mred\x07\x0D", done.stderr)

    def test_messages(self):
        for arguments in (
            ("analyze", self.path(f"none{HOSTILE}.cu")),
            ("analyze", f"--device={HOSTILE}", self.module),
            ("analyze", f"--launch={HOSTILE}:block=32", self.module),
            ("analyze", f"--format={HOSTILE}", self.module),
            ("analyze", f"--config={self.file('c', f'devi{HOSTILE}ce: x')}", self.module),
            ("analyze", f"--clang={HOSTILE}", self.source),
            ("analyze", "-o", self.path(f"none{HOSTILE}/x"), self.module),
            ("analyze", os.fsencode(self.path("none")) + b"\xff.cu"),
            ("explain", "--ptxas=off", HOSTILE, self.evil),
            ("device", "show", self.file("device.json", json.dumps({HOSTILE: 1}))),
            (HOSTILE,),
        ):
            self.tool(*arguments, status=2)


if __name__ == "__main__":
    main()
