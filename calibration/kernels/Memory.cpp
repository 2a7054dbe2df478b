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

/// How SASS names the scope of a load with cache operator \p Cache.
static const char *scopeOf(StringRef Cache) {
  return Cache == "cg" ? ".STRONG.GPU" : Cache == "ca" ? ".STRONG.SM" : "";
}

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
  K.Claim = {"LDS" + (Bytes == 4 ? "" : "." + num(Bytes * 8)), double(Unroll)};
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
  K.Claim = {"ATOMS.ADD", double(Unroll)};
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
  K.Claim = {std::string("LDG.E.64") + scopeOf(Cache), double(Unroll)};
  K.Epilogue = "  mov.u64 %ksink, %a0;\n";
  return K;
}

TimedKernel globalAtomicChase(unsigned Unroll) {
  TimedKernel K = globalChase("cg", 1);
  K.Name = "global_atomic";
  K.Prologue = std::string(ReadLaneTable) + R"(
  mad.lo.u64 %off, %kgwarp, %ky, %off;
  add.u64 %a0, %kx, %off;
  cvt.u32.u64 %o, %kz;
)";
  // The value added is the one returned before, which is zero.
  K.Prologue += "  st.global.u32 [%a0], %o;\n  membar.gl;\n"
                "  mov.u32 %d0, %o;\n";
  K.Body.clear();
  for (unsigned Step = 0; Step < Unroll; ++Step)
    K.Body += "  atom.global.add.u32 %d0, [%a0], %d0;\n";
  K.Claim = {"ATOMG.E.ADD.STRONG.GPU", double(Unroll)};
  K.Epilogue = "  cvt.u64.u32 %ksink, %d0;\n";
  return K;
}

TimedKernel globalReduction(unsigned Unroll) {
  TimedKernel K = globalAtomicChase(1);
  K.Name = "global_reduction";
  K.Body.clear();
  for (unsigned Step = 0; Step < Unroll; ++Step)
    K.Body += "  red.global.add.u32 [%a0], %klane;\n";
  K.Claim = {"REDG.E.ADD.STRONG.GPU", double(Unroll)};
  // The records are written after the last reduction has arrived.
  K.Epilogue = "  atom.global.add.u32 %d0, [%a0], 0;\n"
               "  cvt.u64.u32 %ksink, %d0;\n";
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
        K.Body +=
            Op + ".v2.u32 {%r" + num(R) + ", %r" + num(R + 1) + "}, " + At;
      else
        K.Body += Op + ".v4.u32 {%r" + num(R) + ", %r" + num(R + 1) + ", %r" +
                  num(R + 2) + ", %r" + num(R + 3) + "}, " + At;
    }
    for (unsigned I = 0; I < Loads / 2; ++I)
      for (unsigned Word = 0; Word < Bytes / 4; ++Word)
        K.Body += "  xor.b32 %d0, %d0, %r" + num(I * 4 + Word) + ";\n";
  }
  K.Body += "  add.u64 %a0, %a0, %kz;\n";
  K.Claim = {std::string("LDG.E") + (Bytes == 4 ? "" : "." + num(Bytes * 8)) +
                 scopeOf(Cache),
             double(Loads)};
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
  K.Claim = {std::string("LDG.E.64") + scopeOf(StringRef(Space).take_back(2)),
             double(Unroll)};
  K.Epilogue = "  mov.u64 %ksink, %a0;\n";
  return K;
}

TimedKernel ringWalkTimed(const char *Space) {
  TimedKernel K;
  K.Name = "ring_walk_timed";
  K.Declarations =
      std::string(CommonRegisters) + "  .shared .align 8 .b8 keep[1024];\n";
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
  K.Claim = {"LDG.E.64.STRONG.SYS", 1};
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
                   const char *Cache, unsigned BytesApart) {
  TimedKernel K;
  bool Loads = Kind != StreamKind::Write, Stores = Kind != StreamKind::Read;
  static constexpr const char *Names[] = {"read", "write", "copy", "triad"};
  if (BytesApart == 0)
    BytesApart = Bytes;
  K.Name = std::string("stream_") + Names[unsigned(Kind)] + num(Bytes) + "_" +
           num(Ilp) + (BytesApart == Bytes ? "" : "_apart" + num(BytesApart));
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
  K.Prologue = replaceAll(K.Prologue, "BYTES", num(BytesApart));
  unsigned Words = std::max(Bytes / 4, 1u);
  auto Registers = [&](unsigned First) {
    std::string Text = Words > 1 ? "{" : "";
    for (unsigned W = 0; W < Words; ++W)
      Text += (W ? ", %r" : "%r") + num(First + W);
    return Text + (Words > 1 ? "}" : "");
  };
  std::string Type = Bytes < 4    ? ".u" + num(Bytes * 8) + " "
                     : Words == 1 ? ".u32 "
                                  : ".v" + num(Words) + ".u32 ";
  std::string Load = std::string("  ld.global.") + Cache + Type;
  bool Triad = Kind == StreamKind::Triad;
  for (unsigned I = 0; I < Ilp; ++I) {
    std::string N = num(I);
    K.Body += "  and.b64 %w" + N +
              ", %off, %mask;\n"
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
  std::string Width = Bytes < 4   ? ".U" + num(Bytes * 8)
                      : Bytes > 4 ? "." + num(Bytes * 8)
                                  : "";
  if (Loads)
    K.Claim = {"LDG.E" + Width + scopeOf(Cache), double(Ilp) * (Triad ? 2 : 1)};
  else
    K.Claim = {"STG.E" + Width, double(Ilp)};
  return K;
}

TimedKernel sharedStream(unsigned Ilp) {
  TimedKernel K = stream(StreamKind::Read, 16, Ilp, "cg");
  K.Name += "_shared";
  K.Prologue = replaceAll(K.Prologue, "mad.lo.u32 %r0, %kcta,",
                          "cvt.u32.u64 %r1, %kz;\n  rem.u32 %r0, %kcta, %r1;\n"
                          "  mad.lo.u32 %r0, %r0,");
  K.Prologue =
      replaceAll(K.Prologue, "mul.lo.u32 %r0, %kncta,", "mul.lo.u32 %r0, %r1,");
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
              "  mad.wide.u32 %w" +
              N +
              ", %r3, 32, %kx;\n"
              "  ld.global." +
              Cache + ".u32 %r" + num(10 + I) + ", [%w" + N + "];\n";
  }
  for (unsigned I = 0; I < Ilp; ++I)
    K.Body += "  xor.b32 %d0, %d0, %r" + num(10 + I) + ";\n";
  K.Claim = {"LDG.E.STRONG.GPU", double(Ilp)};
  K.Epilogue = "  cvt.u64.u32 %ksink, %d0;\n";
  return K;
}

TimedKernel randomStores(unsigned Ilp) {
  TimedKernel K = randomLoads(Ilp, "cg");
  K.Name = "random_stores" + num(Ilp);
  K.Body.clear();
  for (unsigned I = 0; I < Ilp; ++I)
    K.Body += "  mad.lo.u32 %r1, %r1, 1664525, 1013904223;\n"
              "  shf.l.wrap.b32 %r3, %r1, %r1, 16;\n"
              "  and.b32 %r3, %r3, %r2;\n"
              "  mad.wide.u32 %w0, %r3, 32, %kx;\n"
              "  st.global.u32 [%w0], %r1;\n";
  K.Claim = {"STG.E", double(Ilp)};
  return K;
}

TimedKernel lineLatencies() {
  TimedKernel K;
  K.Name = "line_latencies";
  K.Declarations =
      std::string(CommonRegisters) + "  .shared .align 8 .b8 keep[8192];\n";
  K.Prologue = R"(
  cvt.u32.u64 %r1, %kgwarp;
  mul.lo.u32 %r1, %r1, 2654435761;
  add.u32 %r1, %r1, 12345;
  cvt.u32.u64 %r2, %ky;
  mul.wide.u32 %off, %klane, 4;
  add.u64 %base, %kx, %off;
  mov.u32 %s, keep;
  mad.lo.u32 %s, %ktid, 4, %s;
  mov.u64 %w5, 0;
  mov.u64 %w6, 0;
)";
  // As in ringWalkTimed(), the volatile store waits for the load.
  K.Body = R"(
  mad.lo.u32 %r1, %r1, 1664525, 1013904223;
  shf.l.wrap.b32 %r3, %r1, %r1, 16;
  and.b32 %r3, %r3, %r2;
  mul.wide.u32 %a0, %r3, 128;
  add.u64 %a0, %a0, %base;
  mov.u64 %w1, %clock64;
  ld.volatile.global.u32 %r4, [%a0];
  st.volatile.shared.u32 [%s], %r4;
  mov.u64 %w2, %clock64;
  sub.u64 %w2, %w2, %w1;
  add.u64 %w5, %w5, %w2;
  mad.lo.u64 %w6, %w2, %w2, %w6;
)";
  K.Epilogue = R"(
  mad.lo.u64 %a1, %kgwarp, 16, %kz;
  setp.eq.u32 %q, %klane, 0;
  @%q st.global.v2.u64 [%a1], {%w5, %w6};
  mov.u64 %ksink, %w5;
)";
  K.Claim = {"LDG.E.STRONG.SYS", 1};
  return K;
}

TimedKernel loadedLatencies() {
  TimedKernel K;
  K.Name = "loaded_latencies";
  K.Declarations = std::string(CommonRegisters) +
                   "  .reg .pred %p;\n  .shared .align 8 .b8 keep[4096];\n"
                   "  .shared .align 8 .b8 samples[" +
                   num(SamplesPerBlock * 8) + "];\n";
  K.Prologue = R"(
  mul.wide.u32 %w0, %klane, 8;
  mul.lo.u64 %w1, %kgwarp, %ky;
  add.u64 %w0, %w0, %w1;
  add.u64 %base, %w0, %kx;
  mov.u32 %s, keep;
  mad.lo.u32 %s, %ktid, 4, %s;
  mov.u32 %r5, samples;
  mov.u32 %r6, 0;
  mov.u32 %r9, 0;
  setp.eq.u32 %q, %ktid, 0;
)";
  // As in ringWalkTimed(), the volatile store waits for the load.
  K.Body = replaceAll(R"(
  mov.u64 %w1, %clock64;
  ld.volatile.global.v2.u32 {%r4, %r8}, [%base];
  st.volatile.shared.u32 [%s], %r4;
  mov.u64 %w2, %clock64;
  sub.u64 %w2, %w2, %w1;
  xor.b32 %r9, %r9, %r8;
  add.u64 %base, %base, 256;
  and.b32 %r7, %r6, EACH;
  add.u32 %r6, %r6, 1;
  setp.eq.and.u32 %p, %r7, 0, %q;
  @%p st.shared.u64 [%r5], %w2;
  @%p add.u32 %r5, %r5, 8;
)",
                      "EACH", num(LoadsPerSample - 1));
  K.Epilogue = replaceAll(R"(
  cvt.u64.u32 %a1, %kcta;
  mad.lo.u64 %a1, %a1, BYTES, %kz;
  mov.u32 %r10, samples;
KEEP_NEXT:
  setp.lt.and.u32 %p, %r10, %r5, %q;
  @!%p bra KEPT_ALL;
  ld.shared.u64 %w2, [%r10];
  st.global.u64 [%a1], %w2;
  add.u32 %r10, %r10, 8;
  add.u64 %a1, %a1, 8;
  bra KEEP_NEXT;
KEPT_ALL:
  cvt.u64.u32 %ksink, %r9;
)",
                          "BYTES", num(SamplesPerBlock * 8));
  K.Claim = {"LDG.E.64.STRONG.SYS", 1};
  return K;
}

TimedKernel readLoop(ReadLoop Form, unsigned Loads) {
  static constexpr const char *Names[] = {"unrolled", "constant", "dynamic"};
  static constexpr const char *Read = R"(
  ld.global.f32 %f1, [%base];
  add.f32 %f0, %f0, %f1;
  add.u64 %base, %base, %step;
)";
  TimedKernel K;
  K.Name = std::string("read_") + Names[unsigned(Form)] + num(Loads);
  K.Declarations = std::string(CommonRegisters) + "  .reg .pred %p;\n";
  K.Prologue = R"(
  mad.lo.u32 %r0, %kcta, %kntid, %ktid;
  mul.wide.u32 %w0, %r0, 4;
  add.u64 %base, %kx, %w0;
  mul.lo.u32 %r1, %kncta, %kntid;
  mul.wide.u32 %step, %r1, 4;
  mov.f32 %f0, 0f00000000;
  cvt.u32.u64 %r2, %ky;
)";
  if (Form == ReadLoop::Unrolled) {
    for (unsigned I = 0; I != Loads; ++I)
      K.Body += Read;
  } else {
    K.Body = "  mov.u32 %r3, " +
             (Form == ReadLoop::Constant ? num(Loads) : "%r2") +
             ";\nREAD_NEXT:\n" + Read +
             "  sub.u32 %r3, %r3, 1;\n  setp.ne.u32 %p, %r3, 0;\n"
             "  @%p bra READ_NEXT;\n";
  }
  // ptxas 13.0 leaves no loop of a constant, and makes four copies of one of a
  // parameter, with as many reads of what is left over.
  if (Form == ReadLoop::Dynamic)
    K.Claim = {"LDG.E", 8, /*WholeKernel=*/true};
  else
    K.Claim = {"LDG.E", double(Loads)};
  K.Epilogue = "  mov.b32 %r4, %f0;\n  cvt.u64.u32 %ksink, %r4;\n";
  return K;
}

TimedKernel addressChain(AddressProducer Producer, unsigned Unroll) {
  static constexpr const char *Names[] = {"none", "add", "mad", "logic",
                                          "wide"};
  TimedKernel K;
  K.Name = std::string("address_from_") + Names[unsigned(Producer)];
  K.Declarations =
      std::string(CommonRegisters) + "  .shared .align 16 .b8 tile[256];\n";
  // Every word read is zero; the compiler does not know it.
  K.Prologue = std::string(ReadLaneTable) + R"(
  mov.u32 %s, tile;
  cvt.u32.u64 %d0, %off;
  mad.lo.u32 %s, %klane, 4, %s;
  st.shared.u32 [%s], %d0;
  add.u32 %r1, %d0, %s;
  mov.u32 %d1, %d0;
  cvt.u32.u64 %r2, %kz;
)";
  const char *Step = "";
  switch (Producer) {
  case AddressProducer::None:
    K.Prologue += "  st.shared.u32 [%s], %s;\n  mov.u32 %d1, %s;\n";
    Step = "  ld.volatile.shared.u32 %d1, [%d1];\n";
    break;
  case AddressProducer::Add:
    // Three operands, or the compiler would use IMAD for every other one.
    Step = "  sub.u32 %d1, %r1, %d1;\n  add.u32 %d1, %d1, %d0;\n"
           "  ld.volatile.shared.u32 %d1, [%d1];\n";
    break;
  case AddressProducer::Mad:
    Step = "  mad.lo.u32 %d1, %d1, %r2, %r1;\n"
           "  ld.volatile.shared.u32 %d1, [%d1];\n";
    break;
  case AddressProducer::Logic:
    Step = "  lop3.b32 %d1, %r1, %d1, %r2, 0xf8;\n"
           "  ld.volatile.shared.u32 %d1, [%d1];\n";
    break;
  case AddressProducer::MadWide:
    K.Prologue += "  add.u64 %a2, %kx, %off;\n";
    // As compilers write it; mad.wide would become a pair of LEA.
    Step = "  mul.wide.s32 %a1, %d1, 4;\n  add.s64 %a1, %a2, %a1;\n"
           "  ld.global.ca.u32 %d1, [%a1];\n";
    break;
  }
  for (unsigned I = 0; I < Unroll; ++I)
    K.Body += Step;
  K.Epilogue = "  cvt.u64.u32 %ksink, %d1;\n";
  static constexpr const char *Opcodes[] = {"LDS", "LDS|IADD3", "LDS|IMAD",
                                            "LDS|LOP3.LUT",
                                            "LDG.E.STRONG.SM|IMAD.WIDE"};
  unsigned PerStep = Producer == AddressProducer::None ? 1 : 2;
  K.Claim = {Opcodes[unsigned(Producer)], double(Unroll) * PerStep};
  return K;
}

TimedKernel wordChase(unsigned Unroll) {
  TimedKernel K;
  K.Name = "word_chase";
  K.Declarations = CommonRegisters;
  K.Prologue = std::string(ReadLaneTable) + R"(
  add.u64 %a2, %kx, %off;
  mov.u32 %d1, 0;
)";
  for (unsigned I = 0; I < Unroll; ++I)
    K.Body += "  mul.wide.s32 %a1, %d1, 4;\n  add.s64 %a1, %a2, %a1;\n"
              "  ld.global.ca.u32 %d1, [%a1];\n";
  K.Epilogue = "  cvt.u64.u32 %ksink, %d1;\n";
  K.Claim = {"LDG.E.STRONG.SM", double(Unroll)};
  return K;
}

TimedKernel issueLoads(unsigned Loads, unsigned BytesApart) {
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
    Text += std::string("  ld.volatile.global.u32 %r") + num(I) + ", [%a0+" +
            num(I * BytesApart) + "];\n";
  }
  Text += "  mov.u64 %w" + num(Loads / 2) + ", %clock64;\n";
  for (unsigned I = 0; I < Loads; ++I)
    Text += "  xor.b32 %d0, %d0, %r" + num(I) + ";\n";
  for (unsigned I = 0; I <= Loads / 2; ++I)
    Text += "  st.global.u64 [%ky+" + num(I * 8) + "], %w" + num(I) + ";\n";
  Text += "  cvt.u64.u32 %ksink, %d0;\n";
  K.Claim = {"LDG.E.STRONG.SYS", double(Loads), true};
  return K;
}

TimedKernel constantChase() {
  TimedKernel K;
  K.Name = "constant_chase";
  K.Declarations = CommonRegisters;
  K.Prologue = std::string(ReadLaneTable) + R"(
  and.b64 %w1, %kgwarp, %ky;
  mad.lo.u64 %w1, %w1, 64, %off;
  cvt.u32.u64 %o, %w1;
  mov.u64 %base, constants;
)";
  for (unsigned Step = 0; Step < 64; ++Step)
    K.Body += "  cvt.u64.u32 %w1, %o;\n  add.u64 %w1, %w1, %base;\n"
              "  ld.const.u32 %o, [%w1];\n";
  K.Claim = {"LDC", 64};
  K.Epilogue = "  cvt.u64.u32 %ksink, %o;\n";
  K.ModuleScope = ".visible .const .align 16 .b8 constants[65536];\n";
  return K;
}

TimedKernel localChase(unsigned Unroll) {
  TimedKernel K;
  K.Name = "local_chase";
  K.Declarations =
      std::string(CommonRegisters) + "  .local .align 8 .b8 array[1024];\n";
  K.Prologue = R"(
  mov.u64 %a0, array;
  cvt.u64.u32 %w0, %klane;
  and.b64 %w0, %w0, 0;
  add.u64 %a0, %a0, %kx;
  st.local.u64 [%a0], %a0;
)";
  for (unsigned Step = 0; Step < Unroll; ++Step)
    K.Body += "  ld.local.u64 %a0, [%a0];\n";
  // The last load of a chain keeps both words.
  K.Claim = {"LDL|LDL.64", double(Unroll)};
  K.Epilogue = "  mov.u64 %ksink, %a0;\n";
  return K;
}

TimedKernel textureChase(unsigned Unroll) {
  TimedKernel K;
  K.Name = "texture_chase";
  K.Declarations = CommonRegisters;
  K.Prologue = "  mov.u32 %r0, 0;\n";
  for (unsigned Step = 0; Step < Unroll; ++Step)
    K.Body += "  tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [%kx, {%r0}];\n";
  K.Claim = {"TLD.LZ", double(Unroll)};
  K.Epilogue = "  cvt.u64.u32 %ksink, %r0;\n";
  return K;
}

TimedKernel warpGroupMma(const WarpGroupShape &Shape, unsigned InRow) {
  // 64 x N sums of 32 bits over 128 threads; of 16 bits two in a register.
  const bool Half = StringRef(Shape.Types).starts_with("f16");
  const unsigned Sums = Shape.N / (Half ? 4 : 2);
  TimedKernel K;
  K.Name = "warp_group_mma_n" + num(Shape.N) + "_" +
           replaceAll(Shape.Types, ".", "_") + "_" + num(InRow);
  K.MaxThreads = 256;
  K.Declarations = "  .reg .b32 %f<" + num(Sums) +
                   ">;\n  .reg .b64 %desc;\n"
                   "  .reg .b32 %s, %n;\n  .reg .pred %q;\n"
                   "  .shared .align 128 .b8 tiles[16384];\n";
  // The descriptor of both inputs: address, leading and stride offsets of 128
  // and 256 bytes, no swizzle. The values do not matter for the time.
  K.Prologue = R"(
  mov.u32 %s, tiles;
  shr.u32 %s, %s, 4;
  and.b32 %s, %s, 16383;
  cvt.u64.u32 %desc, %s;
  or.b64 %desc, %desc, 0x1000080000;
  cvt.u32.u64 %n, %kz;
  setp.ne.u32 %q, %n, 77;
)";
  std::string Registers = "{";
  for (unsigned I = 0; I < Sums; ++I) {
    K.Prologue += "  mov.b32 %f" + num(I) + ", %n;\n";
    Registers += (I ? ", %f" : "%f") + num(I);
  }
  Registers += "}";
  K.Body = "  wgmma.fence.sync.aligned;\n";
  for (unsigned I = 0; I < InRow; ++I)
    K.Body += "  wgmma.mma_async.sync.aligned.m64n" + num(Shape.N) + "k" +
              num(Shape.K) + "." + Shape.Types + " " + Registers +
              ", %desc, %desc, %q" + Shape.Modifiers + ";\n";
  K.Claim = {Shape.Opcode, double(InRow)};
  K.Body += "  wgmma.commit_group.sync.aligned;\n"
            "  wgmma.wait_group.sync.aligned 0;\n";
  K.Epilogue = "  mov.u64 %ksink, 0;\n";
  for (unsigned I = 0; I < Sums; ++I)
    K.Epilogue += "  cvt.u64.u32 %desc, %f" + num(I) +
                  ";\n"
                  "  xor.b64 %ksink, %ksink, %desc;\n";
  return K;
}

TimedKernel asyncCopy(unsigned Bytes, unsigned Unroll) {
  TimedKernel K;
  K.Name = "async_copy" + num(Bytes);
  K.Declarations =
      std::string(CommonRegisters) + "  .shared .align 16 .b8 tile[16384];\n";
  K.Prologue = R"(
  mov.u32 %s, tile;
  and.b32 %r0, %ktid, 1023;
  mad.lo.u32 %s, %r0, 16, %s;
  mul.wide.u32 %w0, %ktid, 16;
  add.u64 %a0, %kx, %w0;
)";
  const char *Cache = Bytes == 16 ? "cg" : "ca";
  for (unsigned Step = 0; Step < Unroll; ++Step)
    K.Body += std::string("  cp.async.") + Cache +
              ".shared.global [%s], [%a0], " + num(Bytes) +
              ";\n  cp.async.commit_group;\n"
              "  cp.async.wait_group 0;\n";
  K.Claim = {Bytes == 16 ? "LDGSTS.E.BYPASS.128" : "LDGSTS.E", double(Unroll)};
  K.Epilogue = "  mov.u64 %ksink, %a0;\n";
  return K;
}

static constexpr const char *FillParameters =
    "(.param .u64 p_out, .param .u64 p_in, .param .u64 p_iters, "
    ".param .u64 p_x, .param .u64 p_y, .param .u64 p_z)\n";

/// A loop of the grid over the indices below the number at p_y; %i is the
/// index, %base the address at p_x.
static std::string gridLoop(const char *Name, const std::string &Body) {
  return std::string(".visible .entry ") + Name + FillParameters + R"({
  .reg .b64 %i, %n, %base, %step, %a, %v, %w;
  .reg .b32 %t, %b, %c, %r<8>;
  .reg .pred %q;
  mov.u32 %t, %tid.x;
  mov.u32 %b, %ntid.x;
  mov.u32 %c, %ctaid.x;
  mad.wide.u32 %i, %c, %b, 0;
  cvt.u64.u32 %v, %t;
  add.u64 %i, %i, %v;
  mov.u32 %c, %nctaid.x;
  mul.wide.u32 %step, %c, %b;
  ld.param.u64 %base, [p_x];
  ld.param.u64 %n, [p_y];
$LOOP_)" +
         Name + R"(:
  setp.ge.u64 %q, %i, %n;
  @%q ret;
)" + Body +
         "  add.u64 %i, %i, %step;\n  bra $LOOP_" + Name + ";\n}\n";
}

std::string noiseEntry() {
  return gridLoop("noise", R"(
  cvt.u32.u64 %r0, %i;
  mul.lo.u32 %r0, %r0, 2654435761;
  shf.l.wrap.b32 %r1, %r0, %r0, 15;
  xor.b32 %r0, %r0, %r1;
  mul.lo.u32 %r1, %r0, 2246822519;
  mul.lo.u32 %r2, %r1, 3266489917;
  xor.b32 %r2, %r2, %r0;
  mul.lo.u32 %r3, %r2, 668265263;
  mad.lo.u64 %a, %i, 16, %base;
  st.global.v4.u32 [%a], {%r0, %r1, %r2, %r3};
)");
}

std::string pointersEntry() {
  // Odd factors and shifts within the low bits are permutations of them.
  return gridLoop("pointers", R"(
  sub.u64 %w, %n, 1;
  mul.lo.u64 %v, %i, 2654435761;
  add.u64 %v, %v, 12345;
  and.b64 %v, %v, %w;
  shr.u64 %a, %v, 11;
  xor.b64 %v, %v, %a;
  mul.lo.u64 %v, %v, 2246822519;
  and.b64 %v, %v, %w;
  shr.u64 %a, %v, 13;
  xor.b64 %v, %v, %a;
  mad.lo.u64 %v, %v, 32, %base;
  mad.lo.u64 %a, %i, 32, %base;
  st.global.u64 [%a], %v;
)");
}

/// \p Adds additions of the zero in %f70 to each of \p Ilp chains.
static std::string additions(unsigned Adds, unsigned Ilp) {
  std::string Text;
  for (unsigned Add = 0; Add < Adds; ++Add)
    for (unsigned I = 0; I < Ilp; ++I)
      Text += "  add.rn.f32 %d" + num(I) + ", %d" + num(I) + ", %f70;\n";
  return Text;
}

/// %ksink from the chains %d0 to %d\p Ilp.
static std::string sinkOfChains(unsigned Ilp) {
  std::string Text = "  mov.u64 %ksink, 0;\n";
  for (unsigned I = 0; I < Ilp; ++I)
    Text += "  cvt.u64.u32 %w0, %d" + num(I) +
            ";\n  xor.b64 %ksink, %ksink, %w0;\n";
  return Text;
}

/// %o and %f70: zeros that the compiler does not know.
static constexpr const char *OpaqueZero = R"(
  cvt.u32.u64 %o, %kz;
  mov.b32 %f70, %o;
)";

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
)";
  K.Prologue = replaceAll(K.Prologue, "BYTES", num(Bytes)) + OpaqueZero +
               "  mov.b32 %r3, %o;\n";
  for (unsigned I = 0; I < Ilp; ++I)
    K.Prologue += "  mov.b32 %d" + num(I) + ", 0;\n";
  std::string Op = std::string("  ld.global.") + Cache +
                   (Bytes == 4 ? "" : ".v" + num(Bytes / 4)) + ".u32 ";
  K.Body = "  mov.b64 {%r0, %r1}, %base;\n";
  for (unsigned Load = 0; Load < UnrolledLoads; ++Load) {
    for (unsigned I = 0; I < Ilp; ++I) {
      std::string D = "%d" + num(I), A = "%a" + num(I);
      K.Body += "  lop3.b32 %r2, %r0, " + D + ", %o, 0xf8;\n  mov.b64 " + A +
                ", {%r2, %r1};\n";
      std::string Values = D;
      if (Bytes > 4) {
        Values = "{" + D;
        for (unsigned W = 1; W < Bytes / 4; ++W)
          Values += ", %r" + num(100 + W);
        Values += "}";
      }
      K.Body += Op + Values + ", [" + A + "+" +
                num((Load * Ilp + I) * RowBytes) + "];\n";
      // Further words are used beside the chain, or the load would shrink.
      for (unsigned W = 1; W < Bytes / 4; ++W)
        K.Body += "  xor.b32 %r3, %r3, %r" + num(100 + W) + ";\n";
    }
    K.Body += additions(Adds, Ilp);
  }
  K.Body +=
      "  add.u64 %base, %base, " + num(UnrolledLoads * Ilp * RowBytes) + ";\n";
  K.LoopStep = UnrolledLoads;
  K.Claim = {std::string("LDG.E") + (Bytes == 4 ? "" : "." + num(Bytes * 8)) +
                 scopeOf(Cache),
             double(UnrolledLoads) * Ilp};
  K.Epilogue = sinkOfChains(Ilp) + "  cvt.u64.u32 %w0, %r3;\n"
                                   "  xor.b64 %ksink, %ksink, %w0;\n";
  return K;
}

TimedKernel mix(MixKind Kind, unsigned Adds, unsigned Ilp, unsigned Unroll) {
  static constexpr const char *Names[] = {"mufu", "shared", "pointer"};
  TimedKernel K;
  K.Name = std::string("mix_") + Names[unsigned(Kind)] + "_a" + num(Adds) +
           "_i" + num(Ilp);
  K.MinBlocks = 2;
  K.Declarations = CommonRegisters;
  K.Prologue = OpaqueZero;
  switch (Kind) {
  case MixKind::Mufu:
    for (unsigned I = 0; I < Ilp; ++I)
      K.Prologue += "  add.u32 %d" + num(I) + ", %o, 0x3f800000;\n";
    break;
  case MixKind::Shared:
    K.ModuleScope = ".extern .shared .align 16 .b8 dynamic_NAME[];\n";
    K.Prologue += std::string(ReadLaneTable) + R"(
  mov.u32 %s, dynamic_NAME;
  cvt.u32.u64 %r3, %off;
  add.u32 %r3, %r3, %s;
)";
    for (unsigned I = 0; I < Ilp; ++I)
      K.Prologue += "  add.u32 %r" + num(10 + I) + ", %r3, " + num(I * 2048) +
                    ";\n  st.shared.u32 [%r" + num(10 + I) + "], %r" +
                    num(10 + I) + ";\n  mov.b32 %d" + num(I) + ", %o;\n";
    break;
  case MixKind::Pointer:
    // Each lane starts at a sector of its own.
    K.Prologue += R"(
  mad.lo.u32 %r3, %kcta, %kntid, %ktid;
  mul.lo.u32 %r3, %r3, 2654435761;
  cvt.u32.u64 %r4, %ky;
)";
    for (unsigned I = 0; I < Ilp; ++I) {
      std::string N = num(I);
      K.Prologue += "  mad.lo.u32 %r3, %r3, 1664525, 1013904223;\n"
                    "  shf.l.wrap.b32 %r5, %r3, %r3, 16;\n"
                    "  and.b32 %r5, %r5, %r4;\n"
                    "  mad.wide.u32 %a" +
                    N +
                    ", %r5, 32, %kx;\n"
                    "  mov.b32 %d" +
                    N + ", 0;\n";
    }
    break;
  }
  for (unsigned Step = 0; Step < Unroll; ++Step) {
    for (unsigned I = 0; I < Ilp; ++I) {
      std::string N = num(I), D = "%d" + N, A = "%a" + N;
      switch (Kind) {
      case MixKind::Mufu:
        K.Body += "  rsqrt.approx.ftz.f32 " + D + ", " + D + ";\n";
        break;
      case MixKind::Shared:
        // Through a register of its own: ptxas converts a sum of floats that
        // is used as an address.
        K.Body += "  lop3.b32 %r6, %r" + num(10 + I) + ", " + D +
                  ", %o, 0xf8;\n  ld.volatile.shared.u32 " + D + ", [%r6];\n";
        break;
      case MixKind::Pointer:
        K.Body += "  mov.b64 {%r6, %r7}, " + A + ";\n  lop3.b32 %r6, %r6, " +
                  D + ", %o, 0xf8;\n  mov.b64 " + A +
                  ", {%r6, %r7};\n"
                  "  ld.global.cg.u64 " +
                  A + ", [" + A +
                  "];\n"
                  "  mov.b64 {" +
                  D + ", %r7}, " + A + ";\n";
        break;
      }
    }
    K.Body += additions(Adds, Ilp);
  }
  K.LoopStep = Unroll;
  static constexpr const char *Slow[] = {"MUFU.RSQ", "LDS",
                                         "LDG.E.64.STRONG.GPU"};
  K.Claim = {Slow[unsigned(Kind)], double(Unroll) * Ilp};
  K.Epilogue = sinkOfChains(Ilp);
  return K;
}

} // namespace gpuocc::calibration
