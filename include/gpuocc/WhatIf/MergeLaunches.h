//===- MergeLaunches.h - One launch in place of many ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_MERGELAUNCHES_H
#define GPUOCC_WHATIF_MERGELAUNCHES_H

#include "gpuocc/WhatIf/Change.h"

namespace gpuocc {

/// The launches of the loop of host code that a launch is in become blocks of
/// one: of an axis of its grid that it does not use, otherwise of x. Blocks do
/// what they did, each launch in places of its own. Fails where the launch is
/// in no such loop, or its grid is not known.
Change mergeLaunches();

} // namespace gpuocc

#endif // GPUOCC_WHATIF_MERGELAUNCHES_H
