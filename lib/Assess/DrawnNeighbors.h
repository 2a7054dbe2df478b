//===- DrawnNeighbors.h - Loaded places next to each other -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_DRAWNNEIGHBORS_H
#define GPUOCC_LIB_ASSESS_DRAWNNEIGHBORS_H

#include "Rules.h"
#include <optional>

namespace gpuocc {

/// The time of the launch of \p C if neighbouring lanes go to neighbouring
/// places wherever loaded indices choose the place of a load or store of an
/// array, which are taken to have no order: a sort stores runs, a mesh is
/// numbered along. Nothing where no such access makes a good part of the
/// sectors, or the time is not known.
std::optional<double> timeOfDrawnNeighbors(const Case &C);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_DRAWNNEIGHBORS_H
