//===- IndexRanges.h - How far indices of a launch go ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_INDEXRANGES_H
#define GPUOCC_LIB_LANES_WALK_INDEXRANGES_H

#include "Guess/Guessers.h"

namespace gpuocc {

/// The values of operation \p Index of \p Facts, as signed numbers, among the
/// threads of the last block of \p Grid. What a loop carries has the value with
/// which the loop is entered. Nothing where the operation rests on arguments,
/// on loaded values or on what is not evaluated.
std::optional<IndexRange> indexRange(const KernelFacts &Facts, uint32_t Index,
                                     Dim3 Grid, Dim3 Block);

/// The ranges of all indices that \p Role names.
std::map<uint32_t, IndexRange> rangesOfRole(const KernelFacts &Facts,
                                            const ParameterRole &Role,
                                            Dim3 Grid, Dim3 Block);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_INDEXRANGES_H
