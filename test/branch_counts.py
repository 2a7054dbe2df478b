#!/usr/bin/env python3
"""Compares how often branches are said to run with what an interpreter of PTX counts.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: branch_counts.py GPU-OCCUPANCY SOURCE PTX [--most SHARE] [--show]

SOURCE has kernels whose branches nothing but threads, blocks, arguments and what they store
themselves decides, and PTX is what a compiler with -lineinfo or the like makes of it.
A comment "// launch KERNEL grid=N block=N NAME=VALUE..." says how each is launched: the
values are those of its last parameters, in order. An interpreter of its own runs all threads of each, 32 in step: those that part
at a branch meet again at its immediate post-dominator. Of each branch that has a condition, the executions of a
warp in the mean are compared with the report's, by line; where a line has several, their
sum. Prints those that differ by more than SHARE (0.02), and how many do not; fails when
one does.
"""

import argparse
import collections
import json
import math
import re
import struct
import subprocess
import sys
import tempfile

LANES = 32
BITS = {"8": 8, "16": 16, "32": 32, "64": 64}


def f32(x):
    """x rounded to single precision."""
    try:
        return struct.unpack("f", struct.pack("f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def signed(x, bits):
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def of_type(kind, bits):
    """How the bits of a register are read as a value of a type."""
    if kind == "s":
        return lambda x: signed(x, bits)
    if kind == "f":
        return lambda x: x
    return lambda x: x & ((1 << bits) - 1)


def truncated(a, b):
    """Quotient and remainder as C has them; those of a division by 0 are all ones."""
    if b == 0:
        return -1, a
    q = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return q, a - q * b


COMPARE = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
    "lo": lambda a, b: a < b, "ls": lambda a, b: a <= b, "hi": lambda a, b: a > b,
    "hs": lambda a, b: a >= b, "neu": lambda a, b: a != b, "ltu": lambda a, b: not a >= b,
    "leu": lambda a, b: not a > b, "gtu": lambda a, b: not a <= b,
    "geu": lambda a, b: not a < b, "equ": lambda a, b: a == b,
}
COMPUTE = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "and": lambda a, b: a & b,
    "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "min": min, "max": max,
    "div": lambda a, b: truncated(a, b)[0], "rem": lambda a, b: truncated(a, b)[1],
}


class Instruction:
    def __init__(self, text, line):
        self.line = line
        self.guard, self.negated = None, False
        found = re.match(r"@(!?)(%\w+)\s+", text)
        if found:
            self.negated, self.guard = bool(found[1]), found[2]
            text = text[found.end():]
        name, _, rest = text.partition(" ")
        self.parts = name.strip().split(".")
        self.args = [a.strip() for a in re.split(r",(?![^\[{]*[\]}])", rest) if a.strip()]
        types = [p for p in self.parts if re.fullmatch(r"[subf](8|16|32|64)|pred", p)]
        self.kinds = [("u", 1) if t == "pred" else (t[0], int(t[1:])) for t in types]


class Kernel:
    """The code of one entry."""

    def __init__(self, name, parameters, body):
        self.name = name
        self.parameters = re.findall(r"\.param[^,)]*?([\w$]+)(?:\[\d+\])?\s*(?:,|$)", parameters)
        self.code, self.labels, self.arrays, self.tables = [], {}, {}, {}
        for table in re.finditer(r"([$\w]+):\s*\.branchtargets([^;]*);", body):
            self.tables[table[1]] = [t.strip() for t in table[2].split(",")]
        body = re.sub(r"[$\w]+:\s*\.branchtargets[^;]*;", "", body)
        line, text = 0, ""
        for row in body.splitlines():
            row = row.split("//")[0].strip()
            found = re.match(r"\.loc\s+\d+\s+(\d+)", row)
            if found:
                line = int(found[1])
            array = re.match(r"\.(shared|local)[^;]*?([\w$]+)\[(\d+)\];", row)
            if array:
                self.arrays[array[2]] = (array[1], int(array[3]))
            if not row or row.startswith((".", "{", "}")):
                continue
            label = re.fullmatch(r"([$\w]+):", row)
            if label:
                self.labels[label[1]] = len(self.code)
                continue
            text += " " + row
            if text.endswith(";"):
                self.code.append(Instruction(" ".join(text[:-1].split()), line))
                text = ""
        self.joins = self.find_joins()

    def targets(self, pc):
        """Where instruction pc may go on; the end of the code is behind the last."""
        i, end = self.code[pc], len(self.code)
        if i.parts[0] == "bra":
            return {self.labels[i.args[0]]} | ({pc + 1} if i.guard else set())
        if i.parts[0] == "brx":
            return {self.labels[t] for t in self.tables[i.args[1]]}
        if i.parts[0] in ("ret", "exit"):
            return {end} | ({pc + 1} if i.guard else set())
        return {pc + 1}

    def find_joins(self):
        """The immediate post-dominator of each instruction that parts threads."""
        end = len(self.code)
        behind = [set(range(pc, end + 1)) | set(range(end + 1)) for pc in range(end)] + [{end}]
        changed = True
        while changed:
            changed = False
            for pc in range(end - 1, -1, -1):
                new = set.intersection(*(behind[t] for t in self.targets(pc))) | {pc}
                if new != behind[pc]:
                    behind[pc], changed = new, True
        return {pc: max(behind[pc] - {pc}, key=lambda at: len(behind[at]))
                for pc in range(end) if len(self.targets(pc)) > 1}


class Warp:
    """32 threads, which are at places of the code and wait at barriers."""

    def __init__(self, run, block, number):
        self.run, self.block, self.number = run, block, number
        self.base = number * LANES
        count = min(LANES, run.block - self.base)
        self.stack, self.gone = [[0, -1, list(range(count))]], set()
        self.registers = collections.defaultdict(lambda: [0] * LANES)
        self.local = collections.defaultdict(int)

    def special(self, name, lane):
        return {"%tid.x": self.base + lane, "%ctaid.x": self.block, "%ntid.x": self.run.block,
                "%nctaid.x": self.run.grid, "%laneid": lane}.get(name, 0)

    def value(self, arg, lane):
        if arg.startswith("-%") or arg.startswith("!%"):
            return -self.registers[arg[1:]][lane]
        if re.match(r"%(n?tid|n?ctaid|laneid)", arg):
            return self.special(arg, lane)
        if arg.startswith("%"):
            return self.registers[arg][lane]
        if arg.startswith("0f"):
            return struct.unpack(">f", bytes.fromhex(arg[2:]))[0]
        if arg.startswith("0d"):
            return struct.unpack(">d", bytes.fromhex(arg[2:]))[0]
        if arg in self.run.places:
            return self.run.places[arg]
        return int(arg.rstrip("U"), 0)

    def place(self, arg, lane):
        """The address in brackets."""
        name, _, offset = arg.strip("[]").partition("+")
        return self.value(name, lane) + (int(offset) if offset else 0)

    def go(self, pc, stop, lanes):
        """Threads go on at pc until they get to stop."""
        if lanes and pc != stop:
            self.stack.append([pc, stop, lanes])

    def step(self):
        """Executes one instruction; false at a barrier and at the end."""
        kernel, end = self.run.kernel, len(self.run.kernel.code)
        while self.stack and self.stack[-1][0] in (self.stack[-1][1], end):
            self.stack.pop()
        if not self.stack:
            return False
        pc, stop, lanes = self.stack[-1]
        lanes = [lane for lane in lanes if lane not in self.gone]
        i = kernel.code[pc]
        taken = lanes
        if i.guard:
            taken = [l for l in lanes if bool(self.registers[i.guard][l]) != i.negated]
        op = i.parts[0]
        self.stack[-1][0] = pc + 1
        if not lanes:
            self.stack.pop()
        elif op in ("bra", "brx") and pc not in kernel.joins:
            self.stack[-1][0] = kernel.labels[i.args[0]]
        elif op in ("bra", "brx"):
            self.run.executed[i.line] += 1
            self.stack[-1][0] = kernel.joins[pc]
            sides = collections.defaultdict(list)
            for lane in lanes:
                to = i.args[0] if lane in taken else None
                if op == "brx":
                    to = kernel.tables[i.args[1]][self.value(i.args[0], lane)]
                sides[pc + 1 if to is None else kernel.labels[to]].append(lane)
            for to, those in sides.items():
                self.go(to, kernel.joins[pc], those)
        elif op in ("ret", "exit"):
            self.gone |= set(taken)
        elif op in ("bar", "barrier"):
            return False
        elif op in ("shfl", "vote"):
            self.exchange(i, taken)
        else:
            for lane in taken:
                self.compute(i, lane)
        return True

    def exchange(self, i, lanes):
        into = i.args[0].split("|")
        if i.parts[0] == "vote":
            holds = [l for l in lanes if self.value(i.args[1], l)]
            result = {"ballot": sum(1 << l for l in holds), "any": int(bool(holds)),
                      "all": int(holds == lanes)}[[p for p in i.parts if p in ("ballot", "any", "all")][0]]
            for lane in lanes:
                self.registers[into[0]][lane] = result
            return
        kind = [p for p in i.parts if p in ("bfly", "up", "down", "idx")][0]
        before = list(self.registers[i.args[1]])
        for lane in lanes:
            by = self.value(i.args[2], lane)
            source = {"bfly": lane ^ by, "up": lane - by, "down": lane + by, "idx": by & 31}[kind]
            inside = 0 <= source < LANES
            self.registers[into[0]][lane] = before[source] if inside else before[lane]
            if len(into) > 1:
                self.registers[into[1]][lane] = int(inside)

    def memory(self, space):
        return {"shared": self.run.shared, "local": self.local}.get(space, self.run.memory)

    def compute(self, i, lane):
        op, parts, args = i.parts[0], i.parts, i.args
        kind, bits = i.kinds[-1] if i.kinds else ("u", 64)
        read = of_type(kind, bits)
        get = lambda n: read(self.value(args[n], lane))
        if op == "ld" and parts[1] == "param":
            result = self.run.arguments.get(args[1].strip("[]"), 0)
        elif op in ("ld", "st"):
            is_load = op == "ld"
            place = self.place(args[is_load], lane)
            memory = self.memory(parts[1])
            for n, arg in enumerate(a.strip() for a in args[not is_load].strip("{}").split(",")):
                at = place + n * bits // 8
                key = (lane, at) if parts[1] == "local" else at
                if is_load:
                    self.registers[arg][lane] = memory[key]
                else:
                    memory[key] = self.value(arg, lane)
            return
        elif op in ("mov", "cvta"):
            result = self.value(args[1], lane)
        elif op in COMPUTE and kind == "f":
            a, b = get(1), get(2)
            if op == "div":
                result = f32(a / b) if b else math.nan
            else:
                result = f32(COMPUTE[op](a, b))
        elif op in COMPUTE:
            result = COMPUTE[op](get(1), get(2))
        elif op == "mul":
            product = get(1) * get(2)
            result = f32(product) if kind == "f" else product >> bits if "hi" in parts else product
            bits *= 2 if "wide" in parts else 1
        elif op in ("mad", "fma"):
            wide = "wide" in parts
            product = get(1) * get(2)
            result = product + (self.value(args[3], lane) if wide else get(3))
            result = f32(result) if kind == "f" else result
            bits *= 2 if wide else 1
        elif op == "shl":
            result = get(1) << min(self.value(args[2], lane), 64)
        elif op == "shr":
            result = get(1) >> min(self.value(args[2], lane) & 0xFFFFFFFF, 64)
        elif op in ("neg", "abs", "not"):
            result = {"neg": -get(1), "abs": abs(get(1)), "not": ~int(get(1)) if kind != "f" else 0}[op]
            if bits == 1:
                result &= 1
        elif op == "setp":
            result, kind, bits = int(COMPARE[parts[1]](get(1), get(2))), "u", 1
        elif op == "selp":
            result = self.value(args[1] if self.value(args[3], lane) else args[2], lane)
        elif op == "cvt":
            to, source = i.kinds
            x = of_type(*source)(self.value(args[1], lane))
            if to[0] == "f":
                result, kind = f32(float(x)) if to[1] == 32 else float(x), "f"
            else:
                result = int(x) if source[0] != "f" or math.isfinite(x) else 0
                kind, bits = to
        elif op == "popc":
            result = bin(get(1)).count("1")
        elif op in ("clz", "brev", "bfind"):
            x = get(1) & ((1 << bits) - 1)
            result = {"clz": bits - x.bit_length(), "brev": int(f"{x:0{bits}b}"[::-1], 2),
                      "bfind": x.bit_length() - 1}[op]
        else:
            raise ValueError(f"no meaning of '{'.'.join(parts)}'")
        if kind == "f" or (isinstance(result, float)):
            self.registers[args[0]][lane] = result
        else:
            self.registers[args[0]][lane] = result & ((1 << bits) - 1)


class Run:
    """A launch, all of which is executed."""

    def __init__(self, kernel, grid, block, arguments):
        self.kernel, self.grid, self.block = kernel, grid, block
        self.arguments = dict(zip(kernel.parameters, arguments))
        self.executed = collections.Counter()
        self.memory = collections.defaultdict(int)
        self.places, at = {}, 0
        for name, (_, size) in kernel.arrays.items():
            self.places[name] = at
            at += size
        for number in range(grid):
            self.shared = collections.defaultdict(int)
            warps = [Warp(self, number, w) for w in range((block + LANES - 1) // LANES)]
            while any(w.stack for w in warps):
                for warp in warps:
                    while warp.step():
                        pass
        self.warps = grid * ((block + LANES - 1) // LANES)


def kernels_of(text):
    for found in re.finditer(r"\.entry\s+(\w+)\s*\(([^)]*)\)[^{]*\{", text):
        body = text[found.end():]
        yield Kernel(found[1], found[2], body[:re.search(r"^\}", body, re.M).start()])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("command")
    parser.add_argument("source")
    parser.add_argument("ptx")
    parser.add_argument("--most", type=float, default=0.02)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    kernels = {k.name: k for k in kernels_of(open(options.ptx).read())}
    launches, flags = {}, []
    for name, grid, block, rest in re.findall(
            r"^// launch (\w+) grid=(\d+) block=(\d+) ?(.*)$", open(options.source).read(), re.M):
        given = [int(a.split("=")[1]) for a in rest.split()]
        before = len(kernels[name].parameters) - len(given)
        launches[name] = (int(grid), int(block), [4096] * before + given)
        values = "".join(f",{before + i}={value}" for i, value in enumerate(given))
        flags.append(f"--launch={name}:grid={grid},block={block}{values}")
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        subprocess.run([options.command, "analyze", options.ptx, "--device=h200", "--ptxas=off",
                        "--format=json", "-o", out.name, *flags], check=True)
        said = {k["name"]: k for k in json.load(open(out.name))["kernels"]}
    alike, wrong = 0, 0
    for name, launch in launches.items():
        kernel = kernels[name]
        run = Run(kernel, *launch)
        reported = collections.Counter()
        for b in said[kernel.name]["branches"]:
            reported[b["line"]] += b["executions_per_warp"]
        for line, count in sorted(run.executed.items()):
            counted = count / run.warps
            bad = abs(reported[line] - counted) > options.most * counted
            wrong, alike = wrong + bad, alike + (not bad)
            if bad or options.show:
                print(f"{kernel.name} line {line}: counted {counted:g}, said {reported[line]:g}"
                      + (", with assumptions" if said[kernel.name]["assumptions"] else ""))
    print(f"{alike} lines with branches are right, {wrong} are not")
    return 1 if wrong or not alike else 0


if __name__ == "__main__":
    sys.exit(main())
