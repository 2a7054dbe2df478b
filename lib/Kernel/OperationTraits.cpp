//===- OperationTraits.cpp - What operations depend on --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/OperationTraits.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;

bool gpuocc::asksOtherLanes(Semantics What) {
  switch (What) {
  case Semantics::Shuffle:
  case Semantics::Ballot:
  case Semantics::VoteAny:
  case Semantics::VoteAll:
  case Semantics::MatchAny:
  case Semantics::ActiveMask:
    return true;
  default:
    return false;
  }
}

bool gpuocc::tellsLane(SpecialReg R) {
  switch (R) {
  case SpecialReg::LaneId:
  case SpecialReg::LaneMaskEq:
  case SpecialReg::LaneMaskLt:
  case SpecialReg::LaneMaskLe:
  case SpecialReg::LaneMaskGt:
  case SpecialReg::LaneMaskGe:
    return true;
  default:
    return false;
  }
}

bool gpuocc::isCall(const Operation &Op) {
  return llvm::any_of(
      Op.Emits, [](const Emission &E) { return E.Class == InstClass::Call; });
}

int64_t gpuocc::parameterByteOf(const Operation &Op, unsigned Result) {
  return Op.Imm + int64_t(Result) * std::max<int64_t>(1, Op.Bits / 8);
}

llvm::ArrayRef<Operand> gpuocc::addressOperands(const Operation &Op) {
  const llvm::ArrayRef<Operand> All = Op.Operands;
  switch (Op.What) {
  case Semantics::Phi:
  case Semantics::Add:
  case Semantics::Or:
    return All;
  case Semantics::Copy:
  case Semantics::Sub:
    return All.take_front();
  case Semantics::Select:
    return All.take_front(2);
  case Semantics::Mad:
  case Semantics::MadWideS:
  case Semantics::MadWideU:
    return All.drop_front(std::min<size_t>(2, All.size()));
  default:
    return {};
  }
}
