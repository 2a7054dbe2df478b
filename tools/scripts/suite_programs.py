"""The programs of public suites: how their build files build and run them.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import re
import shlex
import subprocess
from pathlib import Path

SOURCES = (".cu", ".cpp", ".cc", ".c", ".cxx")


class Program:
    """How a program of a suite is built and run."""

    def __init__(self, folder, sources, options, arguments):
        self.folder, self.sources, self.options = Path(folder), sources, options
        self.arguments = arguments


def lines_of(command, folder):
    """What a command prints, its continued lines joined."""
    run = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         stdin=subprocess.DEVNULL, text=True, errors="replace", timeout=60)
    return run.stdout.replace("\\\n", " ").splitlines()


def compiler_words(words, folder):
    """(sources, options) of a line of a build that calls a compiler."""
    sources, options = [], []
    taking = iter(words)
    for word in taking:
        if word in ("-o", "-Xcompiler", "-Xptxas", "-Xlinker", "-arch", "-gencode", "-ccbin",
                    "--generate-code", "-x", "-MF", "-MT"):
            next(taking, None)
        elif word in ("-I", "-D", "-isystem", "-include"):
            options += [word + next(taking, "")] if word in ("-I", "-D") \
                else [word, next(taking, "")]
        elif word.endswith(SOURCES) and not word.startswith("-"):
            sources.append(os.path.normpath(word))
        elif re.match(r"-[ID].|-std=|--std=|--expt|--extended-lambda|-rdc", word):
            options.append(word)
    return sources, [absolute(option, folder) for option in options]


def absolute(option, folder):
    """An option for a folder of headers, from anywhere."""
    if option.startswith("-I") and not os.path.isabs(option[2:]):
        return "-I" + os.path.normpath(os.path.join(folder, option[2:]))
    return option


def by_make(folder):
    """The program that a makefile builds; None where it builds none."""
    sources, options = [], []
    for line in lines_of(["make", "-n", "-B", "CC=nvcc", "NVCC=nvcc", "CXX=g++"], folder):
        try:
            words = shlex.split(line)
        except ValueError:
            continue
        if not words or not re.search(r"(?:nvcc|g\+\+|gcc|\bcc)$", words[0]):
            continue
        more, own = compiler_words(words[1:], folder)
        sources += [source for source in more if source not in sources]
        options += [option for option in own if option not in options]
    return Program(folder, sources, options, run_arguments(folder)) if sources else None


def run_arguments(folder):
    """The command line that the suite runs a program with."""
    lines = []
    if (Path(folder) / "run").is_file():
        lines = (Path(folder) / "run").read_text(errors="replace").splitlines()
    lines += lines_of(["make", "-n", "CC=nvcc", "run"], folder)
    for line in lines:
        found = re.match(r"\s*(?:time )?\./\S+\s*(.*)", line)
        if found:
            return found[1].strip()
    return ""


def fewer(arguments):
    """The arguments with a hundredth of the last number, then a sixteenth of the largest too."""
    words = arguments.split()
    numbers = [at for at, word in enumerate(words) if word.isdigit() and int(word) > 1]
    tries = []
    if numbers:
        words[numbers[-1]] = str(max(1, int(words[numbers[-1]]) // 100))
        tries.append(" ".join(words))
        largest = max(numbers, key=lambda at: int(words[at]))
        if int(words[largest]) >= 1024:
            words[largest] = str(int(words[largest]) // 16)
            tries.append(" ".join(words))
    return tries


def by_cmake(folder):
    """The program of a folder of the CUDA samples; None where there is none."""
    text = (Path(folder) / "CMakeLists.txt").read_text(errors="replace")
    found = re.search(r"add_executable\(\s*\S+\s+([^)]*)\)", text)
    if not found:
        return None
    sources = [word for word in found[1].split() if word.endswith(SOURCES)]
    headers = [absolute("-I" + word, folder) for group in
               re.findall(r"include_directories\(([^)]*)\)", text) for word in group.split()
               if "$" not in word]
    return Program(folder, sources, headers + ["-std=c++17"], "") if sources else None


def programs_of(suite):
    """The programs in a suite: folders that build one, files that are one of their own."""
    suite = Path(suite)
    folders = {build.parent for name in ("Makefile", "CMakeLists.txt")
               for build in suite.rglob(name) if any(build.parent.glob("*.cu"))}
    alone = {}
    for source in suite.rglob("*.cu"):
        if has_main(source):
            alone.setdefault(source.parent, []).append(source)
    found = {folder for folder in folders if len(alone.get(folder, [])) < 2}
    for folder, sources in alone.items():
        if folder not in found:
            found.update(sources)
    return sorted(path for path in found
                  if not re.search(r"-(?:hip|sycl|omp)(?:/|$)", path.as_posix()))


def has_main(source):
    """Whether a file defines the function that a program starts in."""
    return bool(re.search(r"^\s*(?:int|void)\s+main\s*\(", source.read_text(errors="replace"),
                          re.MULTILINE))


def included_names(source):
    """Names that a file includes beside itself."""
    return re.findall(r'^\s*#\s*include\s+"([^"]+)"', source.read_text(errors="replace"),
                      re.MULTILINE)


def headers_beside(source):
    """Files that a file includes by a path from itself, and those that they include."""
    found, asked = set(), [Path(source)]
    while asked:
        file = asked.pop()
        for name in included_names(file):
            header = Path(os.path.normpath(file.parent / name))
            if header.is_file() and header not in found:
                found.add(header)
                asked.append(header)
    return found


def by_file(source):
    """The program that a file is."""
    return Program(source.parent, [source.name], ["-std=c++17"], "")


def read_program(path):
    """The program that a folder builds or a file is; None where a build file says nothing."""
    if path.is_file():
        return by_file(path)
    if (path / "Makefile").is_file():
        return by_make(path)
    return by_cmake(path)


def absent_input(program):
    """A file of the command line that the suite does not carry."""
    for word in shlex.split(program.arguments):
        if "/" in word and not (program.folder / word).exists() and \
                not (program.folder / word).parent.is_dir():
            return word
    return None


def commit_of(folder):
    """The commit of a check-out, short."""
    run = subprocess.run(["git", "-C", folder, "rev-parse", "--short=12", "HEAD"],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return run.stdout.strip() or "?"
