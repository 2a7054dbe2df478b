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

#include "LikePtxas.h"
#include "gpuocc/Assembler/AssemblerRules.h"
#include "gpuocc/Kernel/Uniformity.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <optional>
#include <set>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

namespace {

class Folder {
public:
  explicit Folder(KernelFacts &Facts)
      : Facts(Facts), Rules(assemblerRules(Facts.Architecture)),
        Uses(Facts.Operations.size()), FoldedUses(Facts.Operations.size()),
        InputsOf(Facts.Operations.size()) {}

  void run() {
    countUses();
    foldConstants();
    for (Operation &Op : Facts.Operations) {
      foldAddress(Op);
      foldShift(Op);
      foldOffset(Op);
    }
    foldSharedBases();
    for (uint32_t I = 0; I != Facts.Operations.size(); ++I) {
      foldThreeInput(I);
      foldIntoMinMax(I);
      foldPredicate(Facts.Operations[I]);
      foldBitTest(Facts.Operations[I]);
    }
    joinBitTests();
    dropFullyFolded();
  }

private:
  KernelFacts &Facts;
  const AssemblerRules &Rules;
  std::vector<unsigned> Uses, FoldedUses;
  std::vector<SmallVector<Operand, 4>> InputsOf;

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

  /// Is \p Shift made before the loop in which \p Sum goes on by it?
  bool isStepOf(const Operation &Shift, const Operation &Sum) {
    const uint32_t L = Facts.Blocks[Sum.Block].Loop;
    return L != Facts.Blocks[Shift.Block].Loop &&
           none_of(Sum.Operands, [&](const Operand &O) {
             const Operation *P = producer(O);
             return P && P->What == Semantics::Phi && hasImmediateStep(O, *P);
           });
  }

  /// Does a constant go from one turn of a loop to the next of \p Phi?
  bool hasImmediateStep(const Operand &O, const Operation &Phi) {
    return any_of(Phi.Operands, [&](const Operand &From) {
      const Operation *P = producer(From);
      return P && P->What == Semantics::Add && is_contained(P->Operands, O) &&
             any_of(P->Operands,
                    [](const Operand &By) { return By.isImmediate(); });
    });
  }

  void markFolded(const Operand &O) { ++FoldedUses[O.Index]; }

  /// add(mul.wide(i, c), base) is one IMAD.WIDE; add(shl(i, c), base) one LEA
  /// (LEA and LEA.HI.X for 64 bits). A step of 64 bits that is shifted before a
  /// loop stays there, and is added in two halves.
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
      if (Op.Bits == 32 && P->What == Semantics::MulWideU && P->Bits == 32 &&
          P->Operands[1].isImmediate()) {
        emitOnly(Op, isPowerOf2_64(uint64_t(P->Operands[1].Imm))
                         ? InstClass::Lea
                         : InstClass::IMad);
        return markFolded(O);
      }
      // IADD3 and LEA.HI.X.SX32; several additions share a SHF.
      if (Op.Bits == 64 && P->What == Semantics::SExt && P->FromBits == 32 &&
          Uses[O.Index] == 1) {
        Op.Emits = {{InstClass::IAdd3, 1, 1}, {InstClass::Lea, 1, 1}};
        return markFolded(O);
      }
      if (P->What == Semantics::Shl && P->Bits == Op.Bits &&
          P->Operands.size() == 2 && P->Operands[1].isImmediate()) {
        if (Op.Bits == 64 && isStepOf(*P, Op))
          return;
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

  /// [x + c] is an operand of what accesses global memory, for which nvcc
  /// leaves additions before atomics.
  void foldOffset(const Operation &Op) {
    constexpr unsigned OffsetBits = 24;
    if (Op.Access >= Facts.Accesses.size())
      return;
    const MemoryAccess &A = Facts.Accesses[Op.Access];
    const Operation *Base = producer(A.Base);
    if (!Base || !isAddSub(*Base) || Base->Bits != 64 || A.Bulk ||
        Base->Operands.size() != 2)
      return;
    const std::optional<int64_t> Offset = immediateOf(Base->Operands[1]);
    if (Offset && isInt<OffsetBits>(*Offset) &&
        isInt<OffsetBits>(A.OffsetBytes))
      FoldedUses[A.Base.Index] += unsigned(count(Op.Operands, A.Base));
  }

  /// add(i, array) is an operand [R + UR] of what accesses shared memory, where
  /// i is not the same for all lanes, nor scaled by the same instruction.
  void foldSharedBases() {
    if (!Rules.HasUniformDatapath)
      return;
    const std::vector<bool> Uniform = uniformOperations(Facts);
    std::vector<unsigned> AsBase(Facts.Operations.size());
    for (const MemoryAccess &A : Facts.Accesses)
      if (A.Space == MemorySpace::Shared && A.Base.isValue() &&
          A.Op < Facts.Operations.size())
        AsBase[A.Base.Index] +=
            unsigned(count(Facts.Operations[A.Op].Operands, A.Base));
    for (size_t I = 0; I != Facts.Operations.size(); ++I) {
      Operation &Op = Facts.Operations[I];
      if (Op.What != Semantics::Add || Op.Bits != 32 || AsBase[I] == 0 ||
          AsBase[I] != Uses[I] || Op.Operands.size() != 2 || Op.Emits.empty() ||
          Uniform[I] || !isAddSub(Op))
        continue;
      if (any_of(Op.Operands, [&](const Operand &O) {
            const Operation *P = producer(O);
            return P && P->What == Semantics::SymbolAddress;
          }))
        Op.Emits.clear();
    }
  }

  static bool isRightShift(const Operation &Op) {
    return (Op.What == Semantics::ShrU || Op.What == Semantics::ShrS) &&
           Op.Operands[1].isImmediate();
  }
  static bool isRotation(const Operation &Op) {
    return (Op.What == Semantics::FunnelL || Op.What == Semantics::FunnelR) &&
           Op.Operands[2].isImmediate();
  }

  /// add(shr(x, c), y) and add(rotate(x, c), y) are one LEA.HI; the upper half
  /// of a 64-bit one is a LEA.HI.X, the lower SHF and IADD3.
  void foldShift(Operation &Op) {
    if (Op.What != Semantics::Add || !isAddSub(Op))
      return;
    for (const Operand &O : Op.Operands) {
      Operation *P = producer(O);
      if (!P || P->Bits != Op.Bits || Uses[O.Index] != 1)
        continue;
      if (Op.Bits == 32 && (isRightShift(*P) || isRotation(*P))) {
        emitOnly(Op, InstClass::Lea);
        return markFolded(O);
      }
      if (Op.Bits == 64 && isRightShift(*P) && P->Operands[1].Imm < 32) {
        Op.Emits = {{InstClass::IAdd3, 1, 1}, {InstClass::Lea, 1, 1}};
        emitOnly(*P, InstClass::Shf);
        return;
      }
    }
  }

  /// A constant at an address that the code fixes is an operand c[bank][offset]
  /// of the instruction that uses it; where instructions have no such operands,
  /// uniform registers hold it, and before loops those of the loop. Two words
  /// side by side come together.
  ///
  /// Source: ptxas 13.0 for sm_80 (operands) and sm_90: 33 taps of a filter in
  /// constant memory take 17 ULDC.64, 64 coefficients 32, six words apart four
  /// ULDC and two LDC; of a loop over 40 coefficients all 20 ULDC.64 come
  /// before it.
  void foldConstants() {
    std::set<std::tuple<uint32_t, uint32_t, int64_t>> Loaded;
    for (const MemoryAccess &A : Facts.Accesses) {
      if (A.Space != MemorySpace::Constant || A.BytesPerLane > 8)
        continue;
      const std::optional<uint32_t> Symbol = symbolOf(A.Base);
      if (!Symbol)
        continue;
      Operation &Load = Facts.Operations[A.Op];
      constexpr int64_t BytesOfPair = 8;
      if (!Rules.ReadsConstantsInPlace &&
          Facts.Blocks[Load.Block].Loop == NoIndex &&
          Loaded.emplace(Load.Block, *Symbol, A.OffsetBytes / BytesOfPair)
              .second)
        emitOnly(Load, InstClass::Uldc);
      else
        Load.Emits.clear();
    }
  }

  /// The variable whose address \p Base is.
  std::optional<uint32_t> symbolOf(const Operand &Base) {
    if (Base.K == Operand::Kind::Symbol)
      return Base.Index;
    const Operation *From = producer(Base);
    if (!From || From->What != Semantics::SymbolAddress)
      return std::nullopt;
    const Operand *Symbol = find_if(From->Operands, [](const Operand &O) {
      return O.K == Operand::Kind::Symbol;
    });
    return Symbol == From->Operands.end() ? Base.Index : Symbol->Index;
  }

  static bool isLogic(const Operation &Op) {
    return Op.What == Semantics::And || Op.What == Semantics::Or ||
           Op.What == Semantics::Xor || Op.What == Semantics::Not;
  }
  static bool isAddSub(const Operation &Op) {
    return (Op.What == Semantics::Add || Op.What == Semantics::Sub) &&
           Op.Emits.size() == 1 && Op.Emits[0].Class == InstClass::IAdd3;
  }

  /// Kinds of operations on 32-bit registers of which ptxas makes one
  /// instruction with three inputs: LOP3, IADD3, VIMNMX3. 0 for the rest.
  unsigned threeInputKind(const Operation &Op) const {
    if ((Op.Bits != 32 && Op.Bits != 16) || Op.Emits.empty())
      return 0;
    if (isLogic(Op))
      return 1;
    if (isAddSub(Op))
      return 2;
    if (isMinMax(Op) && Rules.HasMinMaxOfThree)
      return 3 + unsigned(Op.What);
    return 0;
  }

  static bool isMinMax(const Operation &Op) {
    return Op.What >= Semantics::MinS && Op.What <= Semantics::MaxU;
  }

  /// Inputs of the three-input instruction rooted at an operation; immediates
  /// count as one.
  using Inputs = SmallVector<Operand, 4>;

  static void addInput(Inputs &To, const Operand &O) {
    if (!is_contained(To, O))
      To.push_back(O);
  }

  /// Folds inner operations of the same kind whose only users are inside, as
  /// long as the whole has three inputs; any function of three inputs is one
  /// LOP3.
  void foldThreeInput(uint32_t Index) {
    Operation &Op = Facts.Operations[Index];
    unsigned Kind = threeInputKind(Op);
    Inputs Own;
    for (const Operand &O : Op.Operands)
      addInput(Own, O);
    for (const Operand &O : Op.Operands) {
      const Operation *P = Kind ? producerFor(Op, O) : nullptr;
      if (!P || threeInputKind(*P) != Kind)
        continue;
      Inputs Merged;
      for (const Operand &Mine : Own)
        if (Mine != O)
          addInput(Merged, Mine);
      for (const Operand &Inner : InputsOf[O.Index])
        addInput(Merged, Inner);
      if (Merged.size() > 3)
        continue;
      Own = std::move(Merged);
      markFolded(O);
    }
    InputsOf[Index] = std::move(Own);
  }

  /// The operation that makes \p O in the block of \p User and for it alone.
  Operation *producerFor(const Operation &User, const Operand &O) {
    Operation *P = producer(O);
    return P && P->Block == User.Block && Uses[O.Index] == 1 &&
                   !FoldedUses[O.Index]
               ? P
               : nullptr;
  }

  /// min(a + b, c) is one VIADDMNMX, and max(min(a, b), 0) one VIMNMX.RELU.
  void foldIntoMinMax(uint32_t Index) {
    Operation &Op = Facts.Operations[Index];
    // The first step of max.relu has no instruction of its own.
    if (!isMinMax(Op) || Op.Bits != 32 || Op.Operands.size() != 2)
      return;
    for (unsigned Side = 0; Side != 2; ++Side) {
      const Operand &O = Op.Operands[Side];
      const Operand &Other = Op.Operands[1 - Side];
      const Operation *P = producerFor(Op, O);
      if (!P || P->Bits != 32 || P->Emits.empty())
        continue;
      const bool IsRelu =
          Rules.HasRelu && Op.What == Semantics::MaxS &&
          immediateOf(Other) == 0 &&
          (P->What == Semantics::MinS || P->What == Semantics::MaxS);
      const bool IsSum = Rules.HasMinMaxOfThree && isAddSub(*P) &&
                         InputsOf[Index].size() <= 2 &&
                         InputsOf[O.Index].size() <= 2;
      if (!IsRelu && !IsSum)
        continue;
      markFolded(O);
      // It has no room for a third of its kind.
      InputsOf[Index].append(InputsOf[O.Index]);
      return;
    }
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

  /// The And behind \p Test, which asks whether any bits of it are set, and
  /// nobody else does.
  Operation *testedBits(const Operation &Test) {
    if (Test.What != Semantics::Compare || Test.Operands.size() < 2 ||
        (Test.Compare != ComparePredicate::NE &&
         Test.Compare != ComparePredicate::EQ) ||
        Test.Operands[1] != Operand::immediate(0) || Test.Emits.size() != 1 ||
        Test.Emits[0].Class != InstClass::ISetp)
      return nullptr;
    Operation *P = producer(Test.Operands[0]);
    return P && P->What == Semantics::And && P->Bits == 32 &&
                   P->Block == Test.Block && Uses[Test.Operands[0].Index] == 1
               ? P
               : nullptr;
  }

  /// LOP3 says in a predicate whether any bit of its result is set:
  /// `LOP3.LUT P0, RZ, R6, 0x1f, RZ, 0xc0, !PT`.
  void foldBitTest(const Operation &Test) {
    if (testedBits(Test))
      markFolded(Test.Operands[0]);
  }

  /// The immediate that \p O is or was copied from.
  std::optional<int64_t> immediateOf(const Operand &O) {
    if (O.isImmediate())
      return O.Imm;
    const Operation *P = producer(O);
    if (P && P->What == Semantics::Copy && P->Operands[0].isImmediate())
      return P->Operands[0].Imm;
    return std::nullopt;
  }

  /// Tests of several of the lowest seven bits of a register are one
  /// `R2P PR, R3, 0x7f`: in CUB's DeviceRadixSortOnesweepKernel of all seven.
  /// Heuristic: from four on, where it saves half.
  void joinBitTests() {
    constexpr unsigned Bits = 7, Fewest = 4;
    std::map<std::tuple<uint32_t, uint32_t, unsigned>, SmallVector<Operation *>>
        Tests;
    for (Operation &Test : Facts.Operations)
      if (const Operation *And = testedBits(Test))
        for (unsigned Side = 0; Side != 2; ++Side) {
          const Operand &Of = And->Operands[1 - Side];
          const std::optional<int64_t> Mask = immediateOf(And->Operands[Side]);
          if (Mask && *Mask > 0 && isPowerOf2_64(*Mask) && *Mask < 1 << Bits &&
              Of.isValue())
            Tests[{Test.Block, Of.Index, Of.Result}].push_back(&Test);
        }
    for (auto &[Of, Alike] : Tests)
      if (Alike.size() >= Fewest)
        for (Operation *Test : ArrayRef(Alike).drop_front())
          Test->Emits.clear();
  }

  void dropFullyFolded() {
    for (size_t I = 0; I != Facts.Operations.size(); ++I)
      if (FoldedUses[I] && FoldedUses[I] == Uses[I])
        Facts.Operations[I].Emits.clear();
  }
};

} // namespace

void gpuocc::foldLikePtxas(KernelFacts &Facts) { Folder(Facts).run(); }
