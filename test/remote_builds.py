#!/usr/bin/env python3
"""Reports as outputs of compile jobs that run elsewhere, on loopback.

    test/remote_builds.py BUILD /usr/bin/clang++-22 SOURCE_DIR

What docs/remote-builds.md says is done: Ninja makes reports and a lock file of
them; ccache takes a report from its remote storage (redis-server), and not
after the configuration changed; distcc brings a report from its server. Ends
with status 77 where none of the programs is installed, and names those that
are missing.
"""
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

BUILD, CLANG, SOURCE = (os.path.abspath(p) for p in sys.argv[1:4])
COMMAND = os.path.join(BUILD, "bin/gpu-occupancy")
SHIM = os.path.join(BUILD, "share/gpu-occupancy/cuda-shim/gpuocc-cuda-shim.cfg")
DEVICE = [f"--config={SHIM}", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-O3"]
PLUGIN = [f"-fpass-plugin={BUILD}/lib/GpuOccupancy.so"]
REPORT = ["-mllvm", "-gpu-occupancy-report-file=/dev/stdout"]


def run(words, cwd, environment=None, output=None):
    done = subprocess.run(words, cwd=cwd, env={**os.environ, **(environment or {})},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}\nends with {done.returncode}: {(done.stdout + done.stderr).decode()[-2000:]}")
    if output:
        with open(os.path.join(cwd, output), "wb") as file:
            file.write(done.stdout)
    return done.stdout.decode() + done.stderr.decode()


def expect(holds, what):
    if not holds:
        sys.exit(f"FAILED: {what}")
    print(f"ok: {what}")


def read(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Server:
    """A program that listens on a port of loopback until the block ends."""

    def __init__(self, words, port, log):
        self.words, self.port, self.log = words, port, log

    def __enter__(self):
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(self.words, stdout=log, stderr=log,
                                            start_new_session=True)
        for _ in range(100):
            with socket.socket() as s:
                if s.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            time.sleep(0.1)
        sys.exit(f"{self.words[0]} does not listen: {read('/', self.log).decode()}")

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()


def with_ninja(top):
    with open(os.path.join(top, "build.ninja"), "w", encoding="utf-8") as file:
        file.write(f"""
rule report
  command = {CLANG} {' '.join(DEVICE + PLUGIN)} -x cuda -mllvm -gpu-occupancy-report-file=$out -S $in -o $out.ptx
rule lock
  command = {COMMAND} lock $in -o $out
build transpose.report.json: report transpose.cu | .gpu-occupancy
build reduction.report.json: report reduction.cu | .gpu-occupancy
build kernels.lock: lock transpose.report.json reduction.report.json
""")
    run(["ninja", "kernels.lock"], top)
    expect(read(top, "kernels.lock").count(b"\nkernel ") == 7, "Ninja merges two reports")
    expect("no work to do" in run(["ninja", "kernels.lock"], top), "Ninja has no work twice")
    os.utime(os.path.join(top, "transpose.cu"))
    said = run(["ninja", "-v", "kernels.lock"], top)
    expect("transpose.cu" in said and "reduction.cu" not in said, "Ninja makes one report again")


def with_ccache(top):
    port = free_port()
    server = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
    plugin = f"{BUILD}/lib/GpuOccupancyPasses.so"
    job = ["ccache", CLANG, *DEVICE, *PLUGIN, "-x", "cuda", *REPORT, "-S", "transpose.cu", "-o"]

    def on(machine):
        # Releases before 4.8 say remote only by a variable of its own.
        environment = {"CCACHE_DIR": os.path.join(top, machine), "CCACHE_REMOTE_ONLY": "1",
                       "CCACHE_REMOTE_STORAGE": f"redis://127.0.0.1:{port}",
                       "CCACHE_EXTRAFILES": f"{plugin}:.gpu-occupancy",
                       "CCACHE_LOGFILE": os.path.join(top, machine + ".log")}
        run([*job, machine + ".ptx"], top, environment, machine + ".json")
        return b"Result: remote_storage_hit" in read(top, machine + ".log")

    with Server(server, port, os.path.join(top, "redis.log")):
        expect(not on("first"), "ccache compiles once")
        expect(on("second"), "ccache has the report in its remote storage")
        expect(read(top, "first.json") == read(top, "second.json") != b"",
               "the report of the other machine is the same")
        with open(os.path.join(top, ".gpu-occupancy"), "a", encoding="utf-8") as file:
            file.write("# other launches\n")
        expect(not on("third"), "ccache compiles again once the configuration changed")


def with_distcc(top):
    port = free_port()
    # Refuses to stay root, and to run what no link in /usr/lib/distcc names.
    server = ["distccd", "--no-detach", "--daemon", "--listen", "127.0.0.1", "--port", str(port),
              "--allow", "127.0.0.1", "--jobs", "1", "--log-stderr", "--enable-tcp-insecure",
              "--make-me-a-botnet"]
    run([CLANG, *DEVICE, "-x", "cuda", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c",
         "transpose.cu", "-o", "transpose.ii"], top)
    job = [CLANG, "-target", "nvptx64-nvidia-cuda", "-march=sm_90", "--language=ir", "-O3",
           "-Xclang", "-target-feature", "-Xclang", "+ptx88", *PLUGIN, *REPORT, "-mllvm",
           f"-gpu-occupancy-config={top}/.gpu-occupancy", "-S", "transpose.ii", "-o"]
    run([*job, "here.ptx"], top, output="here.json")
    with Server(server, port, os.path.join(top, "distccd.log")):
        os.mkdir(os.path.join(top, "distcc"))
        environment = {"DISTCC_HOSTS": f"127.0.0.1:{port}", "DISTCC_FALLBACK": "0",
                       "DISTCC_DIR": os.path.join(top, "distcc")}
        run(["distcc", *job, "there.ptx"], top, environment, "there.json")
        # It says so after it has answered.
        for _ in range(100):
            if b"COMPILE_OK" in read(top, "distccd.log"):
                break
            time.sleep(0.1)
    expect(b"COMPILE_OK" in read(top, "distccd.log"), "distcc's server compiles")
    expect(read(top, "here.ptx") == read(top, "there.ptx"), "its code is that of this machine")
    said = run([COMMAND, "diff", "here.json", "there.json"], top)
    expect("3 unchanged" in said, "so is its report")
    expect(b'"predicted_time_ns":1' in read(top, "there.json").replace(b" ", b""),
           "it has times")


PARTS = [(["ninja"], with_ninja), (["ccache", "redis-server"], with_ccache),
         (["distcc", "distccd"], with_distcc)]


def main():
    tried = 0
    for programs, part in PARTS:
        missing = [p for p in programs if not shutil.which(p)]
        if missing:
            print(f"skipped: {', '.join(missing)} not installed")
            continue
        with tempfile.TemporaryDirectory(prefix="gpuocc-remote") as top:
            # The server of distcc has a user of its own.
            os.chmod(top, 0o755)
            for name in ("transpose.cu", "reduction.cu", "example.h", ".gpu-occupancy"):
                shutil.copy(os.path.join(SOURCE, "docs/examples", name), top)
            part(top)
            tried += 1
    if tried == 0:
        sys.exit(77)


main()
