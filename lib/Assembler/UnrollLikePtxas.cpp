//===- UnrollLikePtxas.cpp - Loops that ptxas unrolls ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Kernel/Regions.h"
#include "gpuocc/Kernel/Uniformity.h"
#include "gpuocc/Kernel/UpperHalves.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/Support/InstTraits.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <optional>

using namespace gpuocc;
using namespace llvm;

/// Iterations that ptxas 13.0 puts into one body of a loop whose length only
/// the launch tells.
static constexpr unsigned UnrollFactor = 4;
// What a body may have to be unrolled (Unroller::cost), from PTX loops of one
// to 24 loads and as much arithmetic as ptxas 13.0 still unrolled for sm_90.
/// With loads of memory outside the SM.
static constexpr float MaxLoadingBody = 51;
/// With neither those nor loads of shared memory.
static constexpr float MaxComputingBody = 23;
/// What each load of shared memory adds to that.
static constexpr float CostPerSharedLoad = 5;
/// With however many loads of shared memory.
static constexpr float MaxSharedBody = 102;
// Loops whose length the code says, from PTX loops of one to 16 loads of 4
// bytes and as many to 16 products, without what counts their iterations.
/// What a body of several iterations costs at most.
static constexpr double MaxKnownBody = 350;
/// What all iterations of a loop cost at most that disappears, and that times
/// the cost of one, with what moves its pointers but one: loads and products, 1
/// and 1: 814 iterations; 4 and 4: 125; 16 and 16: 9; a load and an addition
/// with one pointer: 1000.
static constexpr double MaxFlat = 3000, MaxFlatTimesBody = 21500;
/// Of the numbers of iterations between this share of the greatest and that,
/// ptxas takes one that leaves few over.
static constexpr double LeastShareOfKnownBody = 0.75;

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
  /// By operation; empty before it is asked for.
  std::vector<bool> Uniform;

  MutableArrayRef<Operation> operationsOf(uint32_t Block) {
    const gpuocc::BasicBlock &B = Facts.Blocks[Block];
    return MutableArrayRef(Facts.Operations).slice(B.FirstOp, B.NumOps);
  }

  const Operation *producer(const Operand &O) const {
    return O.isValue() ? &Facts.Operations[O.Index] : nullptr;
  }
  uint32_t indexOf(const Operation &Op) const {
    return uint32_t(&Op - Facts.Operations.data());
  }

  bool isInBody(const Operand &O, const gpuocc::Loop &L) const {
    return O.isValue() &&
           is_contained(L.Blocks, Facts.Operations[O.Index].Block);
  }

  /// The block that jumps back, when all blocks of \p L are one stretch of code
  /// after predication; else NoIndex.
  uint32_t latchOfStraightBody(const gpuocc::Loop &L) const {
    if (L.Latches.size() != 1 && L.Blocks.size() != 1)
      return NoIndex;
    const uint32_t Latch = L.Blocks.size() == 1 ? L.Header : L.Latches[0];
    size_t NumSeen = 1;
    for (uint32_t B = L.Header; B != Latch; ++NumSeen) {
      const PredicatedSides Of = predicatedSidesOf(Facts, B);
      ArrayRef<uint32_t> Successors = Facts.Blocks[B].Successors;
      uint32_t Next = Of.Join;
      if (Next == NoIndex && Successors.size() == 1)
        Next = Successors.front();
      NumSeen += Of.Sides.size();
      if (Next == NoIndex || !is_contained(L.Blocks, Next) ||
          NumSeen >= L.Blocks.size())
        return NoIndex;
      B = Next;
    }
    return NumSeen == L.Blocks.size() ? Latch : NoIndex;
  }

  /// Control inside an iteration (a barrier, the slow path of a division)
  /// keeps ptxas from unrolling.
  static bool keepsRolled(const Operation &Op, bool IsLatch) {
    return any_of(Op.Emits, [&](const Emission &E) {
      return hasTrait(E.Class, InstTrait::KeepsRolled) ||
             (E.Class == InstClass::Branch && !IsLatch);
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

  std::optional<Counter> findCounter(const gpuocc::Loop &L, uint32_t Latch) {
    const gpuocc::BasicBlock &B = Facts.Blocks[Latch];
    if (B.Branch == NoIndex)
      return std::nullopt;
    const Operation *Compare = producer(Facts.Branches[B.Branch].Condition);
    if (Compare && Compare->What == Semantics::Not)
      Compare = producer(Compare->Operands[0]);
    if (!Compare || Compare->What != Semantics::Compare ||
        Compare->Block != Latch || Compare->Operands.size() < 2)
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

  /// What \p Op counts for ptxas, which has not merged instructions yet: an
  /// access as two, arithmetic as one, whatever its width.
  static float cost(const Operation &Op) {
    if (Op.Access != NoIndex)
      return 2;
    if (Op.What == Semantics::Phi || Op.What == Semantics::Copy)
      return 0;
    if (carriesUpwards(Op.What) && Op.Bits > 1)
      return 1;
    float Count = 0;
    for (const Emission &E : Op.Emits)
      Count += E.Count;
    return Count;
  }

  /// What an iteration of a loop costs, without what counts the iterations.
  struct IterationCost {
    double Work = 0;
    /// Pointers and counters that move.
    unsigned NumInductions = 0;
  };

  IterationCost costOfIteration(const gpuocc::Loop &L, const Counter &C,
                                uint32_t Jump) {
    IterationCost Cost;
    for (uint32_t B : L.Blocks)
      for (const Operation &Op : operationsOf(B))
        if (isInduction(Op, L))
          ++Cost.NumInductions;
        else if (indexOf(Op) != C.Compare && indexOf(Op) != Jump)
          Cost.Work += cost(Op);
    Cost.Work = std::max(1.0, Cost.Work);
    return Cost;
  }

  /// Iterations in one body of a loop of \p TripCount of them, which cost
  /// \p Of each: all, or the largest number of those that leave the fewest
  /// over, which are peeled off.
  static unsigned factorOfKnown(uint64_t TripCount, IterationCost Of) {
    // The counter and one pointer.
    constexpr unsigned Usual = 2;
    const double Cost = Of.Work;
    const double Flat =
        Cost + double(Of.NumInductions - std::min(Of.NumInductions, Usual));
    if (double(TripCount) * Flat <= std::min(MaxFlat, MaxFlatTimesBody / Flat))
      return unsigned(TripCount);
    const unsigned Greatest = unsigned(
        std::min(double(TripCount), std::max(1.0, MaxKnownBody / Cost)));
    unsigned Best = Greatest;
    for (unsigned Factor = Greatest;
         Factor >= 1 && Factor >= LeastShareOfKnownBody * Greatest; --Factor)
      if (TripCount % Factor < TripCount % Best)
        Best = Factor;
    return Best;
  }

  bool mayBeUnrolled(const gpuocc::Loop &L) {
    float Cost = 0;
    unsigned NumShared = 0;
    bool HasFarLoad = false;
    for (uint32_t B : L.Blocks) {
      // The jump over it.
      Cost += Facts.Blocks[B].PredicatedInto != NoIndex;
      for (const Operation &Op : operationsOf(B)) {
        Cost += cost(Op);
        if (Op.Access == NoIndex ||
            Facts.Accesses[Op.Access].Kind != AccessKind::Load)
          continue;
        switch (Facts.Accesses[Op.Access].Space) {
        case MemorySpace::Shared:
          ++NumShared;
          break;
        case MemorySpace::Global:
        case MemorySpace::Local:
        case MemorySpace::Texture:
        case MemorySpace::Generic:
          HasFarLoad = true;
          break;
        case MemorySpace::Constant:
        case MemorySpace::Param:
          break;
        }
      }
    }
    float Most = std::min(
        MaxComputingBody + CostPerSharedLoad * float(NumShared), MaxSharedBody);
    if (HasFarLoad)
      Most = std::max(Most, MaxLoadingBody);
    return Cost <= Most;
  }

  /// True if the conditional branch at the end of \p Latch is what jumps back
  /// to \p Header. ptxas unrolls no loop that is left by it and goes on with an
  /// unconditional one, be its length known or not (seen with 1 to 12 loads and
  /// 0 to 24 multiplications in the body).
  bool isEndedByItsCondition(uint32_t Header, uint32_t Latch) const {
    uint32_t Branch = Facts.Blocks[Latch].Branch;
    return Branch != NoIndex && !Facts.Branches[Branch].Targets.empty() &&
           Facts.Branches[Branch].Targets.front() == Header;
  }

  bool isRolledByWhatItHas(const gpuocc::Loop &L, uint32_t Jump) {
    return any_of(L.Blocks, [&](uint32_t B) {
      return any_of(operationsOf(B), [&](const Operation &Op) {
        return keepsRolled(Op, indexOf(Op) == Jump);
      });
    });
  }

  void visit(gpuocc::Loop &L) {
    const uint32_t Latch = latchOfStraightBody(L);
    if (Latch == NoIndex)
      return;
    const uint32_t Branch = Facts.Blocks[Latch].Branch;
    const uint32_t Jump =
        Branch == NoIndex ? NoIndex : Facts.Branches[Branch].Op;
    std::optional<Counter> C = findCounter(L, Latch);
    if (C && !L.NoUnroll && isEndedByItsCondition(L.Header, Latch) &&
        !isRolledByWhatItHas(L, Jump)) {
      if (C->TripCount)
        L.UnrolledBy =
            factorOfKnown(*C->TripCount, costOfIteration(L, *C, Jump));
      else if (mayBeUnrolled(L)) {
        L.UnrolledBy = UnrollFactor;
        addChecks(L, isAlikeInLanes(*C));
      }
    }
    bool IsFlat = C && C->TripCount && L.UnrolledBy == *C->TripCount;
    for (uint32_t B : L.Blocks)
      for (Operation &Op : operationsOf(B))
        if (isInduction(Op, L))
          shareInduction(Op, L.UnrolledBy, IsFlat);
        else if (loadsParameter(Op))
          share(Op, L.UnrolledBy, /*IsFlat=*/false);
        else if (C && (indexOf(Op) == C->Compare || indexOf(Op) == Jump))
          share(Op, L.UnrolledBy, IsFlat);
  }

  /// All copies of a body have the same parameters.
  static bool loadsParameter(const Operation &Op) {
    return Op.Access == NoIndex && Op.Emits.size() == 1 &&
           Op.Emits.front().Class == InstClass::Ldc;
  }

  bool isAlikeInLanes(const Counter &C) {
    if (Uniform.empty())
      Uniform = uniformOperations(Facts);
    return Uniform[C.Compare];
  }

  /// What asks before a loop, and behind its body of four iterations, how many
  /// are left: there are bodies of two and one for those. Where lanes go round
  /// differently often, each body has its convergence barrier.
  ///
  /// Source: ptxas 13.0 for sm_90, loops of test/accuracy/cures/bar1024.cu and
  /// chebyshev.cu (10 instructions), and of bitrev.cu (17 and 20).
  void addChecks(const gpuocc::Loop &L, bool IsAlikeInLanes) {
    static const Emission Alike[] = {{InstClass::ISetp, 4, 0},
                                     {InstClass::Plop3, 2, 0},
                                     {InstClass::Branch, 4, 4}};
    static const Emission Apart[] = {{InstClass::ISetp, 5, 0},
                                     {InstClass::IAdd3, 2, 0},
                                     {InstClass::Plop3, 2, 0},
                                     {InstClass::Branch, 5, 5},
                                     {InstClass::Converge, 5, 0}};
    const uint32_t Before = lastOpBefore(Facts, L);
    if (Before == NoIndex)
      return;
    const ArrayRef Checks = IsAlikeInLanes ? ArrayRef(Alike) : Apart;
    Facts.Operations[Before].Emits.append(Checks.begin(), Checks.end());
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
