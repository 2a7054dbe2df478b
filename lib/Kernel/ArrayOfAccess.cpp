//===- ArrayOfAccess.cpp - The array that an access touches ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

using namespace gpuocc;
using namespace llvm;

/// The operands of \p Op of which the one may be an address if the result is.
static ArrayRef<Operand> addressOperands(const Operation &Op) {
  const ArrayRef<Operand> All = Op.Operands;
  switch (Op.What) {
  case Semantics::Phi:
  case Semantics::Add:
  case Semantics::Or:
    return All;
  case Semantics::Copy:
  case Semantics::Sub:
    return All.take_front();
  case Semantics::Select:
    return All.take_front(2);
  case Semantics::Mad:
  case Semantics::MadWideS:
  case Semantics::MadWideU:
    return All.drop_front(std::min<size_t>(2, All.size()));
  default:
    return {};
  }
}

/// Is \p Op, a Param, an address? Members of structs are when they have its
/// size.
static bool isAddress(const KernelFacts &Facts, const Operation &Op) {
  const uint64_t Offset = uint64_t(Op.Imm);
  for (const Parameter &P : Facts.Parameters)
    if (Offset >= P.OffsetBytes && Offset < P.OffsetBytes + P.SizeBytes)
      return P.IsPointer || (P.SizeBytes > 8 && Op.Bits == 64);
  return false;
}

bool gpuocc::isInArrays(MemorySpace Space) {
  return Space == MemorySpace::Global || Space == MemorySpace::Generic;
}

std::optional<uint64_t> gpuocc::arrayOfAccess(const KernelFacts &Facts,
                                              const MemoryAccess &A) {
  if (!isInArrays(A.Space))
    return std::nullopt;
  std::optional<uint64_t> Array;
  std::vector<bool> Seen(Facts.Operations.size());
  SmallVector<Operand, 16> Work = {A.Base};
  while (!Work.empty()) {
    const Operand O = Work.pop_back_val();
    if (!O.isValue() || O.Index >= Seen.size() || Seen[O.Index])
      continue;
    Seen[O.Index] = true;
    const Operation &Op = Facts.Operations[O.Index];
    if (Op.What == Semantics::Param && isAddress(Facts, Op)) {
      if (Array && *Array != uint64_t(Op.Imm))
        return std::nullopt;
      Array = uint64_t(Op.Imm);
      continue;
    }
    const ArrayRef<Operand> More = addressOperands(Op);
    Work.append(More.begin(), More.end());
  }
  return Array;
}
