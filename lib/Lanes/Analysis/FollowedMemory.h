//===- FollowedMemory.h - Objects whose contents are followed --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_ANALYSIS_FOLLOWEDMEMORY_H
#define GPUOCC_LIB_LANES_ANALYSIS_FOLLOWEDMEMORY_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace gpuocc {

/// The variables in shared and local memory whose contents a walk can know:
/// only plain stores of known values write to them, and atomics that compute
/// integers (see followedAtomic()).
struct FollowedMemory {
  /// The followed symbol of each access, NoIndex for none.
  std::vector<uint32_t> SymbolOf;
  /// The stores and atomics that write to each symbol, as accesses; empty
  /// unless it is followed.
  std::vector<std::vector<uint32_t>> StoresTo;

  /// The symbol that the load \p Op of \p Facts reads from, if it is followed;
  /// NoIndex otherwise.
  uint32_t symbolOfLoad(const KernelFacts &Facts, const Operation &Op) const {
    return Op.Access < SymbolOf.size() &&
                   Facts.Accesses[Op.Access].Kind == AccessKind::Load
               ? SymbolOf[Op.Access]
               : NoIndex;
  }
};

/// \p IsLost, if not empty: the symbols that are not followed.
FollowedMemory findFollowedMemory(const KernelFacts &Facts,
                                  llvm::ArrayRef<bool> IsLost = {});

/// What an atomic leaves of what was there.
enum class FollowedAtomic : uint8_t { None, Add, And, Or, Xor };

/// What \p A leaves, with or without a result, where a walk can compute it from
/// the second operand of its operation; None for other accesses.
FollowedAtomic followedAtomic(const KernelFacts &Facts, const MemoryAccess &A);

/// What \p A writes, of a followed variable.
llvm::ArrayRef<Operand> writtenValues(const KernelFacts &Facts,
                                      const MemoryAccess &A);

/// Is \p A an atomic that counts: it adds a constant or increments, and returns
/// what was there?
bool isCounter(const KernelFacts &Facts, const MemoryAccess &A);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_ANALYSIS_FOLLOWEDMEMORY_H
