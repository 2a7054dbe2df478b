//===- ComparePriors.cpp - How often unknown comparisons hold -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guess/ComparePriors.h"
#include "Analysis/RegisterBits.h"
#include "Guess/Guessers.h"
#include "gpuocc/Kernel/Barriers.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

using namespace gpuocc;

/// Misses of the opcode heuristic.
static constexpr double SeldomShare = 0.16;

/// Operations that are looked at behind a comparison; what more of them stand
/// for counts as any value.
static constexpr unsigned MaxOperations = 64;

namespace {

/// How often a comparison of unknown values holds.
struct ComparePrior {
  double Share = 0.5;
  /// What is rare is so for all lanes of a warp alike; otherwise each lane
  /// draws for itself.
  bool ForWarp = false;
  bool operator==(const ComparePrior &) const = default;
};

} // namespace

static bool isMadeOfConditions(const KernelFacts &Facts, const Operand &O,
                               unsigned &Budget) {
  if (O.isImmediate())
    return true;
  const Operation *Op = Facts.operationOf(O);
  if (!Op || Budget == 0)
    return false;
  --Budget;
  switch (Op->What) {
  case Semantics::Compare:
  case Semantics::FCompare:
  case Semantics::Param:
  case Semantics::SReg:
  // Which lanes met a condition, hold the same value, or are there.
  case Semantics::MatchAny:
  case Semantics::Ballot:
  case Semantics::VoteAny:
  case Semantics::VoteAll:
  case Semantics::ActiveMask:
    return true;
  case Semantics::Select:
  case Semantics::Phi:
  case Semantics::Copy:
  case Semantics::SExt:
  case Semantics::ZExt:
  case Semantics::Trunc:
  case Semantics::And:
  case Semantics::Or:
  case Semantics::Xor:
  case Semantics::Not:
  case Semantics::Popc:
  case Semantics::Clz:
  case Semantics::Brev:
    return std::all_of(Op->Operands.begin(), Op->Operands.end(),
                       [&](const Operand &Of) {
                         return isMadeOfConditions(Facts, Of, Budget);
                       });
  default:
    return false;
  }
}

bool gpuocc::isMadeOfConditions(const KernelFacts &Facts, const Operand &O) {
  unsigned Budget = MaxOperations;
  return ::isMadeOfConditions(Facts, O, Budget);
}

/// About how many values \p O may have, as its operations tell.
static double numValues(const KernelFacts &Facts, const Operand &O,
                        unsigned &Budget) {
  if (O.isImmediate())
    return 1;
  const Operation *Op = Facts.operationOf(O);
  if (!Op || Budget == 0)
    return std::exp2(64);
  --Budget;
  auto Of = [&](size_t I) {
    return I < Op->Operands.size() ? numValues(Facts, Op->Operands[I], Budget)
                                   : std::exp2(64);
  };
  auto Immediate = [&](size_t I) {
    return I < Op->Operands.size() && Op->Operands[I].isImmediate()
               ? Op->Operands[I].Imm
               : 0;
  };
  const double Any = std::exp2(std::max<uint8_t>(1, Op->Bits));
  switch (Op->What) {
  case Semantics::Compare:
  case Semantics::FCompare:
    return 2;
  case Semantics::And:
    for (size_t I : {0, 1})
      if (Immediate(I))
        return std::min(Of(1 - I),
                        std::exp2(std::popcount(uint64_t(Immediate(I)) &
                                                lowBits(Op->Bits))));
    return Any;
  case Semantics::RemS:
  case Semantics::RemU:
    return Immediate(1) ? std::abs(double(Immediate(1))) : Any;
  case Semantics::ShrU:
    return Immediate(1) > 0
               ? std::exp2(std::max<double>(0, Op->Bits - double(Immediate(1))))
               : Any;
  case Semantics::BfeU:
  case Semantics::BfeS:
    return Immediate(2) > 0 ? std::exp2(double(Immediate(2))) : Any;
  case Semantics::Copy:
  case Semantics::SExt:
  case Semantics::ZExt:
  case Semantics::Trunc:
    return std::min(Any, Of(0));
  case Semantics::Select:
    return std::min(Any, Of(0) + Of(1));
  case Semantics::Phi: {
    double Sum = 0;
    for (size_t I = 0; I < Op->Operands.size(); ++I)
      Sum += Of(I);
    return std::min(Any, Sum);
  }
  default:
    return Any;
  }
}

static double numValues(const KernelFacts &Facts, const Operand &O) {
  unsigned Budget = MaxOperations;
  return numValues(Facts, O, Budget);
}

static ComparePrior comparePrior(const KernelFacts &Facts,
                                 const Operation &Compare);

/// How often the flag \p O is set that tells what the threads of a block agree
/// on at a barrier (__syncthreads_or of a comparison): as seldom as the
/// comparison holds, or one of those that it is joined with. \p AtBarrier: the
/// barrier was passed on the way. Nothing where there is none.
static std::optional<ComparePrior> blockVotePrior(const KernelFacts &Facts,
                                                  const Operand &O,
                                                  unsigned &Budget,
                                                  bool AtBarrier = false) {
  const Operation *Op = Facts.operationOf(O);
  if (!Op || Op->Operands.empty() || Budget == 0)
    return std::nullopt;
  --Budget;
  auto Behind = [&](size_t I, bool Passed) {
    return I < Op->Operands.size()
               ? blockVotePrior(Facts, Op->Operands[I], Budget, Passed)
               : std::nullopt;
  };
  switch (Op->What) {
  case Semantics::Copy:
  case Semantics::ZExt:
  case Semantics::Trunc:
    return Behind(0, AtBarrier);
  case Semantics::Select:
    if (Op->Operands.size() == 3 && Op->Operands[0].isImmediate() &&
        Op->Operands[0].Imm != 0 && Op->Operands[1].isImmediate() &&
        Op->Operands[1].Imm == 0)
      return Behind(2, AtBarrier);
    return std::nullopt;
  case Semantics::And: {
    const std::optional<ComparePrior> A = Behind(0, AtBarrier),
                                      B = Behind(1, AtBarrier);
    return A && B ? (A->Share < B->Share ? A : B) : A ? A : B;
  }
  case Semantics::Compare:
    // "flag != 0" asks for the flag.
    if (Op->Compare == ComparePredicate::NE && Op->Operands[1].isImmediate() &&
        Op->Operands[1].Imm == 0)
      if (std::optional<ComparePrior> Flag = Behind(0, AtBarrier))
        return Flag;
    if (const ComparePrior Own = comparePrior(Facts, *Op);
        AtBarrier && !(Own == ComparePrior()))
      return Own;
    return std::nullopt;
  case Semantics::Opaque:
    return meetsAtBarrier(*Op) ? Behind(Op->Operands.size() - 1, true)
                               : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// How often \p A and \p B are equal. One that has few values is compared with
/// one of them.
static ComparePrior equalPrior(const KernelFacts &Facts, const Operand &A,
                               const Operand &B) {
  constexpr double ValuesOfByte = 256, ValuesOfShort = 65536;
  const Operand *Constant = B.isImmediate()   ? &B
                            : A.isImmediate() ? &A
                                              : nullptr;
  const double Values =
      Constant == &B   ? numValues(Facts, A)
      : Constant == &A ? numValues(Facts, B)
                       : std::min(numValues(Facts, A), numValues(Facts, B));
  if (Constant && uint64_t(Constant->Imm) <= 1) {
    unsigned Budget = MaxOperations;
    if (std::optional<ComparePrior> Vote =
            blockVotePrior(Facts, Constant == &B ? A : B, Budget))
      return {Constant->Imm ? Vote->Share : 1 - Vote->Share, true};
  }
  const bool IsFlag = Values <= 2 || (Values == ValuesOfByte && Constant &&
                                      uint64_t(Constant->Imm) <= 1);
  if (IsFlag)
    return {0.5, false};
  if (Values < ValuesOfByte)
    return {1 / Values, false};
  return {SeldomShare, Values > ValuesOfShort};
}

/// The magnitude of \p O if it is a floating-point constant.
static std::optional<double> constantMagnitude(const Operand &O,
                                               unsigned Bits) {
  if (!O.isImmediate() || (Bits != 32 && Bits != 64))
    return std::nullopt;
  return std::fabs(Bits == 64 ? std::bit_cast<double>(O.Imm)
                              : double(std::bit_cast<float>(uint32_t(O.Imm))));
}

/// Is \p Magnitude one that the magnitudes of data lie below, or above? Sine
/// and cosine in single precision reduce arguments above 105615 on a slow path;
/// what is compared with less than 1e-5 is asked whether it is as good as zero.
static std::optional<bool> liesBelow(double Magnitude) {
  constexpr double Large = 65536, Small = 1e-5;
  if (Magnitude >= Large)
    return true;
  if (Magnitude <= Small)
    return false;
  return std::nullopt;
}

static ComparePrior floatPrior(const KernelFacts &Facts,
                               const Operation &Compare) {
  const ComparePrior Never = {0, true}, Always = {1, true};
  if (Compare.Operands.size() != 2)
    return {};
  const std::optional<double> Constant =
      constantMagnitude(Compare.Operands[1], Compare.Bits);
  const bool IsInfinity = Constant && std::isinf(*Constant);
  switch (Compare.Compare) {
  case ComparePredicate::EQ:
    return IsInfinity ? Never : ComparePrior{SeldomShare, true};
  case ComparePredicate::NE:
    return IsInfinity ? Always : ComparePrior{1 - SeldomShare, true};
  case ComparePredicate::Other:
    return Compare.Imm ? Never : Always;
  case ComparePredicate::LTS:
  case ComparePredicate::LES:
  case ComparePredicate::GTS:
  case ComparePredicate::GES: {
    const Operation *Left = Facts.operationOf(Compare.Operands[0]);
    if (!Left || Left->What != Semantics::FAbs || !Constant)
      return {};
    const bool AsksForLess = Compare.Compare == ComparePredicate::LTS ||
                             Compare.Compare == ComparePredicate::LES;
    if (std::optional<bool> IsLess = liesBelow(*Constant))
      return *IsLess == AsksForLess ? Always : Never;
    return {};
  }
  default:
    return {};
  }
}

static ComparePrior comparePrior(const KernelFacts &Facts,
                                 const Operation &Compare) {
  if (Compare.What == Semantics::FCompare)
    return floatPrior(Facts, Compare);
  if (Compare.What != Semantics::Compare || Compare.Operands.size() != 2)
    return {};
  const Operand &A = Compare.Operands[0], &B = Compare.Operands[1];
  const ComparePrior Seldom = {SeldomShare, true};
  const ComparePrior Mostly = {1 - SeldomShare, true};
  const bool IsWide = numValues(Facts, A) > 256;
  switch (Compare.Compare) {
  case ComparePredicate::EQ:
    return equalPrior(Facts, A, B);
  case ComparePredicate::NE: {
    ComparePrior Prior = equalPrior(Facts, A, B);
    Prior.Share = 1 - Prior.Share;
    return Prior;
  }
  case ComparePredicate::LTS:
  case ComparePredicate::LES:
  case ComparePredicate::GTS:
  case ComparePredicate::GES: {
    if (!B.isImmediate() || !IsWide)
      return {};
    // x < 0 and x > -1 ask for the sign; x < 1 and x > 0 ask for zero too.
    const bool IsLess = Compare.Compare == ComparePredicate::LTS ||
                        Compare.Compare == ComparePredicate::LES;
    const bool OrEqual = Compare.Compare == ComparePredicate::LES ||
                         Compare.Compare == ComparePredicate::GES;
    // The least value that is not less, or that is greater.
    const int64_t Bound = B.Imm + (IsLess == OrEqual ? 1 : 0);
    if (Bound != 0 && Bound != 1)
      return {};
    return IsLess ? Seldom : Mostly;
  }
  case ComparePredicate::LTU:
  case ComparePredicate::LEU:
  case ComparePredicate::GTU:
  case ComparePredicate::GEU:
  case ComparePredicate::Other:
    return {};
  }
  return {};
}

/// Heuristic: numbers are seldom equal to each other or to a constant, integers
/// are seldom negative or zero: the comparisons of the opcode heuristic (Ball
/// and Larus 1993, "Branch Prediction for Free"), which is right in 84 of 100
/// executions (Wu and Larus 1994, "Static Branch Frequency and Program Profile
/// Analysis", table 1), and of the zero heuristic of LLVM's
/// BranchProbabilityInfo. No number is a NaN or infinite, and magnitudes are
/// within the range in which special functions take their fast path. Not so for
/// values of which there are few: the n values that a mask or a remainder
/// leaves are taken to be equally frequent, flags (of one byte, or one of two
/// constants) to be as often set as not. What is rare is so for whole warps if
/// the values are words; characters and such differ from lane to lane.
std::optional<Guess> gpuocc::guessComparison(const GuessContext &Context,
                                             int64_t Index) {
  const ComparePrior Prior =
      comparePrior(Context.Facts, Context.Facts.Operations[size_t(Index)]);
  if (Prior == ComparePrior())
    return std::nullopt;
  Guess G;
  G.Value = Prior.Share;
  G.ForWarp = Prior.ForWarp;
  G.Evidence = "numbers are seldom equal, negative or out of range";
  return G;
}
