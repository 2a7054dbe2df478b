"""Broken inputs of every kind: each is one clear line, and others go on."""

import json
import os
import random
import subprocess
import unittest

from day import LLVM_TOOLS, MODULE, SOURCE, TOOL, Day, main

DEVICE = os.path.join(SOURCE, "lib/Device/data/devices/nvidia-h200.json")


class Sources(Day):
    def test_what_is_no_source(self):
        os.mkfifo(self.path("fifo.cu"))
        os.mkdir(self.path("empty"))
        for path, says in (
            (self.path("none.cu"), "cannot read '.*none.cu': No such file"),
            (self.path("empty"), "there is nothing to analyze"),
            (self.path("fifo.cu"), "is not a file"),
            (self.file("notes.txt", "text"), "is no CUDA source"),
            (self.file("host.ll", 'target triple = "x86_64-unknown-linux-gnu"'), "not for an NVIDIA"),
        ):
            self.refused("analyze", path, says=says)

    def test_broken_modules(self):
        whole = self.path("kernel.bc")
        assembler = os.path.join(LLVM_TOOLS, "llvm-as")
        self.run_any(assembler, self.module, "-o", whole)
        with open(whole, "rb") as file:
            bitcode = file.read()
        for name, contents in (
            ("empty.bc", b""),
            ("half.bc", bitcode[: len(bitcode) // 2]),
            ("zeros.bc", bytes(4096)),
            ("text.bc", b"no bitcode"),
            ("bytes.ll", bytes(range(256))),
            ("half.ll", MODULE[: len(MODULE) // 2].encode()),
        ):
            with self.subTest(name):
                done = self.tool("analyze", self.file(name, contents), status=2)
                self.assertEqual(done.stdout, b"")
                self.assertEqual(done.stderr.count(b"gpu-occupancy: error: "), 1, done.stderr)

    def test_modules_that_end_the_readers_of_llvm(self):
        whole = subprocess.run(
            [os.path.join(LLVM_TOOLS, "llvm-as"), "-", "-o", "-"], input=MODULE.encode(),
            stdout=subprocess.PIPE, check=True).stdout
        levels = 200000
        names = [self.file("deep.ll", "@g = global " + "[1 x " * levels + "i32" + "]" * levels
                           + " zeroinitializer")]
        # With LLVM 22 the reader allocates for ever with 94 and 95.
        for seed in (*range(90, 100),):
            chance = random.Random(seed)
            damaged = bytearray(whole)
            for _ in range(chance.randrange(1, 4)):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            names.append(self.file(f"damaged{seed}.bc", bytes(damaged)))
        report = self.path("report.json")
        done = self.tool("analyze", "--format=json", "-o", report, *names, self.module, status=2)
        kernels = [kernel["file"] for kernel in json.loads(self.contents(report))["kernels"]]
        errors = [line for line in done.stderr.decode().splitlines() if "error: " in line]
        self.assertIn("deep.ll", errors[0])
        self.assertEqual(len(errors) + len(kernels), len(names) + 1)

    def test_a_module_that_is_not_valid(self):
        self.refused("analyze", self.file("cycle.ll", "@a = alias i32, ptr @a"),
                     says="cycle.ll.*(no valid module|cycle)")

    def test_a_kernel_without_code_leaves_the_others(self):
        # The backend ends the process for sums of 128-bit floats.
        two = self.file("two.ll", MODULE.replace("declare", """
define ptx_kernel void @wide(ptr %a) #0 {
  %v = load fp128, ptr %a
  %w = fadd fp128 %v, %v
  store fp128 %w, ptr %a
  ret void
}
declare"""))
        done = self.tool("analyze", "--format=json", two, status=2)
        names = [kernel["name"] for kernel in json.loads(done.stdout)["kernels"]]
        self.assertEqual(names, ["scale"])
        self.assertRegex(done.stderr.decode(), r"^gpu-occupancy: error: '[^\n]*two.ll': kernel 'wide' "
                                               r"is not analyzed: no code could be [^\n]*\n$")

    def test_a_launch_that_cannot_be_leaves_the_other_kernels(self):
        two = self.file("two.ll", MODULE.replace("declare", """
define ptx_kernel void @other() #0 {
  ret void
}
declare"""))
        bad = "--launch=scale:grid=1,block=2048"
        done = self.tool("analyze", "--format=json", two, bad, status=1)
        names = [kernel["name"] for kernel in json.loads(done.stdout)["kernels"]]
        self.assertEqual(names, ["other"])
        self.assertEqual(done.stderr, b"1 launch cannot run\n")
        done = self.tool("analyze", two, bad, status=1)
        self.assertRegex(done.stdout.decode(), r"'scale' cannot run on [^\n]*2048 threads")
        self.assertRegex(done.stdout.decode(), r"\n  verdict     'other' is bound by ")

    def test_broken_sources(self):
        for name, contents in (
            ("bytes.cu", bytes(range(256)) * 4),
            ("half.cu", b"__global__ void k(float *p) { p[threadIdx.x] ="),
        ):
            done = self.tool("analyze", self.file(name, contents), status=2)
            self.assertIn(f"{name}' does not compile", done.stderr.decode().splitlines()[-1])
        self.assertIn("no kernels", self.tool(
            "analyze", self.file("empty.cu", "")).stdout.decode())

    def test_one_failing_file_leaves_the_others(self):
        other = self.file("other.ll", MODULE.replace("@scale", "@other"))
        broken = self.file("broken.ll", "nonsense")
        output = self.path("report.json")
        done = self.tool("analyze", "--format=json", "-o", output, self.module, broken,
                         self.path("none.ll"), other, status=2)
        names = [kernel["name"] for kernel in json.loads(self.contents(output))["kernels"]]
        self.assertEqual(names, ["scale", "other"])
        errors = [line for line in done.stderr.decode().splitlines() if "gpu-occupancy: " in line]
        self.assertEqual(len(errors), 2)
        self.assertIn("broken.ll", errors[0])
        self.assertIn("none.ll", errors[1])

    def test_nothing_done_leaves_the_output(self):
        output = self.file("report", "old")
        self.tool("analyze", "-o", output, self.path("none.ll"), status=2)
        self.assertEqual(self.contents(output), "old")

    def test_architecture_of_a_module(self):
        done = self.tool("analyze", "--format=json", "--arch=sm_70", self.module)
        self.assertIn("v100", json.loads(done.stdout)["kernels"][0]["device"])
        self.refused("analyze", "--arch=sm_91", self.module, says="architecture 'sm_91'; did you mean")


class Ptx(Day):
    def test_broken(self):
        half = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n"
        for name, contents, says in (
            ("bytes.ptx", bytes(range(256)) * 4, "is no PTX but binary"),
            ("empty.ptx", "", "empty.ptx:1:1: error: expected '.version'"),
            ("half.ptx", half, "half.ptx:5:1: error: expected an instruction"),
            ("deep.ptx", half + "{" * 200000, "deep.ptx:"),
            ("not.ptx", half + ".reg .b64 %r<3>;\ncvta.to.global.u64 %r1, !%r2;\nret;\n}\n",
             "not.ptx:6:1: error: '!' before '%r2', which is no predicate"),
            ("other.ptx", half.replace(".visible .entry k() {", "") +
             ".extern .func f;\n.func f (.param .b32 a) { ret; }\n"
             ".visible .entry k() { ret; }\n",
             "other.ptx:6:7: error: function 'f' is declared before with other parameters"),
            ("array.ptx", half.replace(".visible .entry k() {", "") +
             ".extern .func f (.param .b32 a);\n.func f (.param .align 4 .b8 a[8]) { ret; }\n"
             ".visible .entry k() { ret; }\n",
             "array.ptx:6:7: error: function 'f' is declared before with other parameters"),
        ):
            with self.subTest(name):
                self.refused("analyze", self.file(name, contents), says=says)


    def test_parts_of_instructions(self):
        for instruction in ("bar.red 0", "bar.red", "bar.red.popc", "bar.warp.sync", "bar", "cvta",
                            "shfl", "vote", "redux", "wmma", "match", "bar.red a, 0, b",
                            "wgmma.mma_async.sync.aligned"):
            with self.subTest(instruction):
                self.tool("analyze", "--ptxas=off", self.file("k.ptx", (
                    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n"
                    f".reg .b32 a;\n.reg .pred b;\n{instruction};\nret;\n}}\n")))

    def test_metadata_beside_it(self):
        ptx = self.file("k.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n"
                                 ".visible .entry k()\n{\n  ret;\n}\n")
        # A report of that name, also one that is being written, is none of it.
        for contents in ("", "{", "[" * 200000, "[]", '{"kernels": []}'):
            self.file("k.json", contents)
            self.tool("analyze", ptx)
        os.remove(self.path("k.json"))
        os.mkfifo(self.path("k.json"))
        self.tool("analyze", ptx)


class Reports(Day):
    def test_broken(self):
        good = self.path("good.json")
        self.tool("analyze", "--format=json", "-o", good, self.module)
        whole = self.contents(good).encode()
        for name, contents in (
            ("empty.json", b""),
            ("half.json", whole[: len(whole) // 2]),
            ("other.json", b"{}"),
            ("list.json", b"[]"),
            ("deep.json", b"[" * 200000),
            ("bytes.json", bytes(range(256))),
        ):
            with self.subTest(name):
                path = self.file(name, contents)
                self.refused("diff", good, path, says=name)
                self.refused("diff", path, good, says=name)


class Configurations(Day):
    def configured(self, contents, says):
        self.refused("analyze", f"--config={self.file('c', contents)}", self.module, says=says)

    def test_broken(self):
        self.configured("device: x\n".encode("utf-16"), "c:1:1: error: the file is in UTF-16")
        self.configured("launches:\n\t- kernel: k\n", "c:2:1: error: a tab indents the line")
        self.configured(b"device: \xff\n", "c:1:9: error: the file is not in UTF-8")
        self.configured(bytes(100), "byte 0")
        self.configured("device: [\n", "c:")
        self.configured("launches:\n  - kernel: scale\n    arguments: {n: 99999999999999999999}\n",
                        "does not fit into 64 bits")
        self.configured("launches:\n  - kernel: scale\n    arguments: {n: 4294967296}\n",
                        "does not fit into its 32 bits")
        self.configured("launches:\n  - kernel: scale\n    block: 4294967296\n",
                        "no extent is above 4294967295")

    def test_depth_and_length(self):
        for contents in ("[", "{a: ", "- ", "? ", "&a ", "*a ", "!!x ", "a: ", "|", "%", "---\n",
                         "launches: [", "device: {a: ", "findings: {rules: {TailEffect: ["):
            for text in (contents * 200000, contents + "[" * 200000, contents + "{a: " * 200000):
                config = self.file("c", text)
                done = self.run_any(TOOL, "analyze", f"--config={config}", self.module)
                self.assertIn(done.returncode, (0, 2), contents)
                self.assertLessEqual(done.stderr.count(b"\n"), 1)
        os.truncate(self.path("c"), 1 << 40)
        self.refused("analyze", f"--config={self.path('c')}", self.module, says="more than 64 MiB")

    def test_fifo(self):
        os.mkfifo(self.path(".gpu-occupancy"))
        self.refused("analyze", self.module, says="the configuration '.*' is not a file")

    def test_newer_version(self):
        self.configured("later: 1\nversion: 2\n", "c:2:1: error: this configuration has version 2; "
                        "this gpu-occupancy reads version 1: take a newer gpu-occupancy")

    def test_folder(self):
        os.mkdir(self.path(".gpu-occupancy"))
        self.refused("analyze", self.module, says="the configuration '.*' is a folder")

    def test_misspelt_kernels_are_told(self):
        self.file(".gpu-occupancy", "launches:\n  - kernel: scal\n  - kernel: transposeNaive\n")
        done = self.tool("analyze", self.module)
        self.assertEqual(done.stderr.decode(),
                         "note: .gpu-occupancy:2: no kernel is named 'scal'; did you mean 'scale'?\n")


class Devices(Day):
    def device(self, change):
        with open(DEVICE, encoding="utf-8") as file:
            device = json.load(file)
        change(device)
        return self.file("device.json", json.dumps(device))

    def test_numbers_that_no_device_has(self):
        def sms(value):
            return lambda device: device["chip"]["sm_count"].update(value=value)

        def zeros(device):
            for timing in device["instructions"].values():
                if "latency_cycles" in timing:
                    timing["latency_cycles"]["value"] = 0

        for change, says in ((sms(-1), "chip.sm_count.value: the value is negative"),
                             (sms(0), "chip.sm_count.value: the value is 0"),
                             (zeros, "latency_cycles.value: the value is 0")):
            path = self.device(change)
            for command in (("device", "check", path), ("device", "lint", path),
                            ("analyze", f"--device={path}", self.module)):
                self.refused(*command, says=says)
        huge = self.contents(self.device(sms(123456789))).replace("123456789", "1e400")
        self.refused("device", "check", self.file("huge.json", huge), says="too large")

    def test_versions(self):
        def older(device):
            device["schema_version"] = 1
            device["instructions"]["wgmma"] = device["instructions"].pop("wgmma.n256")

        path = self.device(older)
        self.tool("device", "check", path)
        shown = json.loads(self.tool("device", "show", path, "--format=json").stdout)
        self.assertEqual(shown["schema_version"], 2)
        self.assertIn("wgmma.n256", shown["instructions"])
        path = self.device(lambda device: device.update(schema_version=3, later={}))
        for command in (("device", "check", path), ("analyze", f"--device={path}", self.module)):
            self.refused(*command, says="device.json': this device database has version 3; this "
                                        "gpu-occupancy reads versions 1 to 2: take a newer")

    def test_what_is_no_device(self):
        os.mkdir(self.path("folder.json"))
        with open(DEVICE, "rb") as file:
            whole = file.read()
        for path, says in (
            (self.path("none.json"), "No such file"),
            (self.path("folder.json"), "directory"),
            (self.file("half.json", whole[: len(whole) // 2]), "half.json"),
            (self.file("list.json", "[]"), "expected an object"),
            (self.file("bytes.json", bytes(range(256))), "bytes.json"),
        ):
            self.refused("analyze", f"--device={path}", self.module, says=says)
        self.refused("device", "show", "nvidia-h2000", says="did you mean 'nvidia-h200'")
        self.refused("device", "show", "toaster", says="'toaster'; known: ")

    def test_suspicious_device_is_a_finding(self):
        path = self.device(lambda device: device.update(display_name=""))
        self.assertIn(b"display_name: is empty", self.tool("device", "check", path, status=1).stdout)


class Options(Day):
    def test_numbers_and_launches(self):
        for option, says in (
            ("--max-findings=99999999999", "too large"),
            ("--max-findings=-1", "not a number"),
            ("--launch=scale", "expected ':'"),
            ("--launch=scale:grid=0,block=32", "positive"),
            ("--launch=scale:grid=99999999999999999999,block=32", "no extent is above"),
            ("--launch=scale:block=32,n=99999999999999999999", "does not fit into 64 bits"),
            ("--launch=toaster:block=32", "no such kernel; known: scale"),
            ("--formt=json", "did you mean '--format'"),
            (f"--registers-log={self.file('log', bytes(range(256)))}", "log"),
        ):
            self.refused("analyze", option, self.module, says=says)
        self.refused("analyse", says="did you mean 'analyze'")
        self.refused("toast", says="'toast'; known: analyze")


if __name__ == "__main__":
    main()
