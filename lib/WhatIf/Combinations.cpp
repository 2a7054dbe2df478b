//===- Combinations.cpp - Values combined in any order --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Combinations.h"
#include "AddressAt.h"
#include "gpuocc/Kernel/Copies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// \p Op chooses one of the two values that its condition compares: the larger
/// or the smaller one.
static bool isExtreme(const KernelFacts &Facts, const Operation &Op) {
  constexpr size_t OfCondition = 2;
  if (Op.What != Semantics::Select || Op.Operands.size() != 3)
    return false;
  const Operation *Test =
      Facts.operationOf(behindCopies(Facts, Op.Operands[2]));
  if (!Test ||
      (Test->What != Semantics::Compare && Test->What != Semantics::FCompare) ||
      Test->Operands.size() < OfCondition)
    return false;
  const Operand A = behindCopies(Facts, Op.Operands[0]),
                B = behindCopies(Facts, Op.Operands[1]),
                C = behindCopies(Facts, Test->Operands[0]),
                D = behindCopies(Facts, Test->Operands[1]);
  return (A == C && B == D) || (A == D && B == C);
}

/// \p Op keeps what belongs to an extreme value, such as its index: it chooses
/// by the condition that another operation chooses the value by.
static bool accompaniesExtreme(const KernelFacts &Facts, const Operation &Op) {
  if (Op.What != Semantics::Select || Op.Operands.size() != 3)
    return false;
  const Operand Condition = behindCopies(Facts, Op.Operands[2]);
  return any_of(Facts.Operations, [&](const Operation &Other) {
    return &Other != &Op && Other.Block == Op.Block &&
           isExtreme(Facts, Other) &&
           behindCopies(Facts, Other.Operands[2]) == Condition;
  });
}

/// The kind of a combination that may be done in any order; Opaque where there
/// is none. A multiply-add adds.
static Semantics combination(const KernelFacts &Facts, const Operation &Op) {
  if (isExtreme(Facts, Op))
    return Semantics::FMax;
  switch (Op.What) {
  case Semantics::Add:
  case Semantics::FAdd:
  case Semantics::FMul:
  case Semantics::Mul:
  case Semantics::MinS:
  case Semantics::MinU:
  case Semantics::MaxS:
  case Semantics::MaxU:
  case Semantics::FMin:
  case Semantics::FMax:
  case Semantics::And:
  case Semantics::Or:
  case Semantics::Xor:
    return Op.What;
  case Semantics::FFma:
    return Semantics::FAdd;
  case Semantics::Mad:
    return Semantics::Add;
  default:
    return Semantics::Opaque;
  }
}

/// The operands that \p Op combines: of a multiply-add the sum.
static ArrayRef<Operand> combined(const Operation &Op) {
  const ArrayRef<Operand> All(Op.Operands);
  if (Op.What == Semantics::Select)
    return All.take_front(2);
  const bool IsMultiplyAdd =
      (Op.What == Semantics::FFma || Op.What == Semantics::Mad) &&
      All.size() == 3;
  return IsMultiplyAdd ? All.drop_front(2) : All;
}

Chains::Chains(const KernelFacts &Facts, ArrayRef<uint32_t> Blocks)
    : Facts(Facts), Inside(Facts.Blocks.size()) {
  for (uint32_t Block : Blocks)
    Inside[Block] = true;
}

unsigned Chains::lengthTo(uint32_t Op) {
  if (auto Known = Lengths.find(Op); Known != Lengths.end())
    return Known->second;
  const Operation &O = Facts.Operations[Op];
  const Semantics Kind = combination(Facts, O);
  unsigned Length = 0;
  if (Kind != Semantics::Opaque && isInside(Op)) {
    for (const Operand &In : combined(O)) {
      const Operand From = behindCopies(Facts, In);
      // Operands that are no phis lie before their users.
      if (From.isValue() && From.Index < Op &&
          combination(Facts, Facts.Operations[From.Index]) == Kind)
        Length = std::max(Length, lengthTo(From.Index));
    }
    ++Length;
  }
  return Lengths[Op] = Length;
}

bool Chains::leadsTo(uint32_t Op, uint32_t Phi) const {
  const Semantics Kind = combination(Facts, Facts.Operations[Op]);
  while (Kind != Semantics::Opaque) {
    uint32_t Next = NoIndex;
    for (const Operand &In : combined(Facts.Operations[Op])) {
      const Operand From = behindCopies(Facts, In);
      if (!From.isValue())
        continue;
      if (From.Index == Phi)
        return true;
      if (From.Index < Op &&
          combination(Facts, Facts.Operations[From.Index]) == Kind)
        Next = From.Index;
    }
    if (Next == NoIndex)
      return false;
    Op = Next;
  }
  return false;
}

bool Chains::accompanies(uint32_t Op, uint32_t Phi) const {
  while (Op != NoIndex && isInside(Op) &&
         accompaniesExtreme(Facts, Facts.Operations[Op])) {
    uint32_t Next = NoIndex;
    for (const Operand &In :
         ArrayRef(Facts.Operations[Op].Operands).take_front(2)) {
      const Operand From = behindCopies(Facts, In);
      if (!From.isValue())
        continue;
      if (From.Index == Phi)
        return true;
      if (From.Index < Op &&
          Facts.Operations[From.Index].What == Semantics::Select)
        Next = From.Index;
    }
    Op = Next;
  }
  return false;
}

/// Calls \p Step with each number that is added on the way from the phi \p Phi
/// of the header of \p L to \p Op, which steps a counter or a pointer, and with
/// true where it is subtracted instead; false if \p Op does no such thing.
/// Unrolled loops step several times.
static bool walkSteps(const KernelFacts &Facts, const gpuocc::Loop &L,
                      const Operation *Op, uint32_t Phi,
                      function_ref<void(const Operand &By, bool IsLess)> Step) {
  constexpr unsigned MostSteps = 64;
  for (unsigned I = 0; Op && I != MostSteps; ++I) {
    const bool Subtracts = Op->What == Semantics::Sub;
    if ((Op->What != Semantics::Add && !Subtracts) || Op->Operands.size() != 2)
      return false;
    const unsigned Way = isSetOutside(Facts, L, Op->Operands[0]) ? 1 : 0;
    const Operand From = behindWidths(Facts, Op->Operands[Way]);
    const Operand &By = Op->Operands[1 - Way];
    const bool Doubles = behindCopies(Facts, By) == Operand::value(Phi);
    if ((Subtracts && Way == 1) || isSetOutside(Facts, L, From) ||
        (!Doubles && !isSetOutside(Facts, L, By)))
      return false;
    Step(By, Subtracts);
    if (From == Operand::value(Phi))
      return true;
    Op = Facts.operationOf(From);
  }
  return false;
}

/// True if \p Op steps a counter or a pointer of \p L.
static bool isStep(const KernelFacts &Facts, const gpuocc::Loop &L,
                   const Operation &Op, uint32_t Phi) {
  return walkSteps(Facts, L, &Op, Phi, [](const Operand &, bool) {});
}

Carried gpuocc::carriedBy(const KernelFacts &Facts, const Chains &In,
                          const gpuocc::Loop &L) {
  Carried Out;
  const BasicBlock &Header = Facts.Blocks[L.Header];
  for (uint32_t I = Header.FirstOp; I != Header.FirstOp + Header.NumOps; ++I) {
    const Operation &Phi = Facts.Operations[I];
    if (Phi.What != Semantics::Phi)
      continue;
    for (size_t K = 0; K != Phi.Operands.size(); ++K) {
      if (K >= Phi.PhiBlocks.size() ||
          !is_contained(L.Latches, Phi.PhiBlocks[K]))
        continue;
      const Operand From = behindCopies(Facts, Phi.Operands[K]);
      const Operation *Next = Facts.operationOf(From);
      if (!Next || isStep(Facts, L, *Next, I))
        continue;
      if (!In.leadsTo(From.Index, I) && !In.accompanies(From.Index, I)) {
        Out.IsInOrder = true;
        return Out;
      }
      ++Out.Results;
      if (!Next->Emits.empty())
        Out.Combine = Next->Emits.front().Class;
    }
  }
  return Out;
}

namespace {

/// Walks from a value back to a phi through other phis and combinations.
class WayBack {
public:
  WayBack(const KernelFacts &Facts, const gpuocc::Loop &Around, uint32_t Phi)
      : Facts(Facts), Around(Around), Phi(Phi), Seen(Facts.Operations.size()) {}

  bool comesFrom(const Operand &O) {
    const Operand Of = behindCopies(Facts, O);
    if (!Of.isValue())
      return false;
    if (Of.Index == Phi || Seen[Of.Index])
      return true;
    Seen[Of.Index] = true;
    const Operation &Op = Facts.Operations[Of.Index];
    auto From = [&](const Operand &In) { return comesFrom(In); };
    if (!is_contained(Around.Blocks, Op.Block))
      return false;
    if (Op.What == Semantics::Phi)
      return all_of(Op.Operands, From);
    const Semantics Own = combination(Facts, Op);
    if (Own == Semantics::Opaque || (Kind && *Kind != Own))
      return false;
    Kind = Own;
    return any_of(combined(Op), From);
  }

private:
  const KernelFacts &Facts;
  const gpuocc::Loop &Around;
  uint32_t Phi;
  std::vector<bool> Seen;
  std::optional<Semantics> Kind;
};

} // namespace

bool gpuocc::isCombinedFrom(const KernelFacts &Facts,
                            const gpuocc::Loop &Around, uint32_t Result,
                            uint32_t Phi) {
  return WayBack(Facts, Around, Phi).comesFrom(Operand::value(Result));
}

bool gpuocc::isStepped(const KernelFacts &Facts, const gpuocc::Loop &L,
                       uint32_t Phi) {
  const Operation &Op = Facts.Operations[Phi];
  for (size_t K = 0; K != Op.Operands.size() && K != Op.PhiBlocks.size(); ++K) {
    if (!is_contained(L.Latches, Op.PhiBlocks[K]))
      continue;
    const Operation *Next =
        Facts.operationOf(behindCopies(Facts, Op.Operands[K]));
    if (!Next || !isStep(Facts, L, *Next, Phi))
      return false;
  }
  return true;
}

/// As numberOf, through at most \p Depth operations.
static std::optional<int64_t> numberWithin(const KernelFacts &Facts,
                                           const Launch &Launched,
                                           const Operand &O, unsigned Depth) {
  const Operand From = behindWidths(Facts, O);
  if (From.isImmediate())
    return From.Imm;
  const Operation *Op = Facts.operationOf(From);
  if (!Op || Depth == 0)
    return std::nullopt;
  if (Op->What == Semantics::Param)
    return argumentOf(Facts, Launched, *Op, From.Result);
  if (Op->SReg == SpecialReg::NTidX)
    return int64_t(Launched.Block.Value.X);
  if (Op->Operands.size() != 2)
    return std::nullopt;
  const std::optional<int64_t> A =
      numberWithin(Facts, Launched, Op->Operands[0], Depth - 1);
  const std::optional<int64_t> B =
      numberWithin(Facts, Launched, Op->Operands[1], Depth - 1);
  if (!A || !B)
    return std::nullopt;
  switch (Op->What) {
  case Semantics::Add:
    return checkedAdd(*A, *B);
  case Semantics::Mul:
  case Semantics::MulWideS:
  case Semantics::MulWideU:
    return checkedMul(*A, *B);
  case Semantics::Shl:
    return *B >= 0 && *B < 32 ? std::optional(*A << *B) : std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<int64_t> gpuocc::numberOf(const KernelFacts &Facts,
                                        const Launch &Launched,
                                        const Operand &O) {
  constexpr unsigned MostOperations = 6;
  return numberWithin(Facts, Launched, O, MostOperations);
}

std::optional<int64_t> gpuocc::stepOf(const KernelFacts &Facts,
                                      const Launch &Launched,
                                      const gpuocc::Loop &L, uint32_t Index) {
  const Operation &Phi = Facts.Operations[Index];
  std::optional<int64_t> Step;
  for (size_t K = 0; K != Phi.Operands.size() && K != Phi.PhiBlocks.size();
       ++K) {
    if (!is_contained(L.Latches, Phi.PhiBlocks[K]))
      continue;
    const Operation *Next =
        Facts.operationOf(behindCopies(Facts, Phi.Operands[K]));
    std::optional<int64_t> Sum = 0;
    if (!walkSteps(Facts, L, Next, Index, [&](const Operand &In, bool IsLess) {
          const std::optional<int64_t> By = numberOf(Facts, Launched, In);
          Sum = !Sum || !By ? std::nullopt
                : IsLess    ? checkedSub(*Sum, *By)
                            : checkedAdd(*Sum, *By);
        }))
      return std::nullopt;
    Step = Sum;
  }
  return Step;
}
