//===- MemoryOrder.cpp - Which accesses must stay in order ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/MemoryOrder.h"
#include "gpuocc/Kernel/Regions.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/Support/InstTraits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <map>

using namespace gpuocc;
using namespace llvm;

static bool mayShareSpace(const MemoryAccess &A, const MemoryAccess &B) {
  auto IsAny = [](const MemoryAccess &M) {
    return M.Space == MemorySpace::Generic || M.Kind == AccessKind::AsyncCopy;
  };
  return A.Space == B.Space || IsAny(A) || IsAny(B);
}

bool gpuocc::mayConflict(const MemoryAccess &Earlier,
                         const MemoryAccess &Later) {
  if (Earlier.Kind == AccessKind::Load && Later.Kind == AccessKind::Load)
    return false;
  if (Earlier.NonCoherent || Later.NonCoherent)
    return false;
  if (!mayShareSpace(Earlier, Later))
    return false;
  if (Earlier.Base == Later.Base)
    return Earlier.OffsetBytes < Later.OffsetBytes + Later.BytesPerLane &&
           Later.OffsetBytes < Earlier.OffsetBytes + Earlier.BytesPerLane;
  return true;
}

/// A way out of straight code within \p Op (the slow path of a division): the
/// assembler moves no load across it.
static bool hasWayOut(const Operation &Op) {
  return any_of(Op.Emits, [](const Emission &E) {
    return E.Class == InstClass::Branch ||
           hasTrait(E.Class, InstTrait::KeepsRolled);
  });
}

namespace {

/// How many loads of its region, one after the other, each operation waits for.
class WaitDepths {
public:
  WaitDepths(const KernelFacts &Facts, ArrayRef<Region> Regions)
      : Facts(Facts), Depth(Facts.Operations.size()),
        OfAccess(Facts.Accesses.size()), PartOf(Facts.Accesses.size()),
        RegionOf(Facts.Blocks.size()) {
    for (unsigned R = 0; R != Regions.size(); ++R) {
      Before.clear();
      ++Part;
      for (uint32_t Block : Regions[R])
        RegionOf[Block] = R;
      for (uint32_t Block : Regions[R])
        walk(Facts.Blocks[Block], /*IsFirst=*/Block == Regions[R].front());
    }
  }

  unsigned ofAccess(size_t I) const { return OfAccess[I]; }
  /// The part of a region without a way out in which the access is.
  unsigned partOf(size_t Access) const { return PartOf[Access]; }

private:
  const KernelFacts &Facts;
  /// Depth of the result of each operation, and of the issue of each access.
  std::vector<unsigned> Depth, OfAccess, PartOf;
  std::vector<unsigned> RegionOf;
  unsigned Part = 0;
  /// Accesses of the region so far.
  SmallVector<uint32_t, 16> Before;

  void walk(const BasicBlock &B, bool IsFirst) {
    for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I) {
      const Operation &Op = Facts.Operations[I];
      unsigned Waits = 0;
      // Inputs of the region come from other executions or other regions.
      if (Op.What != Semantics::Phi || !IsFirst)
        for (const Operand &O : Op.Operands)
          if (O.isValue() && O.Index < I &&
              RegionOf[Facts.Operations[O.Index].Block] == RegionOf[Op.Block])
            Waits = std::max(Waits, Depth[O.Index]);
      Depth[I] = Waits;
      if (I + 1 != B.FirstOp + B.NumOps && hasWayOut(Op))
        ++Part;
      if (Op.Access == NoIndex)
        continue;
      PartOf[Op.Access] = Part;
      const MemoryAccess &A = Facts.Accesses[Op.Access];
      for (uint32_t Earlier : Before)
        if (mayConflict(Facts.Accesses[Earlier], A))
          Waits = std::max(Waits, OfAccess[Earlier]);
      OfAccess[Op.Access] = Waits;
      Depth[I] = Waits + (A.Kind == AccessKind::Load);
      // Bounds the work in very long blocks; older accesses are ordered
      // through newer ones in practice.
      if (Before.size() == 64)
        Before.erase(Before.begin());
      Before.push_back(Op.Access);
    }
  }
};

} // namespace

std::vector<unsigned> gpuocc::groupsIssuedTogether(const KernelFacts &Facts) {
  const std::vector<Region> Regions = regionsOf(Facts);
  const WaitDepths Depths(Facts, Regions);
  std::map<std::pair<unsigned, unsigned>, unsigned> Groups;
  std::vector<unsigned> GroupOf;
  for (size_t I = 0; I != Facts.Accesses.size(); ++I) {
    const unsigned Next = unsigned(Groups.size());
    GroupOf.push_back(
        Groups.insert({{Depths.partOf(I), Depths.ofAccess(I)}, Next})
            .first->second);
  }
  return GroupOf;
}

std::vector<unsigned>
gpuocc::sizesOfGroups(ArrayRef<unsigned> GroupOf,
                      function_ref<bool(size_t)> IsCounted) {
  std::vector<unsigned> Members(GroupOf.size());
  for (size_t I = 0; I != GroupOf.size(); ++I)
    Members[GroupOf[I]] += IsCounted(I);
  std::vector<unsigned> Sizes;
  for (unsigned Group : GroupOf)
    Sizes.push_back(Members[Group]);
  return Sizes;
}
