//===- Pipes.cpp - Microkernels of two classes together -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipes.h"

using namespace llvm;

namespace gpuocc::calibration {

ArrayRef<PipeProbe> pipeProbes() {
  static const PipeProbe Probes[] = {
      {"fp32.fma", "FFMA", "fma.rn.f32 %f$, %f$, %fa, %fa;", 0.25},
      {"fp16x2.fma", "HFMA2|HFMA2.MMA", "fma.rn.f16x2 %h$, %h$, %ia, %ia;",
       0.25},
      {"int.mad", "IMAD", "mad.lo.s32 %m$, %m$, %ia, %ia;", 0.5},
      {"int.mad_hi", "IMAD.HI.U32", "mul.hi.u32 %u$, %u$, %ia;", 1},
      {"int.mad_wide", "IMAD.WIDE.U32",
       "{ .reg .b32 lo, hi; mov.b64 {lo, hi}, %v$; "
       "mul.wide.u32 %v$, hi, %ia; }",
       1},
      {"int.logic", "LOP3.LUT", "lop3.b32 %l$, %l$, %ia, %ib, 0x6a;", 0.5},
      {"fp64.fma", "DFMA", "fma.rn.f64 %x$, %x$, %xa, %xa;", 0.5},
      {"mufu.ex2", "MUFU.EX2", "ex2.approx.ftz.f32 %e$, %e$;", 2},
      {"cvt.f32_int", "F2I.NTZ|F2I.FTZ.NTZ|F2I.FTZ.TRUNC.NTZ|F2I.TRUNC.NTZ",
       "cvt.rni.s32.f32 %c$, %c$;", 2},
      {"popc", "POPC", "popc.b32 %p$, %p$;", 2},
      {"shfl", "SHFL.BFLY", "shfl.sync.bfly.b32 %s$, %s$, 1, 31, -1;", 1},
      {"ld.shared", "LDS", "ld.volatile.shared.u32 %a$, [%a$];", 1},
      {"s2r", "S2R", "mov.u32 %w$, %warpid; add.u32 %z$, %z$, %w$;", 2},
      {"mma.f16.m16n8k16", "HMMA.16816.F32",
       "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
       "{%k$0, %k$1, %k$2, %k$3}, {%ia, %ib, %ia, %ib}, {%ia, %ib}, "
       "{%k$0, %k$1, %k$2, %k$3};",
       1.5},
  };
  return Probes;
}

PipeProbe emptyProbe() { return {"nop", "NOP", "bar.warp.sync -1;", 0.25}; }

TimedKernel pipePair(const PipeProbe &First, unsigned FirstCount,
                     const PipeProbe &Second, unsigned SecondCount,
                     unsigned Groups) {
  static constexpr unsigned Chains = 4;
  TimedKernel K;
  K.Name =
      replaceAll("pair_" + std::string(First.Key) + std::to_string(FirstCount) +
                     "_" + Second.Key + std::to_string(SecondCount),
                 ".", "_");
  K.MinBlocks = 1;
  K.Declarations = R"(
  .reg .f32 %f<4>, %e<4>, %fa;
  .reg .b32 %h<4>, %m<4>, %l<4>, %c<4>, %p<4>, %s<4>, %a<4>, %w<4>, %z<4>;
  .reg .b32 %u<4>;
  .reg .b32 %k<44>, %ia, %ib, %i;
  .reg .f64 %x<4>, %xa;
  .reg .b64 %v<4>, %acc;
  .shared .align 16 .b8 words[128];
)";
  K.Prologue = R"(
  ld.global.u32 %ia, [%kin];
  ld.global.u32 %ib, [%kin+8];
  add.u32 %ia, %ia, %klane;
  mov.b32 %fa, %ia;
  cvt.rn.f64.s32 %xa, %ib;
  mov.u32 %i, words;
  mad.lo.u32 %i, %klane, 4, %i;
  st.shared.u32 [%i], %i;
)";
  std::string Sink = "  mov.u64 %ksink, 0;\n";
  auto Keep = [&](const std::string &Register, const char *Move) {
    Sink += std::string("  ") + Move + " %i, " + Register +
            ";\n  cvt.u64.u32 %acc, %i;\n  xor.b64 %ksink, %ksink, %acc;\n";
  };
  std::string Used = std::string(First.Step) + Second.Step;
  for (unsigned C = 0; C < Chains; ++C) {
    std::string N = std::to_string(C);
    for (const char *Name : {"%h", "%m", "%l", "%c", "%p", "%s", "%z", "%u"})
      if (StringRef(Used).contains(std::string(Name) + "$")) {
        K.Prologue +=
            "  add.u32 " + std::string(Name) + N + ", %ia, " + N + ";\n";
        Keep(Name + N, "mov.b32");
      }
    for (const char *Name : {"%f", "%e"})
      if (StringRef(Used).contains(std::string(Name) + "$")) {
        K.Prologue +=
            "  add.u32 %i, %ib, " + N + ";\n  mov.b32 " + Name + N + ", %i;\n";
        Keep(Name + N, "mov.b32");
      }
    if (StringRef(Used).contains("%a$")) {
      K.Prologue += "  mov.u32 %a" + N + ", words;\n  mad.lo.u32 %a" + N +
                    ", %klane, 4, %a" + N + ";\n";
      Keep("%a" + N, "mov.b32");
    }
    if (StringRef(Used).contains("%v$")) {
      K.Prologue += "  mad.wide.u32 %v" + N + ", %ia, %ib, " + N + ";\n";
      Sink += "  xor.b64 %ksink, %ksink, %v" + N + ";\n";
    }
    if (StringRef(Used).contains("%x$")) {
      K.Prologue +=
          "  add.u32 %i, %ib, " + N + ";\n  cvt.rn.f64.s32 %x" + N + ", %i;\n";
      Sink += "  mov.b64 %acc, %x" + N + ";\n  xor.b64 %ksink, %ksink, %acc;\n";
    }
    if (StringRef(Used).contains("%k$"))
      for (unsigned R = 0; R < 4; ++R) {
        std::string Register = "%k" + N + std::to_string(R);
        K.Prologue += "  mov.u32 " + Register + ", %ib;\n";
        Keep(Register, "mov.b32");
      }
  }
  unsigned FirstChain = 0, SecondChain = 0;
  auto Step = [&](const PipeProbe &Probe, unsigned &Chain) {
    K.Body += "  " +
              replaceAll(Probe.Step, "$", std::to_string(Chain++ % Chains)) +
              "\n";
  };
  for (unsigned Group = 0; Group < Groups; ++Group) {
    // Spread evenly: what the pipes can do, not what queues behind them.
    for (unsigned I = 0; I < FirstCount; ++I) {
      Step(First, FirstChain);
      for (unsigned J = I * SecondCount / FirstCount;
           J < (I + 1) * SecondCount / FirstCount; ++J)
        Step(Second, SecondChain);
    }
  }
  K.Epilogue = Sink;
  std::string Opcodes = First.Opcode;
  double Count = double(Groups) * (FirstCount + SecondCount);
  if (SecondCount && Opcodes == emptyProbe().Opcode) {
    // The assembler puts instructions that do nothing before others, too.
    Opcodes = Second.Opcode;
    Count = double(Groups) * SecondCount;
  } else if (SecondCount && Opcodes != Second.Opcode) {
    Opcodes += std::string("|") + Second.Opcode;
  }
  K.Claim = {Opcodes, Count};
  return K;
}

} // namespace gpuocc::calibration
