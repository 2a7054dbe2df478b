//===- Microkernels.h - All kernels, without a GPU -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The modules that the plans would load on an sm_90, and their check by an
/// assembler and a disassembler.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_PLANS_MICROKERNELS_H
#define GPUOCC_CALIBRATION_PLANS_MICROKERNELS_H

#include "SassChecks.h"
#include "driver/Driver.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuocc::calibration {

/// Walks all plans that run by default through a stand-in for a GPU. Modules in
/// the order in which they are first loaded, none twice; where two differ under
/// one key, the second has "#2" behind it, and so on.
llvm::Expected<std::vector<Microkernels>> allMicrokernels();

/// Walks all plans that run by default on \p Cuda, each measurement done twice,
/// and calls \p Do with each text of PTX that they load and its level of
/// optimization, as often as they do.
llvm::Error visitLoadedTexts(
    const Driver &Cuda,
    llvm::function_ref<void(llvm::StringRef Ptx, int Optimization)> Do);

/// \p Key as the name of a file: "a -> b" becomes "a-to-b", and "a b" "a-b".
std::string fileStem(llvm::StringRef Key);

/// Assembles \p M for its target to \p Stem.cubin, disassembles it to
/// \p Stem.sass and compares that with the claim.
llvm::Expected<SassVerdict> assembleAndJudge(const Microkernels &M,
                                             const std::string &Stem,
                                             llvm::StringRef Assembler,
                                             llvm::StringRef Disassembler);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_PLANS_MICROKERNELS_H
