//===- Atomics.cpp - Microkernels of contended atomics --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Atomics.h"

using namespace llvm;

namespace gpuocc::calibration {

static std::string num(unsigned N) { return std::to_string(N); }

namespace {
struct GlobalRow {
  const char *Name;
  const char *Operation; ///< PTX between the space and the operands.
  const char *Opcode;    ///< After ATOMG.E. or REDG.E.
  unsigned Bytes;        ///< Of a word.
  bool Reduces;          ///< Exists without a result.
};
} // namespace

static constexpr GlobalRow GlobalRows[NumGlobalAtomics] = {
    {"add", "add.u32", "ADD.STRONG.GPU", 4, true},
    {"add64", "add.u64", "ADD.64.STRONG.GPU", 8, true},
    {"add_float", "add.f32", "ADD.F32.FTZ.RN.STRONG.GPU", 4, true},
    {"add_double", "add.f64", "ADD.F64.RN.STRONG.GPU", 8, true},
    {"add_half2", "add.noftz.f16x2", "ADD.F16x2.RN.STRONG.GPU", 4, true},
    {"max", "max.s32", "MAX.S32.STRONG.GPU", 4, true},
    {"xor", "xor.b32", "XOR.STRONG.GPU", 4, true},
    {"exchange", "exch.b32", "EXCH.STRONG.GPU", 4, false},
    {"swap", "cas.b32", "CAS.STRONG.GPU", 4, false},
};

unsigned wordBytes(GlobalAtomic Form) {
  return GlobalRows[unsigned(Form)].Bytes;
}

bool hasReduction(GlobalAtomic Form) {
  return GlobalRows[unsigned(Form)].Reduces;
}

TimedKernel contendedGlobal(GlobalAtomic Form, bool Returned, unsigned Unroll) {
  const GlobalRow &R = GlobalRows[unsigned(Form)];
  const std::string Bits = num(R.Bytes * 8);
  TimedKernel K;
  K.Name =
      std::string(Returned ? "contended_atom_" : "contended_red_") + R.Name;
  K.Declarations =
      "  .reg .b64 %a, %acc;\n  .reg .b" + Bits + " %d;\n  .reg .b32 %t;\n";
  K.Prologue = R"(
  cvt.u64.u32 %a, %klane;
  mad.lo.u64 %a, %kgwarp, 32, %a;
  and.b64 %a, %a, %ky;
  and.b64 %acc, %kgwarp, %kz;
  add.u64 %a, %a, %acc;
  mad.lo.u64 %a, %a, BYTES, %kx;
  cvt.uBITS.u32 %d, %klane;
)";
  K.Prologue = replaceAll(K.Prologue, "BYTES", num(R.Bytes));
  K.Prologue = replaceAll(K.Prologue, "BITS", Bits);
  bool Swaps = Form == GlobalAtomic::CompareSwap;
  for (unsigned I = 0; I < Unroll; ++I)
    K.Body += std::string(Returned ? "  atom.global." : "  red.global.") +
              R.Operation + (Returned ? " %d, [%a], %d" : " [%a], %d") +
              (Swaps ? ", %klane;\n" : ";\n");
  // Reductions are under way when the second clock is read; their number is so
  // large that what is left does not count.
  K.Epilogue =
      Bits == "32" ? "  cvt.u64.u32 %ksink, %d;\n" : "  mov.b64 %ksink, %d;\n";
  K.Claim = {std::string(Returned ? "ATOMG.E." : "REDG.E.") + R.Opcode,
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
