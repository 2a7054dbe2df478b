//===- InstTraits.h - Properties of instruction classes ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_INSTTRAITS_H
#define GPUOCC_SUPPORT_INSTTRAITS_H

#include "gpuocc/Support/InstClass.h"

namespace gpuocc {

/// What compilers and readers have to know of a class.
struct InstTrait {
  enum Flag : uint8_t {
    /// Closes or leaves a block of code.
    Jump = 1 << 0,
    /// No memory access is moved across it.
    Fence = 1 << 1,
    /// Keeps ptxas from unrolling the loop that it is in.
    KeepsRolled = 1 << 2,
    /// ptxas issues it under no predicate of a short side: lanes execute it
    /// together, or it is control flow.
    Unpredicated = 1 << 3,
    /// The memory that it accesses; none of them: global memory.
    OfShared = 1 << 4,
    OfLocal = 1 << 5,
    OfGeneric = 1 << 6,
    OfConstant = 1 << 7,
  };
};

/// Does \p C have \p Trait?
bool hasTrait(InstClass C, InstTrait::Flag Trait);

/// Columns N of the sums of \p C, a product m64nN of a warp group (wgmma),
/// which runs beside the warps; 0 for other classes.
unsigned warpGroupColumns(InstClass C);

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_INSTTRAITS_H
