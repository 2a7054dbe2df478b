//===- RowStarts.cpp - Arrays that say where rows begin -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/RowStarts.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/OperationsBehind.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include <algorithm>
#include <optional>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Finds them in one kernel.
class Finder {
public:
  Finder(const KernelFacts &Facts, const Launch &L) : Facts(Facts), L(L) {
    for (const MemoryAccess &A : Facts.Accesses)
      Arrays.push_back(arrayOfAccess(Facts, A));
  }

  std::vector<RowStarts> run() const {
    std::vector<RowStarts> Found;
    for (uint32_t First = 0; First != Facts.Accesses.size(); ++First) {
      if (!isStart(First) || any_of(Found, [&](const RowStarts &Of) {
            return Of.Array == *Arrays[First];
          }))
        continue;
      const MemoryAccess &A = Facts.Accesses[First];
      for (uint32_t Next = 0; Next != Facts.Accesses.size(); ++Next)
        if (const uint64_t Elements =
                isBehind(First, Next) ? elementsOfRows(First, Next) : 0) {
          const uint64_t Words = *bytesOf(First) / A.BytesPerLane;
          Found.push_back(
              {*Arrays[First], A.BytesPerLane, Words - 1, Elements});
          break;
        }
    }
    return Found;
  }

private:
  const KernelFacts &Facts;
  const Launch &L;
  /// By access.
  std::vector<std::optional<uint64_t>> Arrays;

  std::optional<uint64_t> bytesOf(uint32_t Access) const {
    const auto Said = Arrays[Access]
                          ? L.ArrayBytes.find(unsigned(*Arrays[Access]))
                          : L.ArrayBytes.end();
    return Said == L.ArrayBytes.end() ? std::nullopt
                                      : std::optional(Said->second.Value);
  }

  /// A load of an index from an array that nothing writes and of which only the
  /// size is known.
  bool isStart(uint32_t I) const {
    const MemoryAccess &A = Facts.Accesses[I];
    if (A.Kind != AccessKind::Load || A.Volatile ||
        (A.BytesPerLane != 4 && A.BytesPerLane != 8) || !bytesOf(I) ||
        *bytesOf(I) < 2 * uint64_t(A.BytesPerLane) ||
        L.Memory.count(unsigned(*Arrays[I])) != 0)
      return false;
    return none_of(zip(Facts.Accesses, Arrays), [&](const auto &Of) {
      const auto &[Other, Array] = Of;
      return Array == Arrays[I] && Other.Kind != AccessKind::Load;
    });
  }

  /// Does \p Next load the word behind that of \p First?
  bool isBehind(uint32_t First, uint32_t Next) const {
    const MemoryAccess &A = Facts.Accesses[First], &B = Facts.Accesses[Next];
    return B.Kind == AccessKind::Load && A.BytesPerLane == B.BytesPerLane &&
           Arrays[First] == Arrays[Next] && A.Base.isValue() &&
           A.Base == B.Base &&
           B.OffsetBytes - A.OffsetBytes == int64_t(A.BytesPerLane);
  }

  /// The loads that \p Of is computed from, those whose values lead there and
  /// not those behind them.
  SmallSet<uint32_t, 4> loadsBehind(const Operand &Of) const {
    SmallSet<uint32_t, 4> Loads;
    walkBehind(Facts, Of, [&](const Operation &Op) -> ArrayRef<Operand> {
      if (Op.What != Semantics::Load)
        return Op.Operands;
      Loads.insert(Op.Access);
      return {};
    });
    return Loads;
  }

  /// Is \p Block in a loop that goes from what \p First loads to what \p Next
  /// does?
  bool isInRow(uint32_t Block, uint32_t First, uint32_t Next) const {
    return any_of(Facts.Loops, [&](const Loop &Of) {
      return is_contained(Of.Blocks, Block) &&
             any_of(Facts.Branches, [&](const Branch &B) {
               return endsLoop(B, Of) && isBetween(B.Condition, First, Next);
             });
    });
  }

  static bool endsLoop(const Branch &B, const Loop &Of) {
    return is_contained(Of.Blocks, B.Block) &&
           any_of(B.Targets,
                  [&](uint32_t To) { return !is_contained(Of.Blocks, To); });
  }

  bool isBetween(const Operand &Of, uint32_t First, uint32_t Next) const {
    const SmallSet<uint32_t, 4> Loads = loadsBehind(Of);
    return Loads.contains(First) && Loads.contains(Next);
  }

  /// Elements of the smallest array that a loop goes through from what \p First
  /// loads to what \p Next does; 0 where there is none.
  uint64_t elementsOfRows(uint32_t First, uint32_t Next) const {
    uint64_t Least = 0;
    for (const auto &[I, A] : enumerate(Facts.Accesses)) {
      const std::optional<uint64_t> Bytes = bytesOf(uint32_t(I));
      if (!Bytes || Arrays[I] == Arrays[First] || A.BytesPerLane == 0)
        continue;
      const SmallSet<uint32_t, 4> Loads = loadsBehind(A.Base);
      if (!Loads.contains(First) ||
          any_of(Loads,
                 [&](uint32_t Of) { return Of != First && Of != Next; }) ||
          !isInRow(Facts.Operations[A.Op].Block, First, Next))
        continue;
      const uint64_t Elements = *Bytes / A.BytesPerLane;
      Least = Least == 0 ? Elements : std::min(Least, Elements);
    }
    return Least;
  }
};

} // namespace

std::vector<RowStarts> gpuocc::rowStarts(const KernelFacts &Facts,
                                         const Launch &L) {
  if (L.ArrayBytes.size() < 2)
    return {};
  return Finder(Facts, L).run();
}
