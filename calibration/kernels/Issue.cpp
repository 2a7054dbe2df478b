//===- Issue.cpp - Classes that are timed at issue ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Issue.h"

using namespace llvm;

namespace gpuocc::calibration {

static std::string num(uint64_t N) { return std::to_string(N); }

/// A table of zeros: what is read is the next offset.
static constexpr const char *ConstantZeros =
    ".visible .const .align 16 .b8 zeros_NAME[4096];\n";

static constexpr const char *Callee = R"(
.func (.param .b32 p_result) callee_NAME (.param .b32 p_value)
{
  .reg .b32 %value;
  ld.param.b32 %value, [p_value];
  xor.b32 %value, %value, 5;
  st.param.b32 [p_result], %value;
  ret;
}
)";

/// Lanes 4 bytes apart instead of 8.
static constexpr const char *FourBytesApart =
    "  mul.wide.u32 %acc, %klane, 4;\n  sub.u64 %a0, %a0, %acc;\n";

/// Every lane's word holds its own address.
static constexpr const char *PointToSelf = R"(
  st.u64 [%a0], %a0;
  membar.gl;
)";

ArrayRef<IssueSpec> issueSpecs() {
  static const IssueSpec Specs[] = {
      // Compilers read block indices so, and those Nsight Compute does not
      // count at the ADU.
      {.Key = "s2ur",
       .Pipe = "uniform",
       .Opcode = "S2UR",
       .Step = "{ .reg .b32 x; mov.u32 x, %smid; "
               "lop3.b32 %v0, %v0, x, %v1, 0x6a; }",
       .Source = "a special register to the uniform datapath",
       .Setup = "  cvt.u32.u64 %v0, %kx;\n  cvt.u32.u64 %v1, %kz;\n"},
      {.Key = "r2ur",
       .Pipe = "adu",
       .Opcode = "R2UR",
       .Step = "ld.global.L1::evict_normal.L2::cache_hint.u32 %r#, [%a0], %w0; "
               "add.u64 %w0, %w0, %off; xor.b32 %d0, %d0, %r#;",
       .Source = "two with each load that hits L1, the load's cache policy "
                 "being in a register",
       .Steps = 32,
       .PerStep = 2,
       .Setup = "  createpolicy.fractional.L2::evict_normal.b64 %w0;\n"
                "  add.u64 %w0, %w0, %off;\n"},
      {.Key = "uldc",
       .Pipe = "uniform",
       .Opcode = "ULDC",
       .Step = "{ .reg .b64 x; cvt.u64.u32 x, %v$; add.u64 x, x, %base; "
               "ld.const.u32 %v$, [x]; }",
       .Source = "an indexed constant to the uniform datapath",
       .Chained = true,
       .WideChains = 4,
       .Setup = "  mov.u64 %base, zeros_NAME;\n  cvt.u32.u64 %v0, %kz;\n"
                "  add.u32 %v1, %v0, 4;\n  add.u32 %v2, %v0, 8;\n"
                "  add.u32 %v3, %v0, 12;\n",
       .Module = ConstantZeros},
      {.Key = "ldc",
       .Pipe = "adu",
       .Opcode = "LDC",
       .Step = "{ .reg .b64 x; cvt.u64.u32 x, %v$; add.u64 x, x, %base; "
               "ld.const.u32 %v$, [x]; }",
       .Source = "an indexed constant, one address a warp",
       .WideChains = 8,
       .Setup = "  mov.u64 %base, zeros_NAME;\n  cvt.u32.u64 %v0, %off;\n"
                "  add.u32 %v1, %v0, 4;\n  add.u32 %v2, %v0, 8;\n"
                "  add.u32 %v3, %v0, 12;\n  add.u32 %v4, %v0, 16;\n"
                "  add.u32 %v5, %v0, 20;\n  add.u32 %v6, %v0, 24;\n"
                "  add.u32 %v7, %v0, 28;\n",
       .Module = ConstantZeros},
      {.Key = "branch.indexed",
       .Pipe = "cbu",
       .Opcode = "BRX",
       .Step = "T#_NAME: .branchtargets $B#_NAME, $C#_NAME;\n"
               "  brx.idx %v0, T#_NAME;\n$C#_NAME:\n  add.u32 %d1, %d1, %d2;\n"
               "$B#_NAME:\n  xor.b32 %d1, %d1, %d3;",
       .Source = "brx.idx over one addition, with the read of its table entry "
                 "from constant memory; holds one LOP3",
       .Steps = 16,
       .Chained = true,
       .Setup = "  ld.global.u32 %v0, [%kin];\n"},
      {.Key = "call",
       .Pipe = "cbu",
       .Opcode = "CALL.REL.NOINC|CALL.ABS.NOINC",
       .Step = "{ .param .b32 result; .param .b32 value; "
               "st.param.b32 [value], %d0; call (result), callee_NAME, (value);"
               " ld.param.b32 %d0, [result]; }",
       .Source = "half of call and return of a function of one LOP3, whose "
                 "latency is taken off",
       .Steps = 32,
       .Sharers = 2,
       .Chained = true,
       .Beside = "int.logic",
       .Module = Callee},
      {.Key = "warpsync",
       .Pipe = "adu",
       .Opcode = "NOP|WARPSYNC",
       .Step = "bar.warp.sync %v0;",
       .Source = "bar.warp.sync of converged lanes; its mask is not known to "
                 "the compiler",
       .Setup = "  cvt.u32.u64 %v0, %ky;\n"},
      {.Key = "st.global",
       .Pipe = "lsu",
       .Opcode = "STG.E",
       .Step = "st.global.u32 [%a0+#*128], %d0;",
       .Source = "4 bytes a lane, whole lines, one SM alone",
       .Steps = 32,
       .OneSm = true,
       .Setup = FourBytesApart},
      {.Key = "red.global",
       .Pipe = "lsu",
       .Opcode = "REDG.E.ADD.STRONG.GPU",
       .Step = "red.global.add.u32 [%a0+#*128], %d0;",
       .Source = "4 bytes a lane, whole lines, one SM alone",
       .Steps = 32,
       .OneSm = true,
       .Setup = FourBytesApart},
      {.Key = "st.local",
       .Pipe = "lsu",
       .Opcode = "STL",
       .Step = "st.local.u32 [%w0+#*4], %d0;",
       .Source = "4 bytes a lane, one SM alone",
       .Steps = 32,
       .OneSm = true,
       .Setup = "  mov.u64 %w0, array;\n  add.u64 %w0, %w0, %kz;\n",
       .Declarations = "  .local .align 8 .b8 array[128];\n"},
      {.Key = "ld.local",
       .Pipe = "lsu",
       .Opcode = "LDL|LDL.64",
       .Step = "ld.local.u64 %w$, [%w$];",
       .Source = "hits L1, 8 bytes a lane",
       .WideChains = 8,
       .Setup = R"(
  mov.u64 %w0, array;
  add.u64 %w0, %w0, %kz;
  st.local.u64 [%w0], %w0;
  mov.u64 %w1, %w0;
  mov.u64 %w2, %w0;
  mov.u64 %w3, %w0;
  mov.u64 %w4, %w0;
  mov.u64 %w5, %w0;
  mov.u64 %w6, %w0;
  mov.u64 %w7, %w0;
)",
       .Declarations = "  .local .align 8 .b8 array[128];\n"},
      {.Key = "ld.generic",
       .Pipe = "lsu",
       .Opcode = "LD.E.64",
       .Step = "ld.u64 %a$, [%a$];",
       .Source = "generic load of 8 bytes a lane that hits L1",
       .Chained = true,
       .Setup = PointToSelf},
      // Narrower ones are not chained by address alone.
      {.Key = "ld.generic",
       .Pipe = "lsu",
       .Opcode = "LD.E",
       .Step = "ld.u32 %r#, [%a0+#*128]; xor.b32 %d0, %d0, %r#;",
       .Source = "generic load of 4 bytes a lane that hits L1, 16 in a row",
       .Steps = 16,
       .Setup = FourBytesApart,
       .Last = "add.u64 %a0, %a0, %off;"},
      {.Key = "st.generic",
       .Pipe = "lsu",
       .Opcode = "ST.E",
       .Step = "st.u32 [%a0+#*128], %d0;",
       .Source = "generic store, 4 bytes a lane, whole lines, one SM alone",
       .Steps = 32,
       .OneSm = true,
       .Setup = FourBytesApart},
      {.Key = "cp.async.wait",
       .Pipe = "lsu",
       .Opcode = "DEPBAR.LE",
       .Step = "cp.async.commit_group; cp.async.wait_group 0;",
       .Source = "commit and wait of an empty group",
       .Chained = true},
  };
  return Specs;
}

/// \p Step with the place holders of step \p Number and chain \p Chain.
static std::string instantiate(std::string Step, unsigned Number,
                               unsigned Chain) {
  // Labels keep their '$'; chains are named by registers only.
  for (const char *Register : {"%v", "%w", "%a", "%d"})
    Step = replaceAll(Step, std::string(Register) + "$", Register + num(Chain));
  return replaceAll(Step, "#", num(Number));
}

TimedKernel issueKernel(const IssueSpec &Spec, unsigned Chains) {
  TimedKernel K;
  K.Name = replaceAll(Spec.Key, ".", "_") + "_" + num(Chains) +
           (Spec.Chained ? "c" : "");
  K.ModuleScope = Spec.Module;
  K.Declarations = std::string(R"(
  .reg .b64 %w<8>, %a<8>, %off, %base, %acc;
  .reg .b32 %r<64>, %d<8>, %v<8>;
)") + Spec.Declarations;
  // The lane table holds zeros; what is read there is not uniform.
  K.Prologue = R"(
  mul.wide.u32 %acc, %klane, 8;
  add.u64 %acc, %acc, %kin;
  ld.global.u64 %off, [%acc];
  mul.lo.u64 %a0, %kgwarp, 4096;
  add.u64 %a0, %a0, %kx;
  mul.wide.u32 %acc, %klane, 8;
  add.u64 %a0, %a0, %acc;
)";
  for (unsigned I = 0; I < 8; ++I)
    K.Prologue += "  cvt.u32.u64 %d" + num(I) + ", %off;\n";
  K.Prologue += Spec.Setup;
  for (unsigned I = 1; I < Chains; ++I)
    K.Prologue += "  mov.u64 %a" + num(I) + ", %a0;\n";
  for (unsigned I = 0; I < Spec.Steps; ++I)
    K.Body += "  " + instantiate(Spec.Step, I, I % Chains) + "\n";
  K.Body += std::string("  ") + Spec.Last + "\n";
  K.Epilogue = "  mov.u64 %ksink, 0;\n";
  auto Keep = [&](const std::string &Register, unsigned Bits) {
    if (StringRef(K.Prologue + K.Body).contains(Register + ","))
      K.Epilogue += (Bits == 64 ? "  mov.u64 %acc, " : "  cvt.u64.u32 %acc, ") +
                    Register + ";\n  xor.b64 %ksink, %ksink, %acc;\n";
  };
  for (unsigned I = 0; I < std::max(Chains, 2u); ++I) {
    Keep("%d" + num(I), 32);
    Keep("%v" + num(I), 32);
    Keep("%w" + num(I), 64);
    Keep("%a" + num(I), 64);
  }
  K.Claim = {Spec.Opcode, Spec.Steps * Spec.PerStep};
  return K;
}

TimedKernel moves(unsigned Registers) {
  TimedKernel K;
  K.Name = "moves";
  K.Declarations =
      "  .reg .b32 %d<" + num(Registers + 1) + ">;\n  .reg .b64 %acc;\n";
  for (unsigned I = 0; I < Registers; ++I)
    K.Prologue +=
        "  ld.global.u32 %d" + num(I) + ", [%kin+" + num(I * 8) + "];\n";
  K.Body = "  mov.u32 %d" + num(Registers) + ", %d0;\n";
  for (unsigned I = 0; I < Registers; ++I)
    K.Body += "  mov.u32 %d" + num(I) + ", %d" + num(I + 1) + ";\n";
  K.Epilogue = "  mov.u64 %ksink, 0;\n";
  // Each in another way, or the compiler would see a sum of the same.
  for (unsigned I = 0; I < Registers; ++I)
    K.Epilogue += "  cvt.u64.u32 %acc, %d" + num(I) +
                  ";\n  mad.lo.u64 %ksink, %ksink, 3, %acc;\n";
  K.Claim = {"MOV|IMAD.MOV.U32", Registers + 1.0};
  return K;
}

} // namespace gpuocc::calibration
