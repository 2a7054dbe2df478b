//===- Code.cpp - Loops of so much code -----------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Code.h"

using namespace llvm;

namespace gpuocc::calibration {

TimedKernel longCode(unsigned Pieces) {
  static constexpr unsigned Chains = 8;
  TimedKernel K;
  K.Name = "long_code";
  K.Declarations = R"(
  .reg .f32 %f<9>;
  .reg .b32 %pieces, %bits;
  .reg .b64 %acc;
  .reg .pred %out;
)";
  K.Prologue = "  cvt.u32.u64 %pieces, %ky;\n";
  for (unsigned I = 0; I <= Chains; ++I)
    K.Prologue += "  ld.global.f32 %f" + std::to_string(I) + ", [%kin+" +
                  std::to_string(8 * I) + "];\n";
  for (unsigned Piece = 1; Piece <= Pieces; ++Piece) {
    for (unsigned I = 0; I != AdditionsPerPiece; ++I) {
      const std::string Chain = "%f" + std::to_string(I % Chains);
      K.Body += "  add.f32 " + Chain + ", " + Chain + ", %f" +
                std::to_string(Chains) + ";\n";
    }
    if (Piece != Pieces)
      K.Body += "  setp.eq.u32 %out, %pieces, " + std::to_string(Piece) +
                ";\n  @%out bra $END_NAME;\n";
  }
  K.Body += "$END_NAME:\n";
  K.Epilogue = "  mov.u64 %ksink, 0;\n";
  for (unsigned I = 0; I != Chains; ++I)
    K.Epilogue += "  mov.b32 %bits, %f" + std::to_string(I) +
                  ";\n  cvt.u64.u32 %acc, %bits;\n"
                  "  xor.b64 %ksink, %ksink, %acc;\n";
  K.Claim = {"FADD", double(Pieces) * AdditionsPerPiece};
  return K;
}

} // namespace gpuocc::calibration
