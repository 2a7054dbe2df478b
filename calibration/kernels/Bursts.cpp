//===- Bursts.cpp - Instructions that warps issue in a row ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bursts.h"
#include <cassert>

using namespace llvm;

namespace gpuocc::calibration {

/// "%v3", or "{%v12, %v13, %v14, %v15}" for the fourth of \p Words.
static std::string registers(unsigned I, unsigned Words) {
  std::string Text;
  for (unsigned Word = 0; Word != Words; ++Word)
    Text += (Word ? ", %v" : "%v") + std::to_string(I * Words + Word);
  return Words == 1 ? Text : "{" + Text + "}";
}

TimedKernel burst(BurstKind Kind, unsigned Count) {
  assert(Count > 0 && Count <= MostInBurst);
  struct Row {
    const char *Name, *Opcode, *Vector;
    unsigned Words;
  };
  static constexpr Row Rows[] = {
      {"special", "MUFU.EX2", "", 1},
      {"shared32", "LDS", "", 1},
      {"shared64", "LDS.64", ".v2", 2},
      {"shared128", "LDS.128", ".v4", 4},
  };
  const Row &R = Rows[unsigned(Kind)];
  const bool IsLoad = Kind != BurstKind::SpecialFunction;
  const unsigned Registers = Count * R.Words;
  TimedKernel K;
  K.Name = std::string("burst_") + R.Name + "_" + std::to_string(Count);
  K.Declarations = "  .reg .b32 %v<" + std::to_string(Registers) + R"(>;
  .reg .b32 %begin, %place, %dynamic, %mask, %zero, %sum;
  .reg .b64 %first, %last, %word;
)";
  K.Prologue = R"(
  cvt.u32.u64 %zero, %kz;
  mov.u32 %sum, %zero;
  mov.u64 %first, 0;
  mov.u64 %last, 0;
)";
  K.MaxThreads = IsLoad ? 512 : 1024;
  K.Body = "  bar.sync 0;\n  mov.u64 %first, %clock64;\n";
  if (IsLoad) {
    // The base would stay in a uniform register but for the mask.
    K.ModuleScope = ".extern .shared .align 16 .b8 dynamic_NAME[];\n";
    K.Prologue += R"(
  mul.wide.u32 %word, %klane, 8;
  add.u64 %word, %word, %kin;
  ld.global.u64 %word, [%word];
  cvt.u32.u64 %place, %word;
  mov.u32 %dynamic, dynamic_NAME;
  add.u32 %place, %place, %dynamic;
  cvt.u32.u64 %mask, %ky;
  and.b32 %place, %place, %mask;
  st.shared.u32 [%place], %zero;
)";
    for (unsigned I = 0; I != Count; ++I)
      K.Body += std::string("  ld.volatile.shared") + R.Vector + ".u32 " +
                registers(I, R.Words) + ", [%place];\n";
  } else {
    // What each one takes differs, or the compiler computes it once. The first
    // clock is added as nothing, so that none is moved in front of it.
    K.Body += "  cvt.u32.u64 %begin, %first;\n";
    for (unsigned I = 0; I != Count; ++I) {
      const std::string V = registers(I, 1);
      K.Prologue += "  add.u32 " + V + ", %klane, " + std::to_string(I) + ";\n";
      K.Body += "  lop3.b32 " + V + ", " + V + ", %begin, %zero, 0xf8;\n";
    }
    for (unsigned I = 0; I != Count; ++I)
      K.Body += "  ex2.approx.ftz.f32 " + registers(I, 1) + ", " +
                registers(I, 1) + ";\n";
  }
  K.Body += "  mov.u64 %last, %clock64;\n";
  for (unsigned I = 0; I != Registers; ++I)
    K.Body += "  xor.b32 %sum, %sum, %v" + std::to_string(I) + ";\n";
  // All 64 bits of the clocks are kept: a part of them would be read by way of
  // the uniform datapath, which takes 20 cycles longer.
  K.Epilogue = R"(
  mad.lo.u64 %word, %kgwarp, 16, %kx;
  st.global.v2.u64 [%word], {%first, %last};
  and.b32 %sum, %sum, %zero;
  cvt.u64.u32 %ksink, %sum;
)";
  K.Claim = {R.Opcode, double(Count)};
  return K;
}

} // namespace gpuocc::calibration
