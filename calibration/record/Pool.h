//===- Pool.h - Numbers of several processes -------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Some numbers are steady for as long as a process lives and are others in the
/// next one: where its memory lies and which queues it is given decide them.
/// Samples of one process agree with one another and say little about another
/// run, so such numbers are measured in several processes, and their spread is
/// the one between these.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_RECORD_POOL_H
#define GPUOCC_CALIBRATION_RECORD_POOL_H

#include "Database.h"

namespace gpuocc::calibration {

/// The first of \p Runs with each measured number that all of them have
/// replaced by what summarize() says of the values, one a process: their mean,
/// its spread, and whether they settle. `samples` counts processes. \p Runs is
/// not empty.
llvm::json::Object pooled(llvm::ArrayRef<llvm::json::Object> Runs);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_RECORD_POOL_H
