//===- ArrayOfAccess.cpp - The array that an access touches ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/OperationTraits.h"
#include "gpuocc/Kernel/OperationsBehind.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
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

/// Calls \p Visit for each operation that may be an addend of \p Base, as long
/// as it returns true: then its own operands follow.
static void forEachAddend(const KernelFacts &Facts, const Operand &Base,
                          function_ref<bool(const Operand &)> Visit) {
  std::vector<bool> Seen(Facts.Operations.size());
  SmallVector<Operand, 16> Work = {Base};
  while (!Work.empty()) {
    const Operand O = Work.pop_back_val();
    if (!O.isValue() || O.Index >= Seen.size() || Seen[O.Index])
      continue;
    Seen[O.Index] = true;
    if (!Visit(O))
      continue;
    const ArrayRef<Operand> More = addressOperands(Facts.Operations[O.Index]);
    Work.append(More.begin(), More.end());
  }
}

std::optional<uint64_t> gpuocc::arrayOfAccess(const KernelFacts &Facts,
                                              const MemoryAccess &A) {
  if (!isInArrays(A.Space))
    return std::nullopt;
  FoundArray Pointer, Word;
  forEachAddend(Facts, A.Base, [&](const Operand &O) {
    const Operation &Op = Facts.Operations[O.Index];
    if (Op.What != Semantics::Param)
      return true;
    const uint64_t Offset = uint64_t(parameterByteOf(Op, O.Result));
    const AddressKind Kind = kindOf(Facts, Op, Offset);
    if (Kind != AddressKind::None)
      (Kind == AddressKind::Pointer ? Pointer : Word).add(Offset);
    return false;
  });
  return Pointer.Offset ? Pointer.get() : Word.get();
}

std::optional<unsigned> gpuocc::structOfAccess(const KernelFacts &Facts,
                                               const MemoryAccess &A) {
  if (A.Space != MemorySpace::Param || A.Kind != AccessKind::Load)
    return std::nullopt;
  FoundArray Struct;
  forEachAddend(Facts, A.Base, [&](const Operand &O) {
    const Operation &Op = Facts.Operations[O.Index];
    if (Op.What != Semantics::SymbolAddress)
      return true;
    for (const auto &[I, P] : enumerate(Facts.Parameters))
      if (uint64_t(Op.Imm) - P.OffsetBytes < P.SizeBytes)
        Struct.add(I);
    return false;
  });
  const std::optional<uint64_t> Index = Struct.get();
  return Index ? std::optional(unsigned(*Index)) : std::nullopt;
}

bool gpuocc::isLoadedIndex(const KernelFacts &Facts, const Operand &Index) {
  bool IsLoaded = false;
  walkBehind(Facts, Index, [&](const Operation &Op) -> ArrayRef<Operand> {
    IsLoaded |= Op.What == Semantics::Load;
    if (IsLoaded)
      return {};
    // The condition comes last.
    return ArrayRef(Op.Operands)
        .drop_back(Op.What == Semantics::Select ? 1 : 0);
  });
  return IsLoaded;
}
