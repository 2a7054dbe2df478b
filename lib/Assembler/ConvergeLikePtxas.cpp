//===- ConvergeLikePtxas.cpp - Where ptxas lets lanes meet again ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Kernel/Uniformity.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

namespace {

class Converger {
public:
  explicit Converger(KernelFacts &Facts)
      : Facts(Facts), Uniform(uniformOperations(Facts)),
        HasSync(Facts.Blocks.size()) {}

  void run() {
    for (const gpuocc::Branch &B : Facts.Branches)
      if (mayDiverge(B))
        addRegion(B);
  }

private:
  KernelFacts &Facts;
  std::vector<bool> Uniform, HasSync;

  bool mayDiverge(const gpuocc::Branch &B) const {
    bool IsJump = any_of(Facts.Operations[B.Op].Emits, [](const Emission &E) {
      return E.Class == InstClass::Branch ||
             E.Class == InstClass::BranchIndexed;
    });
    return IsJump && B.Condition.isValue() && !Uniform[B.Condition.Index];
  }

  /// Lanes that meet in a block that only ends the kernel need not wait.
  bool isWorthMeeting(uint32_t Join) const {
    if (Join == NoIndex)
      return false;
    const gpuocc::BasicBlock &J = Facts.Blocks[Join];
    return !J.Successors.empty() || J.NumOps > 1;
  }

  bool contains(uint32_t Loop, uint32_t Block) const {
    return is_contained(Facts.Loops[Loop].Blocks, Block);
  }

  /// One BSSY before the region and one BSYNC behind it. Regions that end at
  /// the same place share them; the region of a branch that leaves a loop
  /// begins before that loop.
  void addRegion(const gpuocc::Branch &B) {
    uint32_t Join = Facts.Blocks[B.Block].PostDominator;
    if (!isWorthMeeting(Join) || HasSync[Join])
      return;
    HasSync[Join] = true;
    uint32_t Left = NoIndex;
    for (uint32_t L = Facts.Blocks[B.Block].Loop;
         L != NoIndex && !contains(L, Join); L = Facts.Loops[L].Parent)
      Left = L;
    emitAt(Left == NoIndex ? B.Op : lastOpBefore(Facts, Facts.Loops[Left]));
  }

  void emitAt(uint32_t Op) {
    if (Op != NoIndex)
      Facts.Operations[Op].Emits.push_back({InstClass::Converge, 2, 0});
  }
};

} // namespace

void gpuocc::convergeLikePtxas(KernelFacts &Facts) { Converger(Facts).run(); }
