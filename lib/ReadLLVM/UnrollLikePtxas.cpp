//===- UnrollLikePtxas.cpp - Loops that ptxas unrolls ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace gpuocc;
using namespace llvm;

/// Iterations that ptxas 13.0 puts into one body of a counted loop.
static constexpr unsigned UnrollFactor = 4;
/// Heuristic: bodies of up to this many instructions are unrolled (seen with
/// 41; of bodies with 49 to 154 only those whose trip count is known).
static constexpr float MaxUnrolledBody = 45;
/// Heuristic: loops of known length disappear when all iterations together
/// have up to this many instructions (seen with 800, not with 1500).
static constexpr double MaxFlatInstructions = 1024;

namespace {

/// A counter that runs from Start in steps of Step until it meets Bound.
struct Counter {
  uint32_t Phi = NoIndex, Step = NoIndex, Compare = NoIndex;
  /// Where the code says.
  std::optional<uint64_t> TripCount;
};

class Unroller {
public:
  explicit Unroller(KernelFacts &Facts) : Facts(Facts) {}

  void run() {
    for (gpuocc::Loop &L : Facts.Loops)
      visit(L);
  }

private:
  KernelFacts &Facts;

  MutableArrayRef<Operation> bodyOf(const gpuocc::Loop &L) {
    const gpuocc::BasicBlock &B = Facts.Blocks[L.Header];
    return MutableArrayRef(Facts.Operations).slice(B.FirstOp, B.NumOps);
  }

  const Operation *producer(const Operand &O) const {
    return O.isValue() ? &Facts.Operations[O.Index] : nullptr;
  }
  uint32_t indexOf(const Operation &Op) const {
    return uint32_t(&Op - Facts.Operations.data());
  }

  bool isInBody(const Operand &O, const gpuocc::Loop &L) const {
    return O.isValue() && Facts.Operations[O.Index].Block == L.Header;
  }

  /// Control inside an iteration (a barrier, the slow path of a division)
  /// keeps ptxas from unrolling.
  static bool keepsRolled(const Operation &Op, bool IsLatch) {
    return any_of(Op.Emits, [&](const Emission &E) {
      switch (E.Class) {
      case InstClass::Barrier:
      case InstClass::Call:
      case InstClass::Converge:
      case InstClass::BranchIndexed:
        return true;
      case InstClass::Branch:
        return !IsLatch;
      default:
        return false;
      }
    });
  }

  /// True for phi + constant, the step of an induction.
  bool isInduction(const Operation &Op, const gpuocc::Loop &L) const {
    if ((Op.What != Semantics::Add && Op.What != Semantics::Sub) ||
        Op.Operands.size() != 2 || !Op.Operands[1].isImmediate())
      return false;
    const Operation *Phi = producer(Op.Operands[0]);
    return Phi && Phi->What == Semantics::Phi && Phi->Block == L.Header &&
           is_contained(Phi->Operands, Operand::value(indexOf(Op)));
  }

  std::optional<Counter> findCounter(const gpuocc::Loop &L) {
    const gpuocc::BasicBlock &B = Facts.Blocks[L.Header];
    if (B.Branch == NoIndex)
      return std::nullopt;
    const Operation *Compare = producer(Facts.Branches[B.Branch].Condition);
    if (Compare && Compare->What == Semantics::Not)
      Compare = producer(Compare->Operands[0]);
    if (!Compare || Compare->What != Semantics::Compare ||
        Compare->Block != L.Header || Compare->Operands.size() < 2)
      return std::nullopt;
    for (unsigned Side : {0u, 1u}) {
      const Operand &Bound = Compare->Operands[1 - Side];
      const Operation *Step = producer(Compare->Operands[Side]);
      if (Step && !isInBody(Bound, L) && isInduction(*Step, L))
        return Counter{Step->Operands[0].Index, indexOf(*Step),
                       indexOf(*Compare), tripCount(*Step, Bound, L)};
    }
    return std::nullopt;
  }

  /// Iterations when start, step and bound are constants: the distance over
  /// the step, whatever the predicate of the comparison.
  std::optional<uint64_t> tripCount(const Operation &Step, const Operand &Bound,
                                    const gpuocc::Loop &L) const {
    const Operation &Phi = Facts.Operations[Step.Operands[0].Index];
    int64_t Stride = Step.Operands[1].Imm;
    for (const Operand &Start : Phi.Operands) {
      std::optional<int64_t> From = constant(Start), To = constant(Bound);
      if (!From || !To || Stride == 0)
        continue;
      double Trips = double(*To - *From) / double(Stride);
      if (Step.What == Semantics::Sub)
        Trips = -Trips;
      if (Trips >= 1)
        return uint64_t(Trips + 0.999);
    }
    return std::nullopt;
  }

  std::optional<int64_t> constant(const Operand &O) const {
    if (O.isImmediate())
      return O.Imm;
    const Operation *P = producer(O);
    if (P && P->What == Semantics::Copy && P->Operands.size() == 1)
      return constant(P->Operands[0]);
    return std::nullopt;
  }

  static float instructions(ArrayRef<Operation> Body) {
    float Count = 0;
    for (const Operation &Op : Body)
      for (const Emission &E : Op.Emits)
        Count += E.Count;
    return Count;
  }

  /// True if the conditional branch of \p L is what jumps back. ptxas unrolls
  /// no loop that is left by it and goes on with an unconditional one, be its
  /// length known or not (seen with 1 to 12 loads and 0 to 24 multiplications
  /// in the body).
  bool isEndedByItsCondition(const gpuocc::Loop &L) const {
    uint32_t Branch = Facts.Blocks[L.Header].Branch;
    return Branch != NoIndex && !Facts.Branches[Branch].Targets.empty() &&
           Facts.Branches[Branch].Targets.front() == L.Header;
  }

  void visit(gpuocc::Loop &L) {
    if (L.Blocks.size() != 1)
      return;
    MutableArrayRef<Operation> Body = bodyOf(L);
    uint32_t Latch = Facts.Blocks[L.Header].Branch == NoIndex
                         ? NoIndex
                         : Facts.Branches[Facts.Blocks[L.Header].Branch].Op;
    std::optional<Counter> C = findCounter(L);
    bool IsRolled = L.NoUnroll || !C || !isEndedByItsCondition(L) ||
                    any_of(Body, [&](const Operation &Op) {
                      return keepsRolled(Op, indexOf(Op) == Latch);
                    });
    float Instructions = instructions(Body);
    if (!IsRolled) {
      if (C->TripCount && *C->TripCount * Instructions <= MaxFlatInstructions)
        L.UnrolledBy = unsigned(*C->TripCount);
      else if (Instructions <= MaxUnrolledBody)
        L.UnrolledBy = UnrollFactor;
    }
    bool IsFlat = C && C->TripCount && L.UnrolledBy == *C->TripCount;
    for (Operation &Op : Body)
      if (isInduction(Op, L))
        shareInduction(Op, L.UnrolledBy, IsFlat);
      else if (C && (indexOf(Op) == C->Compare || indexOf(Op) == Latch))
        share(Op, L.UnrolledBy, IsFlat);
  }

  /// Divides the emissions of \p Op by \p Iterations; a flat loop has none.
  static void share(Operation &Op, unsigned Iterations, bool IsFlat) {
    if (IsFlat)
      Op.Emits.clear();
    for (Emission &E : Op.Emits) {
      E.Count /= float(Iterations);
      E.OnPath /= float(Iterations);
    }
  }

  /// Addresses move by immediate offsets within one pass; a 64-bit pointer is
  /// also copied, because the loads of the pass still read the old one.
  static void shareInduction(Operation &Op, unsigned Iterations, bool IsFlat) {
    if (Op.Bits == 64)
      Op.Emits.push_back({InstClass::Mov, 1.5, 0});
    share(Op, Iterations, IsFlat);
  }
};

} // namespace

void gpuocc::unrollLikePtxas(KernelFacts &Facts) { Unroller(Facts).run(); }
