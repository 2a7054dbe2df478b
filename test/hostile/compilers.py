"""Wrong compilers: one line that names theirs and ours."""

import glob
import os
import re
import shutil
import unittest

from day import PLUGIN, Day, main


class Compilers(Day):
    def others(self, program):
        """This program of other releases."""
        found = [path for path in glob.glob(f"/usr/bin/{program}-[0-9]*")
                 if re.fullmatch(rf"{program}-\d+", os.path.basename(path))
                 and not path.endswith("-22")]
        if not found:
            self.skipTest(f"no other {program}")
        return found

    def test_plugin_in_another_llvm(self):
        host = self.file("host.c", "int main(void) { return 0; }\n")
        out = self.path("out")
        commands = [[path, "-O1", "-c", host, "-o", out, f"-fpass-plugin={PLUGIN}"]
                    for path in self.others("clang")]
        commands += [[path, "-passes=verify", f"-load-pass-plugin={PLUGIN}", os.devnull, "-o", out]
                     for path in self.others("opt")]
        for command in commands:
            done = self.run_any(*command)
            self.assertEqual(done.returncode, 0, done.stderr.decode())
            self.assertRegex(
                done.stderr.decode(),
                r"\Awarning: gpu-occupancy was built with LLVM 22\.\S* and does nothing in this "
                r"compiler, which has (LLVM \d+\.\d+\.\d+|another LLVM \(\S+\))\n\Z")

    def test_another_clang(self):
        for path in self.others("clang"):
            version = path.rsplit("-", 1)[1]
            self.refused("analyze", f"--clang={path}", self.source,
                         says=rf"'{path}' is clang {version}\.\S*; gpu-occupancy was built with "
                              r"LLVM 22\.\S* and needs clang 22$")

    def test_no_clang(self):
        for name in ("g++", "nvcc", "true"):
            path = shutil.which(name)
            if path and name != "true":
                self.refused("analyze", f"--clang={path}", self.source, says="is not clang")
        self.refused("analyze", "--clang=/no/such/clang", self.source,
                     says="there is no compiler '/no/such/clang'")
        self.refused("analyze", f"--clang={self.module}", self.source, says="there is no compiler")

    def test_a_compiler_that_says_nothing(self):
        clang = self.file("clang", "#!/bin/sh\nexit 7\n")
        os.chmod(clang, 0o755)
        self.refused("analyze", f"--clang={clang}", self.source,
                     says="the compiler ended with status 7 on '.*kernel.cu' and said nothing")

    def test_a_compiler_that_crashes(self):
        clang = self.file("clang", "#!/bin/sh\ncase $1 in --version) echo clang version 22.1.0;;"
                                   " *) echo working >&2; kill -SEGV $$;; esac\n")
        os.chmod(clang, 0o755)
        done = self.tool("analyze", f"--clang={clang}", self.source, status=2)
        self.assertRegex(done.stderr.decode(), "the compiler crashed on '.*kernel.cu'\n$")

    def test_a_missing_assembler(self):
        self.refused("analyze", "--ptxas=/no/such/ptxas", self.source,
                     says="there is no assembler '/no/such/ptxas'")


if __name__ == "__main__":
    main()
