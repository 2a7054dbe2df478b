//===- PtxTable.cpp - Every PTX arithmetic instruction --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows follow Arafa et al. 2019, Table II. A chain that a compiler would fold
// has a second operand that changes from step to step.
//
//===----------------------------------------------------------------------===//

#include "PtxTable.h"
#include "Sine.h"

using namespace llvm;

namespace gpuocc::calibration {

/// A row: name, bits, operands, steps.
static ArithmeticSpec row(const char *Name, unsigned Bits, Operands Kind,
                          std::vector<const char *> Steps) {
  return {Name, "", "", Bits, Kind, std::move(Steps), 1, nullptr, 32, 1, 32};
}

/// One of the rows in 64 bits that read a table.
static ArithmeticSpec sineRow(const char *Name, Wave W, Argument A) {
  ArithmeticSpec Row = row(Name, 64, Operands::F64, {sine64(W, A)});
  Row.Module = TwoOverPi;
  return Row;
}

ArrayRef<ArithmeticSpec> ptxTableSpecs() {
  using enum Operands;
  static const std::vector<ArithmeticSpec> Rows = {
      // Integer.
      row("add.s32", 32, Int,
          {"{ .reg .b32 x; sub.s32 x, $a, $d; add.s32 $d, x, $b; }"}),
      row("min.s32", 32, Int, {"min.s32 $d, $d, $a;", "max.s32 $d, $d, $b;"}),
      row("mul.lo.s32", 32, Int, {"mul.lo.s32 $d, $d, $a;"}),
      row("mul.hi.s32", 32, Int, {"mul.hi.s32 $d, $d, $a;"}),
      row("mul.hi.u32", 32, Int, {"mul.hi.u32 $d, $d, $a;"}),
      row("mul24.lo.s32", 32, Int, {"mul24.lo.s32 $d, $d, $a;"}),
      row("mul24.hi.s32", 32, Int, {"mul24.hi.s32 $d, $d, $a;"}),
      row("mad.lo.s32", 32, Int, {"mad.lo.s32 $d, $d, $a, $b;"}),
      row("mad.hi.s32", 32, Int, {"mad.hi.s32 $d, $d, $a, $b;"}),
      row("mad24.lo.s32", 32, Int, {"mad24.lo.s32 $d, $d, $a, $b;"}),
      row("mad24.hi.s32", 32, Int, {"mad24.hi.s32 $d, $d, $a, $b;"}),
      row("div.s32", 32, Int, {"div.s32 $d, $a, $d; or.b32 $d, $d, $b;"}),
      row("div.u32", 32, Int, {"div.u32 $d, $a, $d; or.b32 $d, $d, $b;"}),
      row("rem.s32", 32, Int, {"rem.s32 $d, $a, $d; or.b32 $d, $d, $b;"}),
      row("rem.u32", 32, Int, {"rem.u32 $d, $a, $d; or.b32 $d, $d, $b;"}),
      row("div.s32.by_constant", 32, Int,
          {"div.s32 $d, $d, 7; xor.b32 $d, $d, $a;"}),
      row("div.u32.by_constant", 32, Int,
          {"div.u32 $d, $d, 7; xor.b32 $d, $d, $a;"}),
      row("div.s32.by_power_of_two", 32, Int,
          {"div.s32 $d, $d, 8; xor.b32 $d, $d, $a;"}),
      row("abs.s32", 32, Int, {"abs.s32 $d, $d; sub.s32 $d, $d, $a;"}),
      row("sad.s32", 32, Int, {"sad.s32 $d, $d, $a, $b;"}),
      row("sad.u32", 32, Int, {"sad.u32 $d, $d, $a, $b;"}),
      row("dp4a.s32.s32", 32, Int, {"dp4a.s32.s32 $d, $d, $a, $b;"}),
      row("dp2a.lo.s32.s32", 32, Int, {"dp2a.lo.s32.s32 $d, $d, $a, $b;"}),
      row("add.s64+xor.b64", 64, Int,
          {"add.s64 $d, $d, $a; xor.b64 $d, $d, $b;"}),
      row("min.s64", 64, Int, {"min.s64 $d, $d, $a;", "max.s64 $d, $d, $b;"}),
      row("mul.lo.s64", 64, Int, {"mul.lo.s64 $d, $d, $a;"}),
      row("mul.hi.s64", 64, Int, {"mul.hi.s64 $d, $d, $a;"}),
      row("mul.hi.u64", 64, Int, {"mul.hi.u64 $d, $d, $a;"}),
      row("mad.lo.s64", 64, Int, {"mad.lo.s64 $d, $d, $a, $b;"}),
      row("div.s64", 64, Int, {"div.s64 $d, $a, $d; or.b64 $d, $d, $b;"}),
      row("div.u64", 64, Int, {"div.u64 $d, $a, $d; or.b64 $d, $d, $b;"}),
      row("rem.s64", 64, Int, {"rem.s64 $d, $a, $d; or.b64 $d, $d, $b;"}),
      row("rem.u64", 64, Int, {"rem.u64 $d, $a, $d; or.b64 $d, $d, $b;"}),
      // More than one word.
      row("add.cc.u32+addc.u32", 32, Int,
          {"add.cc.u32 $d, $d, $a; addc.u32 $d, $d, $b;"}),
      row("sub.cc.u32+subc.u32", 32, Int,
          {"sub.cc.u32 $d, $d, $a; subc.u32 $d, $d, $b;"}),
      row("mad.lo.cc.u32+madc.hi.u32", 32, Int,
          {"mad.lo.cc.u32 $d, $d, $a, $b; madc.hi.u32 $d, $d, $a, $c;"}),
      // Bits.
      row("and.b32+add.s32", 32, Int,
          {"and.b32 $d, $d, $a; add.s32 $d, $d, $b;"}),
      row("lop3.b32", 32, Int,
          {"lop3.b32 $d, $d, $a, $b, 0x6a;", "lop3.b32 $d, $d, $c, $e, 0x6a;"}),
      row("not.b32", 32, Int, {"not.b32 $d, $d; add.s32 $d, $d, $a;"}),
      row("cnot.b32+add.s32", 32, Int,
          {"cnot.b32 $d, $d; add.s32 $d, $d, $a;"}),
      row("shl.b32", 32, Small, {"shl.b32 $d, $d, $a; or.b32 $d, $d, $b;"}),
      row("shr.u32", 32, Small, {"shr.u32 $d, $d, $a; or.b32 $d, $d, $b;"}),
      row("shf.l.wrap.b32", 32, Small, {"shf.l.wrap.b32 $d, $d, $a, $b;"}),
      row("bfe.u32", 32, Small, {"bfe.u32 $d, $d, $a, $b;"}),
      row("bfe.s32", 32, Small, {"bfe.s32 $d, $d, $a, $b;"}),
      row("bfi.b32", 32, Small, {"bfi.b32 $d, $d, $a, $b, $c;"}),
      row("bfind.u32", 32, Int, {"bfind.u32 $d, $d;"}),
      row("bfind.s32", 32, Int, {"bfind.s32 $d, $d;"}),
      row("clz.b32", 32, Int, {"clz.b32 $d, $d;"}),
      row("popc.b32", 32, Int, {"popc.b32 $d, $d;"}),
      row("brev.b32", 32, Int, {"brev.b32 $d, $d; add.s32 $d, $d, $a;"}),
      row("prmt.b32", 32, Int, {"prmt.b32 $d, $d, $a, $b;"}),
      row("clz.b64", 64, Int,
          {"{ .reg .b32 x; clz.b64 x, $d; cvt.u64.u32 $d, x; }"}),
      row("popc.b64", 64, Int,
          {"{ .reg .b32 x; popc.b64 x, $d; cvt.u64.u32 $d, x; }"}),
      // Comparison and selection.
      row("setp.lt.s32+selp", 32, Int,
          {"setp.lt.s32 $p, $d, $a; selp.b32 $d, $b, $c, $p;"}),
      row("set.lt.u32.s32", 32, Int, {"set.lt.u32.s32 $d, $d, $a;"}),
      row("slct.s32.s32", 32, Int, {"slct.s32.s32 $d, $a, $b, $d;"}),
      // 32-bit floating point.
      row("add.f32", 32, F32, {"add.rn.f32 $d, $d, $a;"}),
      row("mul.f32", 32, F32, {"mul.rn.f32 $d, $d, $a;"}),
      row("fma.rn.f32", 32, F32, {"fma.rn.f32 $d, $d, $a, $a;"}),
      row("min.f32", 32, F32, {"min.f32 $d, $d, $a;", "max.f32 $d, $d, $b;"}),
      row("div.approx.f32", 32, F32, {"div.approx.f32 $d, $a, $d;"}),
      row("div.full.f32", 32, F32, {"div.full.f32 $d, $a, $d;"}),
      row("div.rn.f32", 32, F32, {"div.rn.f32 $d, $a, $d;"}),
      // Denormals leave the fast path of a division.
      row("div.rn.f32.irregular", 32, F32, {"div.rn.f32 $d, 0f00000100, $d;"}),
      row("rcp.approx.f32", 32, F32,
          {"rcp.approx.f32 $d, $d; add.rn.f32 $d, $d, $a;"}),
      row("rcp.rn.f32", 32, F32, {"rcp.rn.f32 $d, $d; add.rn.f32 $d, $d, $a;"}),
      row("sqrt.approx.f32", 32, F32, {"sqrt.approx.f32 $d, $d;"}),
      row("sqrt.rn.f32", 32, F32, {"sqrt.rn.f32 $d, $d;"}),
      // Of a denormal, which takes another way; with two logic instructions.
      row("rcp.rn.f32.irregular+lop3", 32, F32,
          {"rcp.rn.f32 $d, $d; and.b32 $d, $d, 0xff; or.b32 $d, $d, 0x100;"}),
      row("sqrt.rn.f32.irregular+lop3", 32, F32,
          {"sqrt.rn.f32 $d, $d; and.b32 $d, $d, 0xff; or.b32 $d, $d, 0x100;"}),
      row("rsqrt.approx.f32", 32, F32, {"rsqrt.approx.f32 $d, $d;"}),
      row("sin.approx.f32", 32, F32, {"sin.approx.f32 $d, $d;"}),
      row("cos.approx.f32", 32, F32, {"cos.approx.f32 $d, $d;"}),
      row("lg2.approx.f32", 32, F32, {"lg2.approx.f32 $d, $d;"}),
      row("ex2.approx.f32", 32, F32, {"ex2.approx.f32 $d, $d;"}),
      row("tanh.approx.f32", 32, F32, {"tanh.approx.f32 $d, $d;"}),
      // To full precision; beyond 105615 the reduction is another one.
      row("sin.f32", 32, F32, {sine32(Wave::Sine, Argument::Regular)}),
      row("cos.f32", 32, F32, {sine32(Wave::Cosine, Argument::Regular)}),
      row("tan.f32", 32, F32, {sine32(Wave::Tangent, Argument::Regular)}),
      row("sin.f32.irregular", 32, F32, {sine32(Wave::Sine, Argument::Huge)}),
      row("cos.f32.irregular", 32, F32, {sine32(Wave::Cosine, Argument::Huge)}),
      row("tan.f32.irregular", 32, F32,
          {sine32(Wave::Tangent, Argument::Huge)}),
      row("copysign.f32", 32, F32,
          {"copysign.f32 $d, $a, $d; add.rn.f32 $d, $d, $b;"}),
      row("testp.normal.f32+selp", 32, F32,
          {"testp.normal.f32 $p, $d; selp.b32 $d, $b, $c, $p;"}),
      // 16-bit floating point.
      row("add.f16x2", 32, F16x2, {"add.rn.f16x2 $d, $d, $a;"}),
      row("mul.f16x2", 32, F16x2, {"mul.rn.f16x2 $d, $d, $a;"}),
      row("fma.rn.f16x2", 32, F16x2, {"fma.rn.f16x2 $d, $d, $a, $a;"}),
      row("ex2.approx.f16x2", 32, F16x2, {"ex2.approx.f16x2 $d, $d;"}),
      row("tanh.approx.f16x2", 32, F16x2, {"tanh.approx.f16x2 $d, $d;"}),
      // 64-bit floating point.
      row("add.f64", 64, F64, {"add.rn.f64 $d, $d, $a;"}),
      row("mul.f64", 64, F64, {"mul.rn.f64 $d, $d, $a;"}),
      row("fma.rn.f64", 64, F64, {"fma.rn.f64 $d, $d, $a, $a;"}),
      row("min.f64", 64, F64, {"min.f64 $d, $d, $a;", "max.f64 $d, $d, $b;"}),
      row("div.rn.f64", 64, F64, {"div.rn.f64 $d, $a, $d;"}),
      row("div.rn.f64.irregular", 64, F64,
          {"div.rn.f64 $d, 0d0000000000000100, $d;"}),
      row("rcp.rn.f64", 64, F64, {"rcp.rn.f64 $d, $d; add.rn.f64 $d, $d, $a;"}),
      row("sqrt.rn.f64", 64, F64, {"sqrt.rn.f64 $d, $d;"}),
      row("rcp.rn.f64.irregular+lop3", 64, F64,
          {"rcp.rn.f64 $d, $d; and.b64 $d, $d, 0xff; or.b64 $d, $d, 0x100;"}),
      row("sqrt.rn.f64.irregular+lop3", 64, F64,
          {"sqrt.rn.f64 $d, $d; and.b64 $d, $d, 0xff; or.b64 $d, $d, 0x100;"}),
      row("rsqrt.approx.f64", 64, F64, {"rsqrt.approx.f64 $d, $d;"}),
      sineRow("sin.f64", Wave::Sine, Argument::Regular),
      sineRow("cos.f64", Wave::Cosine, Argument::Regular),
      sineRow("tan.f64", Wave::Tangent, Argument::Regular),
      sineRow("sin.f64.irregular", Wave::Sine, Argument::Huge),
      sineRow("cos.f64.irregular", Wave::Cosine, Argument::Huge),
      sineRow("tan.f64.irregular", Wave::Tangent, Argument::Huge),
      // Conversions, there and back.
      row("cvt.rn.f32.s32+cvt.rni.s32.f32", 32, Int,
          {"cvt.rn.f32.s32 $d, $d; cvt.rni.s32.f32 $d, $d;"}),
      row("cvt.f64.f32+cvt.rn.f32.f64", 32, F32,
          {"{ .reg .b64 x; cvt.f64.f32 x, $d; cvt.rn.f32.f64 $d, x; }"}),
      row("cvt.rn.f16.f32+cvt.f32.f16", 32, F32,
          {"{ .reg .b16 x; cvt.rn.f16.f32 x, $d; cvt.f32.f16 $d, x; }"}),
      row("cvt.rni.f32.f32", 32, F32,
          {"cvt.rni.f32.f32 $d, $d;", "cvt.rmi.f32.f32 $d, $d;"}),
  };
  return Rows;
}

} // namespace gpuocc::calibration
