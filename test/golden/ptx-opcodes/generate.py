#!/usr/bin/env python3
"""Writes a CUDA program that tries every PTX opcode that only computes.

    generate.py opcodes.cu --nvcc /usr/local/cuda/bin/nvcc

Cases that the assembler of that toolkit refuses are left out. The program prints one JSON object: for each case its text, its results and operands (kinds
as in operands.h), a hash of its results and the first of them.
"""

import argparse
import itertools
import re
import subprocess
import tempfile

INTS = ("u16", "s16", "u32", "s32", "u64", "s64")
REG = {"16": "h", "32": "r", "64": "l"}


def reg(t):
    return {"f32": "f", "f64": "d", "f16": "e", "bf16": "b", "f16x2": "E", "bf16x2": "B",
            "pred": "p"}.get(t) or REG.get(t.lstrip("usb").removesuffix("x2").replace("8", "16")
                                           if t not in ("u16x2", "s16x2") else "32", "r")


CASES = []


def case(text, out, ins):
    CASES.append((text, out, ins))


def plain(mnemonic, out, ins):
    """One instruction whose operands are all registers."""
    names = ", ".join(f"%{i}" for i in range(len(out) + len(ins)))
    case(f"{mnemonic} {names};", out, ins)


def integers():
    for t in INTS:
        r = reg(t)
        for op in ("add", "sub", "mul.lo", "mul.hi", "div", "rem", "min", "max"):
            plain(f"{op}.{t}", r, r + r)
        plain(f"mad.lo.{t}", r, r * 3)
        plain(f"mad.hi.{t}", r, r * 3)
        plain(f"sad.{t}", r, r * 3)
        if t[1:] != "64":
            wide = REG[str(2 * int(t[1:]))]
            plain(f"mul.wide.{t}", wide, r + r)
            plain(f"mad.wide.{t}", wide, r + r + wide)
        if t[0] == "s":
            plain(f"abs.{t}", r, r)
            plain(f"neg.{t}", r, r)
    for t in ("u16x2", "s16x2"):
        plain(f"add.{t}", "r", "rr")
        plain(f"min.{t}", "r", "rr")
        plain(f"max.{t}", "r", "rr")
    for op in ("min.relu.s32", "max.relu.s32", "min.relu.s16x2", "max.relu.s16x2"):
        plain(op, "r", "rr")
    plain("add.sat.s32", "r", "rr")
    plain("sub.sat.s32", "r", "rr")
    plain("mad.hi.sat.s32", "r", "rrr")
    for t in ("u32", "s32"):
        for part in ("lo", "hi"):
            plain(f"mul24.{part}.{t}", "r", "rr")
            plain(f"mad24.{part}.{t}", "r", "rrr")
    plain("mad24.hi.sat.s32", "r", "rrr")
    for w in ("32", "64"):
        r = REG[w]
        for op in ("popc", "clz"):
            plain(f"{op}.b{w}", "r", r)
        plain(f"brev.b{w}", r, r)
        plain(f"bfi.b{w}", r, r + r + "rr")
        for s in "us":
            plain(f"bfe.{s}{w}", r, r + "rr")
            plain(f"bfind.{s}{w}", "r", r)
            plain(f"bfind.shiftamt.{s}{w}", "r", r)
    case("bfi.b32 %0, %1, %2, 5, 27;", "r", "rr")
    case("bfi.b64 %0, %1, %2, 8, 40;", "l", "ll")
    case("bfe.u32 %0, %1, 1, 7;", "r", "r")
    case("bfe.s32 %0, %1, 25, 9;", "r", "r")
    case("bfe.u64 %0, %1, 30, 12;", "l", "l")
    plain("fns.b32", "r", "rrr")
    case("fns.b32 %0, 0xffffffff, %1, 1;", "r", "r")
    case("fns.b32 %0, %1, 0, %2;", "r", "rr")
    for mode in ("wrap", "clamp"):
        for s in "us":
            plain(f"szext.{mode}.{s}32", "r", "rr")
        plain(f"bmsk.{mode}.b32", "r", "rr")
    for a, b in itertools.product("us", repeat=2):
        plain(f"dp4a.{a}32.{b}32", "r", "rrr")
        for part in ("lo", "hi"):
            plain(f"dp2a.{part}.{a}32.{b}32", "r", "rrr")


def carries():
    for w in ("32", "64"):
        for s in "us":
            r, t = REG[w], s + w
            for op, of in (("add", 2), ("sub", 2), ("mad.lo", 3), ("mad.hi", 3)):
                ins = r * of
                args = ", ".join(f"%{2 + i}" for i in range(of))
                # What the carry says afterwards, read by addc and by subc.
                for after in ("addc", "subc"):
                    case(f"{op}.cc.{t} %0, {args}; {after}.{t} %1, 0, 0;", r + r, ins)
                name = {"add": "addc", "sub": "subc", "mad.lo": "madc.lo",
                        "mad.hi": "madc.hi"}[op]
                for before in ("add.cc", "sub.cc"):
                    more = ", ".join(f"%{4 + i}" for i in range(of))
                    case(f"{{ .reg .b{w} t; {before}.{t} t, %2, %3; {name}.cc.{t} %0, {more}; "
                         f"addc.{t} %1, 0, 0; }}", r + r, r + r + ins)
    case("add.cc.u32 %0, %4, %5; addc.cc.u32 %1, %6, %7; addc.cc.u32 %2, %8, %9; "
         "addc.u32 %3, %10, %11;", "rrrr", "r" * 8)
    case("{ .reg .u64 t; mul.lo.u64 t, %1, %2; add.u64 %0, t, %3; }", "l", "lll")
    case("{ .reg .u32 t1; .reg .u32 t2; xor.b32 t1, %1, %2; and.b32 t2, t1, 0xff; "
         "shl.b32 t1, t2, 4; or.b32 %0, t1, t2; }", "r", "rr")
    case("{ .reg .u32 t<3>; shr.u32 t1, %1, 5; bfi.b32 t2, t1, %2, 3, 9; "
         "lop3.b32 %0, t1, t2, %1, 0x96; }", "r", "rr")


def logic():
    for w in ("16", "32", "64"):
        r = REG[w]
        for op in ("and", "or", "xor"):
            plain(f"{op}.b{w}", r, r + r)
        plain(f"not.b{w}", r, r)
        plain(f"cnot.b{w}", r, r)
        plain(f"shl.b{w}", r, r + "r")
        for t in ("u", "s", "b"):
            plain(f"shr.{t}{w}", r, r + "r")
    for op in ("and", "or", "xor"):
        case(f"{{ .reg .pred p, q, s; setp.ne.u32 p, %1, 0; setp.gt.s32 q, %2, 7; "
             f"{op}.pred s, p, q; selp.b32 %0, 1, 0, s; }}", "r", "rr")
    case("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; not.pred q, p; selp.b32 %0, 5, 9, q; }",
         "r", "r")
    for table in (0x00, 0x01, 0x17, 0x1d, 0x2c, 0x40, 0x6a, 0x78, 0x80, 0x96, 0xac, 0xb2, 0xc0,
                  0xca, 0xd8, 0xe8, 0xea, 0xf8, 0xfe, 0xff):
        case(f"lop3.b32 %0, %1, %2, %3, {table:#x};", "r", "rrr")
    for op in ("or", "and"):
        case(f"{{ .reg .pred p, q; setp.ne.u32 q, %4, 0; "
             f"lop3.{op}.b32 %0|p, %1, %2, %3, 0x80, q; @p add.u32 %0, %0, 1; }}", "r", "rrrr")
    for side in "lr":
        for mode in ("wrap", "clamp"):
            plain(f"shf.{side}.{mode}.b32", "r", "rrr")
    plain("prmt.b32", "r", "rrr")
    case("prmt.b32 %0, %1, %2, 0x5410;", "r", "rr")
    case("prmt.b32 %0, %1, 0, 0x4440;", "r", "r")
    for mode in ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16"):
        plain(f"prmt.b32.{mode}", "r", "rrr")
    case("mov.b64 %0, {%1, %2};", "l", "rr")
    case("mov.b64 {%0, %1}, %2;", "rr", "l")
    case("mov.b32 %0, {%1, %2};", "r", "hh")
    case("mov.b32 {%0, %1}, %2;", "hh", "r")
    case("mov.u32 %0, %1;", "r", "r")


def comparisons():
    ordered = ("lt", "le", "gt", "ge")
    for t in INTS + ("b16", "b32", "b64"):
        r = reg(t)
        ops = ("eq", "ne") + (() if t[0] == "b" else ordered)
        ops += ("lo", "ls", "hi", "hs") if t[0] == "u" else ()
        for op in ops:
            case(f"{{ .reg .pred p; setp.{op}.{t} p, %1, %2; selp.u32 %0, 1, 0, p; }}", "r",
                 r + r)
        for to in ("u32", "s32", "f32"):
            plain(f"set.{ops[-1]}.{to}.{t}", reg(to), r + r)
    floats = ("eq", "ne", "equ", "neu", "num", "nan") + ordered + tuple(o + "u" for o in ordered)
    for t in ("f32", "f64", "f16", "bf16"):
        r = reg(t)
        for op in floats:
            case(f"{{ .reg .pred p; setp.{op}.{t} p, %1, %2; selp.u32 %0, 1, 0, p; }}", "r",
                 r + r)
        if t != "bf16":
            plain(f"set.lt.u32.{t}", "r", r + r)
            plain(f"set.geu.u32.{t}", "r", r + r)
    case("{ .reg .pred p; setp.lt.ftz.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }", "r", "ff")
    plain("set.lt.f32.f32", "f", "ff")
    for join in ("and", "or", "xor"):
        case(f"{{ .reg .pred p, q, s; setp.ne.u32 s, %4, 0; "
             f"setp.lt.{join}.s32 p|q, %2, %3, s; selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q; }}",
             "rr", "rrp")
        case(f"{{ .reg .pred s; setp.ne.u32 s, %3, 0; set.gt.{join}.u32.s32 %0, %1, %2, s; }}",
             "r", "rrp")
    case("{ .reg .pred s; setp.ne.u32 s, %3, 0; set.gt.and.u32.s32 %0, %1, %2, !s; }", "r", "rrp")
    for t in ("b16", "b32", "b64", "f32", "f64"):
        r = reg(t)
        case(f"{{ .reg .pred p; setp.ne.u32 p, %3, 0; selp.{t} %0, %1, %2, p; }}", r, r + r + "p")
        plain(f"slct.{t}.s32", r, r + r + "r")
        plain(f"slct.{t}.f32", r, r + r + "f")
    for t in ("f32", "f64"):
        for what in ("finite", "infinite", "number", "notanumber", "normal", "subnormal"):
            case(f"{{ .reg .pred p; testp.{what}.{t} p, %1; selp.u32 %0, 1, 0, p; }}", "r",
                 reg(t))
        plain(f"copysign.{t}", reg(t), reg(t) * 2)
    case("{ .reg .pred p; setp.lt.s32 p, %1, %2; @p add.s32 %0, %1, 3; @!p mov.u32 %0, 17; }",
         "r", "rr")


def conversions():
    whole = ("u8", "s8") + INTS
    for to, frm in itertools.product(whole, repeat=2):
        if to == frm:
            continue
        # 8 bits live in 16-bit registers.
        plain(f"cvt.{to}.{frm}", reg(to), reg(frm))
        plain(f"cvt.sat.{to}.{frm}", reg(to), reg(frm))
    for t in whole:
        for f in ("f32", "f64", "f16"):
            for r in ("rni", "rzi", "rmi", "rpi"):
                plain(f"cvt.{r}.{t}.{f}", reg(t), reg(f))
            for r in ("rn", "rz", "rm", "rp"):
                plain(f"cvt.{r}.{f}.{t}", reg(f), reg(t))
        plain(f"cvt.rzi.sat.{t}.f32", reg(t), "f")
        plain(f"cvt.rzi.ftz.{t}.f32", reg(t), "f")
        plain(f"cvt.rni.{t}.bf16", reg(t), "b")
        plain(f"cvt.rn.bf16.{t}", "b", reg(t))
    for f in ("f32", "f64", "f16"):
        for r in ("rni", "rzi", "rmi", "rpi"):
            plain(f"cvt.{r}.{f}.{f}", reg(f), reg(f))
        plain(f"cvt.sat.{f}.{f}", reg(f), reg(f))
    plain("cvt.rni.ftz.f32.f32", "f", "f")
    for to, frm in (("f32", "f64"), ("f16", "f32"), ("f16", "f64"), ("bf16", "f32")):
        for r in ("rn", "rz", "rm", "rp"):
            plain(f"cvt.{r}.{to}.{frm}", reg(to), reg(frm))
    for to, frm in (("f64", "f32"), ("f32", "f16"), ("f64", "f16"), ("f32", "bf16")):
        plain(f"cvt.{to}.{frm}", reg(to), reg(frm))
    plain("cvt.ftz.f32.f16", "f", "e")
    plain("cvt.rn.ftz.f16.f32", "e", "f")
    plain("cvt.rn.sat.f16.f32", "e", "f")
    plain("cvt.rn.relu.f16.f32", "e", "f")
    plain("cvt.rn.relu.bf16.f32", "b", "f")
    for pair in ("f16x2", "bf16x2"):
        for r in ("rn", "rz"):
            plain(f"cvt.{r}.{pair}.f32", reg(pair), "ff")
            plain(f"cvt.{r}.relu.{pair}.f32", reg(pair), "ff")
    plain("cvt.rna.tf32.f32", "r", "f")
    plain("cvt.rn.tf32.f32", "r", "f")
    plain("cvt.rz.tf32.f32", "r", "f")
    for e in ("e4m3x2", "e5m2x2"):
        plain(f"cvt.rn.satfinite.{e}.f32", "h", "ff")
        plain(f"cvt.rn.satfinite.relu.{e}.f32", "h", "ff")
        plain(f"cvt.rn.satfinite.{e}.f16x2", "h", "E")
        plain(f"cvt.rn.f16x2.{e}", "r", "h")
    for t in ("s16", "u16"):
        plain(f"cvt.pack.sat.{t}.s32", "r", "rr")
    for t in ("s8", "u8", "s4", "u4", "s2", "u2"):
        plain(f"cvt.pack.sat.{t}.s32.b32", "r", "rrr")


def floats():
    for t in ("f32", "f64"):
        r = reg(t)
        for op, of in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3), ("div", 2), ("rcp", 1),
                       ("sqrt", 1)):
            for rnd in ("rn", "rz", "rm", "rp"):
                plain(f"{op}.{rnd}.{t}", r, r * of)
        for op in ("add", "sub", "mul", "min", "max"):
            plain(f"{op}.{t}", r, r * 2)
        for op in ("abs", "neg"):
            plain(f"{op}.{t}", r, r)
    for op, of in (("add", 2), ("sub", 2), ("mul", 2), ("fma.rn", 3)):
        plain(f"{op}.ftz.f32", "f", "f" * of)
        plain(f"{op}.sat.f32", "f", "f" * of)
        plain(f"{op}.ftz.sat.f32", "f", "f" * of)
    for op in ("min", "max"):
        for words in ("ftz", "NaN", "ftz.NaN", "xorsign.abs"):
            plain(f"{op}.{words}.f32", "f", "ff")
        for t in ("f16", "f16x2", "bf16", "bf16x2"):
            plain(f"{op}.{t}", reg(t), reg(t) * 2)
            plain(f"{op}.NaN.{t}", reg(t), reg(t) * 2)
    for op in ("abs", "neg"):
        plain(f"{op}.ftz.f32", "f", "f")
        for t in ("f16", "f16x2", "bf16", "bf16x2"):
            plain(f"{op}.{t}", reg(t), reg(t))
    for t in ("f16", "f16x2", "bf16", "bf16x2"):
        for op, of in (("add.rn", 2), ("sub.rn", 2), ("mul.rn", 2), ("fma.rn", 3)):
            plain(f"{op}.{t}", reg(t), reg(t) * of)
        plain(f"fma.rn.relu.{t}", reg(t), reg(t) * 3)
    for t in ("f16", "f16x2"):
        for op in ("add", "mul"):
            plain(f"{op}.sat.{t}", reg(t), reg(t) * 2)


def video():
    parts = ("", ".b0", ".b3", ".h0", ".h1")
    for op in ("vadd", "vsub", "vabsdiff", "vmin", "vmax"):
        for d, a, b in itertools.product("us", repeat=3):
            case(f"{op}.{d}32.{a}32.{b}32 %0, %1, %2;", "r", "rr")
            case(f"{op}.{d}32.{a}32.{b}32.sat %0, %1, %2;", "r", "rr")
        for i, (p, q) in enumerate(itertools.product(parts, repeat=2)):
            a, b = "us"[i % 2], "us"[i // 2 % 2]
            case(f"{op}.s32.{a}32.{b}32 %0, %1{p}, %2{q};", "r", "rr")
        for second in ("add", "min", "max"):
            case(f"{op}.u32.u32.s32.{second} %0, %1.b1, %2.h1, %3;", "r", "rrr")
            case(f"{op}.s32.s32.s32.sat.{second} %0, %1, %2, %3;", "r", "rrr")
        for part in ("b0", "b2", "h0", "h1"):
            case(f"{op}.s32.u32.s32 %0.{part}, %1, %2.b2, %3;", "r", "rrr")
            case(f"{op}.s32.s32.s32.sat %0.{part}, %1.b1, %2, %3;", "r", "rrr")
    for op in ("vshl", "vshr"):
        for d, a in itertools.product("us", repeat=2):
            for mode in ("clamp", "wrap"):
                case(f"{op}.{d}32.{a}32.u32.{mode} %0, %1, %2;", "r", "rr")
                case(f"{op}.{d}32.{a}32.u32.sat.{mode} %0, %1, %2;", "r", "rr")
        case(f"{op}.u32.u32.u32.clamp.add %0, %1.h0, %2.b0, %3;", "r", "rrr")
        case(f"{op}.u32.u32.u32.wrap %0.b1, %1, %2, %3;", "r", "rrr")
    for a, b in itertools.product("us", repeat=2):
        for shift in ("", ".shr7", ".shr15"):
            d = "u" if a == b == "u" else "s"
            case(f"vmad.{d}32.{a}32.{b}32{shift} %0, %1.b1, %2.h0, %3;", "r", "rrr")
            case(f"vmad.{d}32.{a}32.{b}32.sat{shift} %0, %1.h1, %2.h0, %3;", "r", "rrr")
    case("vmad.u32.u32.u32.po %0, %1.h1, %2.h0, %3;", "r", "rrr")
    case("vmad.s32.s32.s32 %0, -%1.h1, %2.h0, %3;", "r", "rrr")
    case("vmad.s32.s32.s32 %0, %1.h1, %2.h0, -%3;", "r", "rrr")
    for cmp in ("eq", "ne", "lt", "le", "gt", "ge"):
        case(f"vset.u32.s32.{cmp} %0, %1, %2;", "r", "rr")
        case(f"vset.s32.s32.{cmp}.add %0, %1.b0, %2.b3, %3;", "r", "rrr")
        case(f"vset.s32.u32.{cmp} %0.h1, %1.b0, %2.b3, %3;", "r", "rrr")
        for n in "24":
            case(f"vset{n}.u32.u32.{cmp} %0, %1, %2, %3;", "r", "rrr")
            case(f"vset{n}.s32.u32.{cmp}.add %0, %1, %2, %3;", "r", "rrr")
    for n in "24":
        for op in ("vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"):
            for d, a, b in itertools.product("us", repeat=3):
                t = f"{d}32.{a}32.{b}32"
                case(f"{op}{n}.{t} %0, %1, %2, %3;", "r", "rrr")
                case(f"{op}{n}.{t}.sat %0, %1, %2, %3;", "r", "rrr")
            case(f"{op}{n}.s32.s32.u32.add %0, %1, %2, %3;", "r", "rrr")
            case(f"{op}{n}.u32.u32.u32.add %0, %1, %2, %3;", "r", "rrr")
    for op in ("vadd2", "vmin2"):
        case(f"{op}.s32.s32.s32 %0.h10, %1.h23, %2.h01, %3;", "r", "rrr")
        case(f"{op}.s32.s32.s32 %0.h0, %1, %2.h13, %3;", "r", "rrr")
    for op in ("vsub4", "vabsdiff4"):
        case(f"{op}.s32.u32.s32 %0.b310, %1.b7531, %2.b0246, %3;", "r", "rrr")
        case(f"{op}.u32.u32.u32 %0.b3, %1, %2.b7654, %3;", "r", "rrr")


def warps():
    for kind in ("up", "down", "bfly", "idx"):
        for clamp in ("0", "31", "0x181f", "0x1000", "0x1c1f"):
            case(f"shfl.sync.{kind}.b32 %0, %1, %2, {clamp}, 0xffffffff;", "r", "rr")
        case(f"{{ .reg .pred p; shfl.sync.{kind}.b32 %0|p, %2, %3, %4, 0xffffffff; "
             f"selp.u32 %1, 1, 0, p; }}", "rr", "rrr")
        case(f"shfl.sync.{kind}.b32 %0, %1, 3, 31, 0xffffffff;", "r", "r")
    for kind in ("all", "any", "uni"):
        case(f"{{ .reg .pred p, q; setp.gt.s32 q, %1, -2000000000; "
             f"vote.sync.{kind}.pred p, q, 0xffffffff; selp.u32 %0, 1, 0, p; }}", "r", "r")
        case(f"{{ .reg .pred p, q; setp.eq.s32 q, %1, 7; "
             f"vote.sync.{kind}.pred p, !q, 0xffffffff; selp.u32 %0, 1, 0, p; }}", "r", "r")
    case("{ .reg .pred q; setp.gt.s32 q, %1, 7; vote.sync.ballot.b32 %0, q, 0xffffffff; }", "r",
         "r")
    case("match.any.sync.b32 %0, %1, 0xffffffff;", "r", "q")
    case("match.any.sync.b64 %0, %1, 0xffffffff;", "r", "Q")
    for t, kind in (("b32", "q"), ("b64", "Q")):
        case(f"{{ .reg .pred p; match.all.sync.{t} %0|p, %2, 0xffffffff; selp.u32 %1, 1, 0, p; }}",
             "rr", kind)
    case("match.all.sync.b32 %0, %1, 0xffffffff;", "r", "m")
    for t in ("u32", "s32"):
        for op in ("add", "min", "max"):
            case(f"redux.sync.{op}.{t} %0, %1, 0xffffffff;", "r", "r")
    for op in ("and", "or", "xor"):
        case(f"redux.sync.{op}.b32 %0, %1, 0xffffffff;", "r", "r")
    case("activemask.b32 %0;", "r", "")
    case("{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p; }", "rr", "")
    for name in ("laneid", "lanemask_eq", "lanemask_lt", "lanemask_le", "lanemask_gt",
                 "lanemask_ge"):
        case(f"mov.u32 %0, %{name};".replace(f"%{name}", f"%%{name}"), "r", "")


CTYPE = {"h": "unsigned short", "e": "unsigned short", "b": "unsigned short", "l": "uint64_t",
         "Q": "uint64_t", "d": "double", "f": "float"}
CONSTRAINT = {"h": "h", "e": "h", "b": "h", "l": "l", "Q": "l", "d": "d", "f": "f"}
LOAD = {"f": "__uint_as_float(uint32_t({}))", "d": "__longlong_as_double({})"}
STORE = {"f": "__float_as_uint({})", "d": "uint64_t(__double_as_longlong({}))"}


def kernel(index, text, out, ins):
    lines = [f"__global__ void k{index}(uint64_t Seed, uint64_t *Out) {{",
             "  const unsigned Trial = blockIdx.x * blockDim.x + threadIdx.x;"]
    for i, k in enumerate(out):
        lines.append(f"  {CTYPE.get(k, 'unsigned')} d{i} = 0;")
    for i, k in enumerate(ins):
        value = f"operand('{k}', Seed, Trial, {i})"
        lines.append(f"  const {CTYPE.get(k, 'unsigned')} a{i} = "
                     f"{LOAD.get(k, CTYPE.get(k, 'unsigned') + '({})').format(value)};"
                     .replace("unsigned short(", "(unsigned short)("))
    outs = ", ".join(f'"={CONSTRAINT.get(k, "r")}"(d{i})' for i, k in enumerate(out))
    args = ", ".join(f'"{CONSTRAINT.get(k, "r")}"(a{i})' for i, k in enumerate(ins))
    lines.append(f'  asm volatile("{text}" : {outs} : {args});')
    for i, k in enumerate(out):
        lines.append(f"  Out[Trial * {len(out)} + {i}] = canonical('{k}', "
                     f"{STORE.get(k, 'uint64_t({})').format(f'd{i}')});")
    lines.append("}")
    return "\n".join(lines)


MAIN = r"""
struct Case {
  const char *Text, *Out, *In;
  void (*Kernel)(uint64_t, uint64_t *);
};
static const Case Cases[] = {
%s};

int main(int argc, char **argv) {
  uint64_t *Out = nullptr;
  const unsigned MostResults = 4;
  const unsigned Shown = argc > 1 ? unsigned(atoi(argv[1])) : NumSamples;
  cudaMalloc(&Out, NumTrials * MostResults * sizeof(uint64_t));
  uint64_t *Host = new uint64_t[NumTrials * MostResults];
  cudaDeviceProp P;
  cudaGetDeviceProperties(&P, 0);
  int Driver = 0;
  cudaDriverGetVersion(&Driver);
  printf("{\"device\": \"%%s\", \"cuda_driver\": %%d, \"trials\": %%u,\n \"cases\": [", P.name, Driver,
         NumTrials);
  const char *Comma = "\n";
  for (const Case &C : Cases) {
    const unsigned N = unsigned(strlen(C.Out));
    C.Kernel<<<NumTrials / 256, 256>>>(seedOf(C.Text), Out);
    if (cudaError_t E = cudaMemcpy(Host, Out, NumTrials * N * sizeof(uint64_t), cudaMemcpyDeviceToHost)) {
      fprintf(stderr, "%%s: %%s\n", C.Text, cudaGetErrorString(E));
      return 1;
    }
    uint64_t Hash = 0;
    for (unsigned I = 0; I != NumTrials * N; ++I)
      Hash = mix(Hash ^ Host[I]);
    printf("%%s  {\"text\": \"%%s\", \"out\": \"%%s\", \"in\": \"%%s\", \"hash\": \"%%016llx\", \"first\": \"", Comma,
           C.Text, C.Out, C.In, (unsigned long long)Hash);
    for (unsigned I = 0; I != Shown * N; ++I)
      printf("%%s%%llx", I ? " " : "", (unsigned long long)Host[I]);
    printf("\"}");
    Comma = ",\n";
  }
  printf("\n]}\n");
  return 0;
}
"""


def write(path, cases):
    with open(path, "w") as f:
        f.write('#include "operands.h"\n#include <cstdio>\n#include <cstdlib>\n'
                "#include <cstring>\nusing namespace opcodes;\n\n")
        for i, c in enumerate(cases):
            f.write(kernel(i, *c) + "\n")
        f.write(MAIN % "".join(f'    {{"{t}", "{o}", "{i}", k{n}}},\n'
                               for n, (t, o, i) in enumerate(cases)))


def refused(path, nvcc):
    """The numbers of the cases that ptxas does not take."""
    with tempfile.TemporaryDirectory() as folder:
        ptx = f"{folder}/opcodes.ptx"
        made = subprocess.run([nvcc, "-arch=sm_90", "-std=c++17", "-ptx", "-o", ptx, path],
                              capture_output=True, text=True)
        if not made.returncode:
            made = subprocess.run(["ptxas", "-arch=sm_90", "-O0", "-o", f"{folder}/o", ptx],
                                  capture_output=True, text=True)
        lines = [int(n) for n in re.findall(r"line (\d+); error", made.stderr)]
        text = open(ptx).read().splitlines()
    found = set()
    for line in lines:
        while ".entry" not in text[line - 1]:
            line -= 1
        found.add(int(re.search(r"_Z\d+k(\d+)m", text[line - 1]).group(1)))
    return found, made.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output")
    parser.add_argument("--nvcc", default="nvcc")
    args = parser.parse_args()
    for family in (integers, carries, logic, comparisons, conversions, floats, video, warps):
        family()
    cases = list(dict.fromkeys(CASES))
    while True:
        write(args.output, cases)
        bad, status = refused(args.output, args.nvcc)
        if not bad:
            break
        for i in sorted(bad):
            print("refused:", cases[i][0])
        cases = [c for i, c in enumerate(cases) if i not in bad]
    print(len(cases), "cases, status", status)


if __name__ == "__main__":
    main()
