//===- Atomics.cpp - Microkernels of contended atomics --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Atomics.h"

using namespace llvm;

namespace gpuocc::calibration {

TimedKernel contendedGlobal(bool Returned, unsigned Unroll) {
  TimedKernel K;
  K.Name = Returned ? "contended_atom" : "contended_red";
  K.Declarations = "  .reg .b64 %a, %acc;\n  .reg .b32 %d, %t;\n";
  K.Prologue = R"(
  cvt.u64.u32 %a, %klane;
  mad.lo.u64 %a, %kgwarp, 32, %a;
  and.b64 %a, %a, %ky;
  and.b64 %acc, %kgwarp, %kz;
  add.u64 %a, %a, %acc;
  mad.lo.u64 %a, %a, 4, %kx;
  mov.u32 %d, %klane;
)";
  for (unsigned I = 0; I < Unroll; ++I)
    K.Body += Returned ? "  atom.global.add.u32 %d, [%a], %d;\n"
                       : "  red.global.add.u32 [%a], %d;\n";
  // Reductions are under way when the second clock is read; their number is so
  // large that what is left does not count.
  K.Epilogue = "  cvt.u64.u32 %ksink, %d;\n";
  K.Claim = {Returned ? "ATOMG.E.ADD.STRONG.GPU" : "REDG.E.ADD.STRONG.GPU",
             double(Unroll)};
  return K;
}

TimedKernel contendedShared(SharedAtomic Form, unsigned Unroll) {
  struct Row {
    const char *Name, *Step, *Opcode;
  };
  static constexpr Row Rows[] = {
      {"add", "  red.shared.add.u32 [%s], %d;\n", "ATOMS.ADD"},
      {"returned", "  atom.shared.add.u32 %d, [%s], %d;\n", "ATOMS.ADD"},
      {"count", "  red.shared.add.u32 [%s], 1;\n", "ATOMS.POPC.INC.32"},
      {"max", "  red.shared.max.u32 [%s], %d;\n", "ATOMS.MAX"},
      {"swap", "  atom.shared.cas.b32 %d, [%s], %d, %klane;\n", "ATOMS.CAS"},
  };
  const Row &R = Rows[unsigned(Form)];
  TimedKernel K;
  K.Name = std::string("shared_atomic_") + R.Name;
  K.Declarations = "  .reg .b64 %off, %acc;\n  .reg .b32 %d, %s;\n"
                   "  .shared .align 16 .b8 words[256];\n";
  K.Prologue = R"(
  mul.wide.u32 %acc, %klane, 8;
  add.u64 %acc, %acc, %kin;
  ld.global.u64 %off, [%acc];
  cvt.u32.u64 %d, %off;
  mov.u32 %s, words;
  add.u32 %s, %s, %d;
)";
  for (unsigned I = 0; I < Unroll; ++I)
    K.Body += R.Step;
  K.Epilogue = "  cvt.u64.u32 %ksink, %d;\n";
  K.Claim = {R.Opcode, double(Unroll)};
  return K;
}

} // namespace gpuocc::calibration
