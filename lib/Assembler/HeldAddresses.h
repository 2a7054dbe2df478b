//===- HeldAddresses.h - Addresses of loads under way -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSEMBLER_HELDADDRESSES_H
#define GPUOCC_LIB_ASSEMBLER_HELDADDRESSES_H

#include "PressureSchedule.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>

namespace gpuocc {

/// Registers of addresses while their loads are under way.
///
/// An address keeps its registers until the value is waited for, because what
/// overwrites them would have to wait too; only the value itself may take their
/// place (ptxas 13.0: eight loads from computed addresses take 16 registers at
/// once, not 8). Goes backwards through the code.
class HeldAddresses {
public:
  /// \p Issued are the nodes of \p In in the order of their issue.
  HeldAddresses(const ScheduleInput &In, llvm::ArrayRef<uint32_t> Issued);

  /// Registers beside those of values that are alive.
  unsigned count() const { return Count; }

  /// Behind this place, seen backwards, \p Live is alive, and loads are under
  /// way that node \p I waits for.
  void waitAt(uint32_t I, const llvm::BitVector &Live);

  /// \p Value is alive before this place.
  void use(uint32_t Value);

private:
  const ScheduleInput &In;
  /// Loads whose values a node is the first to use.
  std::vector<llvm::SmallVector<uint32_t, 2>> WaitedForAt;
  std::map<uint32_t, unsigned> Held;
  unsigned Count = 0;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSEMBLER_HELDADDRESSES_H
