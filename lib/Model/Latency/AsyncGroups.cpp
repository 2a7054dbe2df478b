//===- AsyncGroups.cpp - Work that runs beside a warp ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/AsyncGroups.h"
#include "Numbers/OperationKinds.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// Groups that a wait can leave; more than any pipeline of copies has stages.
static constexpr size_t MostGroups = 32;

static GroupPart waitFor(AsyncKind Kind, int64_t MayRemain) {
  GroupPart Part;
  Part.Kind = Kind;
  Part.Waits = true;
  Part.WaitsForAll = MayRemain < 0;
  Part.MayRemain = unsigned(std::max<int64_t>(MayRemain, 0));
  return Part;
}

GroupPart gpuocc::groupPart(const KernelFacts &Facts, const Operation &Op) {
  GroupPart Part;
  if (isWarpGroupProduct(Op)) {
    Part.Kind = AsyncKind::Product;
    Part.IsMember = true;
  } else if (Op.Access != NoIndex) {
    const MemoryAccess &A = Facts.Accesses[Op.Access];
    Part.IsMember = A.Kind == AccessKind::AsyncCopy || A.Bulk;
    if (A.Bulk)
      Part.Kind = A.Kind == AccessKind::AsyncCopy ? AsyncKind::Arrival
                                                  : AsyncKind::BulkGroup;
  }
  switch (Op.What) {
  case Semantics::CommitCopies:
    Part.Commits = true;
    return Part;
  case Semantics::ExpectBytes:
    Part.Kind = AsyncKind::Arrival;
    Part.Commits = true;
    return Part;
  case Semantics::CommitProducts:
    Part.Kind = AsyncKind::Product;
    Part.Commits = true;
    return Part;
  case Semantics::WaitCopies:
    return waitFor(AsyncKind::Copy, Op.Imm);
  case Semantics::CommitBulk:
    Part.Kind = AsyncKind::BulkGroup;
    Part.Commits = true;
    return Part;
  case Semantics::WaitBulk:
    return waitFor(AsyncKind::BulkGroup, Op.Imm);
  case Semantics::WaitBarrier:
    if (Op.Imm == 0)
      return Part;
    Part.Kind = AsyncKind::Arrival;
    Part.Waits = Part.WaitsForOldest = true;
    return Part;
  case Semantics::WaitProducts:
    return waitFor(AsyncKind::Product, Op.Imm);
  default:
    break;
  }
  // A barrier in memory that copies arrive at.
  if (any_of(Op.Emits, [](const Emission &E) {
        return E.Class == InstClass::CpAsyncWait;
      }))
    return waitFor(AsyncKind::Copy, -1);
  return Part;
}

void AsyncGroups::commit(AsyncKind Kind) {
  // What expects bytes stands before the copies or behind them.
  if (Kind == AsyncKind::Arrival && OpenDone == 0)
    return;
  const double Before = Done.empty() ? 0 : Done.back();
  Done.push_back(std::max(Before, OpenDone));
  OpenDone = 0;
  if (Done.size() > MostGroups)
    Done.erase(Done.begin());
}

double AsyncGroups::doneCycle(const GroupPart &Part) const {
  if (Part.WaitsForOldest)
    return Done.empty() ? OpenDone : Done.front();
  const double Closed =
      Part.MayRemain < Done.size() ? Done[Done.size() - 1 - Part.MayRemain] : 0;
  return Part.WaitsForAll ? std::max(Closed, OpenDone) : Closed;
}

void AsyncGroups::shift(double Now, double Cycles) {
  changeAfter(Now, [&](double Cycle) { return Cycle + Cycles; });
}
