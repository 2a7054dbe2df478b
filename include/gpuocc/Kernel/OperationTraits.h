//===- OperationTraits.h - What operations depend on ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_OPERATIONTRAITS_H
#define GPUOCC_KERNEL_OPERATIONTRAITS_H

#include "gpuocc/Kernel/Operation.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

/// True if a result of \p What follows from other lanes of the warp too:
/// shuffles, votes, matches and the mask of active lanes.
bool asksOtherLanes(Semantics What);

/// True if \p R is the number of the lane, or a mask of lanes beside it.
bool tellsLane(SpecialReg R);

/// The byte of parameter memory that result \p Result of \p Op, which reads one
/// parameter or several side by side (ld.param.v2), begins at.
int64_t parameterByteOf(const Operation &Op, unsigned Result);

/// True if \p Op calls code that is counted with it.
bool isCall(const Operation &Op);

/// The operands of \p Op of which one may be an address if the result is one.
llvm::ArrayRef<Operand> addressOperands(const Operation &Op);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_OPERATIONTRAITS_H
