#!/usr/bin/env python3
"""Checks who includes whom, and that public headers stand on their own.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: layering.py SOURCE_DIR [--compile COMPILER [FLAGS...]]

The table below is the one of docs/architecture.md; a change of it is a design
decision. With --compile, every public header that no source includes first is also
compiled alone.
"""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

DATA = ("llvm/ADT/", "llvm/Support/")
LLVM = ("llvm/",)

# Room: (rooms it may include besides itself, prefixes of foreign headers with
# a folder in their name). Headers without a folder are the C++ library's.
ROOMS = {
    "Support": ([], DATA + ("sys/",)),
    "Page": (["Support"], DATA),
    "Device": (["Support"], DATA),
    "Kernel": (["Support"], DATA),
    "Assembler": (["Kernel", "Support"], DATA),
    "Model": (["Assembler", "Device", "Kernel", "Support"], DATA),
    "Lanes": (["Kernel", "Support"], DATA),
    "Caches": (["Lanes", "Kernel", "Support"], DATA),
    "Config": (["Kernel", "Support"], DATA),
    "Toolchain": (["Assembler", "Kernel", "Support"], DATA + ("sys/",)),
    "ReadLLVM": (["Assembler", "Kernel", "Support"], LLVM),
    "ReadPtx": (["Kernel", "Support"], LLVM),
    "ReadClang": (["Kernel", "Support"], ("clang/",) + LLVM),
    "ReadMLIR": (["Kernel", "Support"], ("mlir/",) + LLVM),
    "ReadSass": (["Kernel", "Support"], DATA),
    "JoinViews": (["Kernel", "Support"], DATA),
    "Execute": (["ReadPtx", "Kernel", "Support"], LLVM + ("sys/",)),
    "WhatIf": (["Kernel", "Support"], DATA),
    "Report": (["Model", "Lanes", "Device", "Kernel", "Support"], DATA),
    "Lock": (["Report", "Kernel", "Support"], DATA + ("llvm/Demangle/",)),
    "Assess": (["Report", "WhatIf", "Model", "JoinViews", "Caches", "Lanes", "Assembler", "Device",
                "Kernel", "Support"], DATA),
    "Views": (["Lock", "Report", "Model", "Lanes", "Page", "Device", "Kernel", "Support"], DATA),
    "EmitRemarks": (["Report", "Support"], LLVM),
}
# Folders inside a room: the folders whose private headers, and whose functions
# behind public headers, each may use besides its own. Sources that lie in no
# folder join the folders and may use all.
INSIDE = {
    "Model": {
        "Numbers": [],
        "Bounds": ["Numbers"],
        "Latency": ["Numbers"],
        "Throughput": ["Latency", "Bounds", "Numbers"],
        "Grid": ["Throughput", "Latency", "Numbers"],
    },
    "Lanes": {
        "Analysis": [],
        "Guess": ["Analysis"],
        "Slice": ["Guess", "Analysis"],
        "Walk": ["Slice", "Guess", "Analysis"],
        "Memory": ["Walk", "Slice", "Analysis"],
    },
}
ANY_ROOM = list(ROOMS)
# Folder outside of lib: rooms it may include.
FOLDERS = {
    "tools": ANY_ROOM,
    "tools/accuracy/baselines": ["Support"],
    "calibration": ["Device", "Page", "Support"],
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
SOURCES = (".h", ".cpp", ".def", ".inc")


def files_under(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in SOURCES)


def check_includes(path, root, room, allowed, foreign):
    """Faults of one file. foreign None: any foreign header is allowed."""
    for _, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
        where = f"{path.relative_to(root)}: includes {name}"
        parts = name.split("/")
        if parts[0] == "gpuocc":
            used = parts[1]
            if used not in ROOMS:
                yield f"{where}: there is no room '{used}'"
            elif used != room and used not in allowed:
                may = ", ".join(allowed) or "no other room"
                yield f"{where}: {room} may include {may}"
        elif parts[0] in ("tools", "calibration", "test", "lib"):
            yield f"{where}: a path into {parts[0]}/"
        elif foreign is not None and len(parts) > 1:
            is_own = (path.parent / name).exists() or (root / "lib" / room / name).exists()
            if not is_own and not name.startswith(foreign):
                may = ", ".join(foreign)
                yield f"{where}: {room} may include foreign headers of {may}"


def folder_in(room_dir, path):
    """The folder of the room in which path lies; None for the room itself."""
    parts = path.relative_to(room_dir).parts
    return parts[0] if len(parts) > 1 else None


def check_order_of_folders(room):
    """A row of INSIDE names rows above it only, so that there is no cycle."""
    above = []
    for folder, used in INSIDE.get(room, {}).items():
        for name in set(used) - set(above):
            yield f"test/layering.py: {room}/{folder} may not use {name}, which is not above it"
        above.append(folder)


def check_folders(path, root, room_dir):
    """Faults of one source of a room with folders."""
    folders, room = INSIDE[room_dir.name], room_dir.name
    own = folder_in(room_dir, path)
    if own is not None and own not in folders:
        yield f"{path.relative_to(root)}: {own} is not a folder of {room} in the table"
        return
    for _, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
        where = f"{path.relative_to(root)}: includes {name}"
        if name.startswith(f"gpuocc/{room}/"):
            # What joins the folders has the types that all of them share.
            source = next(room_dir.rglob(Path(name).stem + ".cpp"), None)
            used = source and folder_in(room_dir, source) or own
        elif "/" not in name and (path.parent / name).exists() and own is not None:
            yield f"{where}: write {own}/{name}"
            continue
        elif (room_dir / name).exists():
            used = folder_in(room_dir, room_dir / name)
        else:
            continue
        if own is not None and used != own and used not in folders[own]:
            may = ", ".join(folders[own]) or "no other folder"
            yield f"{where}: {room}/{own} may use {may}"


# Rooms of formulas: a number of a device is one of the database, or has a row
# in lib/Device/FallbackNumbers.def.
FORMULAS = {"Model", "Lanes", "Caches", "Assess"}
# A number of its own where the database lacks one. 0 may stand for "none" where
# it is no quantity of a device.
NAMELESS = re.compile(
    r"(?:get\([^()]*\)\s*\.value_?[oO]r\(\s*\d|\.value_?[oO]r\(\s*(?!0\s*\))\d)"
)


# What it finds and what it leaves alone.
assert all(map(NAMELESS.search, ("get(Q).value_or(0)", "get(Q)\n.valueOr(2)", "L.Units.value_or(1)")))
assert not any(map(NAMELESS.search, ("Most.value_or(0)", "get(Q).value_or(N)")))


def check_formulas(path, root):
    text = path.read_text()
    for match in NAMELESS.finditer(text):
        line = text.count("\n", 0, match.end()) + 1
        yield f"{path.relative_to(root)}:{line}: a nameless number; give it a row in lib/Device/FallbackNumbers.def"


# LLVM's parsers take a stack frame for each level of what they read. Those that
# may call them have made sure of the depth, or go down no further than they know
# keys; all others use gpuocc/Support/ParseJSON.h, ReadInput.h and Config.h.
PARSERS = re.compile(r"json::parse\(|yaml::(?:Stream|Input)\b")
GUARDED = {"lib/Support/ParseJSON.cpp", "lib/Config/Config.cpp", "tools/lsp/DeviceFile.cpp"}


def check_parsers(path, root):
    name = str(path.relative_to(root))
    for match in PARSERS.finditer(path.read_text() if name not in GUARDED else ""):
        line = path.read_text().count("\n", 0, match.start()) + 1
        if not path.read_text().splitlines()[line - 1].lstrip().startswith("//"):
            yield f"{name}:{line}: {match.group()} without a limit; use gpuocc/Support/ParseJSON.h"


NAMESPACE = re.compile(r"^(?:inline )?namespace ?([\w:]*) \{$")
END_OF_NAMESPACE = re.compile(r"^\} // namespace")
TYPE = re.compile(r"^(?:struct|class) (\w+)(?: final)?(?: : [^;]*)?(?: \{|$)")


def types_defined(lines):
    """Full names of the types that lines define in namespaces that have names."""
    inside = []
    for line in lines:
        if opened := NAMESPACE.match(line):
            inside.append(opened.group(1))
        elif END_OF_NAMESPACE.match(line) and inside:
            inside.pop()
        elif (found := TYPE.match(line)) and inside and "" not in inside:
            yield "::".join(inside + [found.group(1)])


assert list(types_defined(["namespace a {", "struct B {", "struct C;", "class D : public B {",
                           "namespace {", "struct E {", "} // namespace", "} // namespace a",
                           "struct F {"])) == ["a::B", "a::D"]


def check_one_definition(root, folders):
    """Two types of one name are one to the linker, which keeps either's functions."""
    places = {}
    for folder in folders:
        for path in files_under(root / folder):
            for name in types_defined(path.read_text(encoding="utf-8").splitlines()):
                places.setdefault(name, []).append(str(path.relative_to(root)))
    for name, where in sorted(places.items()):
        if len(set(where)) > 1:
            yield f"{where[1]}: defines {name}, and so does {where[0]}"


def check_links(room, root):
    """The build may link a room to what the table lets it include, no more."""
    path = room / "CMakeLists.txt"
    found = re.search(r"gpuocc_add_room\(\s*(\w+)\s*(?:FILE_BY_FILE\s*)?(?:FOLDERS[^)]*?)?"
                      r"(?:DEPENDS([^)]*?))?(?:PLUGINS[^)]*?)?(?:APART[^)]*)?\)",
                      path.read_text(encoding="utf-8"))
    where = path.relative_to(root)
    if not found:
        yield f"{where}: no gpuocc_add_room(...)"
        return
    for used in (found.group(2) or "").split():
        if used not in ROOMS[room.name][0]:
            yield f"{where}: links {used}, which {room.name} may not include"


def check_guard(path, include_dir):
    """A header's guard is its path, as LLVM writes it."""
    relative = path.relative_to(include_dir)
    guard = re.sub(r"[/.]", "_", str(relative)).upper()
    text = path.read_text(encoding="utf-8")
    if f"#ifndef {guard}\n#define {guard}\n" not in text:
        yield f"{path}: the include guard should be {guard}"


def without_missing_mlir(headers, command):
    """Those of headers that compile where the headers of MLIR may be missing."""
    done = subprocess.run(command + ["-fsyntax-only", "-x", "c++", "-std=c++20", "-"],
                          input="#include <mlir/IR/Location.h>\n", capture_output=True, text=True)
    if done.returncode == 0:
        return headers
    print("note: without libmlir-22-dev the headers of ReadMLIR are not compiled")
    return [header for header in headers if header.parent.name != "ReadMLIR"]


def included_first(root, folders):
    """Headers that a source includes before all else, so that the build compiles them alone."""
    for folder in folders:
        for path in (root / folder).rglob("*.cpp"):
            first = INCLUDE.search(path.read_text(encoding="utf-8"))
            if first and first.group(2).startswith("gpuocc/"):
                yield root / "include" / first.group(2)


def check_compiles(headers, include_dir, command):
    """Each header is a source by itself: nothing else before it."""
    def compile_alone(header):
        done = subprocess.run(
            command + ["-fsyntax-only", "-x", "c++", "-std=c++20", "-I",
                       str(include_dir), "-include", str(header), os.devnull],
            capture_output=True, text=True)
        if done.returncode:
            first = next((l for l in done.stderr.splitlines() if "error:" in l), "")
            return f"{header}: does not compile alone: {first}"
        return None

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [fault for fault in pool.map(compile_alone, headers) if fault]


def main():
    root = Path(sys.argv[1]).resolve()
    include_dir = root / "include"
    faults = []
    checked = 0
    for kind in ("include/gpuocc", "lib"):
        for room in sorted(p for p in (root / kind).iterdir() if p.is_dir()):
            if room.name not in ROOMS:
                faults.append(f"{room.relative_to(root)}: not a room of the table")
                continue
            allowed, foreign = ROOMS[room.name]
            if kind == "lib":
                faults += check_links(room, root)
                faults += check_order_of_folders(room.name)
            for path in files_under(room):
                checked += 1
                faults += check_includes(path, root, room.name, allowed, foreign)
                faults += check_parsers(path, root)
                if kind == "lib" and room.name in INSIDE:
                    faults += check_folders(path, root, room)
                if room.name in FORMULAS:
                    faults += check_formulas(path, root)
    for folder, allowed in FOLDERS.items():
        for path in files_under(root / folder):
            checked += 1
            faults += check_includes(path, root, folder, allowed, None)
            faults += check_parsers(path, root)

    faults += check_one_definition(root, ("include", "lib", "tools", "calibration", "test/unit"))

    headers = sorted((include_dir / "gpuocc").rglob("*.h"))
    for header in headers:
        faults += check_guard(header, include_dir)
    if "--compile" in sys.argv:
        command = sys.argv[sys.argv.index("--compile") + 1:]
        built = set(included_first(root, ("lib", "tools", "calibration", "test/unit")))
        rest = [header for header in headers if header not in built]
        faults += check_compiles(without_missing_mlir(rest, command), include_dir, command)

    for fault in faults:
        print(f"error: {fault}")
    print(f"{checked} files, {len(headers)} public headers, {len(faults)} faults")
    return 1 if faults or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
