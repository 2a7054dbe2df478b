//===- Control.cpp - Microkernels of launches and control flow ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Control.h"

using namespace llvm;

namespace gpuocc::calibration {

static constexpr const char *Parameters =
    "(.param .u64 p_out, .param .u64 p_in, .param .u64 p_iters, "
    ".param .u64 p_x, .param .u64 p_y, .param .u64 p_z)\n";

std::string emptyEntry() {
  return std::string(".visible .entry empty") + Parameters + "{\n  ret;\n}\n";
}

std::string stampedEntry() {
  std::string Text = std::string(".visible .entry stamped") + Parameters + R"({
  .reg .b64 %t0, %t1, %g0, %g1, %out, %n64, %sm64, %rec, %w;
  .reg .b32 %n, %ti, %nti, %cta, %sm, %d;
  .reg .f32 %f, %z;
  .reg .pred %p;
  mov.u64 %t0, %clock64;
  mov.u64 %g0, %globaltimer;
  ld.param.u64 %n64, [p_iters];
  cvt.u32.u64 %n, %n64;
  ld.param.u64 %w, [p_x];
  cvt.u32.u64 %d, %w;
  mov.b32 %f, %d;
  mov.b32 %z, %d;
  setp.eq.u32 %p, %n, 0;
  @%p bra $DONE;
$LOOP:
  .pragma "nounroll";
)";
  for (unsigned I = 0; I < 32; ++I)
    Text += "  add.rn.f32 %f, %f, %z;\n";
  Text += R"(  sub.u32 %n, %n, 1;
  setp.ne.u32 %p, %n, 0;
  @%p bra $LOOP;
$DONE:
  mov.u64 %t1, %clock64;
  mov.u64 %g1, %globaltimer;
  ld.param.u64 %out, [p_out];
  mov.u32 %ti, %tid.x;
  mov.u32 %nti, %ntid.x;
  mov.u32 %cta, %ctaid.x;
  mad.lo.u32 %ti, %cta, %nti, %ti;
  and.b32 %d, %ti, 31;
  setp.ne.u32 %p, %d, 0;
  @%p ret;
  shr.u32 %ti, %ti, 5;
  mad.wide.u32 %rec, %ti, RECORDBYTES, %out;
  mov.u32 %sm, %smid;
  cvt.u64.u32 %sm64, %sm;
  mov.b32 %d, %f;
  cvt.u64.u32 %w, %d;
  st.global.v2.u64 [%rec], {%t0, %t1};
  st.global.v2.u64 [%rec+16], {%g0, %g1};
  st.global.v2.u64 [%rec+32], {%sm64, %w};
  ret;
}
)";
  return replaceAll(Text, "RECORDBYTES", std::to_string(RecordWords * 8));
}

TimedKernel stayingBlocks() {
  static constexpr unsigned Additions = 32;
  TimedKernel K;
  K.Name = "staying_blocks";
  K.Declarations = R"(
  .reg .f32 %f, %g;
  .reg .b32 %bits;
  .reg .b64 %block;
  .reg .pred %ends;
)";
  K.Prologue = R"(
  cvt.u64.u32 %block, %kcta;
  setp.ge.u64 %ends, %block, %ky;
  @%ends mov.u32 %kiters, 1;
  cvt.rn.f32.u64 %f, %kx;
  cvt.rn.f32.u64 %g, %kz;
)";
  for (unsigned I = 0; I != Additions; ++I)
    K.Body += "  add.rn.f32 %f, %f, %g;\n";
  K.Epilogue = "  mov.b32 %bits, %f;\n  cvt.u64.u32 %ksink, %bits;\n";
  K.Claim = {"FADD", double(Additions)};
  return K;
}

TimedKernel barriers(unsigned Unroll) {
  TimedKernel K;
  K.Name = "barriers";
  for (unsigned I = 0; I < Unroll; ++I)
    K.Body += "  bar.sync 0;\n";
  K.Claim = {"BAR.SYNC.DEFER_BLOCKING", double(Unroll)};
  K.Epilogue = "  mov.u64 %ksink, 0;\n";
  return K;
}

TimedKernel branches(BranchShape Shape, unsigned Unroll, unsigned Adds) {
  static constexpr const char *Names[] = {"none", "skip", "uniform", "ifelse"};
  TimedKernel K;
  K.Name = std::string("branches_") + Names[unsigned(Shape)];
  K.Declarations = "  .reg .b32 %r<4>, %d;\n  .reg .f32 %f, %z, %y;\n"
                   "  .reg .pred %p<8>, %q;\n";
  K.Prologue = R"(
  cvt.u32.u64 %r0, %kx;
  div.u32 %r1, %klane, %r0;
  and.b32 %r1, %r1, 1;
  setp.eq.u32 %q, %r0, 64;
  selp.b32 %r1, 1, %r1, %q;
  selp.b32 %r3, 1, 0, %q;
  neg.s32 %r1, %MASK;
  cvt.u32.u64 %d, %kz;
  mov.b32 %f, %d;
  mov.b32 %z, %d;
  mov.b32 %y, %d;
)";
  // Predicates that the compiler cannot know to be equal.
  for (unsigned I = 0; I < Unroll; ++I) {
    std::string N = std::to_string(I);
    K.Prologue += "  and.b32 %r2, %r1, " + std::to_string(1u << (I + 3)) +
                  ";\n  setp.ne.u32 %p" + N + ", %r2, 0;\n";
  }
  // What depends on parameters alone is uniform for the compiler.
  K.Prologue = replaceAll(K.Prologue, "%MASK",
                          Shape == BranchShape::UniformSkip ? "%r3" : "%r1");
  auto Additions = [&](const char *Other) {
    std::string Text;
    for (unsigned I = 0; I < Adds; ++I)
      Text += std::string("  add.rn.f32 %f, %f, ") + Other + ";\n";
    return Text;
  };
  for (unsigned I = 0; I < Unroll; ++I) {
    std::string N = std::to_string(I) + "_" + K.Name;
    switch (Shape) {
    case BranchShape::None:
      K.Body += Additions("%z");
      break;
    case BranchShape::Skip:
    case BranchShape::UniformSkip:
      K.Body += "  @!%p" + std::to_string(I) + " bra" + " $SKIP" + N + ";\n" +
                Additions("%z") + "$SKIP" + N + ":\n";
      break;
    case BranchShape::IfElse:
      K.Body += "  @!%p" + std::to_string(I) + " bra $ELSE" + N + ";\n" +
                Additions("%z") + "  bra $END" + N + ";\n$ELSE" + N + ":\n" +
                replaceAll(Additions("%y"), "add.rn", "mul.rn") + "$END" + N +
                ":\n";
      break;
    }
  }
  K.Claim = {"FADD|FMUL",
             double(Unroll) * Adds * (Shape == BranchShape::IfElse ? 2 : 1)};
  K.Epilogue = "  mov.b32 %d, %f;\n  cvt.u64.u32 %ksink, %d;\n";
  return K;
}

/// \p Count dependent additions to %f.
static std::string additions(unsigned Count) {
  std::string Text;
  for (unsigned I = 0; I < Count; ++I)
    Text += "  add.rn.f32 %f, %f, %z;\n";
  return Text;
}

/// %f and %z: zeros that the compiler does not know.
static constexpr const char *OpaqueZeros =
    "  cvt.u32.u64 %d, %kz;\n  mov.b32 %f, %d;\n  mov.b32 %z, %d;\n";
static constexpr const char *KeepSum =
    "  mov.b32 %d, %f;\n  cvt.u64.u32 %ksink, %d;\n";

TimedKernel tightLoop(unsigned Adds) {
  TimedKernel K;
  K.Name = "tight_loop" + std::to_string(Adds);
  K.Declarations = "  .reg .b32 %d;\n  .reg .f32 %f, %z;\n"
                   "  .reg .b64 %off;\n";
  K.Prologue = OpaqueZeros;
  // A counter of each lane: one of the whole warp would be counted by the
  // uniform datapath.
  K.Prologue += R"(
  mul.wide.u32 %off, %klane, 8;
  add.u64 %off, %off, %kin;
  ld.global.u32 %d, [%off];
  add.u32 %kiters, %kiters, %d;
)";
  K.Body = additions(Adds);
  K.Epilogue = KeepSum;
  K.Claim = {"FADD", double(Adds)};
  return K;
}

TimedKernel exits(bool Exits, unsigned Groups, unsigned Adds) {
  TimedKernel K;
  K.Name = (Exits ? "exits" : "no_exits") + std::to_string(Adds);
  K.Declarations = "  .reg .b32 %d, %e;\n  .reg .f32 %f, %z;\n"
                   "  .reg .pred %p<8>;\n";
  K.Prologue = OpaqueZeros;
  // Words of the input that are all zero; the compiler reads no bits of them.
  K.Prologue += "  ld.global.u32 %e, [%kin];\n";
  for (unsigned I = 0; I < Groups; ++I) {
    std::string N = std::to_string(I);
    K.Prologue += "  and.b32 %d, %e, " + std::to_string(1u << I) +
                  ";\n  setp.ne.u32 %p" + N + ", %d, 0;\n";
    K.Body += additions(Adds);
    if (Exits)
      K.Body += "  @%p" + N + " exit;\n";
  }
  K.Epilogue = KeepSum;
  K.Claim = Exits ? SassClaim{"EXIT", double(Groups)}
                  : SassClaim{"FADD", double(Groups) * Adds};
  return K;
}

/// How something is read into %e#, by whom, and as what.
struct ReadForm {
  const char *Name, *Text, *Opcode;
};

static const ReadForm &readForm(ReadFrom From) {
  static constexpr ReadForm Forms[] = {
      {"sum", "add.u32 %e#, %e#, %d;", "IADD3|IMAD.IADD|VIADD"},
      {"lane", "@%p0 mov.u32 %e#, %smid;", "S2R"},
      {"uniform", "mov.u32 %e#, %smid;", "S2UR"},
  };
  return Forms[unsigned(From)];
}

/// Zeros of each lane in %d and %e0, and what no special register holds.
static constexpr const char *BeforeReads = R"(
  mul.wide.u32 %off, %klane, 8;
  add.u64 %off, %off, %kin;
  ld.global.u32 %d, [%off];
  sub.u32 %never, %d, 1;
  setp.eq.u32 %p0, %d, 0;
  mov.u32 %e0, %d;
)";

TimedKernel awaitedReads(ReadFrom From, unsigned Groups) {
  const ReadForm &F = readForm(From);
  TimedKernel K;
  K.Name = std::string("awaited_reads_") + F.Name;
  K.Declarations = "  .reg .b64 %off;\n  .reg .b32 %d, %e<1>, %never;\n"
                   "  .reg .pred %p0, %p1;\n";
  K.Prologue = BeforeReads;
  for (unsigned I = 0; I < Groups; ++I)
    K.Body += "  " + replaceAll(F.Text, "#", "0") +
              "\n  setp.eq.u32 %p1, %e0, %never;\n  @%p1 exit;\n";
  K.Epilogue = "  cvt.u64.u32 %ksink, %e0;\n";
  K.Claim = {F.Opcode, double(Groups)};
  return K;
}

TimedKernel readsInARow(ReadFrom From, unsigned Reads) {
  const ReadForm &F = readForm(From);
  TimedKernel K;
  K.Name = std::string("reads_in_a_row_") + F.Name + std::to_string(Reads);
  std::string Count = std::to_string(Reads);
  K.Declarations = "  .reg .b64 %off;\n  .reg .b32 %d, %e<" + Count + ">, %s<" +
                   Count + ">, %never;\n  .reg .pred %p0;\n";
  K.Prologue = BeforeReads;
  for (unsigned I = 0; I < Reads; ++I) {
    std::string N = std::to_string(I);
    K.Prologue += "  mov.u32 %s" + N + ", %d;\n";
    if (I > 0)
      K.Prologue += "  mov.u32 %e" + N + ", %d;\n";
    K.Body += "  " + replaceAll(F.Text, "#", N) + "\n";
  }
  K.Epilogue = "  mov.u64 %ksink, 0;\n";
  for (unsigned I = 0; I < Reads; ++I) {
    std::string N = std::to_string(I);
    K.Body += "  add.u32 %s" + N + ", %s" + N + ", %e" + N + ";\n";
    K.Epilogue += "  cvt.u64.u32 %off, %s" + N +
                  ";\n  mad.lo.u64 %ksink, %ksink, 3, %off;\n";
  }
  K.Claim = {F.Opcode, double(Reads)};
  return K;
}

TimedKernel policyLoads(bool ByPolicy, unsigned Groups) {
  TimedKernel K;
  K.Name = ByPolicy ? "policy_loads" : "address_loads";
  K.Declarations = "  .reg .b64 %w, %a, %x;\n  .reg .b32 %r;\n";
  K.Prologue = R"(
  createpolicy.fractional.L2::evict_normal.b64 %w;
  ld.global.u64 %x, [%kin];
  add.u64 %w, %w, %x;
  add.u64 %a, %kx, %x;
)";
  std::string Next = ByPolicy ? "%w" : "%a";
  for (unsigned I = 0; I < Groups; ++I)
    K.Body += "  ld.global.L1::evict_normal.L2::cache_hint.u32 %r, [%a], %w;\n"
              "  cvt.u64.u32 %x, %r;\n  add.u64 " +
              Next + ", " + Next + ", %x;\n";
  K.Epilogue = "  add.u64 %ksink, %w, %a;\n";
  K.Claim = {"LDG.E", double(Groups)};
  return K;
}

TimedKernel branchSides(unsigned Sides, unsigned Adds) {
  TimedKernel K;
  K.Name = "branch_sides" + std::to_string(Sides);
  K.Declarations = "  .reg .b32 %d, %side, %width;\n  .reg .f32 %f, %z;\n"
                   "  .reg .pred %q;\n";
  K.Prologue = std::string(OpaqueZeros) + R"(
  cvt.u32.u64 %width, %kx;
  div.u32 %side, %klane, %width;
)";
  K.Prologue += "  rem.u32 %side, %side, " + std::to_string(Sides) + ";\n";
  for (unsigned I = 0; I < Sides; ++I) {
    std::string Label = "$AFTER" + std::to_string(I) + "_" + K.Name;
    K.Body += "  setp.ne.u32 %q, %side, " + std::to_string(I) +
              ";\n  @%q bra " + Label + ";\n" + additions(Adds) + Label + ":\n";
  }
  K.Epilogue = KeepSum;
  K.Claim = {"FADD", double(Sides) * Adds};
  return K;
}

} // namespace gpuocc::calibration
