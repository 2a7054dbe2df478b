//===- FoldLikePtxas.cpp - Instructions that ptxas merges -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The machine view has PTX's operations; ptxas merges pairs of them into one
/// SASS instruction. Each rule here was seen in the SASS of ptxas 13.0 for
/// sm_90; the distance that remains is tracked by the accuracy bench.
///
//===----------------------------------------------------------------------===//

#include "FunctionReader.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

namespace {

class Folder {
public:
  explicit Folder(KernelFacts &Facts)
      : Facts(Facts), Uses(Facts.Operations.size()),
        FoldedUses(Facts.Operations.size()) {}

  void run() {
    countUses();
    for (Operation &Op : Facts.Operations)
      foldAddress(Op);
    for (Operation &Op : Facts.Operations) {
      foldThreeInput(Op);
      foldPredicate(Op);
    }
    dropFullyFolded();
  }

private:
  KernelFacts &Facts;
  std::vector<unsigned> Uses, FoldedUses;

  void countUses() {
    auto Count = [&](const Operand &O) {
      if (O.isValue())
        ++Uses[O.Index];
    };
    for (const Operation &Op : Facts.Operations)
      for (const Operand &O : Op.Operands)
        Count(O);
    for (const Branch &B : Facts.Branches)
      Count(B.Condition);
  }

  Operation *producer(const Operand &O) {
    return O.isValue() ? &Facts.Operations[O.Index] : nullptr;
  }

  static void emitOnly(Operation &Op, InstClass Class, float Count = 1) {
    Op.Emits.assign(1, Emission{Class, Count, Count});
  }

  void markFolded(const Operand &O) { ++FoldedUses[O.Index]; }

  /// add(mul.wide(i, c), base) is one IMAD.WIDE; add(shl(i, c), base) one LEA
  /// (LEA and LEA.HI.X for 64 bits).
  void foldAddress(Operation &Op) {
    if (Op.What != Semantics::Add)
      return;
    for (const Operand &O : Op.Operands) {
      Operation *P = producer(O);
      if (!P)
        continue;
      if (Op.Bits == 64 &&
          (P->What == Semantics::MulWideS || P->What == Semantics::MulWideU)) {
        emitOnly(Op, InstClass::IMadWide);
        return markFolded(O);
      }
      if (P->What == Semantics::Shl && P->Bits == Op.Bits &&
          P->Operands.size() == 2 && P->Operands[1].isImmediate()) {
        Operation *Index = producer(P->Operands[0]);
        if (Op.Bits == 64 && Index &&
            (Index->What == Semantics::SExt || Index->What == Semantics::ZExt))
          emitOnly(Op, InstClass::IMadWide);
        else if (Op.Bits == 64)
          emitOnly(Op, InstClass::Lea, 2);
        else if (Op.Bits == 32)
          emitOnly(Op, InstClass::Lea);
        else
          return;
        return markFolded(O);
      }
    }
  }

  static bool isLogic(const Operation &Op) {
    return Op.What == Semantics::And || Op.What == Semantics::Or ||
           Op.What == Semantics::Xor || Op.What == Semantics::Not;
  }
  static bool isAddSub(const Operation &Op) {
    return (Op.What == Semantics::Add || Op.What == Semantics::Sub) &&
           Op.Emits.size() == 1 && Op.Emits[0].Class == InstClass::IAdd3;
  }

  /// IADD3, LOP3 and VIMNMX3 take three inputs: an inner operation of the same
  /// kind whose only user is this one disappears.
  void foldThreeInput(Operation &Op) {
    if (Op.Bits != 32 || Op.Emits.empty())
      return;
    for (const Operand &O : Op.Operands) {
      Operation *P = producer(O);
      if (!P || P->Bits != 32 || P->Emits.empty() || Uses[O.Index] != 1 ||
          FoldedUses[O.Index] || P->Block != Op.Block || hasFoldedInput(*P))
        continue;
      bool SameKind = (isLogic(Op) && isLogic(*P)) ||
                      (isAddSub(Op) && isAddSub(*P)) ||
                      (Op.What == P->What && Op.What >= Semantics::MinS &&
                       Op.What <= Semantics::MaxU);
      if (!SameKind)
        continue;
      markFolded(O);
      return;
    }
  }

  /// True if an input of \p Op was folded into it, so that it has three
  /// already.
  bool hasFoldedInput(const Operation &Op) {
    return any_of(Op.Operands, [&](const Operand &O) {
      return O.isValue() && FoldedUses[O.Index] &&
             FoldedUses[O.Index] == Uses[O.Index];
    });
  }

  /// setp takes another predicate as a third input: and/or of predicates
  /// disappears into a comparison that feeds it alone.
  void foldPredicate(Operation &Op) {
    if (Op.Bits != 1 || !isLogic(Op))
      return;
    for (const Operand &O : Op.Operands) {
      Operation *P = producer(O);
      bool IsCompare = P && !P->Emits.empty() &&
                       (P->Emits[0].Class == InstClass::ISetp ||
                        P->Emits[0].Class == InstClass::FSetp ||
                        P->Emits[0].Class == InstClass::DSetp);
      if (IsCompare && Uses[O.Index] == 1) {
        Op.Emits.clear();
        return;
      }
    }
  }

  void dropFullyFolded() {
    for (size_t I = 0; I != Facts.Operations.size(); ++I)
      if (FoldedUses[I] && FoldedUses[I] == Uses[I])
        Facts.Operations[I].Emits.clear();
  }
};

} // namespace

void gpuocc::foldLikePtxas(KernelFacts &Facts) { Folder(Facts).run(); }
