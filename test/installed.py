"""What `cmake --install` lays out works where it was put.

Installs into an empty folder, runs the command from there, and builds a
project that takes the package, with clang and, where there is one, nvcc: its
kernels are analyzed, and FAIL_ON fails the build. Where dpkg-deb is found the
.deb is made and looked into.

Usage: installed.py BUILD-FOLDER SOURCE-FOLDER CMAKE CLANG++

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import shutil
import subprocess
import sys
import tempfile

EXPECTED = """bin/gpu-occupancy
bin/gpu-occupancy-calibrate
lib/GpuOccupancy.so
lib/GpuOccupancyLaunches.so
lib/GpuOccupancyPasses.so
lib/GpuOccupancyRecorder.a
lib/cmake/GpuOccupancy/GpuOccupancyConfig.cmake
share/bash-completion/completions/gpu-occupancy
share/doc/gpu-occupancy/LICENSE
share/fish/vendor_completions.d/gpu-occupancy.fish
share/gpu-occupancy/cuda-shim/gpuocc-cuda-shim.cfg
share/gpu-occupancy/launch-recorder/DeviceProperties.cpp
share/man/man1/gpu-occupancy.1
share/zsh/vendor-completions/_gpu-occupancy""".split()


def fail(message):
    sys.exit(f"error: {message}")


def run(*command, status=0, cwd=None, env=None):
    result = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        cwd=cwd,
        env=env,
    )
    if (result.returncode == 0) != (status == 0):
        fail(f"{' '.join(command)} ended with {result.returncode}:\n{result.stdout}")
    return result.stdout


def expect(text, word):
    if word not in text:
        fail(f"'{word}' is missing in:\n{text}")


class Installed:
    def __init__(self, build, source, cmake, clang, top):
        self.build, self.source, self.cmake, self.clang = build, source, cmake, clang
        self.top, self.prefix = top, os.path.join(top, "prefix")
        # Nothing of the build may be found by its usual place.
        self.environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(top, "cache"))
        run(cmake, "--install", build, "--prefix", self.prefix)

    def path(self, name):
        return os.path.join(self.prefix, name)

    def check_files(self):
        for name in EXPECTED:
            if not os.path.exists(self.path(name)):
                fail(f"{name} is not installed")
        with open(self.path("share/man/man1/gpu-occupancy.1"), encoding="utf-8") as page:
            text = page.read()
        expect(text, ".SH CHECK")
        # CMake takes semicolons for separators.
        expect(text, "of a command; ")

    def check_command(self):
        example = os.path.join(self.source, "docs/examples/transpose.cu")
        for toolkit in (None, "/nowhere"):
            environment = dict(self.environment)
            if toolkit:
                environment["CUDA_PATH"] = toolkit
            text = run(self.path("bin/gpu-occupancy"), "analyze", example, env=environment)
            expect(text, "[BankConflict]")

    def check_completion(self):
        script = (
            f"PATH={self.path('bin')}:$PATH; "
            f"source {self.path('share/bash-completion/completions/gpu-occupancy')}; "
            "compopt() { :; }; "
            "complete_words() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); "
            "_gpu_occupancy; echo \"${COMPREPLY[@]}\"; }; "
            "complete_words gpu-occupancy che; "
            "complete_words gpu-occupancy check --base; "
            "complete_words gpu-occupancy analyze --format = h; "
            "complete_words gpu-occupancy analyze --device = nvidia-h200-; "
            "complete_words gpu-occupancy explain-rule Bank; "
            "complete_words gpu-occupancy check --fail-on = rule : Bank; "
            "complete_words gpu-occupancy check --fail-on rule :; "
            "complete_words gpu-occupancy analyze -"
        )
        lines = run("bash", "-c", script).splitlines()
        wanted = ["check", "--baseline=", "html", "nvidia-h200-nvl", "BankConflict", "BankConflict"]
        if (lines[:6] != wanted or "BankConflict" not in lines[6].split()
                or "-p" not in lines[7].split()):
            fail(f"completions are {lines}")

    def consume(self, name, *options):
        """Configures and builds the consumer; returns what the build prints."""
        project = os.path.join(self.top, name)
        os.makedirs(os.path.join(project, "include"))
        examples = os.path.join(self.source, "docs/examples")
        shutil.copy(os.path.join(self.source, "test/consumer/CMakeLists.txt"), project)
        for file in ("transpose.cu", ".gpu-occupancy"):
            shutil.copy(os.path.join(examples, file), project)
        shutil.copy(os.path.join(examples, "example.h"), os.path.join(project, "include"))
        binary = os.path.join(project, "build")
        run(
            self.cmake, "-S", project, "-B", binary, "-G", "Ninja",
            f"-DCMAKE_PREFIX_PATH={self.prefix}", *options, env=self.environment,
        )
        fails = any(option.startswith("-DFAIL_ON=") for option in options)
        return run(
            self.cmake, "--build", binary, "--", "-k", "0",
            status=1 if fails else 0, env=self.environment,
        )

    def check_inputs(self, name):
        """The consumer analyzes again when its configuration has changed."""
        project = os.path.join(self.top, name)
        build = (self.cmake, "--build", os.path.join(project, "build"))
        if "GPU kernels" in run(*build, env=self.environment):
            fail("nothing changed, and the kernels are analyzed again")
        with open(os.path.join(project, ".gpu-occupancy"), "a", encoding="utf-8") as config:
            config.write("findings:\n  suppress: [UncoalescedAccess]\n")
        text = run(*build, env=self.environment)
        expect(text, "BankConflict")
        if "UncoalescedAccess" in text:
            fail(f"the configuration was not read again:\n{text}")

    def check_consumers(self, nvcc):
        shim = self.path("share/gpu-occupancy/cuda-shim/gpuocc-cuda-shim.cfg")
        by_clang = (
            f"-DCMAKE_CXX_COMPILER={self.clang}",
            f"-DCLANG_CUDA_OPTIONS=--config={shim};-x;cuda;--cuda-gpu-arch=sm_90;"
            "--cuda-device-only;-S",
        )
        text = self.consume("clang", *by_clang)
        expect(text, "transposeNaive")
        expect(text, "UncoalescedAccess")
        self.check_inputs("clang")
        text = self.consume("gate", *by_clang, "-DFAIL_ON=rule:BankConflict")
        expect(text, "1 finding beyond --fail-on")
        if not nvcc:
            print("skipped: a consumer built by nvcc, which is not installed")
            return
        text = self.consume("nvcc", "-DWITH_NVCC=ON", f"-DCMAKE_CUDA_COMPILER={nvcc}")
        expect(text, "UncoalescedAccess")
        self.check_lock("nvcc")

    def check_lock(self, name):
        """The consumer compares what it built with its lock file."""
        project = os.path.join(self.top, name)
        binary = os.path.join(project, "build")
        run(self.cmake, "-DLOCK=kernels.lock", binary, env=self.environment)

        def build(target, status=0):
            return run(self.cmake, "--build", binary, "--target", target, status=status,
                       env=self.environment)

        text = build("kernels-gpu-occupancy-lock-write")
        expect(text, "3 kernels written to")
        expect(build("all"), "3 kernels checked against")
        if "checked against" in build("all"):
            fail("nothing changed, and the kernels are compared again")
        source = os.path.join(project, "transpose.cu")
        with open(source, encoding="utf-8") as file:
            text = file.read()
        with open(source, "w", encoding="utf-8") as file:
            file.write(text.replace("Tile + 1", "Tile + 300"))
        expect(build("all", status=1), "slower")

    def check_package(self):
        if not shutil.which("dpkg-deb"):
            print("skipped: the .deb, dpkg-deb is not installed")
            return
        cpack = os.path.join(os.path.dirname(self.cmake), "cpack")
        run(
            cpack, "-G", "DEB", "--config", os.path.join(self.build, "CPackConfig.cmake"),
            "-B", self.top,
        )
        package = next(f for f in os.listdir(self.top) if f.endswith(".deb"))
        names = run("dpkg-deb", "--contents", os.path.join(self.top, package))
        expect(names, "./usr/bin/gpu-occupancy\n")
        expect(names, "./usr/lib/GpuOccupancy.so\n")
        expect(run("dpkg-deb", "--info", os.path.join(self.top, package)), "clang-22")
        print(f"{package}: {os.path.getsize(os.path.join(self.top, package)) >> 10} KiB")


def main():
    build, source, cmake, clang = (os.path.abspath(path) for path in sys.argv[1:5])
    own = os.path.join(os.environ.get("CUDA_PATH", "/usr/local/cuda"), "bin/nvcc")
    nvcc = own if os.access(own, os.X_OK) else shutil.which("nvcc")
    with tempfile.TemporaryDirectory(prefix="gpuocc-installed") as top:
        installed = Installed(build, source, cmake, clang, top)
        installed.check_files()
        installed.check_command()
        installed.check_completion()
        installed.check_consumers(nvcc)
        installed.check_package()


main()
