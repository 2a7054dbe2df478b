//===- AsyncGroups.cpp - Work that runs beside a warp ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/AsyncGroups.h"
#include "Numbers/OperationKinds.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

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
    if (Op.Imm <= 0)
      return Part;
    Part.Kind = AsyncKind::Arrival;
    Part.Waits = Part.WaitsForOldest = true;
    Part.Ahead = unsigned(Op.Imm - 1);
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
  ++NumClosed;
  if (Done.size() > MostGroups)
    Done.erase(Done.begin());
}

double AsyncGroups::doneCycle(const GroupPart &Part) const {
  if (Part.WaitsForOldest)
    return Done.empty() ? OpenDone : Done.front();
  unsigned MayRemain = Part.MayRemain;
  // What expects bytes came before the copies of the youngest.
  if (Part.Kind == AsyncKind::Arrival && OpenDone > 0) {
    if (MayRemain == 0)
      return OpenDone;
    --MayRemain;
  }
  const double Closed =
      MayRemain < Done.size() ? Done[Done.size() - 1 - MayRemain] : 0;
  return Part.WaitsForAll ? std::max(Closed, OpenDone) : Closed;
}

void AsyncGroups::hasten(const AsyncGroups &Before, double Cycles) {
  // Since then the open group may have been closed.
  const double BeganBefore =
      std::max(Before.OpenDone, Before.Done.empty() ? 0 : Before.Done.back());
  const uint64_t First = NumClosed - Done.size();
  for (size_t I = 0; I != Done.size(); ++I)
    if (First + I >= Before.NumClosed && Done[I] > BeganBefore)
      Done[I] = std::max(BeganBefore, Done[I] - Cycles);
  if (OpenDone > Before.OpenDone)
    OpenDone = std::max(Before.OpenDone, OpenDone - Cycles);
}

void AsyncGroups::shift(double Now, double Cycles) {
  changeAfter(Now, [&](double Cycle) { return Cycle + Cycles; });
}
