"""Special files, links, full disks and outputs that cannot be written."""

import json
import os
import stat
import subprocess
import threading
import unittest

from day import LLVM_TOOLS, PLUGIN, SHIM, SOURCE, TOOL, Day, main


def with_disk(script, folder):
    """Runs a script in a mount namespace where `folder` is a disk of 16 KiB."""
    mount = f'mount -t tmpfs -o size=16k,mode=777 small "{folder}"'
    return ["unshare", "-m", "sh", "-c", f"{mount} && {script}"]


def can_mount(folder):
    done = subprocess.run(with_disk("true", folder), capture_output=True, check=False)
    return done.returncode == 0


class SpecialFiles(Day):
    def test_device_nodes_stay(self):
        for number, status in ((3, 0), (7, 2)):
            node = self.path(f"node{number}")
            try:
                os.mknod(node, 0o666 | stat.S_IFCHR, os.makedev(1, number))
            except PermissionError:
                self.skipTest("only root makes device nodes")
            self.tool("analyze", "-o", node, self.module, status=status)
            self.assertTrue(stat.S_ISCHR(os.stat(node).st_mode))

    def test_system_devices(self):
        self.tool("analyze", "-o", "/dev/null", self.module)
        self.refused("analyze", "-o", "/dev/full", self.module, says="'/dev/full': No space left")
        for device in ("/dev/null", "/dev/full"):
            self.assertTrue(stat.S_ISCHR(os.stat(device).st_mode))

    def test_fifo(self):
        fifo, read = self.path("fifo"), []
        os.mkfifo(fifo)
        os.symlink("fifo", self.path("link"))
        reader = threading.Thread(target=lambda: read.append(self.contents(fifo)))
        reader.start()
        self.tool("analyze", "-o", self.path("link"), self.module)
        reader.join(timeout=20)
        self.assertIn("scale", read[0])
        self.assertTrue(stat.S_ISFIFO(os.stat(fifo).st_mode))

    def test_standard_output_by_name(self):
        path = self.file("log", "before\n")
        with open(path, "ab") as log:
            self.tool("analyze", "-o", "/dev/stdout", self.module, stdout=log)
        self.assertRegex(self.contents(path), r"^before\nscale")

    def test_links_stay(self):
        self.file("target", "old")
        os.chmod(self.path("target"), 0o640)
        os.symlink("target", self.path("link"))
        self.tool("analyze", "-o", self.path("link"), self.module)
        self.assertTrue(os.path.islink(self.path("link")))
        self.assertIn("scale", self.contents(self.path("target")))
        self.assertEqual(stat.S_IMODE(os.stat(self.path("target")).st_mode), 0o640)


class BadOutputs(Day):
    def test_found_before_the_analysis(self):
        broken = self.file("broken.cu", "this is no C++")
        for output, says in (
            (self.path("none/report"), "there is no folder"),
            (self.folder, "it is a folder"),
            (self.path("kernel.cu/report"), "Not a directory|there is no folder"),
            (broken, "it is an input too"),
            ("", "empty"),
        ):
            for command in ("analyze", "record"):
                self.refused(command, "-o", output, broken, says=says)
        self.assertEqual(self.contents(broken), "this is no C++")

    def test_no_input_is_an_output(self):
        with open(os.path.join(SOURCE, "lib/Device/data/devices/nvidia-h200.json"), "rb") as file:
            device = self.file("gpu.json", file.read())
        array = self.file("array.bin", bytes(64))
        config = self.file(".gpu-occupancy", f"device: {device}\nlaunches:\n  - kernel: scale\n"
                                             "    memory: {data: array.bin}\n")
        log = self.file("log", "")
        other = self.file("other.yaml", "device: nvidia-h200\n")
        ptx = self.file("k.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n"
                                 ".visible .entry k()\n{\n  ret;\n}\n")
        database = self.file("compile_commands.json", json.dumps(
            [{"directory": self.folder, "file": ptx, "arguments": ["nvcc", "-c", ptx]}]))
        kept = {path: self.contents(path)
                for path in (device, array, config, log, other, ptx, database, self.module, self.source)}
        for output, *arguments in (
            (config, self.module), (device, self.module), (array, self.module),
            (other, self.module, f"--config={other}"), (log, self.module, f"--registers-log={log}"),
            (device, self.module, f"--config={other}", f"--devices=h200,{device}"),
        ):
            for command in (("analyze",), ("explain", "scale")):
                self.refused(*command, "-o", output, *arguments, says="it is an input too")
            self.refused("check", "-o", output, *arguments, says="it is an input too")
        self.refused("analyze", "-o", database, "-p", self.folder, says="it is an input too")
        self.refused("check", "-o", device, "--baseline", device, self.module,
                     f"--config={other}", says="it is an input too")
        # Which sources a folder has is known when it was looked through.
        done = self.tool("analyze", "-o", self.source, self.folder, "--cache=off", status=2)
        self.assertRegex(done.stderr.decode(), "cannot write '.*kernel.cu': it is an input too")
        for path, contents in kept.items():
            self.assertEqual(self.contents(path), contents)

    def test_no_header_is_an_output(self):
        header = self.file("scale.h", "__device__ float twice(float x) {\n  return 2 * x;\n}\n")
        self.file("kernel.cu", '#include "scale.h"\n__global__ void scale(float *p) {\n'
                               "  p[threadIdx.x] = twice(p[threadIdx.x]);\n}\n")
        self.refused("analyze", "-o", header, self.source, says="'.*scale.h': it is an input too")
        self.assertIn("twice", self.contents(header))

    def test_full_standard_output(self):
        for arguments in (("analyze", self.module), ("device", "list")):
            with open("/dev/full", "wb") as full:
                self.refused(*arguments, stdout=full, says="standard output: No space left")

    def test_reader_that_went_away(self):
        process = subprocess.Popen(
            [TOOL, "device", "show", "nvidia-h200"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        process.stdout.read(1)
        process.stdout.close()
        said = process.stderr.read()
        process.stderr.close()
        self.assertNotEqual(process.wait(timeout=20), 0)
        self.assertEqual(said, b"")


class FullDisk(Day):
    def test_old_file_stays_whole(self):
        disk = self.path("disk")
        os.mkdir(disk)
        if not can_mount(disk):
            self.skipTest("no mount namespace")
        # The disk is gone with the namespace: what is on it is printed there.
        report = f"{disk}/report.json"
        done = self.run_any(*with_disk(
            f'echo old > "{report}"; '
            f'"{TOOL}" analyze --format=json --with-facts -o "{report}" "{self.module}"; '
            f'echo "status $?"; cat "{report}"; ls -A "{disk}"', disk))
        self.assertEqual(done.stdout.decode(), "status 2\nold\nreport.json\n")
        self.assertEqual(done.stderr.decode(),
                         f"gpu-occupancy: error: cannot write '{report}': "
                         "No space left on device\n")


class PluginOutputs(Day):
    def compiled(self, *options, script='"$@"', folder=None):
        """Compiles with the plugin, in a namespace where `folder` is a small disk."""
        command = [os.path.join(LLVM_TOOLS, "clang++"), f"--config={SHIM}", "-x", "cuda",
                   "--cuda-gpu-arch=sm_90", "--cuda-device-only", "-S", "-O1",
                   f"-fpass-plugin={PLUGIN}", self.source, "-o", self.path("out.ptx")]
        for option in options:
            command += ["-mllvm", f"-gpu-occupancy-{option}"]
        prefix = with_disk(script, folder) + ["sh"] if folder else ["sh", "-c", script, "sh"]
        done = self.run_any(*prefix, *command)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertIn("scale", self.contents(self.path("out.ptx")))
        return done

    def test_special_files(self):
        os.symlink("target", self.path("link"))
        self.compiled(f"report-file={self.path('link')}")
        self.assertTrue(os.path.islink(self.path("link")))
        self.assertIn("scale", self.contents(self.path("target")))
        for device in ("/dev/null", "/dev/full"):
            self.compiled(f"report-file={device}", f"facts-file={device}")
            self.assertTrue(stat.S_ISCHR(os.stat(device).st_mode))

    def test_the_source_is_no_output(self):
        before = self.contents(self.source)
        done = self.compiled(f"report-file={self.source}")
        self.assertIn(b"it is an input too", done.stderr)
        self.assertEqual(self.contents(self.source), before)

    def test_full_disk(self):
        disk = self.path("disk")
        os.mkdir(disk)
        if not can_mount(disk):
            self.skipTest("no mount namespace")
        report = f"{disk}/report.json"
        done = self.compiled(
            f"report-file={report}", folder=disk,
            script=f'echo old > "{report}" && head -c 12k /dev/zero > "{disk}/rest"; '
                   f'"$@"; echo "status $?"; cat "{report}"; ls -A "{disk}"')
        self.assertEqual(done.stdout.decode(), "status 0\nold\nreport.json\nrest\n")
        self.assertEqual(done.stderr.count(b"warning: "), 1)
        self.assertIn(b"No space left", done.stderr)


if __name__ == "__main__":
    main()
