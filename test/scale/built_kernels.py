#!/usr/bin/env python3
"""Makes objects of many kernels, and says what reading them takes.

    test/scale/built_kernels.py build/bin/gpu-occupancy ptxas [--kernels 10000]

The kernels are assembled from PTX that is generated here; each has its own
name, block and length. `lock` and `check` read them without a program of the
toolkit, on two cores; with --lined their PTX is in them, and is analyzed.
Prints seconds, seconds of the processor and the peak of memory of a process,
and ends with status 1 where one is beyond --seconds or --gibibytes. On a busy
machine --of-processor compares half of the seconds of the processor instead.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time


def kernel(number):
    steps = "\n".join(
        f"  fma.rn.f32 %f{1 + i % 8}, %f{1 + (i + 3) % 8}, %f{1 + (i + 5) % 8}, %f{1 + i % 8};"
        for i in range(4 + number % 60)
    )
    return f"""
.visible .entry kernel_{number}(.param .u64 to, .param .u32 n) .maxntid {64 << number % 5}, 1, 1 {{
  .reg .f32 %f<9>;
  .reg .b64 %rd<4>;
  .reg .b32 %r<3>;
  .shared .align 4 .b8 held_{number}[{16 * (1 + number % 64)}];
  ld.param.u64 %rd1, [to];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 32;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.v4.f32 {{%f1, %f2, %f3, %f4}}, [%rd3];
  ld.global.v4.f32 {{%f5, %f6, %f7, %f8}}, [%rd3+16];
{steps}
  st.global.v4.f32 [%rd3], {{%f1, %f2, %f3, %f4}};
  st.global.v4.f32 [%rd3+16], {{%f5, %f6, %f7, %f8}};
  ret;
}}
"""


def make(folder, ptxas, kernels, per_file, options=()):
    for first in range(0, kernels, per_file):
        ptx = os.path.join(folder, f"{first}.txt")
        with open(ptx, "w", encoding="ascii") as file:
            file.write(".version 8.0\n.target sm_90\n.address_size 64\n")
            file.writelines(kernel(i) for i in range(first, min(first + per_file, kernels)))
        subprocess.run(
            [ptxas, "-arch=sm_90", *options, ptx, "-o", os.path.join(folder, f"{first}.cubin")],
            check=True,
        )
        os.remove(ptx)


def measure(command, folder, environment):
    def of_processor():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    start, used = time.monotonic(), of_processor()
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, check=False)
    seconds, used = time.monotonic() - start, of_processor() - used
    if done.returncode not in (0, 1):
        sys.exit(f"{command} ends with {done.returncode}: {done.stderr}")
    # Of all children so far, the largest.
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / (1 << 20)
    said = done.stderr.strip().splitlines()
    print(f"{' '.join(os.path.basename(word) for word in command[:3])}: {seconds:.1f} s, {used:.1f} s of the "
          f"processor, {peak:.2f} GiB: {said[-1] if said else ''}")
    return seconds, used / 2, peak


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command")
    parser.add_argument("ptxas")
    parser.add_argument("--kernels", type=int, default=10000)
    parser.add_argument("--per-file", type=int, default=100)
    parser.add_argument("--lined", action="store_true")
    parser.add_argument("--of-processor", action="store_true")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--gibibytes", type=float, default=1)
    given = parser.parse_args()
    command = os.path.abspath(given.command)
    cores = set(sorted(os.sched_getaffinity(0))[:2])
    with tempfile.TemporaryDirectory(prefix="gpuocc-scale") as top:
        folder = os.path.join(top, "built")
        os.mkdir(folder)
        options = ["-lineinfo"] if given.lined else []
        make(folder, given.ptxas, given.kernels, given.per_file, options)
        os.sched_setaffinity(0, cores)
        # ptxas is no child whose memory counts.
        environment = dict(os.environ, PATH="/usr/bin:/bin", CUDA_PATH=top,
                           XDG_CACHE_HOME=os.path.join(top, "cache"))
        files = sorted(os.path.join("built", name) for name in os.listdir(folder))
        worst = [
            measure(words, top, environment)
            for words in (
                [command, "lock", "built"],
                [command, "lock", "--check", "built"],
                [command, "analyze", "--ptxas=off", "--format=json", "-o", "all.json", *files],
                [command, "check", "--baseline=all.json", "--ptxas=off", *files],
            )
        ]
    which = 1 if given.of_processor else 0
    if any(w[which] > given.seconds or w[2] > given.gibibytes for w in worst):
        sys.exit(f"beyond {given.seconds:g} s or {given.gibibytes:g} GiB")


main()
