//===- ClassPairs.cpp - Microkernels of one class after another -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClassPairs.h"
#include "llvm/ADT/STLExtras.h"
#include <climits>

using namespace llvm;

namespace gpuocc::calibration {

/// A class of each pipe, and of each way that values come to one.
static constexpr StringRef Representatives[] = {
    "fp32.fma",  "fp16x2.fma", "fp64.fma",  "int.mad",
    "int.logic", "mufu.sqrt",  "popc",      "cvt.f32_f64",
    "shfl",      "redux",      "ld.shared", "mma.f16.m16n8k16"};

// Shared memory of a block begins at 0 or, where the first KiB is not the
// kernel's, at 1024: both times the addresses from 1024 on are zero words.
static std::vector<ClassStep> makeClassSteps() {
  std::vector<ClassStep> Steps = {
      {"fp32.add", "FADD", "add.rn.f32 $d, $d, %a;"},
      {"fp32.mul", "FMUL", "mul.rn.f32 $d, $d, %a;"},
      {"fp32.fma", "FFMA", "fma.rn.f32 $d, $d, %a, %b;"},
      {"fp32.minmax", "FMNMX", "min.f32 $d, $d, %a;"},
      {"fp16x2.add", "HADD2|HFMA2.MMA", "add.rn.f16x2 $d, $d, %a;"},
      {"fp16x2.mul", "HMUL2|HFMA2.MMA", "mul.rn.f16x2 $d, $d, %a;"},
      {"fp16x2.fma", "HFMA2|HFMA2.MMA", "fma.rn.f16x2 $d, $d, %a, %b;"},
      {"fp16x2.minmax", "HMNMX2", "min.f16x2 $d, $d, %a;"},
      {"bf16x2.fma", "HFMA2.BF16_V2|HFMA2.MMA.BF16_V2",
       "fma.rn.bf16x2 $d, $d, %a, %b;"},
      {"fp64.add", "DADD", "add.rn.f64 $D, $D, %A;"},
      {"fp64.mul", "DMUL", "mul.rn.f64 $D, $D, %A;"},
      {"fp64.fma", "DFMA", "fma.rn.f64 $D, $D, %A, %A;"},
      {"int.add", "IADD3",
       "{ .reg .b32 y; sub.s32 y, %a, $d; add.s32 $d, y, %b; }"},
      {"int.mad", "IMAD", "mad.lo.s32 $d, $d, %a, %b;"},
      {"int.mad_wide", "IMAD.WIDE.U32", "mul.wide.u32 $D, $d, %a;"},
      {"int.mad_hi", "IMAD.HI|IMAD.HI.U32", "mad.hi.u32 $d, $d, %a, %b;"},
      {"int.lea", "LEA.HI.SX32",
       "{ .reg .b32 y; shr.s32 y, $d, 5; add.s32 $d, y, %a; }"},
      {"int.logic", "LOP3.LUT", "lop3.b32 $d, $d, %a, %b, 0x6a;"},
      {"int.shift", "SHF.L.W.U32.HI", "shf.l.wrap.b32 $d, $d, %a, %b;"},
      {"int.minmax", "VIMNMX|VIMNMX.U32|IMNMX", "min.s32 $d, $d, %a;"},
      {"int.abs", "IABS", "abs.s32 $d, $d;"},
      {"int.absdiff", "VABSDIFF|VABSDIFF.U32", "sad.u32 $d, $d, %a, %b;"},
      {"int.dp4a", "IDP.4A.S8.S8", "dp4a.s32.s32 $d, $d, %a, %b;"},
      {"int.dpx", "VIMNMX3",
       "{ .reg .b32 y; max.s32 y, $d, %a; max.s32 $d, y, %b; }"},
      {"select", "SEL", "selp.b32 $d, $d, %a, %q;"},
      {"prmt", "PRMT", "prmt.b32 $d, $d, %a, %b;"},
      {"bitfield", "SGXT.W", "szext.wrap.s32 $d, $d, %a;"},
      {"popc", "POPC", "popc.b32 $d, $d;"},
      {"flo", "FLO|FLO.U32", "bfind.u32 $d, $d;", "", false},
      {"brev", "BREV", "brev.b32 $d, $d;"},
      {"mufu.rcp", "MUFU.RCP", "rcp.approx.ftz.f32 $d, $d;", "", false},
      {"mufu.rsq", "MUFU.RSQ", "rsqrt.approx.ftz.f32 $d, $d;", "", false},
      {"mufu.sqrt", "MUFU.SQRT", "sqrt.approx.ftz.f32 $d, $d;"},
      {"mufu.ex2", "MUFU.EX2", "ex2.approx.ftz.f32 $d, $d;", "", false},
      {"mufu.lg2", "MUFU.LG2", "lg2.approx.ftz.f32 $d, $d;", "", false},
      {"mufu.tanh", "MUFU.TANH", "tanh.approx.f32 $d, $d;"},
      {"mufu.rcp64h", "MUFU.RCP64H", "rcp.approx.ftz.f64 $D, $D;", "", false},
      {"mufu.rsq64h", "MUFU.RSQ64H", "rsqrt.approx.ftz.f64 $D, $D;", "", false},
      {"cvt.f32_f16", "HADD2.F32",
       "{ .reg .b16 l, h; mov.b32 {l, h}, $d; cvt.f32.f16 $d, l; }"},
      {"cvt.pack_f16x2", "F2FP.F16.F32.PACK_AB|F2FP.PACK_AB",
       "cvt.rn.f16x2.f32 $d, $d, %a;"},
      {"cvt.f32_f64", "F2F.F64.F32", "cvt.f64.f32 $D, $d;"},
      {"cvt.int_f32", "I2FP.F32.S32|I2F.S32|I2F", "cvt.rn.f32.s32 $d, $d;"},
      {"cvt.f32_int", "F2I.NTZ|F2I.FTZ.NTZ|F2I.FTZ.TRUNC.NTZ|F2I.TRUNC.NTZ",
       "cvt.rni.s32.f32 $d, $d;"},
      {"cvt.int_f64", "I2F.F64", "cvt.rn.f64.s32 $D, $d;"},
      {"cvt.f64_int", "F2I.F64", "cvt.rni.s32.f64 $d, $D;"},
      {"cvt.round_f32", "FRND", "cvt.rni.f32.f32 $d, $d;"},
      {"cvt.round_f64", "FRND.F64", "cvt.rni.f64.f64 $D, $D;"},
      {"cvt.int_int", "I2I.S8.S32.SAT|I2IP.S8.S32.SAT",
       "cvt.sat.s8.s32 $d, $d;"},
      {"shfl", "SHFL.BFLY", "shfl.sync.bfly.b32 $d, $d, 1, 31, -1;"},
      {"match", "MATCH.ANY", "match.any.sync.b32 $d, $d, -1;", "", false},
      {"redux", "REDUX.SUM.S32|REDUX.SUM", "redux.sync.add.s32 $d, $d, -1;"},
      {"ld.shared", "LDS", "ld.volatile.shared.u32 $d, [$d+1024];", ".address"},
      {"atom.shared", "ATOMS.ADD", "atom.shared.add.u32 $d, [$d+1024], %c;",
       ".address"},
      {"ldc", "LDC", "ld.const.u32 $d, [$d];", ".address"},
      {"ldmatrix", "LDSM.16.M88",
       "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$d}, [$d+1024];", ".address"},
      {"mma.f16.m16n8k8", "HMMA.1688.F32",
       "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {$d, %m1, %m2, %m3}, "
       "{%n0, %n1}, {%o0}, {$d, %m1, %m2, %m3};"},
      {"mma.f16.m16n8k16", "HMMA.16816.F32",
       "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$d, %m1, %m2, %m3}, "
       "{%n0, %n1, %n2, %n3}, {%o0, %o1}, {$d, %m1, %m2, %m3};"},
      {"mma.f16acc.m16n8k16", "HMMA.16816.F16",
       "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {$d, %m1}, {%n0, "
       "%n1, %n2, %n3}, {%o0, %o1}, {$d, %m1};"},
      {"mma.bf16.m16n8k16", "HMMA.16816.F32.BF16",
       "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {$d, %m1, %m2, "
       "%m3}, {%n0, %n1, %n2, %n3}, {%o0, %o1}, {$d, %m1, %m2, %m3};"},
      {"mma.tf32.m16n8k4", "HMMA.1684.F32.TF32",
       "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {$d, %m1, %m2, "
       "%m3}, {%n0, %n1}, {%o0}, {$d, %m1, %m2, %m3};"},
      {"mma.tf32.m16n8k8", "HMMA.1688.F32.TF32",
       "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {$d, %m1, %m2, "
       "%m3}, {%n0, %n1, %n2, %n3}, {%o0, %o1}, {$d, %m1, %m2, %m3};"},
      {"mma.s8.m16n8k16", "IMMA.16816.S8.S8",
       "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {$d, %m1, %m2, %m3}, "
       "{%n0, %n1}, {%o0}, {$d, %m1, %m2, %m3};"},
      {"mma.s8.m16n8k32", "IMMA.16832.S8.S8",
       "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {$d, %m1, %m2, %m3}, "
       "{%n0, %n1, %n2, %n3}, {%o0, %o1}, {$d, %m1, %m2, %m3};"},
      {"mma.f64.m8n8k4", "DMMA.8x8x4",
       "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {$D, %M}, {%A}, {%B}, "
       "{$D, %M};"},
  };
  for (ClassStep &Step : Steps)
    Step.Representative = is_contained(Representatives, StringRef(Step.Key));
  return Steps;
}

ArrayRef<ClassStep> classSteps() {
  static const std::vector<ClassStep> Steps = makeClassSteps();
  return Steps;
}

ArrayRef<ClassStep> compareSteps() {
  static const ClassStep Steps[] = {
      {"fp32.setp", "FSETP.GEU.AND|FSETP.LT.AND|FSETP.GEU.FTZ.AND",
       "setp.lt.f32 %p, $d, %a;"},
      {"fp16x2.setp", "HSETP2.LT.AND|HSETP2.GEU.AND",
       "setp.lt.f16x2 %p|%r, $d, %a;"},
      {"fp64.setp", "DSETP.LT.AND|DSETP.GEU.AND", "setp.lt.f64 %p, $D, %A;"},
      {"int.setp", "ISETP.NE.AND|ISETP.EQ.AND", "setp.ne.s32 %p, $d, %a;"},
  };
  return Steps;
}

ArrayRef<ClassStep> predicateSteps() {
  static const ClassStep Steps[] = {
      {"select", "SEL", "selp.b32 $d, %a, %b, %p;", ".predicate"},
      {"vote", "VOTE.ANY|VOTE.ALL", "vote.sync.ballot.b32 $d, %p, -1;",
       ".predicate"},
      {"fp32.add", "FADD", "@%p add.rn.f32 $d, $d, %b;", ".predicate"},
  };
  return Steps;
}

ClassStep compareAndSelect(const ClassStep &Compare) {
  const ClassStep &Select = predicateSteps().front();
  ClassStep Both = Compare;
  Both.Opcode += "|" + Select.Opcode;
  Both.Text += " " + Select.Text;
  Both.Instructions += Select.Instructions;
  return Both;
}

/// Pairs of which the assembler makes something else, since it knows what one
/// does to the value of the other.
static constexpr std::pair<StringRef, StringRef> Merged[] = {
    {"fp16x2.minmax", "fp16x2.minmax"},
    {"int.minmax", "int.minmax"},
    {"int.abs", "int.abs"},
    {"mufu.rcp", "mufu.rcp"},
    {"int.abs", "mufu.ex2"},
    {"int.abs", "cvt.int_int"},
    {"prmt", "cvt.int_int"},
    {"cvt.int_f32", "cvt.int_int"},
    {"mufu.rcp", "mufu.rsq"},
    {"mufu.rcp", "mufu.ex2"},
    {"cvt.f32_f16", "ld.shared"},
    {"cvt.f32_f16", "ldc"},
    {"shfl", "redux"},
    {"redux", "atom.shared"},
    {"fp16x2.add", "cvt.f64_int"},
    {"fp16x2.mul", "cvt.f64_int"},
    {"fp16x2.fma", "cvt.f64_int"},
    {"fp16x2.minmax", "cvt.f64_int"},
    {"ld.shared", "fp16x2.setp"},
    {"ldc", "fp16x2.setp"},
};

/// The same on some architectures only.
struct MergedThere {
  StringRef First, Second;
  unsigned From, To;
};
static constexpr MergedThere MergedOnSome[] = {
    {"bf16x2.fma", "cvt.f64_int", 86, 88},
    {"cvt.pack_f16x2", "cvt.f64_int", 70, 88},
    // FMNMX3 takes two.
    {"fp32.minmax", "fp32.minmax", 100, UINT_MAX},
};

bool canTakeTurns(const ClassStep &First, const ClassStep &Second,
                  unsigned Architecture) {
  if (any_of(MergedOnSome, [&](const MergedThere &M) {
        return M.From <= Architecture && Architecture <= M.To &&
               First.Key == M.First && Second.Key == M.Second;
      }))
    return false;
  if (is_contained(Merged,
                   std::pair(StringRef(First.Key), StringRef(Second.Key))))
    return false;
  return !((First.Use == ".address" && !Second.KeepsZero) ||
           (Second.Use == ".address" && !First.KeepsZero));
}

/// Whether an instruction of \p Text writes $d: it is the first operand.
static bool writesWord(StringRef Text) {
  while (!Text.empty()) {
    auto [Statement, Rest] = Text.split(';');
    auto [Before, After] = Statement.split("$d");
    if (Before != Statement && !Before.contains(','))
      return true;
    Text = Rest;
  }
  return false;
}

/// \p Step on a chain of 32 or 64 bits.
static std::string instantiate(const ClassStep &Step, bool Wide) {
  if (!Wide)
    return "  " + replaceAll(Step.Text, "$d", "%d") + "\n";
  std::string Text = replaceAll(Step.Text, "$D", "%D");
  if (!StringRef(Text).contains("$d"))
    return "  " + Text + "\n";
  return "  { .reg .b32 lo, x; mov.b64 {lo, x}, %D; " +
         replaceAll(Text, "$d", "x") +
         (writesWord(Text) ? " mov.b64 %D, {lo, x};" : "") + " }\n";
}

TimedKernel classPair(const ClassStep &First, const ClassStep &Second) {
  bool Wide = First.isWide() || Second.isWide();
  TimedKernel K;
  K.Name = replaceAll(First.Key + "_to_" + Second.Key, ".", "_");
  K.MaxThreads = 32;
  K.Declarations = R"(
  .reg .b32 %d, %a, %b, %c, %m1, %m2, %m3, %n<4>, %o<2>;
  .reg .b64 %D, %A, %B, %M, %at;
  .reg .pred %p, %q, %r;
  .shared .align 16 .b8 words[2048];
)";
  // Loaded by lane, so that no value is the same for a warp by its nature.
  K.Prologue = R"(
  mul.wide.u32 %at, %klane, 8;
  add.u64 %at, %at, %kin;
)";
  std::string Used = First.Text + Second.Text;
  auto Load = [&](const char *Register, const char *Type) {
    K.Prologue += std::string("  ld.volatile.global.") + Type + " " + Register +
                  ", [%at];\n";
  };
  Load(Wide ? "%D" : "%d", Wide ? "u64" : "u32");
  for (const char *Register : {"%a", "%b", "%c", "%m1", "%m2", "%m3", "%n0",
                               "%n1", "%n2", "%n3", "%o0", "%o1"})
    if (StringRef(Used).contains(Register))
      Load(Register, "u32");
  for (const char *Register : {"%A", "%B", "%M"})
    if (StringRef(Used).contains(Register))
      Load(Register, "u64");
  if (StringRef(Used).contains("%q"))
    K.Prologue += "  setp.ne.u64 %q, %kgwarp, %ky;\n";
  if (First.Use == ".address" || Second.Use == ".address")
    K.Prologue += R"(
  mov.u32 %ksm, words;
  mad.lo.u32 %ksm, %klane, 64, %ksm;
  st.shared.v2.u64 [%ksm], {0, 0};
  st.shared.v2.u64 [%ksm+16], {0, 0};
  st.shared.v2.u64 [%ksm+32], {0, 0};
  st.shared.v2.u64 [%ksm+48], {0, 0};
)";
  for (unsigned Turn = 0; Turn < ClassPairTurns; ++Turn)
    K.Body += instantiate(First, Wide) + instantiate(Second, Wide);
  K.Epilogue = Wide ? "  mov.b64 %ksink, %D;\n" : "  cvt.u64.u32 %ksink, %d;\n";
  if (StringRef(Used).contains("%m1"))
    K.Epilogue += "  cvt.u64.u32 %at, %m1;\n  xor.b64 %ksink, %ksink, %at;\n";
  if (StringRef(Used).contains("%M"))
    K.Epilogue += "  xor.b64 %ksink, %ksink, %M;\n";
  std::string Opcodes = First.Opcode;
  if (Opcodes != Second.Opcode)
    Opcodes += "|" + Second.Opcode;
  K.Claim = {Opcodes, double(ClassPairTurns) *
                          (First.Instructions + Second.Instructions)};
  return K;
}

std::string classPairModule(const ClassStep &First, ArrayRef<ClassStep> Others,
                            PtxTarget Target) {
  std::string Text =
      moduleHeader(Target) + ".const .align 16 .b8 zeros[1024];\n";
  for (const ClassStep &Other : Others)
    Text += timedKernel(classPair(First, Other));
  return Text;
}

} // namespace gpuocc::calibration
