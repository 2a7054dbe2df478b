//===- MemoryOrder.cpp - Which accesses must stay in order ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/MemoryOrder.h"
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

namespace {

/// How many loads of its block, one after the other, each operation waits for.
class WaitDepths {
public:
  explicit WaitDepths(const KernelFacts &Facts)
      : Facts(Facts), Depth(Facts.Operations.size()),
        OfAccess(Facts.Accesses.size()) {
    for (const BasicBlock &B : Facts.Blocks)
      walk(B);
  }

  unsigned ofAccess(size_t I) const { return OfAccess[I]; }

private:
  const KernelFacts &Facts;
  /// Depth of the result of each operation, and of the issue of each access.
  std::vector<unsigned> Depth, OfAccess;

  void walk(const BasicBlock &B) {
    SmallVector<uint32_t, 16> Before;
    for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I) {
      const Operation &Op = Facts.Operations[I];
      unsigned Waits = 0;
      if (Op.What != Semantics::Phi)
        for (const Operand &O : Op.Operands)
          if (O.isValue() && O.Index >= B.FirstOp && O.Index < I)
            Waits = std::max(Waits, Depth[O.Index]);
      Depth[I] = Waits;
      if (Op.Access == NoIndex)
        continue;
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
  WaitDepths Depths(Facts);
  std::map<std::pair<uint32_t, unsigned>, unsigned> Groups;
  std::vector<unsigned> GroupOf;
  for (size_t I = 0; I != Facts.Accesses.size(); ++I) {
    uint32_t Block = Facts.Operations[Facts.Accesses[I].Op].Block;
    unsigned Next = unsigned(Groups.size());
    GroupOf.push_back(
        Groups.insert({{Block, Depths.ofAccess(I)}, Next}).first->second);
  }
  return GroupOf;
}

std::vector<unsigned> gpuocc::sizesOfGroups(ArrayRef<unsigned> GroupOf) {
  std::vector<unsigned> Members(GroupOf.size());
  for (unsigned Group : GroupOf)
    ++Members[Group];
  std::vector<unsigned> Sizes;
  for (unsigned Group : GroupOf)
    Sizes.push_back(Members[Group]);
  return Sizes;
}
