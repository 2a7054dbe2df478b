//===- FinalCode.h - What lifters of final code and readers share -*- C++
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_FINALCODE_H
#define GPUOCC_SUPPORT_FINALCODE_H

#include "llvm/ADT/StringRef.h"

namespace gpuocc {

/// Metadata of the jump of a block that final code does not have: the block
/// stands between a branch and its taken side, since the code generator turns
/// branches around whose taken side comes next. The reader moves the jump
/// behind the branch.
inline constexpr llvm::StringLiteral BetweenMark = "gpuocc.between";

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_FINALCODE_H
