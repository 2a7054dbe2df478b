//===- LogicTable.h - Logic of three operands by its table ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READSASS_LOGICTABLE_H
#define GPUOCC_LIB_READSASS_LOGICTABLE_H

#include "RegisterUse.h"
#include "gpuocc/Kernel/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuocc {

/// A register, a number, or the number of a symbol.
struct SassRef {
  bool IsNumber = true, IsSymbol = false;
  int64_t Number = 0;
  RegisterId Register = 0;

  static SassRef of(RegisterId R) { return {false, false, 0, R}; }
  static SassRef number(int64_t N) { return {true, false, N, 0}; }
  static SassRef symbol(uint32_t Index) {
    return {true, true, int64_t(Index), 0};
  }
};

/// Writes an operation and returns its result.
using WriteLogic =
    llvm::function_ref<SassRef(Semantics, llvm::ArrayRef<SassRef>)>;

/// The function of \p A, \p B and \p C that \p Table says: bit 4a + 2b + c is
/// its value. In as few operations as the usual tables need.
SassRef logicOf(uint8_t Table, SassRef A, SassRef B, SassRef C,
                WriteLogic Write);

} // namespace gpuocc

#endif // GPUOCC_LIB_READSASS_LOGICTABLE_H
