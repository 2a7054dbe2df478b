//===- PlacedAccess.h - Bulk copies and fetches of textures -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inline assembly whose memory no lane addresses: copies of bytes or tiles that
// one thread starts (cp.async.bulk, cp.reduce.async.bulk), and elements of
// textures that coordinates choose (tex, tld4).
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_PLACEDACCESS_H
#define GPUOCC_LIB_READLLVM_PLACEDACCESS_H

#include "AccessReader.h"
#include "AsmStatement.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace gpuocc {

/// Text in inline assembly that names an address: "$1" and what is added to it.
struct AsmAddressText {
  llvm::StringRef Base;
  int64_t OffsetBytes = 0;
};

/// A bulk copy or a fetch, by the text of its operands.
struct PlacedAccess {
  MemorySpace Space = MemorySpace::Global;
  AccessKind Kind = AccessKind::AsyncCopy;
  /// What is copied, or the map or texture that the coordinates are of.
  AsmAddressText Object;
  llvm::SmallVector<llvm::StringRef, 5> Coordinates;
  bool AreFloats = false;
  /// Of copies: the shared side, how many bytes, and the barrier that they
  /// arrive at; empty where there is none.
  AsmAddressText Shared;
  llvm::StringRef Bytes, Barrier;
  bool IsMulticast = false;
  std::string AtomicOp;
};

/// Decodes \p S; nothing for other statements, for copies within shared
/// memory, and for layers and faces of textures.
std::optional<PlacedAccess> decodePlacedAccess(const AsmStatement &S);

/// Operations that fillPlace() fills for \p A.
unsigned numPlaceOperations(const PlacedAccess &A);

/// Fills Operations[First, First + numPlaceOperations()) with what computes the
/// place of \p Coordinates in \p Object, which tells maps and textures apart.
/// \returns the place (gpuocc/Kernel/Coordinates.h).
Operand fillPlace(const PlacedAccess &A, unsigned ElementBytes,
                  KernelFacts &Facts, uint32_t First, uint64_t Object,
                  llvm::ArrayRef<Operand> Coordinates, const Operation &Like);

/// A number for the object that \p O is an address of, other than those of
/// other maps and textures.
uint64_t numberOfObject(const KernelFacts &Facts, Operand O,
                        int64_t OffsetBytes);

/// An operation and the barrier of shared memory that it is about.
struct BarrierUse {
  uint32_t Op = NoIndex;
  Operand Barrier;
};

/// Finds the sizes of copies that do not say one from the bytes that their
/// barriers expect, and which waits are for copies. \p Uses: all copies,
/// expectations and waits of \p Facts that name a barrier.
void resolveBulkCopies(llvm::ArrayRef<BarrierUse> Uses, KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_PLACEDACCESS_H
