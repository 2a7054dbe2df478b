//===- WorkingSide.h - The side of a branch that has the work ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WORKINGSIDE_H
#define GPUOCC_LIB_LANES_WORKINGSIDE_H

#include "StaticTraits.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace gpuocc {

/// Index of the target of branch \p Branch that goes on with the kernel where
/// the other ends it: what is loaded decides once for the whole grid (`if
/// (*done) return`), and the other side loads nothing, waits for nobody and has
/// no loop; nor was anything stored or repeated before. A launch that does
/// nothing is not the one that is asked about.
/// \p Traits is parallel to KernelFacts::Operations.
std::optional<unsigned> workingSide(const KernelFacts &Facts,
                                    llvm::ArrayRef<StaticTraits> Traits,
                                    uint32_t Branch);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WORKINGSIDE_H
