//===- BitCounts.cpp - Bits of a word, counted one by one -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/BitCounts.h"
#include "gpuocc/Kernel/Copies.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/ChangeCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <optional>
#include <set>
#include <utility>

using namespace gpuocc;
using namespace llvm;

static constexpr unsigned FewestBits = 8, BitsOfWord = 32;

namespace {

/// One bit of a word.
struct Bit {
  Operand Word;
  int64_t Place = 0;
};

/// Finds what one addition at the end of a chain sums up.
class Counter {
public:
  explicit Counter(const KernelFacts &Facts) : Facts(Facts) {
    std::vector<unsigned> Uses(Facts.Operations.size());
    for (const Operation &Op : Facts.Operations)
      for (const Operand &O : Op.Operands)
        if (O.isValue())
          ++Uses[O.Index];
    for (const MemoryAccess &A : Facts.Accesses)
      for (const Operand &O : A.Stored)
        if (O.isValue())
          ++Uses[O.Index];
    for (uint32_t I = 0; I != Uses.size(); ++I)
      if (Uses[I] == 1)
        UsedOnce.insert(I);
  }

  std::vector<BitCount> find() {
    std::set<uint32_t> Inside;
    std::vector<BitCount> Out;
    // The last addition of a chain comes last.
    for (uint32_t I = uint32_t(Facts.Operations.size()); I-- != 0;) {
      if (!isSum(I) || Inside.count(I))
        continue;
      BitCount Count;
      Count.Sum = I;
      std::set<int64_t> Places;
      const bool IsOfBits = add(I, Count, Places);
      Inside.insert(Count.Others.begin(), Count.Others.end());
      Count.Bits = unsigned(Places.size());
      if (IsOfBits && Count.Bits >= FewestBits)
        Out.push_back(std::move(Count));
    }
    return Out;
  }

private:
  const KernelFacts &Facts;
  std::set<uint32_t> UsedOnce;

  bool isSum(uint32_t I) const {
    const Operation &Op = Facts.Operations[I];
    return Op.What == Semantics::Add && Op.Bits == BitsOfWord &&
           Op.Operands.size() == 2;
  }

  /// Adds what addition \p I sums up to \p Count; false where that are not
  /// different bits of one word.
  bool add(uint32_t I, BitCount &Count, std::set<int64_t> &Places) const {
    for (const Operand &O : Facts.Operations[I].Operands) {
      const Operand Term = behindCopies(Facts, O);
      if (const std::optional<Bit> B = bitOf(Term)) {
        if (Count.Word == Operand())
          Count.Word = B->Word;
        if (Count.Word != B->Word || !Places.insert(B->Place).second)
          return false;
        continue;
      }
      if (!Term.isValue() || !isSum(Term.Index) || !UsedOnce.count(Term.Index))
        return false;
      Count.Others.push_back(Term.Index);
      // More additions than bits are of something else.
      if (Count.Others.size() >= BitsOfWord || !add(Term.Index, Count, Places))
        return false;
    }
    return true;
  }

  std::optional<int64_t> immediate(const Operand &O) const {
    return O.isImmediate() ? std::optional(O.Imm) : std::nullopt;
  }

  /// What \p O is shifted down by; by nothing where it is no shift.
  Bit shifted(const Operand &O) const {
    const Operand Own = behindCopies(Facts, O);
    const Operation *Op = Facts.operationOf(Own);
    if (Op && (Op->What == Semantics::ShrU || Op->What == Semantics::ShrS) &&
        Op->Operands.size() == 2)
      if (const auto By = immediate(Op->Operands[1]))
        return {behindCopies(Facts, Op->Operands[0]), *By};
    return {Own, 0};
  }

  /// The bit that \p O is, in the lowest place.
  std::optional<Bit> bitOf(const Operand &O) const {
    const Operation *Op = Facts.operationOf(O);
    if (!Op || Op->Operands.size() < 2)
      return std::nullopt;
    const auto By = immediate(Op->Operands[1]);
    switch (Op->What) {
    case Semantics::BfeU:
      if (By && Op->Operands[2] == Operand::immediate(1))
        return Bit{behindCopies(Facts, Op->Operands[0]), *By};
      return std::nullopt;
    case Semantics::And:
      if (By == 1)
        return shifted(Op->Operands[0]);
      return std::nullopt;
    case Semantics::ShrU: {
      if (!By)
        return std::nullopt;
      const Operand Own = behindCopies(Facts, Op->Operands[0]);
      if (*By == BitsOfWord - 1)
        return Bit{Own, *By};
      // (word & 1 << k) >> k
      const Operation *Mask = Facts.operationOf(Own);
      if (!Mask || Mask->What != Semantics::And || Mask->Operands.size() != 2 ||
          *By < 0 || *By >= BitsOfWord ||
          immediate(Mask->Operands[1]) != int64_t(1) << *By)
        return std::nullopt;
      return Bit{behindCopies(Facts, Mask->Operands[0]), *By};
    }
    default:
      return std::nullopt;
    }
  }
};

} // namespace

std::vector<BitCount> gpuocc::bitCounts(const KernelFacts &Facts) {
  return Counter(Facts).find();
}

Change gpuocc::countBits(std::vector<BitCount> Counts) {
  return makeChange(ChangeKind::CountBits,
                    [Counts = std::move(Counts)](KernelVariant &V) {
                      std::vector<uint32_t> Unneeded;
                      for (const BitCount &Count : Counts) {
                        Operation &Sum = V.Facts.Operations[Count.Sum];
                        Sum.What = Semantics::Popc;
                        Sum.Operands = {Count.Word};
                        Sum.Emits = {{InstClass::Popc, 1, 1}};
                        if (Count.Bits < BitsOfWord)
                          Sum.Emits.push_back({InstClass::Lop3, 1, 1});
                        append_range(Unneeded, Count.Others);
                      }
                      dropOperations(V, Unneeded);
                    });
}
