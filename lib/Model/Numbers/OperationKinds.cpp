//===- OperationKinds.cpp - Operations that bound reordering --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numbers/OperationKinds.h"
#include "gpuocc/Kernel/Operation.h"
#include "gpuocc/Support/InstTraits.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

static bool isJump(InstClass C) { return hasTrait(C, InstTrait::Jump); }

bool gpuocc::isControl(const Operation &Op) {
  return !Op.Emits.empty() && isJump(Op.Emits.front().Class);
}

bool gpuocc::hasSlowPath(const Operation &Op) {
  return !isControl(Op) &&
         any_of(Op.Emits, [](const Emission &E) { return isJump(E.Class); });
}

bool gpuocc::isWarpGroupProduct(const Operation &Op) {
  return any_of(Op.Emits, [](const Emission &E) {
    return warpGroupColumns(E.Class) != 0;
  });
}

/// True if \p Op closes a group of asynchronous work or waits for groups.
static bool endsGroup(const Operation &Op) {
  return Op.What == Semantics::CommitCopies ||
         Op.What == Semantics::WaitCopies || Op.What == Semantics::CommitBulk ||
         Op.What == Semantics::WaitBulk || Op.What == Semantics::WaitBarrier ||
         Op.What == Semantics::ExpectBytes ||
         Op.What == Semantics::CommitProducts ||
         Op.What == Semantics::WaitProducts;
}

bool gpuocc::isFence(const Operation &Op) {
  return hasSlowPath(Op) || endsGroup(Op) ||
         any_of(Op.Emits, [](const Emission &E) {
           return hasTrait(E.Class, InstTrait::Fence);
         });
}
