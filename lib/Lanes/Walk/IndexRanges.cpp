//===- IndexRanges.cpp - How far indices of a launch go -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/IndexRanges.h"
#include "Analysis/FloatSemantics.h"
#include "Walk/LaneOps.h"
#include "Walk/WarpPlace.h"
#include "gpuocc/Kernel/OperationTraits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <memory>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Evaluates integer expressions for one warp.
class IndexEvaluator {
public:
  IndexEvaluator(const KernelFacts &Facts, const WarpPlace &Place)
      : Facts(Facts), Place(Place) {}

  /// Null where \p O rests on what is not known.
  const LaneValue *evaluate(const Operand &O) {
    if (O.isImmediate()) {
      Constants.push_back(
          std::make_unique<LaneValue>(LaneValue(uint64_t(O.Imm))));
      return Constants.back().get();
    }
    if (!O.isValue() || O.Result != 0 || O.Index >= Facts.Operations.size())
      return nullptr;
    auto [It, IsNew] = Values.try_emplace(O.Index);
    // A value that is still being evaluated is one that a loop carries.
    if (IsNew) {
      std::optional<LaneValue> V = compute(Facts.Operations[O.Index]);
      It = Values.find(O.Index);
      It->second = std::move(V);
    }
    return It->second ? &*It->second : nullptr;
  }

private:
  /// Operations that one expression may have.
  static constexpr unsigned MostOperations = 2000;

  std::optional<LaneValue> compute(const Operation &Op) {
    if (++NumEvaluated > MostOperations)
      return std::nullopt;
    switch (Op.What) {
    case Semantics::SReg:
      return specialRegister(Op.SReg);
    case Semantics::Phi:
      return largest(Op.Operands);
    case Semantics::Opaque:
    case Semantics::Load:
    case Semantics::Param:
    case Semantics::SymbolAddress:
      return std::nullopt;
    default:
      break;
    }
    if (asksOtherLanes(Op.What) || isFloatingPoint(Op.What) ||
        Op.NumResults != 1 || Op.Operands.empty())
      return std::nullopt;
    SmallVector<const LaneValue *, 4> Operands;
    for (const Operand &O : Op.Operands)
      Operands.push_back(evaluate(O));
    if (Op.What == Semantics::Select && Op.Operands.size() == 3 && !Operands[2])
      return largest(ArrayRef(Op.Operands).take_front(2));
    if (is_contained(Operands, nullptr))
      return std::nullopt;
    SliceOp Of;
    Of.What = Op.What;
    Of.Bits = Op.Bits;
    Of.FromBits = Op.FromBits;
    Of.Compare = Op.Compare;
    Of.Imm = Op.Imm;
    LaneValue Out;
    evaluateLanes(Of, 0, Operands, AllLanes, Out);
    return Out;
  }

  /// The largest of the values that can be evaluated, lane by lane.
  std::optional<LaneValue> largest(ArrayRef<Operand> Of) {
    std::optional<LaneValue> Most;
    for (const Operand &O : Of) {
      const LaneValue *V = evaluate(O);
      if (!V)
        continue;
      if (!Most) {
        Most = *V;
        continue;
      }
      Most->expand();
      for (unsigned Lane = 0; Lane < WarpLanes; ++Lane)
        Most->V[Lane] = std::max(Most->V[Lane], V->lane(Lane));
    }
    return Most;
  }

  /// What the launch says of clusters and shared memory is not known here.
  std::optional<LaneValue> specialRegister(SpecialReg R) const {
    static constexpr SpecialReg Known[] = {
        SpecialReg::TidX,    SpecialReg::TidY,    SpecialReg::TidZ,
        SpecialReg::NTidX,   SpecialReg::NTidY,   SpecialReg::NTidZ,
        SpecialReg::CtaIdX,  SpecialReg::CtaIdY,  SpecialReg::CtaIdZ,
        SpecialReg::NCtaIdX, SpecialReg::NCtaIdY, SpecialReg::NCtaIdZ,
        SpecialReg::LaneId,  SpecialReg::WarpId,  SpecialReg::WarpSize};
    if (!is_contained(Known, R))
      return std::nullopt;
    return Place.specialRegister(R);
  }

  const KernelFacts &Facts;
  const WarpPlace &Place;
  unsigned NumEvaluated = 0;
  std::map<uint32_t, std::optional<LaneValue>> Values;
  std::vector<std::unique_ptr<LaneValue>> Constants;
};

} // namespace

std::optional<IndexRange> gpuocc::indexRange(const KernelFacts &Facts,
                                             uint32_t Index, Dim3 Grid,
                                             Dim3 Block) {
  if (Index >= Facts.Operations.size())
    return std::nullopt;
  const unsigned Bits = Facts.Operations[Index].Bits;
  WarpPlace Place(Grid, Block, /*Cluster=*/{1, 1, 1}, /*DynamicSharedBytes=*/0,
                  /*GridTaint=*/0);
  std::vector<int64_t> Reached;
  for (unsigned Warp = 0; Warp < Place.warpsPerBlock(); ++Warp) {
    const unsigned NumThreads =
        numLanes(Place.select({Grid.X - 1, Grid.Y - 1, Grid.Z - 1}, Warp));
    IndexEvaluator Of(Facts, Place);
    const LaneValue *V = Of.evaluate(Operand::value(Index));
    if (!V)
      return std::nullopt;
    for (unsigned Lane = 0; Lane < NumThreads; ++Lane)
      Reached.push_back(signExtend(V->lane(Lane) & lowBits(Bits), Bits));
  }
  llvm::sort(Reached);
  IndexRange Range{Reached.back(), 0};
  for (size_t I = 1; I < Reached.size(); ++I)
    if (const int64_t Step = Reached[I] - Reached[I - 1]; Step > 0)
      Range.Step = Range.Step ? std::min(Range.Step, Step) : Step;
  Range.Step = std::max<int64_t>(1, Range.Step);
  return Range;
}

std::map<uint32_t, IndexRange> gpuocc::rangesOfRole(const KernelFacts &Facts,
                                                    const ParameterRole &Role,
                                                    Dim3 Grid, Dim3 Block) {
  std::map<uint32_t, IndexRange> Ranges;
  auto Add = [&](uint32_t Index) {
    if (const std::optional<IndexRange> Range =
            indexRange(Facts, Index, Grid, Block))
      Ranges.try_emplace(Index, *Range);
  };
  for (const BoundedIndex &B : Role.Bounded)
    Add(B.Index);
  Add(Role.FactorIndex);
  Add(Role.PitchOf);
  return Ranges;
}
