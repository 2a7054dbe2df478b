//===- CombineLikePtxas.cpp - Atomics of a warp that ptxas combines -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Kernel/ClusterAddresses.h"
#include "gpuocc/Kernel/Uniformity.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

/// Integer operations whose lanes can be combined before memory is reached.
static bool isCombinable(const MemoryAccess &A) {
  return is_contained({"add", "min", "max", "and", "or", "xor"},
                      StringRef(A.AtomicOp)) &&
         !A.OnFloats;
}

/// What comes around the atomic when one lane acts for all: the lanes are
/// voted on, the first of them is found, and the value is multiplied by their
/// number (added to itself) or reduced over them.
static void emitCombining(const MemoryAccess &A, bool SameValue, bool IsOne,
                          Operation &Op) {
  SmallVector<Emission, 8> Extra = {{InstClass::S2R, 1, 0},
                                    {InstClass::Vote, 1, 1},
                                    {InstClass::Flo, 1, 1},
                                    {InstClass::ISetp, 1, 1}};
  if (!SameValue)
    Extra.push_back({InstClass::Redux, 1, 1});
  else if (A.AtomicOp == "add")
    Extra.push_back({InstClass::Popc, 1, 1});
  if (SameValue && !IsOne && A.AtomicOp == "add")
    Extra.push_back({InstClass::IMad, 1, 1});
  if (A.Kind == AccessKind::Atomic) {
    // Each lane's own result: lanes below it are counted and what the first
    // lane got is handed out.
    Extra.push_back({InstClass::S2R, 1, 0});
    Extra.push_back({InstClass::Lop3, 1, 0});
    Extra.push_back({InstClass::Popc, 1, 0});
    Extra.push_back({InstClass::Shfl, 1, 1});
    Extra.push_back({InstClass::IAdd3, 1, 1});
  }
  Op.Emits.append(Extra.begin(), Extra.end());
}

void gpuocc::combineAtomicsLikePtxas(KernelFacts &Facts) {
  std::vector<bool> Uniform = warpUniformOperations(Facts);
  auto IsUniform = [&](const Operand &O) {
    return O.K != Operand::Kind::Undef && (!O.isValue() || Uniform[O.Index]);
  };
  const std::vector<bool> OfCluster = accessesOfCluster(Facts);
  for (auto [A, IsOfCluster] : zip_equal(Facts.Accesses, OfCluster)) {
    if (!isAtomic(A.Kind))
      continue;
    Operation &Op = Facts.Operations[A.Op];
    if (!isCombinable(A) || Op.Operands.size() < 2)
      continue;
    const Operand Value = Op.Operands[1];
    const bool IsOne = Value.isImmediate() && Value.Imm == 1;
    // ATOMS.POPC.INC counts, whatever the addresses are.
    if (A.Space == MemorySpace::Shared && A.Kind == AccessKind::Reduction &&
        A.AtomicOp == "add" && A.BytesPerLane == 4 && IsOne && !IsOfCluster) {
      A.Combining = LaneCombining::ByAddress;
      continue;
    }
    // Results of reductions and 64-bit values that differ stay with the lanes.
    const bool SameValue = IsUniform(Value);
    const bool CanReduce =
        A.Kind == AccessKind::Reduction && A.BytesPerLane == 4;
    const bool CanCount = SameValue && A.AtomicOp == "add";
    if (!IsUniform(A.Base) || !(CanReduce || CanCount))
      continue;
    A.Combining = LaneCombining::OneLane;
    emitCombining(A, SameValue, IsOne, Op);
  }
}
