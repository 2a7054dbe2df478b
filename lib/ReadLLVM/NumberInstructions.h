//===- NumberInstructions.h - Numbers that survive the assembler *- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_NUMBERINSTRUCTIONS_H
#define GPUOCC_LIB_READLLVM_NUMBERINSTRUCTIONS_H

#include "gpuocc/Support/SourceLocation.h"
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace gpuocc {

struct KernelFacts;

/// The places that the lines of a numbered module stand for: that of line N is
/// at N - 1; it is invalid where there was none.
using NumberedPlaces = std::vector<SourceLocation>;

/// Replaces the debug information of \p M by line tables in which each
/// instruction has a line of its own, from 1. Unlike places in the source,
/// these tell apart what macros, templates and inlined functions put on one
/// line, and ptxas carries them into its line tables.
NumberedPlaces numberInstructions(llvm::Module &M);

/// Makes the lines in \p Facts, which were read from a numbered module, the
/// origins of operations, and gives them back the places in \p Places.
void restorePlaces(KernelFacts &Facts, const NumberedPlaces &Places);

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_NUMBERINSTRUCTIONS_H
