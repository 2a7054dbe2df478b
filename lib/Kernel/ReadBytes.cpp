//===- ReadBytes.cpp - What a kernel reads of its structures ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/ReadBytes.h"
#include "ParameterBytes.h"
#include "gpuocc/Kernel/RecordedTensorMap.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

static void mark(BitVector &Read, uint64_t From, uint64_t Bytes) {
  const uint64_t End = std::min<uint64_t>(Read.size(), From + Bytes);
  if (From < End)
    Read.set(unsigned(From), unsigned(End));
}

/// Marks what lies behind addresses of parameters that are not only added to:
/// tensor maps, or else all that follows.
static void markTaken(const KernelFacts &Facts, const Launch &L,
                      BitVector &Read) {
  for (const Operation &Op : Facts.Operations) {
    const bool PassesOn =
        Op.What == Semantics::Copy ||
        (Op.What == Semantics::Add && Op.Operands.size() == 2 &&
         Op.Operands[1].isImmediate());
    if (PassesOn)
      continue;
    for (const Operand &O : Op.Operands)
      if (const std::optional<uint64_t> At = parameterByte(Facts, O))
        mark(Read, *At,
             recordedMapAt(Facts, L, *At) ? sizeof(RecordedTensorMap)
                                          : Read.size());
  }
  for (const MemoryAccess &A : Facts.Accesses)
    if (const std::optional<uint64_t> At = parameterByte(Facts, A.Base))
      mark(Read, *At, Read.size());
}

void gpuocc::clearUnreadBytes(const KernelFacts &Facts, Launch &L) {
  if (L.StructBytes.empty() || Facts.Operations.empty())
    return;
  uint64_t Size = 0;
  for (const Parameter &P : Facts.Parameters)
    Size = std::max(Size, P.OffsetBytes + P.SizeBytes);
  BitVector Read{unsigned(Size)};
  for (const Operation &Op : Facts.Operations)
    if (Op.What == Semantics::Param && Op.Imm >= 0)
      mark(Read, uint64_t(Op.Imm),
           uint64_t(std::max<unsigned>(1, Op.Bits / 8)) *
               std::max<unsigned>(1, Op.NumResults));
  // What is not followed may read anything.
  if (any_of(Facts.Accesses, [](const MemoryAccess &A) {
        return A.Space == MemorySpace::Param && A.Kind == AccessKind::Load;
      }))
    return;
  markTaken(Facts, L, Read);
  for (auto &[Index, Bytes] : L.StructBytes) {
    if (Index >= Facts.Parameters.size())
      continue;
    const uint64_t Begin = Facts.Parameters[Index].OffsetBytes;
    std::string &Digits = Bytes.Value;
    for (size_t I = 0; 2 * I + 1 < Digits.size(); ++I)
      if (Begin + I < Read.size() && !Read.test(unsigned(Begin + I)))
        Digits[2 * I] = Digits[2 * I + 1] = '0';
  }
}
