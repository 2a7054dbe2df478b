//===- SymbolRoots.h - Variables that addresses lie in ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_ANALYSIS_SYMBOLROOTS_H
#define GPUOCC_LIB_LANES_ANALYSIS_SYMBOLROOTS_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace gpuocc {

/// The symbols that values may be addresses in, by operation.
class SymbolRoots {
public:
  using Symbols = llvm::SmallVector<uint32_t, 2>;

  explicit SymbolRoots(const KernelFacts &Facts);

  Symbols of(const Operand &O) const;

private:
  std::vector<Symbols> OfOperation;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_ANALYSIS_SYMBOLROOTS_H
