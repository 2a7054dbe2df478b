"""Repositories of strangers: nothing of them runs, and nothing is overwritten."""

import json
import os
import subprocess
import sys

from day import KERNEL, LLVM_TOOLS, SOURCE, TOOL, Day, main

sys.path.append(os.path.join(SOURCE, "test", "lsp"))
from client import Client  # pylint: disable=wrong-import-position

# Whatever a shell, nvcc or the host compiler would make of them; each would
# make a file PWNED.
NAMES = ["a$(touch PWNED)", "a`touch PWNED`", 'a";touch PWNED;"', "a;touch PWNED;", "a|touch PWNED",
         "a\ntouch PWNED\n", "a'b", "a b", "a\\b", "a,-B.", "a%b", "-fplugin=a", "@a", "a=b"]

# A word for each part that a name goes through: nvcc takes a second.
SOME = [NAMES[0], 'a";touch PWNED;"', "a,-B."]

# Says which headers it found.
INCLUDING = f"""#include "beside.h"
#include "around.h"
static_assert(BESIDE == 1 && AROUND == 2, "other headers");
{KERNEL}"""

RUNS = """#!/bin/sh
touch "{canary}"
exit 1
"""

# A library that says that it was loaded.
PLUGIN_SOURCE = """#include <stdio.h>
__attribute__((constructor)) static void load(void) {{ fclose(fopen("{canary}", "w")); }}
"""


class Repository(Day):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("tree"))
        os.mkdir(self.path("tmp"))
        self.canary = self.path("PWNED")

    def environment(self, variables):
        environment = dict(os.environ, TMPDIR=self.path("tmp"), XDG_CACHE_HOME=self.path("cache"))
        environment.update(variables)
        return environment

    def state(self):
        """All files but those of the cache, with what they hold."""
        found = {}
        for at, folders, names in os.walk(self.folder):
            folders[:] = [name for name in folders if name not in ("cache", "toolkit", ".git")]
            for name in names:
                path = os.path.join(at, name)
                if os.path.isfile(path):
                    with open(path, "rb") as file:
                        found[path] = file.read()
        return found

    def harmless(self, *arguments, variables, cwd=None, statuses=(0,)):
        """Runs the command, which must change nothing; returns how it ended."""
        before = self.state()
        done = self.ended([TOOL, *arguments], limit=120, env=self.environment(variables),
                          cwd=cwd or self.path("tree"), stdout=subprocess.PIPE)
        after = self.state()
        self.assertEqual(sorted(set(after) ^ set(before)), [], arguments)
        self.assertEqual([path for path in before if after[path] != before[path]], [])
        self.assertEqual(os.listdir(self.path("tmp")), [])
        self.assertIn(done.returncode, statuses, done.stderr.decode(errors="replace"))
        return done

    def kernels(self, done):
        return [kernel["name"] for kernel in json.loads(done.stdout)["kernels"]]

    def database(self, *entries):
        """A database in the tree of (compiler and options, file)."""
        self.file("tree/compile_commands.json", json.dumps(
            [{"directory": self.path("tree"), "file": file, "arguments": [*command, "-c", file]}
             for command, file in entries]))


class Names(Repository):
    """Names of sources, folders, include folders, macros and TMPDIR."""

    def real_toolkits(self):
        return self.toolkits()[1:] or self.skipTest("no nvcc")

    def trials(self):
        """Variables that choose an nvcc, and names to try with it."""
        return [(variables, SOME if number else NAMES)
                for number, variables in enumerate(self.toolkits())]

    def lay_out(self, name):
        """A source of that name in a folder of that name; its folder."""
        folder = os.path.join(self.path("tree"), name)
        os.makedirs(os.path.join(folder, "include"), exist_ok=True)
        self.file(os.path.join(folder, name + ".cu").encode(), INCLUDING)
        self.file(os.path.join(folder, "beside.h").encode(), "#define BESIDE 1\n")
        self.file(os.path.join(folder, "include", "around.h").encode(), "#define AROUND 2\n")
        return folder

    def test_files_and_folders(self):
        for variables, names in self.trials():
            for name in names:
                folder = self.lay_out(name)
                with self.subTest(name=name, **variables):
                    self.harmless("analyze", os.path.join(folder, name + ".cu"), "--format=json",
                                  "--ptxas=off", "--code=nvcc", "--cache=off", "--",
                                  "-I" + os.path.join(folder, "include"), variables=variables)
                subprocess.run(["rm", "-rf", folder], check=True)

    def test_a_tree(self):
        for name in SOME:
            self.lay_out(name)
        for variables in self.toolkits():
            with self.subTest(**variables):
                done = self.harmless("analyze", ".", "--format=json", "--ptxas=off", "--code=nvcc",
                                     "--cache=off", variables=variables)
                self.assertEqual(len(self.kernels(done)), len(SOME))

    def test_a_database(self):
        for variables, names in self.trials():
            entries = []
            for name in names:
                folder = self.lay_out(name)
                # nvcc's own lists end at commas.
                include, value = (text.replace(",", "\\,")
                                  for text in (os.path.join(folder, "include"), name))
                entries.append((["nvcc", "-arch=sm_90", f"-I{include}", f"-DNAME={value}",
                                 f"-Xcompiler=-DOTHER={value}"],
                                os.path.join(folder, name + ".cu")))
            self.database(*entries)
            with self.subTest(**variables):
                done = self.harmless("analyze", "-p", ".", "--format=json", "--ptxas=off",
                                     "--code=nvcc", "--cache=off", variables=variables)
                self.assertEqual(len(self.kernels(done)), len(names))

    def test_a_makefile(self):
        self.file("tree/kernel.cu", KERNEL)
        for name in NAMES:
            os.makedirs(os.path.join(self.path("tree"), name), exist_ok=True)
        self.file("tree/Makefile", "".join(f"X = -I{name} -DX={name}\n" for name in NAMES))
        for variables in self.toolkits():
            self.harmless("analyze", ".", "--ptxas=off", "--code=nvcc", "--cache=off",
                          variables=variables)

    def test_the_folder_for_temporary_files(self):
        source = self.file("tree/kernel.cu", KERNEL)
        for variables, names in self.trials():
            for name in [*names, "."]:
                folder = os.path.join(self.path("tmp"), name)
                os.makedirs(folder, exist_ok=True)
                with self.subTest(name=name, **variables):
                    before = self.state()
                    done = subprocess.run(
                        [TOOL, "analyze", source, "--ptxas=off", "--code=nvcc", "--cache=off"],
                        env=self.environment({**variables, "TMPDIR": "." if name == "." else folder}),
                        cwd=folder, capture_output=True, timeout=60, check=False)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(os.listdir(folder), [])
                    self.assertEqual(self.state(), before)
                if name != ".":
                    os.rmdir(folder)

    def test_places_are_those_of_the_source(self):
        source = os.path.join(self.lay_out("a b"), "a b.cu")
        for variables in self.real_toolkits():
            done = self.harmless("analyze", source, "--format=json", "--ptxas=off", "--code=nvcc",
                                 "--cache=off", "--", "-I" + self.path("tree/a b/include"),
                                 variables=variables)
            self.assertIn(source, done.stdout.decode())
            self.assertNotIn(self.path("tmp"), done.stdout.decode())
            self.file("tree/a b/beside.h", "#error here\n")
            done = self.harmless("analyze", source, "--code=nvcc", "--cache=off",
                                 variables=variables, statuses=(2,))
            self.assertIn(f"{self.path('tree/a b/beside.h')}:1:2: error: #error here",
                          done.stderr.decode())

    def test_headers_in_front_of_the_source_know_cuda(self):
        source = self.file("tree/kernel.cu", KERNEL + "__global__ void other() { first(); }\n")
        self.file("tree/first.h", "__device__ inline void first() {}\n")
        self.database((["nvcc", "-include", "first.h"], source))
        for variables in self.real_toolkits():
            done = self.harmless("analyze", "-p", ".", "--format=json", "--ptxas=off",
                                 "--code=nvcc", "--cache=off", variables=variables)
            self.assertEqual(len(self.kernels(done)), 2)

    def test_a_commit(self):
        for name in SOME:
            self.lay_out(name)
        git = ["git", "-c", "user.name=t", "-c", "user.email=t@t", "-C", self.path("tree")]
        for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "one"]):
            subprocess.run(git + command, check=True)
        for at, _, names in os.walk(self.path("tree")):
            for name in names:
                if name.endswith(".cu"):
                    with open(os.path.join(at, name), "a", encoding="utf-8") as file:
                        file.write("// changed\n")
        for variables in self.toolkits():
            with self.subTest(**variables):
                done = self.harmless("check", "--against", "HEAD", "--ptxas=off", "--code=nvcc",
                                     "--cache=off", variables=variables)
                self.assertIn(f"{len(SOME)} kernels checked", done.stderr.decode())


def together(lists, most=8):
    """The lists of words, so many to a command."""
    return [sum(lists[at:at + most], []) for at in range(0, len(lists), most)]


class Options(Repository):
    """Options of databases and response files."""

    def setUp(self):
        super().setUp()
        self.source_in_tree = self.file("tree/kernel.cu", KERNEL)
        self.program = self.file("tree/program", RUNS.format(canary=self.canary))
        os.mkdir(self.path("tree/bin"))
        for path in ["tree/program", *("tree/bin/" + name for name in (
                "cc1plus", "cc1", "g++", "gcc", "ptxas", "as", "ld", "fatbinary"))]:
            os.chmod(self.file(path, RUNS.format(canary=self.canary)), 0o755)
        source = self.file("plugin.c", PLUGIN_SOURCE.format(canary=self.canary))
        self.library = self.path("tree/plugin.so")
        subprocess.run([os.path.join(LLVM_TOOLS, "clang"), "-shared", "-fPIC", source, "-o",
                        self.library], check=True)
        for name in ("victim", "kernel.o", "k.o"):
            self.file(f"tree/{name}", "old")
        self.file("tree/clang.cfg", f"-fplugin={self.library}\n")
        self.file("tree/specs", "*cc1plus:\n-fplugin=x\n")
        self.file("tree/options.rsp", f"-fplugin={self.library} -Xclang -load -Xclang {self.library}")

    def of_clang(self):
        victim, library = self.path("tree/victim"), self.library
        return [
            [f"-fplugin={library}"], ["-Xclang", "-load", "-Xclang", library],
            ["-Xclang", f"-fpass-plugin={library}"], [f"-fpass-plugin={library}"],
            ["--config=clang.cfg"], ["--config", "clang.cfg"],
            ["-mllvm", f"-gpu-occupancy-ptxas={self.program}"], ["-mllvm", f"-load={library}"],
            ["@options.rsp"], ["-I", "@options.rsp"], ["-include", "@options.rsp"],
            ["-B", "bin"], ["-Bbin"], ["--gcc-toolchain=."], ["-fuse-ld=" + self.program],
            ["-no-integrated-as"], ["-no-integrated-cpp"], ["-wrapper", self.program],
            ["-Xcuda-ptxas", f"-o{victim}"], ["--cuda-path=."], ["-ccc-install-dir", "bin"],
            # What writes files.
            [f"-o{victim}"], ["-ok.o"], ["-o", "k.o"], [f"-foptimization-record-file={victim}"],
            ["-fsave-optimization-record"], ["-Xclang", "-dependency-file", "-Xclang", victim],
            ["-Xclang", "-header-include-file", "-Xclang", victim],
            ["-mllvm", f"-gpu-occupancy-report-file={victim}"],
            ["-mllvm", f"-info-output-file={victim}", "-mllvm", "-stats"],
            ["-MD", "-MF", victim], [f"-MF{victim}", "-MD"], [f"-Wp,-MD,{victim}"],
            ["-save-temps"], ["-save-temps=obj"], ["-save-stats"], [f"-ftime-trace={victim}"],
            ["-ftime-trace"], ["-serialize-diagnostics", victim], [f"-fproc-stat-report={victim}"],
            ["-MJ", victim], ["-fstack-usage"], ["--coverage"], ["-gsplit-dwarf"],
            ["-Xclang", "-serialize-diagnostic-file", "-Xclang", victim],
            ["-Xarch_host", f"-fplugin={library}"], ["-Xarch_device", f"-fplugin={library}"],
            ["-fmodules", "-fmodules-cache-path=modules"], [f"-fcrash-diagnostics-dir={victim}"],
            ["-index-store-path", "store"], ["-Xpreprocessor", "-MF", "-Xpreprocessor", victim],
        ]

    def of_nvcc(self):
        victim, library = self.path("tree/victim"), self.library
        return [
            [f"-ccbin={self.path('tree/bin')}"], ["-ccbin", self.path("tree/bin/g++")],
            ["-Xcompiler", f"-fplugin={library}"], [f"-Xcompiler=-fplugin={library}"],
            ["-Xcompiler", "-B./bin"], [f"-Xcompiler=-wrapper,{self.program}"],
            ["-Xcompiler=-specs=specs"], ["-Xcompiler=@options.rsp"], ["-optf", "options.rsp"],
            ["@options.rsp"], ["--compiler-options", "-B,bin"],
            ["-forward-unknown-to-host-compiler", f"-fplugin={library}", "-Bbin"],
            ["-DX=$(touch PWNED)"], ["-DX=`touch PWNED`"], ['-DX=";touch PWNED;"'],
            ["-UX;touch PWNED"], ["--std=c++17;touch PWNED"], ["-arch=sm_90;touch PWNED"],
            ["-Xptxas", f"-o,{victim}"], [f"-Xptxas=--output-file={victim}"],
            ["-ldir", "."], ["--libdevice-directory=."], ["-target-dir", "bin"],
            ["-Xptxas=--options-file,options.rsp"],
            ["-diag-suppress=1;touch PWNED"], ["-maxrregcount=32;touch PWNED"],
            ["-jtd=$(touch PWNED)"], ["-frandom-seed=$(touch PWNED)"],
            # What writes files.
            ["-ok.o"], ["-o", "k.o"], ["-MD", "-MF", victim], ["--keep"], ["-keep", "-keep-dir=."],
            ["-save-temps"], ["-odir", "."], [f"-Xcompiler=-MD,-MF,{victim}"],
            [f"-Xcompiler=-Wp,-MD,{victim}"], ["-Xcompiler=-save-temps"], ["-Xcompiler=-dumpdir=."],
            ["-Xcompiler", f"-o{victim}"], ["-fdevice-time-trace=t"], ["--time=t.csv"],
            [f"-Xcompiler=-fdiagnostics-add-output=sarif:file={victim}"],
        ]

    def test_of_clang(self):
        for options in together(self.of_clang()):
            with self.subTest(options=options):
                self.database((["clang++", "-x", "cuda", "--cuda-gpu-arch=sm_90", *options],
                               self.source_in_tree))
                self.harmless("analyze", "-p", ".", "--cache=off", "--ptxas=off", variables={},
                              statuses=(0, 2))

    def test_of_nvcc(self):
        for number, variables in enumerate(self.toolkits()):
            for options in together(self.of_nvcc(), 100 if number else 8):
                with self.subTest(options=options, **variables):
                    self.database((["nvcc", *options], self.source_in_tree))
                    self.harmless("analyze", "-p", ".", "--cache=off", "--ptxas=off",
                                  "--code=nvcc", variables=variables)

    def test_files_of_options_in_the_place_of_headers(self):
        for variables in self.toolkits():
            for name in ("@options.rsp", "@" + self.path("tree/options.rsp")):
                for compiler in ("nvcc", "clang++"):
                    self.database(([compiler, "-x", "cu", "-include", name], self.source_in_tree))
                    self.harmless("analyze", "-p", ".", "--cache=off", "--ptxas=off",
                                  variables=variables, statuses=(2,))

    def test_all_are_named_in_one_note(self):
        self.database((["clang++", "-x", "cuda", "-fplugin=a.so", "-Bbin", "-std=c++17", "-O2"],
                       self.source_in_tree))
        done = self.harmless("analyze", "-p", ".", "--cache=off", "--ptxas=off", variables={})
        self.assertEqual([line for line in done.stderr.decode().splitlines() if "note: " in line],
                         ["note: options of the compilation database that could do more than decide "
                          "what code says, or are not known, were dropped: -fplugin=a.so -Bbin; what "
                          "you trust can be given behind --"])

    def test_compilers_of_a_database_are_not_run(self):
        for name in (self.program, "./program", "bin/gcc", self.path("tree/bin/g++"), "ccache"):
            self.database(([name], self.source_in_tree))
            self.harmless("analyze", "-p", ".", "--cache=off", "--ptxas=off", variables={})

    def test_options_of_the_user_are_free(self):
        done = subprocess.run([TOOL, "analyze", self.source_in_tree, "--ptxas=off", "--cache=off",
                               "--", f"-fplugin={self.library}"], capture_output=True, check=False)
        self.assertTrue(os.path.exists(self.canary), done.stderr)

    def test_an_editor_opens_a_file(self):
        for options in ([f"-fplugin={self.library}"], ["@options.rsp"], sum(self.of_clang(), [])):
            self.database((["clang++", "-x", "cuda", "--cuda-gpu-arch=sm_90", *options],
                           self.source_in_tree))
            before = self.state()
            client = Client(options={"delayMs": 0}, environment=self.environment({}))
            self.addCleanup(client.kill)
            client.open(self.source_in_tree)
            self.assertNotEqual(client.diagnostics(self.source_in_tree), [])
            note = client.wait(lambda message: message.get("method") == "window/showMessage" and
                               "were dropped" in message["params"]["message"])
            self.assertIn("options of the compilation database", note["params"]["message"])
            self.assertEqual(client.end(), 0)
            self.assertEqual(self.state(), before)
            self.assertEqual(os.listdir(self.path("tmp")), [])


class Configurations(Repository):
    """Configurations and device files are data."""

    def test_paths_stay_in_the_folder(self):
        module = self.file("tree/kernel.ll", self.contents(self.module))
        secret = self.file("secret.bin", "12345678")
        device = self.file("device.json", "{}")
        os.symlink(secret, self.path("tree/link.bin"))
        os.symlink(device, self.path("tree/link.json"))
        os.mkdir(self.path("tree/below"))
        os.symlink("/dev/zero", self.path("tree/zero.json"))
        self.file("tree/below/own.bin", "12345678")
        for said, path in (
                ("launches: [{kernel: scale, memory: {0: %s}}]", secret),
                ("launches: [{kernel: scale, memory: {0: %s}}]", "../secret.bin"),
                ("launches: [{kernel: scale, memory: {0: %s}}]", "link.bin"),
                ("device: %s", device), ("device: %s", "../device.json"),
                ("device: %s", "link.json"), ("device: %s", "zero.json"),
                ("device: %s", "/etc/passwd")):
            with self.subTest(path=path):
                config = self.file("tree/.gpu-occupancy", said % path + "\n")
                self.refused("analyze", module, "--ptxas=off", cwd=self.path("tree"),
                             says=f"{path}' is no file below the folder of the configuration; name "
                                  "the configuration with --config")
                if "memory" in said:
                    self.tool("analyze", module, f"--config={config}", "--ptxas=off",
                              cwd=self.path("tree"))
        self.file("tree/.gpu-occupancy", "launches: [{kernel: scale, memory: {0: below/own.bin}}]\n")
        self.tool("analyze", module, "--ptxas=off", cwd=self.path("tree"))

    def test_what_never_ends(self):
        module = self.file("tree/kernel.ll", self.contents(self.module))
        os.mkfifo(self.path("tree/.gpu-occupancy"))
        self.refused("analyze", module, "--ptxas=off", says="is not a file")


class Git(Repository):
    """What a repository tells git to run."""

    def setUp(self):
        super().setUp()
        program = self.file("program", RUNS.format(canary=self.canary))
        os.chmod(program, 0o755)
        self.program = program
        self.file("tree/kernel.cu", KERNEL)
        self.file("tree/.gitattributes", "*.cu filter=evil diff=evil\n*.h filter=evil2\n")
        self.file("tree/other.h", "int x;\n")
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "one")
        # As old as its entry of the index: git asks the filter whether it changed.
        self.file("tree/kernel.cu", KERNEL + "// changed\n")
        self.file("tree/other.h", "int y;\n")

    def git(self, *command):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", "-C", self.path("tree"),
                        *command], check=True)

    def checked(self):
        done = self.harmless("check", "--against", "HEAD", "--ptxas=off", "--cache=off",
                             "--code=clang", variables={})
        self.assertIn("1 kernel checked", done.stderr.decode())

    def test_monitors_hooks_filters_and_differs(self):
        hooks = self.path("tree/.git/hooks")
        os.makedirs(hooks, exist_ok=True)
        for name in ("post-index-change", "post-checkout", "reference-transaction", "pre-commit"):
            os.chmod(self.file(f"tree/.git/hooks/{name}", RUNS.format(canary=self.canary)), 0o755)
        for key in ("core.fsmonitor", "core.pager", "core.sshCommand", "core.editor",
                    "filter.evil.smudge", "filter.evil.clean", "filter.evil2.process",
                    "diff.evil.textconv", "diff.evil.command", "diff.external",
                    "core.alternateRefsCommand", "uploadpack.packObjectsHook", "gpg.program",
                    "credential.helper", "sequence.editor", "remote.evil.uploadpack"):
            self.git("config", key, self.program)
        self.git("config", "filter.evil.required", "true")
        self.git("config", "remote.evil.url", self.path("tree"))
        self.checked()

    def test_missing_objects_are_not_fetched(self):
        blob = subprocess.run(["git", "-C", self.path("tree"), "rev-parse", "HEAD:kernel.cu"],
                              capture_output=True, check=True).stdout.decode().strip()
        os.remove(self.path(f"tree/.git/objects/{blob[:2]}/{blob[2:]}"))
        for key, value in (("core.repositoryFormatVersion", "1"), ("extensions.partialClone", "evil"),
                           ("remote.evil.promisor", "true"),
                           ("remote.evil.url", f"ext::{self.program}"),
                           ("remote.evil.uploadpack", self.program),
                           ("protocol.ext.allow", "always")):
            self.git("config", key, value)
        self.harmless("check", "--against", "HEAD", "--ptxas=off", "--cache=off", "--code=clang",
                      variables={}, statuses=(0, 2))


if __name__ == "__main__":
    main()
