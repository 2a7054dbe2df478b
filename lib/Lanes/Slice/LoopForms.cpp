//===- LoopForms.cpp - Closed forms of loops ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slice/LoopForms.h"
#include "Analysis/RegisterBits.h"
#include "Slice/FlagSetter.h"
#include "Slice/JumpingPlaces.h"
#include "Slice/ReplayedExits.h"
#include "gpuocc/Kernel/Copies.h"
#include "gpuocc/Kernel/Dominators.h"
#include "gpuocc/Kernel/OperationsBehind.h"
#include "gpuocc/Kernel/PolledLoops.h"
#include "gpuocc/Kernel/SwapTest.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Affinity of values in one loop.
class AffineScope {
public:
  AffineScope(const KernelFacts &Facts, const Slice &S,
              const RecordedArrays &Recorded, uint32_t Loop)
      : Facts(Facts), S(S), Recorded(Recorded), Loop(Loop) {}

  bool isInvariant(const Operand &O, unsigned Depth = 0) const {
    if (!O.isValue())
      return O.K != Operand::Kind::Undef;
    if (O.Index >= Facts.Operations.size())
      return false;
    const Operation &Op = Facts.Operations[O.Index];
    if (!S.contains(Loop, Op.Block))
      return true;
    // A compiler loads a bound again in each iteration that may write it.
    if (Recorded.isEmpty() || Depth > MaxInvariantDepth ||
        Op.Guard.K != Operand::Kind::Undef)
      return false;
    if (Op.What == Semantics::Load)
      return Op.Access < Facts.Accesses.size() && Recorded.isLoad(Op.Access) &&
             Recorded.writesBefore(Op.Access).empty() &&
             isInvariant(Facts.Accesses[Op.Access].Base, Depth + 1);
    return isComputed(Op.What) && all_of(Op.Operands, [&](const Operand &In) {
             return isInvariant(In, Depth + 1);
           });
  }

  /// What addresses and bounds are made of.
  static bool isComputed(Semantics What) {
    switch (What) {
    case Semantics::Copy:
    case Semantics::Add:
    case Semantics::Sub:
    case Semantics::Mul:
    case Semantics::MulWideS:
    case Semantics::MulWideU:
    case Semantics::Mad:
    case Semantics::MadWideS:
    case Semantics::MadWideU:
    case Semantics::Shl:
    case Semantics::Neg:
    case Semantics::SExt:
    case Semantics::ZExt:
    case Semantics::Trunc:
      return true;
    default:
      return false;
    }
  }

  /// Is \p O the phi \p Phi plus an invariant?
  bool isStepOf(const Operand &O, uint32_t Phi, unsigned Depth = 0) const {
    if (!O.isValue() || O.Index >= Facts.Operations.size() || Depth > MaxDepth)
      return false;
    if (O.Index == Phi)
      return true;
    const Operation &Op = Facts.Operations[O.Index];
    ArrayRef<Operand> A = Op.Operands;
    switch (Op.What) {
    case Semantics::Copy:
      return !A.empty() && isStepOf(A[0], Phi, Depth + 1);
    case Semantics::SExt:
    case Semantics::ZExt:
    case Semantics::Trunc:
      // Narrow counters wrap too soon to be taken for linear.
      return A.size() == 1 && Op.Bits >= 32 && Op.FromBits >= 32 &&
             isStepOf(A[0], Phi, Depth + 1);
    case Semantics::Add:
      return A.size() == 2 &&
             ((isInvariant(A[1]) && isStepOf(A[0], Phi, Depth + 1)) ||
              (isInvariant(A[0]) && isStepOf(A[1], Phi, Depth + 1)));
    case Semantics::Sub:
      return A.size() == 2 && isInvariant(A[1]) &&
             isStepOf(A[0], Phi, Depth + 1);
    case Semantics::Mad:
    case Semantics::MadWideS:
    case Semantics::MadWideU:
      return A.size() == 3 && isInvariant(A[0]) && isInvariant(A[1]) &&
             isStepOf(A[2], Phi, Depth + 1);
    default:
      return false;
    }
  }

  void addAffinePhi(uint32_t Phi) { Known[Phi] = true; }

  /// Is \p O linear in the iteration number (until it wraps)?
  bool isAffine(const Operand &O, unsigned Depth = 0) {
    if (isInvariant(O))
      return true;
    if (!O.isValue() || O.Index >= Facts.Operations.size() || Depth > MaxDepth)
      return false;
    auto [It, New] = Known.try_emplace(O.Index, false);
    if (!New)
      return It->second;
    bool Result = computeAffine(Facts.Operations[O.Index], Depth);
    Known[O.Index] = Result;
    return Result;
  }

private:
  /// Deeper expressions are not followed; they are walked instead.
  static constexpr unsigned MaxDepth = 64;
  /// What compilers do not move out of a loop is short.
  static constexpr unsigned MaxInvariantDepth = 8;

  bool computeAffine(const Operation &Op, unsigned Depth) {
    ArrayRef<Operand> A = Op.Operands;
    auto Linear = [&](unsigned I) { return isAffine(A[I], Depth + 1); };
    switch (Op.What) {
    case Semantics::Copy:
      return !A.empty() && Linear(0);
    case Semantics::SExt:
    case Semantics::ZExt:
    case Semantics::Trunc:
    case Semantics::Neg:
      return A.size() == 1 && Linear(0);
    case Semantics::Add:
    case Semantics::Sub:
      return A.size() == 2 && Linear(0) && Linear(1);
    case Semantics::Or:
      // What the optimizer writes for additions that cannot carry.
      return A.size() == 2 && ((isInvariant(A[1]) && Linear(0)) ||
                               (isInvariant(A[0]) && Linear(1)));
    case Semantics::Mul:
    case Semantics::MulWideS:
    case Semantics::MulWideU:
      return A.size() == 2 && ((isInvariant(A[1]) && Linear(0)) ||
                               (isInvariant(A[0]) && Linear(1)));
    case Semantics::Mad:
    case Semantics::MadWideS:
    case Semantics::MadWideU:
      return A.size() == 3 && Linear(2) &&
             ((isInvariant(A[1]) && Linear(0)) ||
              (isInvariant(A[0]) && Linear(1)));
    case Semantics::Shl:
      return A.size() == 2 && isInvariant(A[1]) && Linear(0);
    default:
      return false;
    }
  }

  const KernelFacts &Facts;
  const Slice &S;
  const RecordedArrays &Recorded;
  uint32_t Loop;
  DenseMap<uint32_t, bool> Known;
};

/// The comparison behind a condition, through copies and negations.
const Operation *findCompare(const KernelFacts &Facts, const Operand &Condition,
                             bool &Inverted) {
  const Operand *O = &Condition;
  for (unsigned Depth = 0; Depth < 8; ++Depth) {
    if (!O->isValue() || O->Index >= Facts.Operations.size())
      return nullptr;
    const Operation &Op = Facts.Operations[O->Index];
    bool IsNot = Op.What == Semantics::Not ||
                 (Op.What == Semantics::Xor && Op.Operands.size() == 2 &&
                  Op.Operands[1].isImmediate() && (Op.Operands[1].Imm & 1));
    if (Op.What == Semantics::Compare)
      return Op.Operands.size() == 2 ? &Op : nullptr;
    if (!IsNot && Op.What != Semantics::Copy)
      return nullptr;
    if (Op.Operands.empty())
      return nullptr;
    Inverted ^= IsNot;
    O = &Op.Operands[0];
  }
  return nullptr;
}

} // namespace

/// Is \p O one of several constants, or a condition of such values?
static bool isFlag(const KernelFacts &Facts, const Operand &O) {
  SmallVector<Operand, 8> Work = {O};
  SmallVector<uint32_t, 8> Seen;
  while (!Work.empty()) {
    const Operand Next = Work.pop_back_val();
    if (!Next.isValue())
      continue;
    if (Next.Index >= Facts.Operations.size())
      return false;
    if (is_contained(Seen, Next.Index))
      continue;
    Seen.push_back(Next.Index);
    const Operation &Op = Facts.Operations[Next.Index];
    switch (Op.What) {
    // Of what is loaded, only followed contents get here.
    case Semantics::Load:
      if (Op.Access < Facts.Accesses.size() &&
          isAtomic(Facts.Accesses[Op.Access].Kind))
        return false;
      break;
    // The last operand is the condition.
    case Semantics::Select:
      Work.append(Op.Operands.begin(), std::prev(Op.Operands.end()));
      break;
    case Semantics::Phi:
    case Semantics::Copy:
    case Semantics::SExt:
    case Semantics::ZExt:
    case Semantics::Trunc:
    case Semantics::And:
    case Semantics::Or:
    case Semantics::Xor:
    case Semantics::Not:
    case Semantics::Compare:
      Work.append(Op.Operands.begin(), Op.Operands.end());
      break;
    default:
      return false;
    }
  }
  return true;
}

bool gpuocc::isDecided(const KernelFacts &Facts, ArrayRef<StaticTraits> Traits,
                       const Operand &Condition) {
  if (!Condition.isValue() || Condition.Index >= Traits.size())
    return Condition.K == Operand::Kind::Undef;
  const StaticTraits &T = Traits[Condition.Index];
  return T.Data || T.Opaque || (T.Chosen && isFlag(Facts, Condition));
}

ComparePredicate gpuocc::invertPredicate(ComparePredicate P) {
  switch (P) {
  case ComparePredicate::EQ:
    return ComparePredicate::NE;
  case ComparePredicate::NE:
    return ComparePredicate::EQ;
  case ComparePredicate::LTS:
    return ComparePredicate::GES;
  case ComparePredicate::LES:
    return ComparePredicate::GTS;
  case ComparePredicate::GTS:
    return ComparePredicate::LES;
  case ComparePredicate::GES:
    return ComparePredicate::LTS;
  case ComparePredicate::LTU:
    return ComparePredicate::GEU;
  case ComparePredicate::LEU:
    return ComparePredicate::GTU;
  case ComparePredicate::GTU:
    return ComparePredicate::LEU;
  case ComparePredicate::GEU:
    return ComparePredicate::LTU;
  case ComparePredicate::Other:
    return ComparePredicate::Other;
  }
  return ComparePredicate::Other;
}

static bool isUnsignedOrder(ComparePredicate P) {
  return P == ComparePredicate::LTU || P == ComparePredicate::LEU ||
         P == ComparePredicate::GTU || P == ComparePredicate::GEU;
}

/// The smallest k with \p Low <= k * \p Step mod \p Modulus <= \p High, all
/// below \p Modulus; as Euclid's algorithm, on the wraps before it.
static std::optional<uint64_t> firstWithin(unsigned __int128 Step,
                                           unsigned __int128 Modulus,
                                           unsigned __int128 Low,
                                           unsigned __int128 High) {
  if (Low == 0)
    return 0;
  if (Step == 0)
    return std::nullopt;
  const unsigned __int128 Before = (Low + Step - 1) / Step;
  if (Before * Step <= High)
    return uint64_t(Before);
  const std::optional<uint64_t> Wraps =
      firstWithin(Modulus % Step, Step, (Step - High % Step) % Step,
                  (Step - Low % Step) % Step);
  if (!Wraps)
    return std::nullopt;
  return uint64_t((Low + Modulus * *Wraps + Step - 1) / Step);
}

/// firstFailing() of an unsigned comparison with \p Right, which stays, where
/// \p Left may wrap: `i < n` of an i that falls, or a residue by a
/// multiplication.
static std::optional<uint64_t> firstWrapped(ComparePredicate Stay,
                                            unsigned Bits, uint64_t Left,
                                            uint64_t Step, uint64_t Right) {
  const uint64_t Most = lowBits(Bits);
  const bool IsBelow =
      Stay == ComparePredicate::LTU || Stay == ComparePredicate::LEU;
  const bool OrEqual =
      Stay == ComparePredicate::LEU || Stay == ComparePredicate::GEU;
  Right &= Most;
  // It fails from Low to High.
  if (OrEqual && Right == (IsBelow ? Most : 0))
    return std::nullopt;
  const uint64_t Low = IsBelow ? Right + OrEqual : 0;
  const uint64_t High = IsBelow ? Most : Right - OrEqual;
  const uint64_t First = (Low - Left) & Most, Last = (High - Left) & Most;
  if (First > Last)
    return 0;
  return firstWithin(Step & Most, (unsigned __int128)(Most) + 1, First, Last);
}

/// As long as nothing wraps.
static std::optional<uint64_t> firstFailingLine(ComparePredicate Stay,
                                                unsigned Bits, uint64_t Left0,
                                                uint64_t Left1, uint64_t Right0,
                                                uint64_t Right1) {
  using Wide = __int128;
  const bool Unsigned = isUnsignedOrder(Stay);
  uint64_t M = lowBits(Bits);
  auto Widen = [&](uint64_t V) {
    return Unsigned ? Wide(V & M) : Wide(signExtend(V, Bits));
  };
  // Difference and its growth; Stay compares the difference with zero.
  Wide D = Widen(Left0) - Widen(Right0);
  Wide Step = Wide(signExtend(Left1 - Left0, Bits)) -
              Wide(signExtend(Right1 - Right0, Bits));
  auto CeilDiv = [](Wide A, Wide B) { return (A + B - 1) / B; };
  switch (Stay) {
  case ComparePredicate::GTS:
  case ComparePredicate::GTU:
    // D > 0 is -D < 0.
    D = -D;
    Step = -Step;
    [[fallthrough]];
  case ComparePredicate::LTS:
  case ComparePredicate::LTU:
    if (D >= 0)
      return 0;
    if (Step <= 0)
      return std::nullopt;
    return uint64_t(CeilDiv(-D, Step));
  case ComparePredicate::GES:
  case ComparePredicate::GEU:
    D = -D;
    Step = -Step;
    [[fallthrough]];
  case ComparePredicate::LES:
  case ComparePredicate::LEU:
    if (D > 0)
      return 0;
    if (Step <= 0)
      return std::nullopt;
    return uint64_t(-D / Step + 1);
  case ComparePredicate::NE:
    if (D == 0)
      return 0;
    if (Step == 0 || D % Step != 0 || -D / Step < 0)
      return std::nullopt;
    return uint64_t(-D / Step);
  case ComparePredicate::EQ:
    if (D != 0)
      return 0;
    if (Step == 0)
      return std::nullopt;
    return 1;
  case ComparePredicate::Other:
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<uint64_t> gpuocc::firstFailing(ComparePredicate Stay,
                                             unsigned Bits, uint64_t Left0,
                                             uint64_t Left1, uint64_t Right0,
                                             uint64_t Right1) {
  const auto Line = firstFailingLine(Stay, Bits, Left0, Left1, Right0, Right1);
  if (!isUnsignedOrder(Stay) || Right0 != Right1)
    return Line;
  // Nobody writes loops that end only after they have run through all numbers.
  constexpr uint64_t MostMeant = uint64_t(1) << 20;
  const auto Wrapped = firstWrapped(Stay, Bits, Left0, Left1 - Left0, Right0);
  return Wrapped && *Wrapped > MostMeant ? Line : Wrapped;
}

namespace {

/// A condition that has to hold, or not to, for a loop to go on.
struct Conjunct {
  Operand Condition;
  bool StayIfHolds = true;
};

} // namespace

/// Takes `Condition == StayIfHolds` apart into conditions that all have to be
/// met.
static void findConjuncts(const KernelFacts &Facts, const Operand &Condition,
                          bool StayIfHolds, SmallVectorImpl<Conjunct> &Out,
                          unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 4;
  const Operation *Op = Condition.isValue() &&
                                Condition.Index < Facts.Operations.size() &&
                                Depth < MaxDepth
                            ? &Facts.Operations[Condition.Index]
                            : nullptr;
  auto Both = [&] {
    for (const Operand &O : Op->Operands)
      findConjuncts(Facts, O, StayIfHolds, Out, Depth + 1);
  };
  if (Op && Op->Bits == 1 && Op->Operands.size() == 2 &&
      ((Op->What == Semantics::And && StayIfHolds) ||
       (Op->What == Semantics::Or && !StayIfHolds)))
    return Both();
  if (Op && Op->Operands.size() == 1 &&
      (Op->What == Semantics::Not || Op->What == Semantics::Copy)) {
    if (Op->What == Semantics::Not)
      StayIfHolds = !StayIfHolds;
    return Both();
  }
  Out.push_back({Condition, StayIfHolds});
}

/// Share of executions in which data ends the loop at one of \p Conjuncts.
static double leaveShare(const GuessContext &Context, const Mechanisms &Used,
                         ArrayRef<Conjunct> Conjuncts) {
  double Share = 0.5;
  for (const Conjunct &C : Conjuncts)
    if (isDecided(Context.Facts, Context.Traits, C.Condition))
      if (const std::optional<Guess> Holds =
              guessCondition(Context, Used, C.Condition))
        Share =
            std::max(Share, C.StayIfHolds ? 1 - Holds->Value : Holds->Value);
  return Share;
}

/// The comparison of values that are affine in \p Scope behind \p C, or null.
static const Operation *affineCompare(const KernelFacts &Facts,
                                      AffineScope &Scope, const Conjunct &C) {
  bool Ignored = false;
  const Operation *Of = findCompare(Facts, C.Condition, Ignored);
  return Of && Of->Compare != ComparePredicate::Other &&
                 all_of(Of->Operands,
                        [&](const Operand &O) { return Scope.isAffine(O); })
             ? Of
             : nullptr;
}

static LoopExit describeExit(const KernelFacts &Facts, AffineScope &Scope,
                             ArrayRef<StaticTraits> Traits,
                             function_ref<uint32_t(const Operand &)> SlotOf,
                             const Slice &S, uint32_t Loop, uint32_t Block) {
  const Branch &B = Facts.Branches[Facts.Blocks[Block].Branch];
  LoopExit Exit;
  Exit.Block = Block;
  Exit.Branch = Facts.Blocks[Block].Branch;
  Exit.StayIfTrue = !B.Targets.empty() && S.contains(Loop, B.Targets[0]);
  if (B.Condition.isValue() && B.Condition.Index < Traits.size()) {
    Exit.Data = isDecided(Facts, Traits, B.Condition);
    Exit.Varying = Traits[B.Condition.Index].Varying;
  }
  if (B.Indexed)
    return Exit;
  SmallVector<Conjunct, 4> Conjuncts;
  findConjuncts(Facts, B.Condition, Exit.StayIfTrue != B.Negated, Conjuncts);
  Exit.LeaveShare = leaveShare({Facts, Traits}, S.Used, Conjuncts);
  if (const std::optional<Guess> &Probability = S.Blocks[Block].Probability)
    Exit.LeaveShare =
        Exit.StayIfTrue ? 1 - Probability->Value : Probability->Value;
  const Operand *Condition = &B.Condition;
  bool StayIfHolds = Exit.StayIfTrue != B.Negated;
  if (Exit.Data) {
    const auto *Evaluated = find_if(Conjuncts, [&](const Conjunct &C) {
      return C.Condition.isValue() && !isDecided(Facts, Traits, C.Condition);
    });
    if (Evaluated == Conjuncts.end() || Exit.leavesSoon())
      return Exit;
    Exit.Data = false;
    Condition = &Evaluated->Condition;
    StayIfHolds = Evaluated->StayIfHolds;
    Exit.Known = SlotOf(*Condition);
    Exit.StayIfKnown = StayIfHolds;
  }
  bool Inverted = false;
  const Operation *Compare = findCompare(Facts, *Condition, Inverted);
  if (const std::optional<FlagSetter> Setter =
          Compare ? findFlagSetter(Facts, *Compare)
                  : findFlagSetter(Facts, *Condition);
      Setter && !isDecided(Facts, Traits, Setter->Condition)) {
    StayIfHolds = (StayIfHolds != Inverted) == Setter->Holds;
    Inverted = false;
    Compare = findCompare(Facts, Setter->Condition, Inverted);
  }
  // One of several conditions bounds the loop whatever the others do.
  if (!Compare && Exit.Known == NoIndex && Conjuncts.size() > 1)
    if (const auto *Bound = find_if(
            Conjuncts,
            [&](const Conjunct &C) { return affineCompare(Facts, Scope, C); });
        Bound != Conjuncts.end()) {
      Exit.IsBound = true;
      StayIfHolds = Bound->StayIfHolds;
      Compare = findCompare(Facts, Bound->Condition, Inverted);
    }
  if (!Compare || Compare->Compare == ComparePredicate::Other)
    return Exit;
  const bool StayIfEqual =
      (StayIfHolds != Inverted) == (Compare->Compare == ComparePredicate::EQ);
  if (const uint32_t Swap = testedSwap(Facts, *Compare);
      Swap != NoIndex && !StayIfEqual) {
    Exit.Swap = Swap;
    return Exit;
  }
  if (!Scope.isAffine(Compare->Operands[0]) ||
      !Scope.isAffine(Compare->Operands[1]))
    return Exit;
  Exit.Affine = true;
  Exit.Left = SlotOf(Compare->Operands[0]);
  Exit.Right = SlotOf(Compare->Operands[1]);
  Exit.Bits = Compare->Bits;
  Exit.Stay = StayIfHolds != Inverted ? Compare->Compare
                                      : invertPredicate(Compare->Compare);
  return Exit;
}

/// Replaces \p Exit, which one of several conditions bounds, by one exit for
/// each of them where all are affine: lanes leave by the first that fails.
static void splitBound(const KernelFacts &Facts, AffineScope &Scope,
                       function_ref<uint32_t(const Operand &)> SlotOf,
                       LoopExit Exit, SmallVectorImpl<LoopExit> &Out) {
  SmallVector<Conjunct, 4> Conjuncts;
  const Branch &B = Facts.Branches[Exit.Branch];
  findConjuncts(Facts, B.Condition, Exit.StayIfTrue != B.Negated, Conjuncts);
  if (!Exit.IsBound || !all_of(Conjuncts, [&](const Conjunct &C) {
        return affineCompare(Facts, Scope, C);
      })) {
    Out.push_back(std::move(Exit));
    return;
  }
  Exit.IsBound = false;
  for (const Conjunct &C : Conjuncts) {
    bool Inverted = false;
    const Operation *Compare = findCompare(Facts, C.Condition, Inverted);
    Exit.Left = SlotOf(Compare->Operands[0]);
    Exit.Right = SlotOf(Compare->Operands[1]);
    Exit.Bits = Compare->Bits;
    Exit.Stay = C.StayIfHolds != Inverted ? Compare->Compare
                                          : invertPredicate(Compare->Compare);
    Out.push_back(Exit);
  }
}

/// Does the value of a phi of the header of \p Loop decide which lanes go where
/// in it, or when a loop inside ends?
static bool isUneven(const KernelFacts &Facts, const Slice &S, uint32_t Loop) {
  auto IsOfHeader = [&](const Operation &Op) {
    return Op.What == Semantics::Phi && Op.Block == Facts.Loops[Loop].Header;
  };
  auto Decides = [&](uint32_t Block) {
    if (Facts.Blocks[Block].Branch >= Facts.Branches.size())
      return false;
    const Branch &B = Facts.Branches[Facts.Blocks[Block].Branch];
    return all_of(B.Targets, [&](uint32_t T) { return S.contains(Loop, T); }) &&
           anyOperationBehind(Facts, B.Condition, IsOfHeader);
  };
  auto Guards = [&](const Operation &Op) {
    return Op.Guard.isValue() && S.contains(Loop, Op.Block) &&
           anyOperationBehind(Facts, Op.Guard, IsOfHeader);
  };
  return any_of(Facts.Loops[Loop].Blocks, Decides) ||
         any_of(Facts.Accesses, [&](const MemoryAccess &A) {
           return Guards(Facts.Operations[A.Op]);
         });
}

/// Does only the side of \p B that nobody takes leave \p Loop?
static bool leavesForTrap(const Slice &S, uint32_t Loop, const Branch &B) {
  return B.Targets.size() == 2 && !B.Indexed && !B.PriorReason.empty() &&
         ((B.TakenPrior <= 0 && S.contains(Loop, B.Targets[1])) ||
          (B.TakenPrior >= 1 && S.contains(Loop, B.Targets[0])));
}

namespace {

/// What a phi of the header of a loop is before the first iteration and before
/// each other one; nothing where ways into it differ.
struct PhiOperands {
  std::optional<Operand> Entry, Latch;
};

} // namespace

static PhiOperands operandsOf(const Slice &S, uint32_t Loop,
                              const Operation &Phi) {
  PhiOperands Out;
  bool OneEntry = true, OneLatch = true;
  for (size_t K = 0; K < Phi.Operands.size() && K < Phi.PhiBlocks.size(); ++K) {
    const bool IsLatch = S.contains(Loop, Phi.PhiBlocks[K]);
    std::optional<Operand> &Slot = IsLatch ? Out.Latch : Out.Entry;
    (IsLatch ? OneLatch : OneEntry) &= !Slot || *Slot == Phi.Operands[K];
    Slot = Phi.Operands[K];
  }
  if (!OneEntry)
    Out.Entry.reset();
  if (!OneLatch)
    Out.Latch.reset();
  return Out;
}

/// Is phi \p Behind of the header of \p Loop what affine phi \p Ahead was an
/// iteration before, and was less than that by its step at the begin? nvcc
/// keeps k and k + 1 so where an inner loop begins at k + 1.
static bool isOneBehind(const KernelFacts &Facts, const Slice &S, uint32_t Loop,
                        uint32_t Behind, uint32_t Ahead) {
  const PhiOperands Of = operandsOf(S, Loop, Facts.Operations[Behind]);
  const PhiOperands Next = operandsOf(S, Loop, Facts.Operations[Ahead]);
  if (!Of.Entry || !Of.Latch || !Next.Entry || !Next.Latch ||
      behindCopies(Facts, *Of.Latch) != Operand::value(Ahead))
    return false;
  const Operand First = behindCopies(Facts, *Of.Entry);
  const Operand Second = behindCopies(Facts, *Next.Entry);
  const Operation *Step = Facts.operationOf(behindCopies(Facts, *Next.Latch));
  if (!First.isImmediate() || !Second.isImmediate() || !Step ||
      Step->What != Semantics::Add)
    return false;
  return any_of(ArrayRef({0U, 1U}), [&](unsigned I) {
    const Operand &By = Step->Operands[1 - I];
    return behindCopies(Facts, Step->Operands[I]) == Operand::value(Ahead) &&
           By.isImmediate() && Second.Imm - First.Imm == By.Imm;
  });
}

void gpuocc::findLoopForms(const KernelFacts &Facts,
                           ArrayRef<StaticTraits> Traits,
                           const RecordedArrays &Recorded,
                           function_ref<uint32_t(const Operand &)> SlotOf,
                           Slice &S) {
  S.Loops.assign(Facts.Loops.size(), LoopForm());
  if (S.Loops.empty())
    return;
  BlockGraph Graph = graphOf(Facts);
  for (auto &Successors : Graph)
    erase_if(Successors, [&](uint32_t To) { return To >= Graph.size(); });
  const Dominators Above = Dominators::of(Graph);
  for (uint32_t L = 0; L < Facts.Loops.size(); ++L) {
    const Loop &Loop = Facts.Loops[L];
    LoopForm &Form = S.Loops[L];
    if (Loop.Header >= Facts.Blocks.size())
      continue;
    AffineScope Scope(Facts, S, Recorded, L);
    ArrayRef<SlicePhi> Phis = S.Blocks[Loop.Header].Phis;
    auto AddAffine = [&](uint32_t I) {
      Form.AffinePhis.push_back(I);
      Scope.addAffinePhi(Phis[I].Op);
    };
    SmallVector<uint32_t, 4> Others;
    for (uint32_t I = 0; I < Phis.size(); ++I) {
      const std::optional<Operand> Latch =
          operandsOf(S, L, Facts.Operations[Phis[I].Op]).Latch;
      if (Latch && Scope.isStepOf(*Latch, Phis[I].Op))
        AddAffine(I);
      else
        Others.push_back(I);
    }
    const SmallVector<uint32_t, 4> Steps = Form.AffinePhis;
    for (uint32_t I : Others) {
      const StaticTraits &T = Traits[Phis[I].Op];
      if (any_of(Steps, [&](uint32_t Ahead) {
            return isOneBehind(Facts, S, L, Phis[I].Op, Phis[Ahead].Op);
          }))
        AddAffine(I);
      else if (!T.Data && !T.Opaque)
        Form.AllAffine = false;
    }
    // What is in memory changes with every iteration.
    for (uint32_t A = 0; A < S.Accesses.size() && Form.AllAffine; ++A)
      if ((S.Accesses[A].IsFollowed || S.Accesses[A].Overwrites) &&
          S.contains(L, Facts.Operations[Facts.Accesses[A].Op].Block))
        Form.AllAffine = false;
    Form.IsUneven = Form.AllAffine && isUneven(Facts, S, L);
    Form.Jumps = !Form.AllAffine && hasJumpingPlaces(Facts, S, L);
    for (uint32_t Block : Loop.Blocks) {
      if (Block >= Facts.Blocks.size() ||
          Facts.Blocks[Block].Branch >= Facts.Branches.size())
        continue;
      const Branch &B = Facts.Branches[Facts.Blocks[Block].Branch];
      bool Leaves =
          any_of(B.Targets, [&](uint32_t T) { return !S.contains(L, T); });
      bool Stays =
          any_of(B.Targets, [&](uint32_t T) { return S.contains(L, T); });
      if (!Leaves || !Stays || leavesForTrap(S, L, B))
        continue;
      LoopExit Exit = describeExit(Facts, Scope, Traits, SlotOf, S, L, Block);
      Exit.IsGuarded = !all_of(Loop.Latches, [&](uint32_t Latch) {
        return Latch < Graph.size() && Above.dominates(Block, Latch);
      });
      splitBound(Facts, Scope, SlotOf, std::move(Exit), Form.Exits);
    }
    if (any_of(Form.Exits, [](const LoopExit &E) { return E.Swap != NoIndex; }))
      for (LoopExit &E : Form.Exits)
        E.IsBeforeSwap = E.leavesSoon();
    Form.LooksBack = S.Used.has(Mechanism::PollTurns) &&
                     lookBackLoop(Facts, Facts.Loops[L]).has_value();
    Form.TopTest =
        !Form.Exits.empty() && !is_contained(Loop.Latches, Loop.Header) &&
        all_of(Form.Exits,
               [&](const LoopExit &E) { return E.Block == Loop.Header; });
  }
  findReplayedExits(Facts, S);
}
