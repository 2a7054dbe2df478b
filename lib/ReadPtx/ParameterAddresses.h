//===- ParameterAddresses.h - Registers that point into parameters -*- C++
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READPTX_PARAMETERADDRESSES_H
#define GPUOCC_LIB_READPTX_PARAMETERADDRESSES_H

#include "gpuocc/ReadPtx/PtxModule.h"
#include "llvm/ADT/StringMap.h"

namespace gpuocc {

/// Registers that one instruction gives the address of a byte of a parameter
/// and no other writes: nvcc moves the address of a large structure to a
/// register once, adds to that, and loads members from there.
class ParameterAddresses {
public:
  explicit ParameterAddresses(const PtxFunction &F);

  /// \p Address, of such a register, as one of its parameter; others as they
  /// are.
  PtxOperand inParameter(const PtxOperand &Address) const;

private:
  struct Byte {
    llvm::StringRef Parameter;
    int64_t Offset = 0;
  };
  /// The byte that \p O, a register or parameter with an offset, points at.
  std::optional<Byte> byteOf(const PtxOperand &O) const;

  llvm::StringMap<Byte> Known;
};

} // namespace gpuocc

#endif
