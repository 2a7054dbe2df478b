//===- Mnemonic.h - The words of a PTX instruction -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READPTX_MNEMONIC_H
#define GPUOCC_LIB_READPTX_MNEMONIC_H

#include "gpuocc/ReadPtx/PtxModule.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuocc {

/// "ld.global.v4.b32", taken apart.
struct PtxMnemonic {
  explicit PtxMnemonic(llvm::StringRef Text) : Text(Text) {
    Text.split(Words, '.', -1, /*KeepEmpty=*/false);
  }

  llvm::StringRef Text;
  llvm::SmallVector<llvm::StringRef, 8> Words;

  bool has(llvm::StringRef Word) const {
    return llvm::is_contained(Words, Word);
  }
  /// Word \p I; empty where there are fewer.
  llvm::StringRef word(size_t I) const {
    return I < Words.size() ? Words[I] : llvm::StringRef();
  }
  llvm::StringRef first() const { return word(0); }
  /// The type \p FromEnd words before the last one; one without bits if that is
  /// none.
  PtxType type(unsigned FromEnd = 0) const {
    if (FromEnd >= Words.size())
      return PtxType();
    return ptxTypeOf(Words[Words.size() - 1 - FromEnd]).value_or(PtxType());
  }
  /// Shows other blocks what was written before.
  bool releases() const {
    return (has("release") || has("acq_rel")) && !has("cta");
  }
  /// Sees what other blocks have shown.
  bool acquires() const { return has("acquire") && !has("cta"); }
  /// ".rn", ".rz", ".rm" or ".rp", without the dot.
  llvm::StringRef rounding() const {
    for (llvm::StringRef R : {"rn", "rz", "rm", "rp"})
      if (has(R))
        return R;
    return llvm::StringRef();
  }
};

} // namespace gpuocc

#endif // GPUOCC_LIB_READPTX_MNEMONIC_H
