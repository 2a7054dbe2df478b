//===- Microkernels.h - All kernels, without a GPU -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The modules that the plans would load on a GPU, and their check by an
/// assembler and a disassembler.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_PLANS_MICROKERNELS_H
#define GPUOCC_CALIBRATION_PLANS_MICROKERNELS_H

#include "SassChecks.h"
#include "driver/Driver.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>

namespace gpuocc::calibration {

/// What the plans load on a GPU, and what of it the GPU lacks.
struct MicrokernelSet {
  /// In the order in which they are first loaded, none twice; where two differ
  /// under one key, the second has "#2" behind it, and so on.
  std::vector<Microkernels> Modules;
  /// Classes and kernels that are absent, with the reason. Of a group whose
  /// first kernel is absent this is the only one.
  std::map<std::string, std::string> Absent;
};

/// Walks all plans that run by default through a stand-in for a GPU of
/// \p Architecture, one of architectures().
llvm::Expected<MicrokernelSet> allMicrokernels(unsigned Architecture = 90);

/// Walks all plans that run by default on \p Cuda, each measurement done twice,
/// and calls \p Do with each text of PTX that they load and its level of
/// optimization, as often as they do.
llvm::Error visitLoadedTexts(
    const Driver &Cuda,
    llvm::function_ref<void(llvm::StringRef Ptx, int Optimization)> Do);

/// \p Key as the name of a file: "a -> b" becomes "a-to-b", and "a b" "a-b".
std::string fileStem(llvm::StringRef Key);

/// Assembles \p Stem.ptx, which holds \p M, for its target to \p Stem.cubin.
llvm::Error assemble(const Microkernels &M, const std::string &Stem,
                     llvm::StringRef Assembler);

/// Assembles \p Stem.ptx, which holds \p M, and compares the numbers of opcodes
/// with the claim.
llvm::Expected<SassVerdict> assembleAndCount(const Microkernels &M,
                                             const std::string &Stem,
                                             llvm::StringRef Assembler);

/// Assembles \p M for its target to \p Stem.cubin, disassembles it to
/// \p Stem.sass and compares that with the claim.
llvm::Expected<SassVerdict> assembleAndJudge(const Microkernels &M,
                                             const std::string &Stem,
                                             llvm::StringRef Assembler,
                                             llvm::StringRef Disassembler);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_PLANS_MICROKERNELS_H
