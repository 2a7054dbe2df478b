"""Damaged caches: an entry is made anew, and nothing else is to be seen of it."""

import os
import shutil
import unittest

from day import LLVM_TOOLS, Day, main

NVCC = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"


def damages(data):
    """A bit changed, a part missing, other bytes, and what parsers fall over."""
    middle = len(data) // 2
    yield data[:middle] + bytes([data[middle] ^ 4]) + data[middle + 1:]
    yield data[:middle]
    yield data + b" "
    yield data.split(b"\n", 1)[-1]
    yield b"[" * 200000


class Damaged(Day):
    def files(self):
        return sorted(os.path.join(folder, name) for folder, _, names in os.walk(self.cache)
                      for name in names)

    def analyzed(self, *arguments, **options):
        done = self.tool("analyze", "--format=json", f"--cache={self.cache}", *arguments, **options)
        return done.stdout, done.stderr

    def test_reports(self):
        self.cache = self.path("cache")
        cold = self.analyzed("--code=clang", self.folder)
        self.assertEqual(self.analyzed("--code=clang", self.folder), cold)
        [path] = self.files()
        with open(path, "rb") as file:
            whole = file.read()
        # An entry of another build: the word behind the version in its first line.
        first, rest = whole.split(b"\n", 1)
        words = first.split(b" ")
        self.assertEqual((words[0], len(words)), (b"gpu-occupancy-cache", 4))
        words[2] = b"0" * len(words[2])
        for data in (*damages(whole), b" ".join(words) + b"\n" + rest):
            with self.subTest(data[:60]):
                self.file(path, data)
                self.assertEqual(self.analyzed("--code=clang", self.folder), cold)
                with open(path, "rb") as file:
                    self.assertEqual(file.read(), whole)
        os.remove(path)
        os.mkfifo(path)
        self.assertEqual(self.analyzed("--code=clang", self.folder), cold)

    def test_what_is_kept_of_sources(self):
        if not os.access(NVCC, os.X_OK):
            self.skipTest("no nvcc: clang's headers are not precompiled")
        self.cache = self.path("cache")
        options = ("--code=nvcc", f"--clang={LLVM_TOOLS}/clang++", self.source)
        cold = self.analyzed(*options)
        kept = [path for path in self.files() if path.endswith((".pch", ".seal", ".json"))]
        self.assertGreaterEqual(len(kept), 3, self.files())
        for change in (lambda data: data[: len(data) // 2],
                       lambda data: bytes(len(data)),
                       lambda data: data[:-100] + b"x" * 100):
            for path in kept:
                with open(path, "rb") as file:
                    data = file.read()
                self.file(path, change(data))
            self.assertEqual(self.analyzed(*options), cold)


if __name__ == "__main__":
    main()
