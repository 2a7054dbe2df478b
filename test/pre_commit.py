"""The hooks as the real pre-commit runs them.

A repository of six sources takes .pre-commit-hooks.yaml. A commit that changes
five of them without making a kernel slower passes, in a time that is printed; the
next one takes the side of the commit before from the cache; one that takes the padding from a shared array is refused. Sources that the
commit leaves alone are not analyzed.

Usage: pre_commit.py GPU-OCCUPANCY SOURCE-FOLDER

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
CHANGED = 5
# Two free cores take 6 s for it; other work on the machine makes it more.
MOST_CPU_SECONDS = 40
# A half, and what pre-commit itself takes.
MOST_OF_FIRST = 0.85

CONFIG = """repos:
- repo: {hooks}
  rev: {revision}
  hooks:
  - id: gpu-occupancy-check
"""


def fail(message):
    sys.exit(f"error: {message}")


class Repository:
    def __init__(self, folder, environment):
        self.folder, self.environment = folder, environment
        os.makedirs(folder)
        self.git("init", "-q", "-b", "main", ".")
        self.git("config", "user.name", "t")
        self.git("config", "user.email", "t@example.org")

    def run(self, *command):
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    def git(self, *arguments):
        result = self.run("git", *arguments)
        if result.returncode != 0:
            fail(f"git {' '.join(arguments)}: {result.stdout}")
        return result.stdout

    def path(self, name):
        return os.path.join(self.folder, name)

    def replace(self, name, before, after):
        with open(self.path(name), encoding="utf-8") as file:
            text = file.read()
        if before not in text:
            fail(f"{name} has no '{before}'")
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text.replace(before, after))


def hooks_repository(top, source, environment):
    hooks = Repository(os.path.join(top, "hooks"), environment)
    shutil.copy(os.path.join(source, ".pre-commit-hooks.yaml"), hooks.folder)
    hooks.git("add", ".")
    hooks.git("commit", "-q", "-m", "hooks")
    return hooks.folder, hooks.git("rev-parse", "HEAD").strip()


def project(top, source, hooks, revision, environment):
    work = Repository(os.path.join(top, "work"), environment)
    examples = os.path.join(source, "docs", "examples")
    shutil.copy(os.path.join(examples, "example.h"), work.folder)
    shutil.copy(os.path.join(examples, ".gpu-occupancy"), work.folder)
    for index in range(CHANGED + 1):
        shutil.copy(
            os.path.join(examples, "transpose.cu"), work.path(f"transpose{index}.cu")
        )
    with open(work.path(".pre-commit-config.yaml"), "w", encoding="utf-8") as file:
        file.write(CONFIG.format(hooks=hooks, revision=revision))
    work.git("add", ".")
    work.git("commit", "-q", "-m", "one")
    result = work.run("pre-commit", "install", "--install-hooks")
    if result.returncode != 0:
        fail(f"pre-commit install: {result.stdout}")
    return work


def check_good_commit(work):
    """Seconds of one core that the commit takes."""
    for index in range(CHANGED):
        with open(work.path(f"transpose{index}.cu"), "a", encoding="utf-8") as file:
            file.write("// changed\n")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    result = work.run("git", "commit", "-q", "-a", "-m", "two")
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"a commit of {CHANGED} sources: {wall:.1f} s, {cpu:.1f} s of one core")
    if result.returncode != 0:
        fail(f"the hook refused a commit that changes nothing: {result.stdout}")
    if "Passed" not in result.stdout:
        fail(f"the hook did not run: {result.stdout}")
    if cpu > MOST_CPU_SECONDS:
        fail(f"more than {MOST_CPU_SECONDS} s of one core")
    return cpu


def check_bad_commit(work):
    work.replace("transpose5.cu", "Tile + 1", "Tile")
    result = work.run("git", "commit", "-q", "-a", "-m", "three")
    print(result.stdout, end="")
    if result.returncode == 0:
        fail("the hook let a slower kernel pass")
    faults = [line for line in result.stdout.splitlines() if "[slowdown]" in line]
    if len(faults) != 1 or not faults[0].startswith("transpose5.cu:44: error: "):
        fail("expected one fault, in transpose5.cu")
    if "3 kernels checked against HEAD: 1 fault" not in result.stdout:
        fail("sources were analyzed that the commit leaves alone")


def main():
    tool, source = (os.path.abspath(path) for path in sys.argv[1:3])
    if not shutil.which("pre-commit") or not shutil.which("git"):
        print("skipped: pre-commit or git is not installed")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory(prefix="gpuocc-pre-commit") as top:
        # The hooks of a user's own git are none of ours.
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("GIT_")
        }
        environment["PATH"] = os.path.dirname(tool) + os.pathsep + environment["PATH"]
        environment["PRE_COMMIT_HOME"] = os.path.join(top, "pre-commit")
        environment["XDG_CACHE_HOME"] = os.path.join(top, "cache")
        hooks, revision = hooks_repository(top, source, environment)
        work = project(top, source, hooks, revision, environment)
        first, second = check_good_commit(work), check_good_commit(work)
        if second > MOST_OF_FIRST * first:
            fail("the other side was analyzed although it was kept")
        check_bad_commit(work)


main()
