//===- ArithmeticSpecs.cpp - The instructions that are timed --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One row an instruction class. The steps are written so that the compiler
// can neither fold nor shorten them; test data holds what it made of them.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"

using namespace llvm;

namespace gpuocc::calibration {

/// Shared memory whose every word is the address of its start.
static constexpr const char *FillShared = R"(
  mov.u32 %s, smem;
  shl.b32 %t0, %ktid, 2;
  add.u32 %t0, %t0, %s;
  shl.b32 %t1, %kntid, 2;
  add.u32 %t2, %s, 2048;
$FILL:
  setp.ge.u32 %q, %t0, %t2;
  @%q bra $FILLED;
  st.shared.u32 [%t0], %s;
  add.u32 %t0, %t0, %t1;
  bra $FILL;
$FILLED:
  bar.sync 0;
  mov.u32 %d0, %s;
  mov.u32 %d1, %s;
  mov.u32 %d2, %s;
  mov.u32 %d3, %s;
  mov.u32 %d4, %s;
  mov.u32 %d5, %s;
  mov.u32 %d6, %s;
  mov.u32 %d7, %s;
)";

/// Chain starts that differ between lanes, so that no warp-wide operation is
/// an identity that the compiler could drop.
static constexpr const char *VaryByLane = R"(
  add.u32 %d0, %d0, %klane;
  add.u32 %d1, %d0, 32;
  add.u32 %d2, %d0, 64;
  add.u32 %d3, %d0, 96;
  add.u32 %d4, %d0, 128;
  add.u32 %d5, %d0, 160;
  add.u32 %d6, %d0, 192;
  add.u32 %d7, %d0, 224;
  add.u32 %a, %a, %klane;
)";

/// One word of shared memory a lane.
static constexpr const char *StoreShared = R"(
  mov.u32 %s, smem;
  mad.lo.u32 %s, %klane, 4, %s;
)";

ArrayRef<ArithmeticSpec> arithmeticSpecs() {
  using enum Operands;
  static const ArithmeticSpec Specs[] = {
      // 32-bit floating point.
      {"fp32.add", "fma", "FADD", 32, F32, {"add.rn.f32 $d, $d, $a;"}},
      {"fp32.mul", "fma", "FMUL", 32, F32, {"mul.rn.f32 $d, $d, $a;"}},
      {"fp32.fma", "fma", "FFMA", 32, F32, {"fma.rn.f32 $d, $d, $a, $a;"}},
      {"fp32.minmax", "alu", "FMNMX", 32, F32,
       {"min.f32 $d, $d, $a;", "max.f32 $d, $d, $b;", "min.f32 $d, $d, $c;",
        "max.f32 $d, $d, $e;"}},
      {"fp32.setp", "alu", "FSETP.LT.XOR|FSETP.GT.XOR", 32, F32,
       {"setp.lt.xor.f32 $p, $d, $a, $p;", "setp.gt.xor.f32 $p, $d, $b, $p;",
        "setp.lt.xor.f32 $p, $d, $c, $p;", "setp.gt.xor.f32 $p, $d, $e, $p;"}},
      // Packed 16-bit floating point.
      {"fp16x2.add", "fp16", "HADD2|HFMA2.MMA", 32, F16x2,
       {"add.rn.f16x2 $d, $d, $a;"}},
      {"fp16x2.mul", "fp16", "HMUL2|HFMA2.MMA", 32, F16x2, {"mul.rn.f16x2 $d, $d, $a;"}},
      {"fp16x2.fma", "fp16", "HFMA2|HFMA2.MMA", 32, F16x2,
       {"fma.rn.f16x2 $d, $d, $a, $a;"}},
      {"fp16x2.minmax", "alu", "HMNMX2", 32, F16x2,
       {"min.f16x2 $d, $d, $a;", "max.f16x2 $d, $d, $b;"}},
      {"fp16x2.setp", "fp16", "HSETP2.LT.XOR", 32, F16x2,
       {"setp.lt.xor.f16x2 $p|%r, $d, $a, $p;",
        "setp.lt.xor.f16x2 $p|%r, $d, $b, $p;"}},
      {"bf16x2.fma", "fp16", "HFMA2.BF16_V2|HFMA2.MMA.BF16_V2", 32, BF16x2,
       {"fma.rn.bf16x2 $d, $d, $a, $a;"}},
      // 64-bit floating point.
      {"fp64.add", "fp64", "DADD", 64, F64, {"add.rn.f64 $d, $d, $a;"}, 1,
       nullptr, 256},
      {"fp64.mul", "fp64", "DMUL", 64, F64, {"mul.rn.f64 $d, $d, $a;"}, 1,
       nullptr, 256},
      {"fp64.fma", "fp64", "DFMA", 64, F64, {"fma.rn.f64 $d, $d, $a, $a;"}, 1,
       nullptr, 256},
      {"fp64.setp", "fp64", "DSETP.LT.XOR|DSETP.GT.XOR", 64, F64,
       {"setp.lt.xor.f64 $p, $d, $a, $p;", "setp.gt.xor.f64 $p, $d, $b, $p;"},
       1, nullptr, 256},
      // Integer arithmetic and logic.
      {"int.add", "alu", "IADD3", 32, Int,
       {"{ .reg .b32 x; sub.s32 x, $a, $d; add.s32 $d, x, $b; }",
        "{ .reg .b32 x; sub.s32 x, $c, $d; add.s32 $d, x, $e; }"}},
      {"int.mad", "fma", "IMAD", 32, Int, {"mad.lo.s32 $d, $d, $a, $a;"}},
      {"int.mad_wide", "fma", "IMAD.WIDE.U32", 64, Int,
       {"{ .reg .b32 lo, hi, m, n; mov.b64 {lo, hi}, $d; "
        "mov.b64 {m, n}, $b; mul.wide.u32 $d, hi, m; }"}},
      {"int.mad_hi", "fma", "IMAD.HI|IMAD.HI.U32", 32, Int,
       {"mad.hi.u32 $d, $d, $a, $b;"}},
      {"int.lea", "alu", "LEA.HI.SX32", 32, Int,
       {"{ .reg .b32 x; shr.s32 x, $d, 5; add.s32 $d, x, $a; }",
        "{ .reg .b32 x; shr.s32 x, $d, 7; add.s32 $d, x, $b; }"}},
      {"int.logic", "alu", "LOP3.LUT", 32, Int,
       {"lop3.b32 $d, $d, $a, $b, 0x6a;", "lop3.b32 $d, $d, $c, $e, 0x6a;"}},
      {"int.shift", "alu", "SHF.L.W.U32.HI", 32, Small,
       {"shf.l.wrap.b32 $d, $d, $a, $b;"}},
      {"int.setp", "alu", "ISETP.LT.XOR|ISETP.GT.XOR", 32, Int,
       {"setp.lt.xor.s32 $p, $d, $a, $p;", "setp.gt.xor.s32 $p, $d, $b, $p;",
        "setp.lt.xor.s32 $p, $d, $c, $p;", "setp.gt.xor.s32 $p, $d, $e, $p;"}},
      {"int.minmax", "alu", "VIMNMX|VIMNMX.U32|IMNMX", 32, Int,
       {"min.s32 $d, $d, $a;", "max.s32 $d, $d, $b;", "min.s32 $d, $d, $c;",
        "max.s32 $d, $d, $e;"}},
      {"int.abs", "alu", "IABS", 32, Int,
       {"abs.s32 $d, $d; lop3.b32 $d, $d, $a, $b, 0x6a;"}, 1, "int.logic"},
      {"int.absdiff", "alu", "VABSDIFF|VABSDIFF.U32", 32, Int,
       {"sad.u32 $d, $d, $a, $b;"}},
      {"int.dp4a", "fma", "IDP.4A.S8.S8", 32, Int,
       {"dp4a.s32.s32 $d, $d, $a, $b;"}},
      {"int.dpx", "alu", "VIMNMX3", 32, Int,
       {"{ .reg .b32 x; max.s32 x, $d, $a; max.s32 $d, x, $b; }",
        "{ .reg .b32 x; min.s32 x, $d, $c; min.s32 $d, x, $e; }"}},
      {"int.dpx_addmax", "alu", "VIADDMNMX", 32, Int,
       {"{ .reg .b32 x; add.s32 x, $d, $a; max.s32 $d, x, $b; }",
        "{ .reg .b32 x; add.s32 x, $d, $c; max.s32 $d, x, $e; }"}},
      {"select", "alu", "SEL", 32, Int,
       {"selp.b32 $d, $d, $a, %q;", "selp.b32 $d, $b, $d, %r;"}},
      {"prmt", "alu", "PRMT", 32, Int, {"prmt.b32 $d, $d, $a, $b;"}},
      {"bitfield", "alu", "SGXT.W", 32, Small, {"szext.wrap.s32 $d, $d, $a;"}},
      {"predicate.logic", "alu", "PLOP3.LUT", 32, Int,
       {"and.pred $p, $p, %q; xor.pred $p, $p, %r;",
        "or.pred $p, $p, %pa; xor.pred $p, $p, %pb;"}, 1, nullptr, 512, 2, 64,
       false,
       "  .reg .pred %pa, %pb;\n  setp.lt.u64 %pa, %kgwarp, %ky;\n"
       "  setp.gt.u64 %pb, %kgwarp, %ky;\n"
       "  vote.sync.any.pred %q, %q, -1;\n  vote.sync.any.pred %r, %r, -1;\n"
       "  vote.sync.any.pred %pa, %pa, -1;\n"
       "  vote.sync.any.pred %pb, %pb, -1;\n"},
      {"popc", "xu", "POPC", 32, Int, {"popc.b32 $d, $d;"}, 1, nullptr, 256},
      {"flo", "xu", "FLO|FLO.U32", 32, Int, {"bfind.u32 $d, $d;"}, 1, nullptr,
       256},
      {"brev", "xu", "BREV", 32, Int,
       {"brev.b32 $d, $d; lop3.b32 $d, $d, $a, $b, 0x6a;"}, 1, "int.logic",
       256, 8, 64, false, "", true, "popc -> int.logic"},
      // Special functions.
      {"mufu.rcp", "xu", "MUFU.RCP|MUFU.LG2", 32, F32,
       {"rcp.approx.ftz.f32 $d, $d;", "lg2.approx.ftz.f32 $d, $d;"}, 1,
       nullptr, 256},
      {"mufu.rsq", "xu", "MUFU.RSQ", 32, F32, {"rsqrt.approx.ftz.f32 $d, $d;"},
       1, nullptr, 256},
      {"mufu.sqrt", "xu", "MUFU.SQRT", 32, F32,
       {"sqrt.approx.ftz.f32 $d, $d;"}, 1, nullptr, 256},
      {"mufu.sin", "xu", "MUFU.SIN", 32, F32, {"sin.approx.ftz.f32 $d, $d;"},
       1, "fp32.mul", 256, 8, 64, false, "", true, "mufu.ex2 -> fp32.fma"},
      {"mufu.cos", "xu", "MUFU.COS", 32, F32, {"cos.approx.ftz.f32 $d, $d;"},
       1, "fp32.mul", 256, 8, 64, false, "", true, "mufu.ex2 -> fp32.fma"},
      {"mufu.ex2", "xu", "MUFU.EX2", 32, F32, {"ex2.approx.ftz.f32 $d, $d;"},
       1, nullptr, 256},
      {"mufu.lg2", "xu", "MUFU.LG2", 32, F32, {"lg2.approx.ftz.f32 $d, $d;"},
       1, nullptr, 256},
      {"mufu.tanh", "xu", "MUFU.TANH", 32, F32, {"tanh.approx.f32 $d, $d;"}, 1,
       nullptr, 256},
      {"mufu.rcp64h", "xu", "MUFU.RCP64H", 64, F64,
       {"rcp.approx.ftz.f64 $d, $d;"}, 1, nullptr, 256},
      {"mufu.rsq64h", "xu", "MUFU.RSQ64H", 64, F64,
       {"rsqrt.approx.ftz.f64 $d, $d;"}, 1, nullptr, 256},
      // Conversions. Those that change the width go there and back.
      {"cvt.f32_f16", "xu", "HADD2.F32", 32, F32,
       {"{ .reg .b16 x; cvt.rn.f16.f32 x, $d; cvt.f32.f16 $d, x; }"}, 1,
       "cvt.pack_f16x2", 512, 8, 64, false, "", true,
       "fp16x2.fma -> int.logic"},
      {"cvt.pack_f16x2", "alu", "F2FP.F16.F32.PACK_AB|F2FP.PACK_AB", 32, F32,
       {"cvt.rn.f16x2.f32 $d, $d, $a;"}},
      {"cvt.f32_f64", "xu", "F2F.F64.F32|F2F.F32.F64", 32, F32,
       {"{ .reg .b64 x; cvt.f64.f32 x, $d; cvt.rn.f32.f64 $d, x; }"}, 2,
       nullptr, 256},
      {"cvt.int_f32", "xu", "I2FP.F32.S32|I2F.S32|I2F", 32, Int,
       {"cvt.rn.f32.s32 $d, $d;"}},
      {"cvt.f32_int", "xu", "F2I.NTZ|F2I.FTZ.NTZ|F2I.FTZ.TRUNC.NTZ|F2I.TRUNC.NTZ", 32, Int,
       {"cvt.rni.s32.f32 $d, $d;"}, 1, nullptr, 256},
      {"cvt.int_f64", "xu", "I2F.F64", 64, F64,
       {"{ .reg .b32 x, y; mov.b64 {x, y}, $d; cvt.rn.f64.s32 $d, y; }"}, 1,
       nullptr, 256},
      {"cvt.f64_int", "xu", "F2I.F64", 64, F64,
       {"{ .reg .b32 x, y; mov.b64 {x, y}, $d; cvt.rni.s32.f64 x, $d; "
        "mov.b64 $d, {x, x}; }"}, 1, nullptr, 256},
      {"cvt.round_f32", "xu", "FRND|FRND.FLOOR|FRND.CEIL", 32, F32,
       {"cvt.rni.f32.f32 $d, $d;", "cvt.rmi.f32.f32 $d, $d;",
        "cvt.rpi.f32.f32 $d, $d;"}, 1, nullptr, 256},
      {"cvt.round_f64", "xu", "FRND.F64|FRND.F64.FLOOR|FRND.F64.CEIL", 64, F64,
       {"cvt.rni.f64.f64 $d, $d;", "cvt.rmi.f64.f64 $d, $d;",
        "cvt.rpi.f64.f64 $d, $d;"}, 1, nullptr, 256},
      {"cvt.int_int", "alu", "I2I.S16.S32.SAT|I2I.S8.S32.SAT|I2IP.S8.S32.SAT", 32, Int,
       {"cvt.sat.s8.s32 $d, $d;", "cvt.sat.s16.s32 $d, $d;"}},
      // Warp-wide.
      {"shfl", "lsu", "SHFL.BFLY", 32, Int,
       {"shfl.sync.bfly.b32 $d, $d, 1, 31, -1;"}, 1, nullptr, 256, 8, 64,
       false, VaryByLane},
      {"shfl.index", "lsu", "SHFL.IDX", 32, Small,
       {"shfl.sync.idx.b32 $d, $a, $d, 31, -1;"}, 1, nullptr, 256, 8, 64,
       false, VaryByLane},
      {"vote", "alu", "VOTE.ANY|VOTE.ALL", 32, Int,
       {"setp.ne.u32 $p, $d, 0; vote.sync.ballot.b32 $d, $p, -1;"}, 1,
       "int.setp", 256},
      {"match", "adu", "MATCH.ANY", 32, Int,
       {"match.any.sync.b32 $d, $d, -1;"}, 1, nullptr, 64, 4, 64, false,
       VaryByLane},
      {"redux", "xu", "REDUX.SUM.S32|REDUX.SUM", 32, Int,
       {"redux.sync.add.s32 $d, $d, -1;"}, 1, nullptr, 128, 4, 64, false,
       VaryByLane},
      // Special registers, constants, uniform datapath.
      {"s2r", "adu", "S2R", 32, Int,
       {"mov.u32 $t, %warpid; add.s32 $d, $d, $t;"}, 1, nullptr, 128, 8, 64, false,
       "", false},
      {"cs2r", "alu", "CS2R.32|CS2R", 32, Int,
       {"mov.u32 $t, %clock; add.s32 $d, $d, $t;"}, 1, nullptr, 128, 8, 64, false,
       "", false},
      {"uniform.int", "uniform", "ULOP3.LUT", 32, Int,
       {"lop3.b32 $v, $v, %v7, %t7, 0x6a;", "lop3.b32 $v, $v, %u7, %t6, 0x6a;"},
       1, nullptr, 256, 4, 64, false,
       "  cvt.u32.u64 %v0, %kx;\n  cvt.u32.u64 %v7, %ky;\n"
       "  cvt.u32.u64 %t7, %kz;\n  shr.u32 %u7, %v7, 3;\n"
       "  shr.u32 %t6, %t7, 5;\n  add.u32 %v1, %v0, 1;\n"
       "  add.u32 %v2, %v0, 2;\n  add.u32 %v3, %v0, 3;\n"},
      // Synchronization.
      {"nop", "issue", "NOP", 32, Int, {"bar.warp.sync -1;"}, 1, nullptr, 512,
       1, 64, false, "", false},
      {"membar", "lsu", "MEMBAR.SC.CTA|MEMBAR.ALL.CTA", 32, Int,
       {"membar.cta;"}, 1, nullptr, 64, 1, 64, false, "", false},
      {"membar.gl", "lsu", "MEMBAR.SC.GPU", 32, Int, {"membar.gl;"}, 1,
       nullptr, 16, 1, 64, false, "", false},
      // Matrices from shared memory. Every word holds the buffer's address.
      {"ldmatrix", "lsu", "LDSM.16.M88", 32, Int,
       {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$d}, [$d];"}, 1, nullptr,
       128, 8, 64, false, FillShared},
      {"ldmatrix.x4", "lsu", "LDSM.16.M88.4", 32, Int,
       {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$d, $t, $u, $v}, [$d];"}, 1,
       nullptr, 128, 4, 64, false, FillShared},
      {"stmatrix", "lsu", "STSM.16.M88", 32, Int,
       {"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%s], {$d};"}, 1, nullptr,
       128, 1, 64, false, FillShared, false},
      {"stmatrix.x4", "lsu", "STSM.16.M88.4", 32, Int,
       {"stmatrix.sync.aligned.m8n8.x4.shared.b16 [%s], {$d, $d, $d, $d};"}, 1,
       nullptr, 128, 1, 64, false, FillShared, false},
      {"st.shared", "lsu", "STS", 32, Int,
       {"st.volatile.shared.b32 [%s], $d;"}, 1, nullptr, 256, 1, 64, false,
       StoreShared, false},
      // Tensor cores: the accumulator is the chain.
      {"mma.f16.m16n8k8", "tensor", "HMMA.1688.F32", 32, F16x2,
       {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, "
        "{%a, %b}, {%c}, {$0, $1, $2, $3};"}, 1, nullptr, 64, 4, 32},
      {"mma.f16.m16n8k16", "tensor", "HMMA.16816.F32", 32, F16x2,
       {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, "
        "{%a, %b, %c, %e}, {%f, %g}, {$0, $1, $2, $3};"}, 1, nullptr, 64, 4,
       32},
      {"mma.f16acc.m16n8k16", "tensor", "HMMA.16816.F16", 32, F16x2,
       {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {$0, $1}, "
        "{%a, %b, %c, %e}, {%f, %g}, {$0, $1};"}, 1, nullptr, 64, 8, 32},
      {"mma.bf16.m16n8k16", "tensor", "HMMA.16816.F32.BF16", 32, BF16x2,
       {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{$0, $1, $2, $3}, {%a, %b, %c, %e}, {%f, %g}, {$0, $1, $2, $3};"}, 1,
       nullptr, 64, 4, 32},
      {"mma.tf32.m16n8k4", "tensor", "HMMA.1684.F32.TF32", 32, F32,
       {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {$0, $1, $2, $3}, "
        "{%a, %b}, {%c}, {$0, $1, $2, $3};"}, 1, nullptr, 64, 4, 32},
      {"mma.tf32.m16n8k8", "tensor", "HMMA.1688.F32.TF32", 32, F32,
       {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {$0, $1, $2, $3}, "
        "{%a, %b, %c, %e}, {%f, %g}, {$0, $1, $2, $3};"}, 1, nullptr, 64, 4,
       32},
      {"mma.s8.m16n8k16", "tensor", "IMMA.16816.S8.S8", 32, Int,
       {"mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {$0, $1, $2, $3}, "
        "{%a, %b}, {%c}, {$0, $1, $2, $3};"}, 1, nullptr, 64, 4, 32},
      {"mma.s8.m16n8k32", "tensor", "IMMA.16832.S8.S8", 32, Int,
       {"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {$0, $1, $2, $3}, "
        "{%a, %b, %c, %e}, {%f, %g}, {$0, $1, $2, $3};"}, 1, nullptr, 64, 4,
       32},
      {"mma.f64.m8n8k4", "tensor", "DMMA.8x8x4", 64, F64,
       {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {$d, $w}, {%a}, {%b}, "
        "{$d, $w};"}, 1, nullptr, 64, 4, 32},
  };
  return Specs;
}

ArrayRef<ArithmeticSpec> dependenceSpecs() {
  using enum Operands;
  static const ArithmeticSpec Specs[] = {
      {"fp32.fma -> int.logic", "", "FFMA", 32, F32,
       {"fma.rn.f32 $d, $d, $a, $a; lop3.b32 $d, $d, $c, $e, 0x6a;"}, 1,
       "int.logic", 256, 1},
      {"fp32.add -> int.logic", "", "FADD", 32, F32,
       {"add.rn.f32 $d, $d, $a; lop3.b32 $d, $d, $c, $e, 0x6a;"}, 1,
       "int.logic", 256, 1},
      {"mufu.ex2 -> fp32.fma", "", "MUFU.EX2", 32, F32,
       {"fma.rn.f32 $d, $d, $a, $a; ex2.approx.ftz.f32 $d, $d;"}, 1,
       "fp32.fma", 128, 1},
      {"int.mad -> int.logic", "", "IMAD", 32, Int,
       {"mad.lo.s32 $d, $d, $a, $a; lop3.b32 $d, $d, $c, $e, 0x6a;"}, 1,
       "int.logic", 256, 1},
      {"int.mad -> fp32.fma", "", "IMAD", 32, Int,
       {"mad.lo.s32 $d, $d, $a, $a; fma.rn.f32 $d, $d, $c, $c;"}, 1,
       "fp32.fma", 256, 1},
      {"int.add -> int.logic", "", "LOP3.LUT", 32, Int,
       {"{ .reg .b32 x; sub.s32 x, $a, $d; add.s32 $d, x, $b; }"
        " lop3.b32 $d, $d, $c, $e, 0x6a;"}, 1, "int.logic", 256, 1},
      {"int.setp -> select", "", "ISETP.LT.AND|ISETP.GE.AND", 32, Int,
       {"setp.lt.s32 $p, $d, $a; selp.b32 $d, $b, $c, $p;"}, 1, "select", 256,
       1},
      {"fp32.setp -> select", "",
       "FSETP.GEU.AND|FSETP.LT.AND|FSETP.GEU.FTZ.AND", 32, F32,
       {"setp.lt.f32 $p, $d, $a; selp.b32 $d, $b, $c, $p;"}, 1, "select", 256,
       1},
      {"fp64.setp -> select", "", "DSETP.LT.AND|DSETP.GEU.AND", 64, F64,
       {"setp.lt.f64 $p, $d, $a; selp.b64 $d, $b, $c, $p;"}, 1, "select", 128,
       1},
      {"fp16x2.fma -> int.logic", "", "HFMA2|HFMA2.MMA", 32, F16x2,
       {"fma.rn.f16x2 $d, $d, $a, $a; lop3.b32 $d, $d, $c, $e, 0x6a;"}, 1,
       "int.logic", 256, 1},
      {"fp64.fma -> int.logic", "", "DFMA", 64, F64,
       {"fma.rn.f64 $d, $d, $a, $a; { .reg .b32 x, y; mov.b64 {x, y}, $d; "
        "lop3.b32 y, y, %klane, %knw, 0x6a; mov.b64 $d, {x, y}; }"}, 1,
       "int.logic", 128, 1},
      {"cvt.f32_f64 -> fp64.fma", "", "F2F.F64.F32|F2F.F32.F64", 32, F32,
       {"{ .reg .b64 x; cvt.f64.f32 x, $d; fma.rn.f64 x, x, x, x; "
        "cvt.rn.f32.f64 $d, x; }"}, 2, "fp64.fma", 64, 1},
      {"shfl -> int.logic", "", "SHFL.BFLY", 32, Int,
       {"shfl.sync.bfly.b32 $d, $d, 1, 31, -1; "
        "lop3.b32 $d, $d, $c, $e, 0x6a;"}, 1,
       "int.logic", 128, 1, 64, false, VaryByLane},
      {"shfl -> fp32.add", "", "SHFL.BFLY", 32, F32,
       {"shfl.sync.bfly.b32 $d, $d, 1, 31, -1; add.rn.f32 $d, $d, $a;"}, 1,
       "fp32.add", 128, 1, 64, false, VaryByLane},
      {"popc -> int.logic", "", "POPC", 32, Int,
       {"popc.b32 $d, $d; lop3.b32 $d, $d, $c, $e, 0x6a;"}, 1, "int.logic",
       128, 1},
      {"int.mad_wide -> int.logic", "", "IMAD.WIDE.U32", 64, Int,
       {"{ .reg .b32 lo, hi, m, n; mov.b64 {lo, hi}, $d; mov.b64 {m, n}, $b; "
        "mul.wide.u32 $d, hi, m; mov.b64 {lo, hi}, $d; "
        "lop3.b32 hi, hi, %klane, %knw, 0x6a; mov.b64 $d, {lo, hi}; }"}, 1,
       "int.logic", 128, 1},
  };
  return Specs;
}

} // namespace gpuocc::calibration
