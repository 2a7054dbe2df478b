//===- JoinHalves.cpp - Numbers of 64 bits in two registers ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JoinHalves.h"
#include "gpuocc/Kernel/OperationTraits.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

namespace {

class Joiner {
public:
  explicit Joiner(KernelFacts &Facts)
      : Facts(Facts), NumOld(uint32_t(Facts.Operations.size())) {}

  void run() {
    shareAddresses();
    for (uint32_t I = 0; I != NumOld; ++I) {
      // Copied: the table grows.
      const Operation Pack = Facts.Operations[I];
      if (Pack.What != Semantics::Pack || Pack.Operands.size() != 2 ||
          Pack.Bits != 64)
        continue;
      const Operand Low = Pack.Operands[0], High = Pack.Operands[1];
      const std::optional<Operand> All = joined(Low, High, {Pack.Block, I}, 0);
      if (!All)
        continue;
      Operation &Copy = Facts.Operations[I];
      Copy.What = Semantics::Copy;
      Copy.Operands = {*All, Low, High};
    }
    renumber();
  }

private:
  /// In front of an old operation of a block, or at the end of it.
  struct Place {
    static constexpr uint32_t End = NoIndex;
    uint32_t Block = 0, Before = 0;
    bool operator<(const Place &O) const {
      return std::tie(Block, Before) < std::tie(O.Block, O.Before);
    }
  };

  static constexpr unsigned MaxDepth = 8;

  KernelFacts &Facts;
  const uint32_t NumOld;
  /// New operations, which stand behind the old ones until they are numbered
  /// anew, by where they belong.
  std::map<Place, std::vector<uint32_t>> Added;
  std::map<uint32_t, std::vector<uint32_t>> AddedPhis;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> PhiOf;

  /// Lets accesses of a block that have the same halves have the same address.
  void shareAddresses() {
    std::map<std::tuple<uint32_t, uint32_t, uint8_t, uint32_t, uint8_t>,
             uint32_t>
        First;
    for (MemoryAccess &A : Facts.Accesses) {
      const Operation *Op = of(A.Base);
      if (!Op || Op->What != Semantics::Pack || Op->Operands.size() != 2 ||
          !Op->Operands[0].isValue() || !Op->Operands[1].isValue())
        continue;
      const Operand &Low = Op->Operands[0], &High = Op->Operands[1];
      A.Base.Index = First
                         .try_emplace({Op->Block, Low.Index, Low.Result,
                                       High.Index, High.Result},
                                      A.Base.Index)
                         .first->second;
    }
  }

  const Operation *of(const Operand &O) const { return Facts.operationOf(O); }

  /// \p O without copies that it went through.
  Operand source(Operand O) const {
    for (unsigned Depth = 0; Depth != MaxDepth; ++Depth) {
      const Operation *Op = of(O);
      if (!Op || Op->What != Semantics::Copy || Op->Operands.size() != 1 ||
          Op->Bits != 32)
        break;
      O = Op->Operands[0];
    }
    return O;
  }

  Operand add(Semantics What, ArrayRef<Operand> Operands, Place At,
              unsigned FromBits = 0) {
    Operation Op;
    Op.What = What;
    Op.Opcode = semanticsText(What).str();
    Op.Bits = 64;
    Op.FromBits = uint8_t(FromBits);
    Op.Operands.assign(Operands.begin(), Operands.end());
    Op.Block = At.Block;
    const uint32_t Index = uint32_t(Facts.Operations.size());
    Facts.Operations.push_back(std::move(Op));
    Added[At].push_back(Index);
    return Operand::value(Index);
  }

  /// The number whose halves are \p Low and \p High, as another number.
  Operand whole(const Operand &Low, const Operand &High, Place At,
                unsigned Depth) {
    if (std::optional<Operand> All = joined(Low, High, At, Depth + 1))
      return *All;
    return add(Semantics::Pack, {Low, High}, At);
  }

  /// The same where the halves are known to belong together.
  std::optional<Operand> joined(Operand Low, Operand High, Place At,
                                unsigned Depth) {
    if (Depth > MaxDepth)
      return std::nullopt;
    Low = source(Low);
    High = source(High);
    if (Low.isImmediate() && High.isImmediate())
      return Operand::immediate(
          int64_t(uint64_t(High.Imm) << 32 | (uint64_t(Low.Imm) & 0xffffffff)));
    const Operation *L = of(Low), *H = of(High);
    if (L && High.isImmediate() && High.Imm == 0)
      return add(Semantics::ZExt, {Low}, At, 32);
    if (!L || !H)
      return std::nullopt;
    if (std::optional<Operand> Same = halvesOfOne(*L, Low, *H, High))
      return Same;
    if (H->What == Semantics::ShrS && H->Operands[0] == Low &&
        H->Operands[1] == Operand::immediate(31))
      return add(Semantics::SExt, {Low}, At, 32);
    if (L->What == Semantics::Phi && H->What == Semantics::Phi &&
        L->Block == H->Block)
      return joinedPhi(Low.Index, High.Index, Depth);
    if (L->What == Semantics::Select && H->What == Semantics::Select &&
        L->Operands[2] == H->Operands[2]) {
      const SmallVector<Operand, 3> A = L->Operands, B = H->Operands;
      const Operand First = whole(A[0], B[0], At, Depth),
                    Second = whole(A[1], B[1], At, Depth);
      return add(Semantics::Select, {First, Second, A[2]}, At);
    }
    return joinedSum(*L, *H, At, Depth);
  }

  /// Do \p A and \p B hold the same number? Each instruction reads parameters
  /// for itself.
  bool areSame(const Operand &A, const Operand &B) const {
    if (A == B)
      return true;
    const Operation *First = of(A), *Second = of(B);
    return First && Second && First->What == Second->What &&
           First->Bits == Second->Bits && First->Imm == Second->Imm &&
           (First->What == Semantics::Param ||
            (First->What == Semantics::SymbolAddress &&
             First->Operands == Second->Operands));
  }

  std::optional<Operand> halvesOfOne(const Operation &L, const Operand &Low,
                                     const Operation &H,
                                     const Operand &High) const {
    if (L.What == Semantics::Unpack && &L == &H && Low.Result == 0 &&
        High.Result == 1)
      return L.Operands[0];
    const bool IsLow = L.What == Semantics::Trunc ||
                       (L.What == Semantics::Unpack && Low.Result == 0);
    if (IsLow && H.What == Semantics::High && L.Bits == 32 &&
        areSame(H.Operands[0], L.Operands[0]))
      return L.Operands[0];
    return std::nullopt;
  }

  Operand joinedPhi(uint32_t Low, uint32_t High, unsigned Depth) {
    auto [It, IsNew] = PhiOf.try_emplace({Low, High}, NoIndex);
    if (!IsNew)
      return Operand::value(It->second);
    const uint32_t Index = uint32_t(Facts.Operations.size());
    It->second = Index;
    const Operation L = Facts.Operations[Low], H = Facts.Operations[High];
    Operation Phi = L;
    Phi.Bits = 64;
    Phi.Operands.clear();
    Facts.Operations.push_back(Phi);
    AddedPhis[L.Block].push_back(Index);
    for (unsigned I = 0; I != L.PhiBlocks.size(); ++I) {
      auto From = find(H.PhiBlocks, L.PhiBlocks[I]);
      const Operand A = L.Operands[I],
                    B = From == H.PhiBlocks.end()
                            ? Operand()
                            : H.Operands[From - H.PhiBlocks.begin()];
      const bool IsKnown =
          A.K != Operand::Kind::Undef && B.K != Operand::Kind::Undef;
      // Not in a variable of the caller: the table grows.
      const Operand In = IsKnown
                             ? whole(A, B, {L.PhiBlocks[I], Place::End}, Depth)
                             : Operand();
      Facts.Operations[Index].Operands.push_back(In);
    }
    return Operand::value(Index);
  }

  /// The lower half of \p O, a number of 64 bits whose upper half is 0.
  std::optional<Operand> lowerOf(const Operand &O) const {
    const Operation *Op = of(O);
    if (Op && Op->What == Semantics::ZExt && Op->FromBits == 32)
      return Op->Operands[0];
    return std::nullopt;
  }

  /// True if \p C is the carry of \p Sum.
  bool isCarryOf(const Operand &C, const Operand &Sum) const {
    const Operation *Wide = of(C);
    if (!Wide || Wide->What != Semantics::ZExt || Wide->FromBits != 1)
      return false;
    const Operation *Test = of(source1(Wide->Operands[0]));
    if (!Test || Test->What != Semantics::Compare ||
        Test->Compare != ComparePredicate::NE ||
        Test->Operands[1] != Operand::immediate(0))
      return false;
    const Operation *Over = of(Test->Operands[0]);
    return Over && Over->What == Semantics::High && Over->Operands[0] == Sum;
  }

  /// A predicate without copies.
  Operand source1(Operand O) const {
    while (const Operation *Op = of(O)) {
      if (Op->What != Semantics::Copy || Op->Bits != 1)
        break;
      O = Op->Operands[0];
    }
    return O;
  }

  /// Do these look like halves of one number?
  bool fit(Operand Low, Operand High) const {
    Low = source(Low);
    High = source(High);
    if (Low.isImmediate() || High.isImmediate())
      return Low.isImmediate() == High.isImmediate();
    const Operation *L = of(Low), *H = of(High);
    if (!L || !H)
      return false;
    if (halvesOfOne(*L, Low, *H, High))
      return true;
    if (L->What == Semantics::Shl && H->What == Semantics::FunnelL)
      return L->Operands[0] == H->Operands[0];
    if (H->What == Semantics::ShrS)
      return H->Operands[0] == Low;
    return L->What == Semantics::Phi && H->What == Semantics::Phi &&
           L->Block == H->Block;
  }

  /// \p Low and \p High, a term of a sum in halves; \p High may be missing.
  Operand term(const Operand &Low, std::optional<Operand> High, Place At,
               unsigned Depth) {
    if (!High)
      return Low.isImmediate() ? Low : add(Semantics::ZExt, {Low}, At, 32);
    const Operation *L = of(source(Low)), *H = of(source(*High));
    if (L && H && L->What == Semantics::Shl && H->What == Semantics::FunnelL &&
        L->Operands[0] == H->Operands[0] && L->Operands[1] == H->Operands[2]) {
      const Operand By = L->Operands[1], A = H->Operands[0],
                    AboveA = H->Operands[1];
      return add(Semantics::Shl, {whole(A, AboveA, At, Depth), By}, At);
    }
    return whole(Low, *High, At, Depth);
  }

  std::optional<Operand> joinedSum(const Operation &L, const Operation &H,
                                   Place At, unsigned Depth) {
    if (L.What != Semantics::Trunc || H.What != Semantics::Add || H.Bits != 32)
      return std::nullopt;
    const Operand Sum = L.Operands[0];
    const Operation *S = of(Sum);
    if (!S || S->What != Semantics::Add || !isCarryOf(H.Operands[1], Sum))
      return std::nullopt;
    const std::optional<Operand> A = lowerOf(S->Operands[0]),
                                 B = lowerOf(S->Operands[1]);
    if (!A || !B)
      return std::nullopt;
    const Operand Upper = source(H.Operands[0]);
    const Operation *Above = of(Upper);
    std::optional<Operand> AboveA, AboveB;
    if (Above && Above->What == Semantics::Add && Above->Emits.empty()) {
      AboveA = Above->Operands[0];
      AboveB = Above->Operands[1];
      if (!fit(*A, *AboveA) && !fit(*B, *AboveB) &&
          (fit(*A, *AboveB) || fit(*B, *AboveA)))
        std::swap(AboveA, AboveB);
    } else if (A->isImmediate() ||
               (!B->isImmediate() && fit(*B, Upper) && !fit(*A, Upper))) {
      AboveB = Upper;
    } else {
      AboveA = Upper;
    }
    const Operand First = term(*A, AboveA, At, Depth),
                  Second = term(*B, AboveB, At, Depth);
    return add(Semantics::Add, {First, Second}, At);
  }

  void renumber() {
    std::vector<uint32_t> NewIndex(Facts.Operations.size(), NoIndex);
    std::vector<uint32_t> Order;
    auto Put = [&](ArrayRef<uint32_t> Ops) {
      for (uint32_t Op : Ops) {
        NewIndex[Op] = uint32_t(Order.size());
        Order.push_back(Op);
      }
    };
    auto PutAdded = [&](Place At) {
      if (auto It = Added.find(At); It != Added.end())
        Put(It->second);
    };
    for (uint32_t B = 0; B != Facts.Blocks.size(); ++B) {
      gpuocc::BasicBlock &Block = Facts.Blocks[B];
      const uint32_t First = uint32_t(Order.size());
      const uint32_t Branch =
          Block.Branch == NoIndex ? NoIndex : Facts.Branches[Block.Branch].Op;
      Put(AddedPhis[B]);
      for (uint32_t I = Block.FirstOp; I != Block.FirstOp + Block.NumOps; ++I) {
        if (I == Branch)
          PutAdded({B, Place::End});
        PutAdded({B, I});
        Put(I);
      }
      if (Branch == NoIndex)
        PutAdded({B, Place::End});
      Block.FirstOp = First;
      Block.NumOps = uint32_t(Order.size()) - First;
    }
    auto Change = [&](Operand &O) {
      if (O.isValue())
        O.Index = NewIndex[O.Index];
    };
    std::vector<Operation> Operations;
    for (uint32_t Old : Order)
      Operations.push_back(std::move(Facts.Operations[Old]));
    for (Operation &Op : Operations) {
      for_each(Op.Operands, Change);
      Change(Op.Guard);
    }
    Facts.Operations = std::move(Operations);
    for (MemoryAccess &A : Facts.Accesses) {
      A.Op = NewIndex[A.Op];
      Change(A.Base);
      Change(A.SharedBase);
      for_each(A.Stored, Change);
    }
    for (gpuocc::Branch &B : Facts.Branches) {
      B.Op = NewIndex[B.Op];
      Change(B.Condition);
    }
  }
};

} // namespace

void gpuocc::joinHalves(KernelFacts &Facts) { Joiner(Facts).run(); }

/// \p O without copies.
static Operand withoutCopies(const KernelFacts &Facts, Operand O) {
  while (const Operation *Op = Facts.operationOf(O)) {
    if (Op->What != Semantics::Copy || Op->Operands.empty())
      break;
    O = Op->Operands[0];
  }
  return O;
}

void gpuocc::dropSidesOfGuards(KernelFacts &Facts) {
  for (MemoryAccess &A : Facts.Accesses) {
    const Operation &Access = Facts.Operations[A.Op];
    if (!Access.Guard.isValue())
      continue;
    const Operand Guard = withoutCopies(Facts, Access.Guard);
    for (Operand *Base : {&A.Base, &A.SharedBase})
      while (true) {
        const Operand Its = withoutCopies(Facts, *Base);
        const Operation *Select = Facts.operationOf(Its);
        if (!Select || Select->What != Semantics::Select ||
            withoutCopies(Facts, Select->Operands[2]) != Guard)
          break;
        *Base = Select->Operands[Access.GuardNegated ? 1 : 0];
      }
  }
}

/// As addressOperands(), of operations on halves of addresses, too.
static ArrayRef<Operand> operandsOfAddress(const Operation &Op) {
  switch (Op.What) {
  case Semantics::Pack:
  case Semantics::Trunc:
  case Semantics::High:
  case Semantics::Unpack:
  case Semantics::ZExt:
    return Op.Operands;
  // Masks, in machine code.
  case Semantics::Or:
    return {};
  default:
    return addressOperands(Op);
  }
}

void gpuocc::findPointers(KernelFacts &Facts) {
  std::vector<bool> Seen(Facts.Operations.size());
  SmallVector<Operand, 32> Work;
  for (const MemoryAccess &A : Facts.Accesses)
    if (A.Space == MemorySpace::Global || A.Space == MemorySpace::Generic)
      Work.push_back(A.Base);
  while (!Work.empty()) {
    const Operand O = Work.pop_back_val();
    if (!O.isValue() || Seen[O.Index])
      continue;
    Seen[O.Index] = true;
    const Operation &Op = Facts.Operations[O.Index];
    if (Op.What == Semantics::Param && Op.Bits == 64)
      for (Parameter &P : Facts.Parameters)
        if (P.OffsetBytes == uint64_t(Op.Imm) && P.SizeBytes == 8)
          P.IsPointer = true;
    append_range(Work, operandsOfAddress(Op));
  }
}
