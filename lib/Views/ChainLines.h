//===- ChainLines.h - The dependency chain by source line -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_VIEWS_CHAINLINES_H
#define GPUOCC_LIB_VIEWS_CHAINLINES_H

#include "gpuocc/Report/Report.h"
#include <vector>

namespace gpuocc {

/// An operation as a reader finds it.
struct ChainPlace {
  SourcePlace Place;
  /// Name in the machine view.
  std::string Operation;
};

/// Links of the dependency chain from one source line to another.
struct ChainLine {
  /// Of the link that waits longest.
  ChainPlace Producer, Consumer;
  double Cycles = 0;
};

/// The dependency chain of \p K, gathered by the lines of producer and
/// consumer, in the order in which a warp first comes to them.
std::vector<ChainLine> chainLines(const KernelReport &K);

/// Where loop \p Loop of \p K is; an invalid place if that is not known.
SourcePlace placeOfLoop(const KernelReport &K, uint32_t Loop);

} // namespace gpuocc

#endif // GPUOCC_LIB_VIEWS_CHAINLINES_H
