//===- ParsePtx.h - Text to PTX ---------------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_READPTX_PARSEPTX_H
#define GPUOCC_READPTX_PARSEPTX_H

#include "gpuocc/ReadPtx/PtxModule.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuocc {

/// Reads \p Text, PTX of CUDA 11 to 13. The module refers to \p Text and
/// \p FileName. Instructions are not checked: what is unknown is read like
/// any other. Fails with one line that says where and what was expected:
/// "FILE:12:7: error: expected ';', found '}'".
llvm::Expected<PtxModule> parsePtx(llvm::StringRef Text,
                                   llvm::StringRef FileName);

/// Writes \p M so that ptxas accepts it wherever it accepted what \p M was read
/// from.
void printPtx(const PtxModule &M, llvm::raw_ostream &OS);

/// \p Operand as it is written in PTX.
void printPtxOperand(const PtxOperand &Operand, llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_READPTX_PARSEPTX_H
