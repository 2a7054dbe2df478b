//===- ArrayOfAccess.cpp - The array that an access touches ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/OperationTraits.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

using namespace gpuocc;
using namespace llvm;

namespace {

/// What is known of a value of parameter memory that an address is made of.
enum class AddressKind {
  None,
  /// Eight bytes that are an integer, or a struct of one pointer.
  Word,
  Pointer
};

/// The array of an address while its parts are looked at.
struct FoundArray {
  std::optional<uint64_t> Offset;
  bool IsOne = true;

  void add(uint64_t Of) {
    IsOne &= !Offset || *Offset == Of;
    Offset = Of;
  }
  std::optional<uint64_t> get() const { return IsOne ? Offset : std::nullopt; }
};

} // namespace

/// What \p Op, a Param, is. Members of structs are pointers when they have the
/// size of one.
static AddressKind kindOf(const KernelFacts &Facts, const Operation &Op,
                          uint64_t Offset) {
  constexpr unsigned PointerBytes = 8;
  for (const Parameter &P : Facts.Parameters) {
    if (Offset < P.OffsetBytes || Offset >= P.OffsetBytes + P.SizeBytes)
      continue;
    if (P.IsPointer || (P.SizeBytes > PointerBytes && Op.Bits == 64))
      return AddressKind::Pointer;
    return P.SizeBytes == PointerBytes && Op.Bits == 64 ? AddressKind::Word
                                                        : AddressKind::None;
  }
  return AddressKind::None;
}

bool gpuocc::isInArrays(MemorySpace Space) {
  return Space == MemorySpace::Global || Space == MemorySpace::Generic;
}

std::optional<uint64_t> gpuocc::arrayOfAccess(const KernelFacts &Facts,
                                              const MemoryAccess &A) {
  if (!isInArrays(A.Space))
    return std::nullopt;
  FoundArray Pointer, Word;
  std::vector<bool> Seen(Facts.Operations.size());
  SmallVector<Operand, 16> Work = {A.Base};
  while (!Work.empty()) {
    const Operand O = Work.pop_back_val();
    if (!O.isValue() || O.Index >= Seen.size() || Seen[O.Index])
      continue;
    Seen[O.Index] = true;
    const Operation &Op = Facts.Operations[O.Index];
    if (Op.What == Semantics::Param) {
      const uint64_t Offset = uint64_t(parameterByteOf(Op, O.Result));
      const AddressKind Kind = kindOf(Facts, Op, Offset);
      if (Kind != AddressKind::None)
        (Kind == AddressKind::Pointer ? Pointer : Word).add(Offset);
      continue;
    }
    const ArrayRef<Operand> More = addressOperands(Op);
    Work.append(More.begin(), More.end());
  }
  return Pointer.Offset ? Pointer.get() : Word.get();
}
