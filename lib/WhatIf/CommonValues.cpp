//===- CommonValues.cpp - What all threads compute alike ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/CommonValues.h"
#include "gpuocc/Kernel/OperationTraits.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/ChangeCode.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>
#include <utility>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Who is to have a value alike.
enum class AlikeIn : uint8_t { Grid, ThreadsOfOneIndex };

} // namespace

/// True for what not all threads of \p In have.
static bool differs(SpecialReg R, AlikeIn In) {
  switch (R) {
  case SpecialReg::TidX:
  case SpecialReg::TidY:
  case SpecialReg::TidZ:
    return In == AlikeIn::Grid;
  case SpecialReg::None:
  case SpecialReg::NTidX:
  case SpecialReg::NTidY:
  case SpecialReg::NTidZ:
  case SpecialReg::NCtaIdX:
  case SpecialReg::NCtaIdY:
  case SpecialReg::NCtaIdZ:
  case SpecialReg::DynamicSharedBytes:
  case SpecialReg::WarpSize:
    return false;
  default:
    return true;
  }
}

static bool isExecuted(const KernelVariant &V, const Operation &Op) {
  return V.Profile.Blocks[Op.Block].ExecutionsPerWarp > 0;
}

/// For each operation, true where all threads of \p In have its result, and
/// no thread or block chooses another one. What is never executed, such as the
/// way of a function for large numbers, decides nothing.
static std::vector<bool> sharedBy(const KernelVariant &V, AlikeIn In) {
  const KernelFacts &Facts = V.Facts;
  std::vector<bool> Is(Facts.Operations.size());
  for (uint32_t I = 0; I != Is.size(); ++I) {
    const Operation &Op = Facts.Operations[I];
    Is[I] =
        !isExecuted(V, Op) || (!differs(Op.SReg, In) && Op.Access == NoIndex &&
                               !asksOtherLanes(Op.What));
  }
  for (bool Changed = true; Changed;) {
    Changed = false;
    std::vector<bool> IsMeeting(Facts.Blocks.size());
    for (const gpuocc::Branch &B : Facts.Branches)
      if (const uint32_t Meet = Facts.Blocks[B.Block].PostDominator;
          Meet != NoIndex && B.Condition.isValue() && !Is[B.Condition.Index])
        IsMeeting[Meet] = true;
    for (uint32_t I = 0; I != Is.size(); ++I) {
      const Operation &Op = Facts.Operations[I];
      const bool IsChosen = Op.What == Semantics::Phi && IsMeeting[Op.Block];
      const bool Stays =
          !IsChosen && all_of(Op.Operands, [&](const Operand &O) {
            return !O.isValue() || Is[O.Index];
          });
      if (!Is[I] || Stays || !isExecuted(V, Op))
        continue;
      Is[I] = false;
      Changed = true;
    }
  }
  return Is;
}

/// Arithmetic that costs more than a load of a constant may: on floats, and
/// divisions.
static bool isArithmetic(const Operation &Op) {
  switch (Op.What) {
  case Semantics::FAdd:
  case Semantics::FSub:
  case Semantics::FMul:
  case Semantics::FFma:
  case Semantics::FDiv:
  case Semantics::FRcp:
  case Semantics::FSqrt:
  case Semantics::FRsqrt:
  case Semantics::FEx2:
  case Semantics::FLg2:
  case Semantics::FSin:
  case Semantics::FCos:
  case Semantics::FMin:
  case Semantics::FMax:
  case Semantics::FFromS:
  case Semantics::FFromU:
  case Semantics::FToS:
  case Semantics::FToU:
  case Semantics::FConvert:
    return true;
  case Semantics::DivS:
  case Semantics::DivU:
  case Semantics::RemS:
  case Semantics::RemU:
    // Others became shifts and multiplications.
    return Op.Emits.size() > 1;
  default:
    return false;
  }
}

/// The arithmetic among \p Shared, and what others need of it.
static CommonValues arithmeticOf(const KernelVariant &V,
                                 const std::vector<bool> &Shared) {
  const KernelFacts &Facts = V.Facts;
  CommonValues Out;
  std::vector<bool> IsNeeded(Facts.Operations.size());
  auto Need = [&](const Operand &O) {
    if (O.isValue())
      IsNeeded[O.Index] = true;
  };
  for (uint32_t I = 0; I != Facts.Operations.size(); ++I) {
    const Operation &Op = Facts.Operations[I];
    if (Shared[I] && isExecuted(V, Op) && isArithmetic(Op))
      Out.Ops.push_back(I);
    if (!Shared[I])
      for_each(Op.Operands, Need);
  }
  for (const MemoryAccess &A : Facts.Accesses)
    for_each(A.Stored, Need);
  for (uint32_t I : Out.Ops)
    if (IsNeeded[I])
      Out.Results.push_back(I);
  return Out;
}

CommonValues gpuocc::commonValues(const KernelVariant &V) {
  return arithmeticOf(V, sharedBy(V, AlikeIn::Grid));
}

namespace {

/// Tells how many different values operations have in a block.
class DifferentValues {
public:
  explicit DifferentValues(const KernelVariant &V)
      : V(V), From(V.Facts.Operations.size()) {
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (uint32_t I = 0; I != From.size(); ++I) {
        const uint64_t Before = From[I];
        const Operation &Op = V.Facts.Operations[I];
        From[I] |= ownOf(Op);
        for (const Operand &O : Op.Operands)
          if (O.isValue())
            From[I] |= From[O.Index];
        Changed |= From[I] != Before;
      }
    }
  }

  /// Of operation \p Op; infinity where a loop repeats nobody knows how often.
  double of(uint32_t Op) const {
    const Dim3 Block = V.Launched.Block.Value;
    const uint64_t Extents[] = {Block.X, Block.Y, Block.Z};
    double Count = 1;
    for (unsigned D = 0; D != 3; ++D)
      if (From[Op] >> D & 1)
        Count *= double(Extents[D]);
    for (size_t L = 0; L != V.Facts.Loops.size(); ++L)
      if (From[Op] & bitOfLoop(L))
        Count *= V.Profile.Loops[L].Exact > Exactness::Assumed
                     ? std::numeric_limits<double>::infinity()
                     : V.Profile.Loops[L].TripCount;
    return Count;
  }

  bool isOfThread(uint32_t Op) const { return (From[Op] & Coordinates) != 0; }

private:
  static constexpr uint64_t Coordinates = 7;
  const KernelVariant &V;
  /// By operation, a bit for each coordinate and loop that it follows from.
  std::vector<uint64_t> From;

  /// Loops behind the first share a bit.
  static uint64_t bitOfLoop(size_t Index) {
    return uint64_t(1) << std::min<size_t>(3 + Index, 63);
  }

  uint64_t ownOf(const Operation &Op) const {
    switch (Op.SReg) {
    case SpecialReg::TidX:
      return 1;
    case SpecialReg::TidY:
      return 2;
    case SpecialReg::TidZ:
      return 4;
    default:
      break;
    }
    const uint32_t Loop = V.Facts.Blocks[Op.Block].Loop;
    return Op.What == Semantics::Phi && Loop != NoIndex &&
                   V.Facts.Loops[Loop].Header == Op.Block
               ? bitOfLoop(Loop)
               : 0;
  }
};

} // namespace

static double instructionsOf(const Operation &Op) {
  double Count = 0;
  for (const Emission &E : Op.Emits)
    Count += double(E.Count);
  return Count;
}

TabulatedValues gpuocc::valuesOfThreads(const KernelVariant &V) {
  const KernelFacts &Facts = V.Facts;
  TabulatedValues Out;
  const std::vector<bool> Shared = sharedBy(V, AlikeIn::ThreadsOfOneIndex);
  const DifferentValues Different(V);
  const double Threads = double(V.Launched.threadsPerBlock());
  // Executions of a thread for each value that it would compute of a table.
  auto Repeats = [&](uint32_t I) {
    const uint32_t Block = V.Facts.Operations[I].Block;
    return V.Profile.Blocks[Block].ExecutionsPerWarp * Threads /
           Different.of(I);
  };
  constexpr double FewestRepeats = 2;
  auto IsRepeated = [&](uint32_t I) {
    return Different.isOfThread(I) && Repeats(I) >= FewestRepeats;
  };
  // Operations for a table: arithmetic, and what follows from it.
  std::vector<bool> IsTabulated(Facts.Operations.size());
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (uint32_t I = 0; I != IsTabulated.size(); ++I) {
      const Operation &Op = Facts.Operations[I];
      if (IsTabulated[I] || !Shared[I] || !isExecuted(V, Op) || !IsRepeated(I))
        continue;
      IsTabulated[I] =
          isArithmetic(Op) || any_of(Op.Operands, [&](const Operand &O) {
            return O.isValue() && IsTabulated[O.Index];
          });
      Changed |= IsTabulated[I];
    }
  }
  std::vector<bool> IsNeeded(Facts.Operations.size());
  auto Need = [&](const Operand &O) {
    if (O.isValue())
      IsNeeded[O.Index] = true;
  };
  for (uint32_t I = 0; I != IsTabulated.size(); ++I)
    if (!IsTabulated[I] && isExecuted(V, Facts.Operations[I]))
      for_each(Facts.Operations[I].Operands, Need);
  for (const MemoryAccess &A : Facts.Accesses) {
    for_each(A.Stored, Need);
    Need(A.Base);
  }
  for (uint32_t I = 0; I != IsTabulated.size(); ++I) {
    if (!IsTabulated[I])
      continue;
    const Operation &Op = Facts.Operations[I];
    Out.Ops.push_back(I);
    Out.InstructionsOfThread += instructionsOf(Op) *
                                V.Profile.Blocks[Op.Block].ExecutionsPerWarp /
                                Repeats(I);
    if (IsNeeded[I]) {
      Out.Results.push_back(I);
      Out.Words += Different.of(I);
    }
  }
  return Out;
}

Change gpuocc::tabulate(TabulatedValues Values) {
  return makeChange(
      ChangeKind::Tabulate, [Values = std::move(Values)](KernelVariant &V) {
        constexpr double BytesOfWord = 4;
        Operation &First = V.Facts.Operations[V.Facts.Blocks[0].FirstOp];
        const float Computed = float(Values.InstructionsOfThread);
        First.Emits.push_back({InstClass::FFma, Computed, Computed});
        First.Emits.push_back({InstClass::Barrier, 1, 1});
        V.Facts.StaticSharedBytes += uint64_t(Values.Words * BytesOfWord);
        dropOperations(V, Values.Ops);
        for (uint32_t I : Values.Results)
          V.Facts.Operations[I].Emits.push_back({InstClass::LdShared, 1, 1});
        dropEmptySides(V);
      });
}

Change gpuocc::lookUp(CommonValues Values) {
  return makeChange(
      ChangeKind::LookUp, [Values = std::move(Values)](KernelVariant &V) {
        dropOperations(V, Values.Ops);
        for (uint32_t I : Values.Results)
          if (V.Facts.Blocks[V.Facts.Operations[I].Block].Loop != NoIndex)
            V.Facts.Operations[I].Emits.push_back({InstClass::Ldc, 1, 1});
        dropEmptySides(V);
      });
}
