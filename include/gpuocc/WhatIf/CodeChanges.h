//===- CodeChanges.h - Changes of instructions and resources ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_CODECHANGES_H
#define GPUOCC_WHATIF_CODECHANGES_H

#include "gpuocc/WhatIf/Change.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <vector>

namespace gpuocc {

/// What one operation emits after a change.
struct ReplacedOperation {
  /// Index in KernelFacts::Operations.
  uint32_t Op = NoIndex;
  llvm::SmallVector<Emission, 1> Emits;
};

/// Operations are computed by other instructions.
Change replaceInstructions(std::vector<ReplacedOperation> Replaced);

/// What a block takes after a change; what is not set stays.
struct LessResources {
  std::optional<unsigned> RegistersPerThread;
  /// Static and dynamic together.
  std::optional<uint64_t> SharedBytes;
  std::optional<unsigned> Barriers;
};

/// The same code in fewer resources.
Change useResources(LessResources Then);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_CODECHANGES_H
