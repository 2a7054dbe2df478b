//===- Encodings.h - Opcodes of machine code by name -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which numbers stand for the instructions that microkernels claim, so that
/// machine code can be compared with a claim where there is no disassembler.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_STATS_ENCODINGS_H
#define GPUOCC_CALIBRATION_STATS_ENCODINGS_H

#include "llvm/ADT/StringRef.h"
#include <set>

namespace gpuocc::calibration {

/// Bits 0 to 8 of instructions named \p Opcodes, separated by '|', on sm_75 and
/// later. Modifiers do not count, but for HFMA2.MMA, which has a number of its
/// own. Empty where one of the names is not in the table.
std::set<unsigned> encodingsOf(llvm::StringRef Opcodes);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_STATS_ENCODINGS_H
