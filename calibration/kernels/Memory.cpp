//===- Memory.cpp - Microkernels of the memory system ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

using namespace llvm;

namespace gpuocc::calibration {

static std::string num(uint64_t N) { return std::to_string(N); }

/// %off (64-bit): the lane's entry of the lane table.
static constexpr const char *ReadLaneTable = R"(
  mul.wide.u32 %w0, %klane, 8;
  add.u64 %w0, %w0, %kin;
  ld.global.u64 %off, [%w0];
)";

static constexpr const char *CommonRegisters = R"(
  .reg .b64 %w<72>, %off, %a<16>, %base, %step, %mask;
  .reg .b32 %s, %r<200>, %d<16>, %o;
  .reg .f32 %f<72>;
  .reg .pred %q;
)";

TimedKernel sharedChase(unsigned Bytes, unsigned Ilp, unsigned Unroll) {
  TimedKernel K;
  K.Name = "shared_chase" + num(Bytes) + "_ilp" + num(Ilp);
  K.MinBlocks = 2;
  K.Declarations = CommonRegisters;
  K.ModuleScope = ".extern .shared .align 16 .b8 dynamic_NAME[];\n";
  K.Prologue = std::string(ReadLaneTable) + R"(
  mov.u32 %s, dynamic_NAME;
  cvt.u32.u64 %o, %off;
  add.u32 %o, %o, %s;
  st.shared.u32 [%o], %o;
)";
  for (unsigned I = 0; I < Ilp; ++I)
    K.Prologue += "  mov.u32 %d" + num(I) + ", %o;\n";
  for (unsigned Step = 0; Step < Unroll / Ilp; ++Step)
    for (unsigned I = 0; I < Ilp; ++I) {
      std::string D = "%d" + num(I);
      const char *Rest = Bytes == 4   ? ""
                         : Bytes == 8 ? ", %r0"
                                      : ", %r0, %r1, %r2";
      std::string Shape = Bytes == 4 ? "" : Bytes == 8 ? ".v2" : ".v4";
      K.Body += "  ld.volatile.shared" + Shape + ".u32 " +
                (Bytes == 4 ? D : "{" + D + Rest + "}") + ", [" + D + "];\n";
    }
  K.Epilogue = "  mov.u64 %ksink, 0;\n";
  for (unsigned I = 0; I < Ilp; ++I)
    K.Epilogue += "  cvt.u64.u32 %w0, %d" + num(I) +
                  ";\n  xor.b64 %ksink, %ksink, %w0;\n";
  return K;
}

TimedKernel sharedAtomicChase(unsigned Ilp, unsigned Unroll) {
  TimedKernel K = sharedChase(4, Ilp, Ilp);
  K.Name = "shared_atomic_ilp" + num(Ilp);
  K.Prologue += "  cvt.u32.u64 %r0, %kx;\n";
  K.Body.clear();
  for (unsigned Step = 0; Step < Unroll / Ilp; ++Step)
    for (unsigned I = 0; I < Ilp; ++I) {
      std::string D = "%d" + num(I);
      K.Body += "  atom.shared.add.u32 " + D + ", [" + D + "], %r0;\n";
    }
  return K;
}

TimedKernel globalChase(const char *Cache, unsigned Unroll) {
  TimedKernel K;
  K.Name = std::string("global_chase_") + Cache;
  K.Declarations = CommonRegisters;
  K.Prologue = std::string(ReadLaneTable) + R"(
  add.u64 %a0, %kx, %off;
  st.global.u64 [%a0], %a0;
  membar.gl;
)";
  for (unsigned Step = 0; Step < Unroll; ++Step)
    K.Body += std::string("  ld.global.") + Cache + ".u64 %a0, [%a0];\n";
  K.Epilogue = "  mov.u64 %ksink, %a0;\n";
  return K;
}

TimedKernel globalAtomicChase(unsigned Unroll) {
  TimedKernel K = globalChase("cg", 1);
  K.Name = "global_atomic";
  K.Prologue = std::string(ReadLaneTable) + R"(
  mad.lo.u64 %off, %kgwarp, %ky, %off;
  add.u64 %a0, %kx, %off;
  st.global.u64 [%a0], %a0;
  membar.gl;
)";
  K.Body.clear();
  for (unsigned Step = 0; Step < Unroll; ++Step)
    K.Body += "  atom.global.add.u64 %a0, [%a0], %kz;\n";
  return K;
}

TimedKernel globalReduction(unsigned Unroll) {
  TimedKernel K = globalAtomicChase(1);
  K.Name = "global_reduction";
  K.Body.clear();
  for (unsigned Step = 0; Step < Unroll; ++Step)
    K.Body += "  red.global.add.u32 [%a0], %klane;\n";
  // The records are written after the last reduction has arrived.
  K.Epilogue = "  atom.global.add.u64 %ksink, [%a0], 0;\n";
  return K;
}

TimedKernel stridedLoads(unsigned Bytes, const char *Cache,
                         unsigned OffsetStep) {
  static constexpr unsigned Loads = 16;
  TimedKernel K;
  K.Name = "strided_loads" + num(Bytes);
  K.MinBlocks = Bytes == 16 ? 1 : 2;
  K.Declarations = CommonRegisters;
  K.Prologue = R"(
  cvt.u64.u32 %w0, %klane;
  mad.lo.u64 %a0, %w0, %ky, %kx;
  mov.u32 %d0, 0;
)";
  // Half the loads first, so that 64 warps fit their registers.
  for (unsigned Half = 0; Half < 2; ++Half) {
    for (unsigned I = 0; I < Loads / 2; ++I) {
      unsigned Load = Half * Loads / 2 + I, R = I * 4;
      std::string At = "[%a0+" + num(Load * OffsetStep) + "];\n";
      std::string Op = std::string("  ld.global.") + Cache;
      if (Bytes == 4)
        K.Body += Op + ".u32 %r" + num(R) + ", " + At;
      else if (Bytes == 8)
        K.Body += Op + ".v2.u32 {%r" + num(R) + ", %r" + num(R + 1) + "}, " + At;
      else
        K.Body += Op + ".v4.u32 {%r" + num(R) + ", %r" + num(R + 1) + ", %r" +
                  num(R + 2) + ", %r" + num(R + 3) + "}, " + At;
    }
    for (unsigned I = 0; I < Loads / 2; ++I)
      for (unsigned Word = 0; Word < Bytes / 4; ++Word)
        K.Body += "  xor.b32 %d0, %d0, %r" + num(I * 4 + Word) + ";\n";
  }
  K.Body += "  add.u64 %a0, %a0, %kz;\n";
  K.Epilogue = "  cvt.u64.u32 %ksink, %d0;\n";
  return K;
}

TimedKernel ringWalk(const char *Space, unsigned Unroll) {
  TimedKernel K;
  K.Name = "ring_walk";
  K.Declarations = CommonRegisters;
  K.Prologue = std::string(ReadLaneTable) + "  mov.u64 %a0, %off;\n";
  for (unsigned Step = 0; Step < Unroll; ++Step)
    K.Body += std::string("  ld.") + Space + ".u64 %a0, [%a0];\n";
  K.LoopStep = Unroll;
  K.Epilogue = "  mov.u64 %ksink, %a0;\n";
  return K;
}

TimedKernel ringWalkTimed(const char *Space) {
  TimedKernel K;
  K.Name = "ring_walk_timed";
  K.Declarations = std::string(CommonRegisters) +
                   "  .shared .align 8 .b8 keep[1024];\n";
  K.Prologue = std::string(ReadLaneTable) +
               "  mov.u64 %a0, %off;\n  mov.u64 %a1, %kx;\n"
               "  mov.u32 %s, keep;\n  mad.lo.u32 %s, %klane, 8, %s;\n";
  // The volatile store waits for the load and keeps its place before the
  // second clock.
  K.Body = std::string("  mov.u64 %w1, %clock64;\n  ld.volatile.") + Space +
           ".u64 %a0, [%a0];\n" + R"(
  st.volatile.shared.u64 [%s], %a0;
  mov.u64 %w2, %clock64;
  sub.u64 %w2, %w2, %w1;
  st.global.u64 [%a1], %w2;
  add.u64 %a1, %a1, 8;
)";
  K.Epilogue = "  mov.u64 %ksink, %a0;\n";
  return K;
}

std::string scatterEntry() {
  return R"(
.visible .entry scatter(.param .u64 p_out, .param .u64 p_in,
                        .param .u64 p_iters, .param .u64 p_x, .param .u64 p_y,
                        .param .u64 p_z)
{
  .reg .b64 %i, %n, %p, %a, %v;
  .reg .b32 %t, %b, %c;
  .reg .pred %q;
  mov.u32 %t, %tid.x;
  mov.u32 %b, %ntid.x;
  mov.u32 %c, %ctaid.x;
  mad.lo.u32 %t, %c, %b, %t;
  cvt.u64.u32 %i, %t;
  ld.param.u64 %p, [p_x];
  ld.param.u64 %n, [p_y];
  setp.ge.u64 %q, %i, %n;
  @%q ret;
  mad.lo.u64 %p, %i, 16, %p;
  ld.global.v2.u64 {%a, %v}, [%p];
  st.global.u64 [%a], %v;
  ret;
}
)";
}

TimedKernel stream(StreamKind Kind, unsigned Bytes, unsigned Ilp,
                   const char *Cache) {
  TimedKernel K;
  bool Loads = Kind != StreamKind::Write, Stores = Kind != StreamKind::Read;
  static constexpr const char *Names[] = {"read", "write", "copy", "triad"};
  K.Name = std::string("stream_") + Names[unsigned(Kind)] + num(Bytes) + "_" +
           num(Ilp);
  K.Declarations = CommonRegisters;
  // %off: byte offset within a part; %step: bytes of the whole grid.
  K.Prologue = R"(
  mad.lo.u32 %r0, %kcta, %kntid, %ktid;
  mul.wide.u32 %off, %r0, BYTES;
  mul.lo.u32 %r0, %kncta, %kntid;
  mul.wide.u32 %step, %r0, BYTES;
  sub.u64 %mask, %ky, 1;
  add.u64 %w70, %kx, %ky;
  add.u64 %w71, %w70, %ky;
  mov.u32 %d0, 0;
  mov.u32 %d1, 1;
)";
  K.Prologue = replaceAll(K.Prologue, "BYTES", num(Bytes));
  unsigned Words = Bytes / 4;
  auto Registers = [&](unsigned First) {
    std::string Text = Words > 1 ? "{" : "";
    for (unsigned W = 0; W < Words; ++W)
      Text += (W ? ", %r" : "%r") + num(First + W);
    return Text + (Words > 1 ? "}" : "");
  };
  std::string Type = Words == 1 ? ".u32 " : ".v" + num(Words) + ".u32 ";
  std::string Load = std::string("  ld.global.") + Cache + Type;
  bool Triad = Kind == StreamKind::Triad;
  for (unsigned I = 0; I < Ilp; ++I) {
    std::string N = num(I);
    K.Body += "  and.b64 %w" + N + ", %off, %mask;\n"
              "  add.u64 %off, %off, %step;\n";
    if (Loads)
      K.Body += "  add.u64 %w" + num(I + 16) + ", %w" + N + ", %kx;\n" + Load +
                Registers(10 + I * Words) + ", [%w" + num(I + 16) + "];\n";
    if (Triad)
      K.Body += "  add.u64 %w" + num(I + 16) + ", %w" + N + ", %w70;\n" + Load +
                Registers(10 + (Ilp + I) * Words) + ", [%w" + num(I + 16) +
                "];\n";
  }
  for (unsigned I = 0; I < Ilp; ++I) {
    unsigned First = 10 + I * Words;
    if (!Stores) {
      for (unsigned W = 0; W < Words; ++W)
        K.Body += "  xor.b32 %d0, %d0, %r" + num(First + W) + ";\n";
      continue;
    }
    if (!Loads)
      for (unsigned W = 0; W < Words; ++W)
        K.Body += "  mov.u32 %r" + num(First + W) + ", %d1;\n";
    if (Triad)
      for (unsigned W = 0; W < Words; ++W)
        K.Body += "  xor.b32 %r" + num(First + W) + ", %r" + num(First + W) +
                  ", %r" + num(First + Ilp * Words + W) + ";\n";
    K.Body += "  add.u64 %w" + num(I) + ", %w" + num(I) + ", " +
              (Triad ? "%w71" : "%w70") + ";\n  st.global" + Type + "[%w" +
              num(I) + "], " + Registers(First) + ";\n";
  }
  K.Epilogue = "  cvt.u64.u32 %ksink, %d0;\n";
  return K;
}

TimedKernel randomLoads(unsigned Ilp, const char *Cache) {
  TimedKernel K;
  K.Name = "random_loads" + num(Ilp);
  K.MinBlocks = 2;
  K.Declarations = CommonRegisters;
  K.Prologue = R"(
  mad.lo.u32 %r0, %kcta, %kntid, %ktid;
  mul.lo.u32 %r1, %r0, 2654435761;
  add.u32 %r1, %r1, 12345;
  cvt.u32.u64 %r2, %ky;
  mov.u32 %d0, 0;
)";
  // Numerical Recipes' linear congruential generator; its high bits choose.
  for (unsigned I = 0; I < Ilp; ++I) {
    std::string N = num(I);
    K.Body += "  mad.lo.u32 %r1, %r1, 1664525, 1013904223;\n"
              "  shf.l.wrap.b32 %r3, %r1, %r1, 16;\n"
              "  and.b32 %r3, %r3, %r2;\n"
              "  mad.wide.u32 %w" + N + ", %r3, 32, %kx;\n"
              "  ld.global." + Cache + ".u32 %r" + num(10 + I) + ", [%w" + N +
              "];\n";
  }
  for (unsigned I = 0; I < Ilp; ++I)
    K.Body += "  xor.b32 %d0, %d0, %r" + num(10 + I) + ";\n";
  K.Epilogue = "  cvt.u64.u32 %ksink, %d0;\n";
  return K;
}

TimedKernel issueLoads(unsigned Loads) {
  TimedKernel K;
  K.Name = "issue_loads";
  K.MaxThreads = 32;
  K.Declarations = CommonRegisters;
  K.Prologue = R"(
  mul.wide.u32 %w0, %klane, 4;
  add.u64 %a0, %kx, %w0;
  mov.u32 %d0, 0;
)";
  // Unrolled by hand after the loop's place: every load needs a register.
  std::string &Text = K.Epilogue;
  for (unsigned I = 0; I < Loads; ++I) {
    if (I % 2 == 0)
      Text += "  mov.u64 %w" + num(I / 2) + ", %clock64;\n";
    Text += std::string("  ld.volatile.global.u32 %r") + num(I) +
            ", [%a0];\n  add.u64 %a0, %a0, %kz;\n";
  }
  Text += "  mov.u64 %w" + num(Loads / 2) + ", %clock64;\n";
  for (unsigned I = 0; I < Loads; ++I)
    Text += "  xor.b32 %d0, %d0, %r" + num(I) + ";\n";
  for (unsigned I = 0; I <= Loads / 2; ++I)
    Text += "  st.global.u64 [%ky+" + num(I * 8) + "], %w" + num(I) + ";\n";
  Text += "  cvt.u64.u32 %ksink, %d0;\n";
  return K;
}

std::string constantModule(const PtxTarget &Target) {
  TimedKernel K;
  K.Name = "constant_chase";
  K.Declarations = CommonRegisters;
  K.Prologue = std::string(ReadLaneTable) + R"(
  cvt.u32.u64 %o, %off;
  mov.u64 %base, constants;
)";
  for (unsigned Step = 0; Step < 64; ++Step)
    K.Body += "  cvt.u64.u32 %w1, %o;\n  add.u64 %w1, %w1, %base;\n"
              "  ld.const.u32 %o, [%w1];\n";
  K.Epilogue = "  cvt.u64.u32 %ksink, %o;\n";
  return moduleHeader(Target) +
         ".visible .const .align 16 .b8 constants[65536];\n" + timedKernel(K);
}

TimedKernel localChase(unsigned Unroll) {
  TimedKernel K;
  K.Name = "local_chase";
  K.Declarations = std::string(CommonRegisters) +
                   "  .local .align 8 .b8 array[1024];\n";
  K.Prologue = R"(
  mov.u64 %a0, array;
  cvt.u64.u32 %w0, %klane;
  and.b64 %w0, %w0, 0;
  add.u64 %a0, %a0, %kx;
  st.local.u64 [%a0], %a0;
)";
  for (unsigned Step = 0; Step < Unroll; ++Step)
    K.Body += "  ld.local.u64 %a0, [%a0];\n";
  K.Epilogue = "  mov.u64 %ksink, %a0;\n";
  return K;
}

TimedKernel asyncCopy(unsigned Bytes, unsigned Unroll) {
  TimedKernel K;
  K.Name = "async_copy" + num(Bytes);
  K.Declarations = std::string(CommonRegisters) +
                   "  .shared .align 16 .b8 tile[16384];\n";
  K.Prologue = R"(
  mov.u32 %s, tile;
  and.b32 %r0, %ktid, 1023;
  mad.lo.u32 %s, %r0, 16, %s;
  mul.wide.u32 %w0, %ktid, 16;
  add.u64 %a0, %kx, %w0;
)";
  const char *Cache = Bytes == 16 ? "cg" : "ca";
  for (unsigned Step = 0; Step < Unroll; ++Step)
    K.Body += std::string("  cp.async.") + Cache + ".shared.global [%s], [%a0], " +
              num(Bytes) + ";\n  cp.async.commit_group;\n"
                           "  cp.async.wait_group 0;\n";
  K.Epilogue = "  mov.u64 %ksink, %a0;\n";
  return K;
}

TimedKernel loadAddMix(unsigned Bytes, unsigned Adds, unsigned Ilp,
                       const char *Cache, unsigned UnrolledLoads) {
  TimedKernel K;
  K.Name = "mix" + num(Bytes) + "_a" + num(Adds) + "_i" + num(Ilp);
  K.MinBlocks = 2;
  K.Declarations = CommonRegisters;
  unsigned RowBytes = Bytes * 32;
  K.Prologue = R"(
  mul.wide.u32 %w0, %klane, BYTES;
  mul.lo.u64 %w1, %kgwarp, %ky;
  add.u64 %w0, %w0, %w1;
  add.u64 %base, %w0, %kx;
  cvt.u32.u64 %r0, %kz;
  mov.b32 %f70, %r0;
)";
  K.Prologue = replaceAll(K.Prologue, "BYTES", num(Bytes));
  for (unsigned I = 0; I < Ilp; ++I)
    K.Prologue += "  mov.b32 %d" + num(I) + ", 0;\n";
  for (unsigned Load = 0; Load < UnrolledLoads; ++Load) {
    for (unsigned I = 0; I < Ilp; ++I) {
      std::string N = num(I), D = "%d" + N, A = "%a" + N;
      // The address takes in the result of the chain, which is zero.
      K.Body += "  cvt.u64.u32 %w" + N + ", " + D + ";\n  or.b64 " + A +
                ", %base, %w" + N + ";\n";
      std::string Values = D;
      if (Bytes > 4) {
        Values = "{" + D;
        for (unsigned W = 1; W < Bytes / 4; ++W)
          Values += ", %r" + num(100 + I * 4 + W);
        Values += "}";
      }
      K.Body += std::string("  ld.global.") + Cache +
                (Bytes > 4 ? ".v" + num(Bytes / 4) : "") + ".u32 " + Values +
                ", [" + A + "+" + num((Load * Ilp + I) * RowBytes) + "];\n";
      for (unsigned W = 1; W < Bytes / 4; ++W)
        K.Body += "  or.b32 " + D + ", " + D + ", %r" + num(100 + I * 4 + W) +
                  ";\n";
    }
    for (unsigned Add = 0; Add < Adds; ++Add)
      for (unsigned I = 0; I < Ilp; ++I) {
        std::string D = "%d" + num(I);
        K.Body += "  add.rn.f32 " + D + ", " + D + ", %f70;\n";
      }
  }
  K.Body += "  add.u64 %base, %base, " + num(UnrolledLoads * Ilp * RowBytes) +
            ";\n";
  K.LoopStep = UnrolledLoads;
  K.Epilogue = "  mov.u64 %ksink, 0;\n";
  for (unsigned I = 0; I < Ilp; ++I)
    K.Epilogue += "  cvt.u64.u32 %w0, %d" + num(I) +
                  ";\n  xor.b64 %ksink, %ksink, %w0;\n";
  return K;
}

} // namespace gpuocc::calibration
