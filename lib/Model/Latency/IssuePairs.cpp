//===- IssuePairs.cpp - Instructions that issue together ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/IssuePairs.h"
#include "Latency/WarpSchedule.h"
#include "Numbers/OperationKinds.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include <utility>

using namespace gpuocc;
using namespace llvm;

namespace {

/// The instructions that issue in one cycle, as they are gathered in order.
class IssueGroup {
public:
  IssueGroup(const KernelFacts &Facts, const LatencyGraph &Graph)
      : Facts(Facts), Graph(Graph) {}

  bool takes(const IssueSlot &T, unsigned Width) const;
  void begin(const IssueSlot &T);
  void add(const IssueSlot &T);
  /// What \p T, which is no instruction, computes of results of the group is
  /// not there either.
  void follow(const IssueSlot &T);

private:
  bool uses(const IssueSlot &T) const {
    return any_of(Graph.inputsOf(T.Op), [&](const LatencyInput &In) {
      return Results.contains({In.Op, T.Copy});
    });
  }

  const KernelFacts &Facts;
  const LatencyGraph &Graph;
  unsigned Size = 0;
  uint32_t Block = NoIndex;
  bool HasAccess = false, IsClosed = false;
  /// Operations and copies whose results are not there yet.
  SmallSet<std::pair<uint32_t, uint32_t>, 8> Results;
};

} // namespace

/// True for an operation that is one instruction.
static bool isOneInstruction(const Operation &Op) {
  return Op.Emits.size() == 1 && Op.Emits.front().Count == 1;
}

bool IssueGroup::takes(const IssueSlot &T, unsigned Width) const {
  const Operation &Op = Facts.Operations[T.Op];
  return Size > 0 && Size < Width && !IsClosed && Op.Block == Block &&
         isOneInstruction(Op) && !isFence(Op) &&
         !(HasAccess && Op.Access != NoIndex) && !uses(T);
}

void IssueGroup::begin(const IssueSlot &T) {
  const Operation &Op = Facts.Operations[T.Op];
  Size = 0;
  Block = Op.Block;
  HasAccess = false;
  IsClosed = !isOneInstruction(Op) || isControl(Op) || isFence(Op);
  Results.clear();
  add(T);
}

void IssueGroup::add(const IssueSlot &T) {
  ++Size;
  HasAccess |= Facts.Operations[T.Op].Access != NoIndex;
  Results.insert({T.Op, T.Copy});
}

void IssueGroup::follow(const IssueSlot &T) {
  if (uses(T))
    Results.insert({T.Op, T.Copy});
}

void gpuocc::markIssuedTogether(const KernelFacts &Facts,
                                const LatencyGraph &Graph, unsigned Width,
                                MutableArrayRef<IssueSlot> Turns) {
  if (Width < 2)
    return;
  IssueGroup Group(Facts, Graph);
  for (IssueSlot &T : Turns) {
    if (Facts.Operations[T.Op].Emits.empty()) {
      Group.follow(T);
    } else if (Group.takes(T, Width)) {
      T.IsWithPrevious = true;
      Group.add(T);
    } else {
      Group.begin(T);
    }
  }
}

PerInstClass<double> gpuocc::issuedTogether(const KernelFacts &Facts,
                                            const ExecutionProfile &Profile,
                                            const LatencyGraph &Graph,
                                            const WarpSchedule &Schedule) {
  PerInstClass<double> Count = {};
  for (uint32_t Block = 0; Block != Facts.Blocks.size(); ++Block) {
    const ArrayRef<IssueSlot> Pass = Schedule.slotsOfPass(Block);
    const double Times = Pass.empty() ? 1 : Graph.copiesOf(Block);
    for (const IssueSlot &T : Pass.empty() ? Schedule.turns(Block) : Pass) {
      const Operation &Op = Facts.Operations[T.Op];
      if (T.IsWithPrevious)
        Count[size_t(Op.Emits.front().Class)] +=
            Profile.Blocks[Op.Block].ExecutionsPerWarp / Times;
    }
  }
  return Count;
}
