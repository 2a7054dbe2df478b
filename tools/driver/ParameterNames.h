//===- ParameterNames.h - Names of parameters from the source --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_DRIVER_PARAMETERNAMES_H
#define GPUOCC_TOOLS_DRIVER_PARAMETERNAMES_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/StringRef.h"

namespace gpuocc {

/// Names the parameters of \p Facts that have no name, by the text of the file
/// they are declared in: optimized modules without debug information have no
/// names, but people give arguments by name. Nothing happens when the file
/// cannot be read or the list there does not have as many parameters.
void nameParameters(KernelFacts &Facts);

/// The names in the parameter list of \p Function in \p Source, looked for from
/// \p Line (from 1) on; empty when it is not found. A parameter without a name
/// gives an empty one.
///
/// Heuristic: the list is the first pair of parentheses after the name, split
/// at commas outside of brackets; the name is the last identifier before a
/// default value. Macros that make up parameters defeat it; the count must
/// agree, so a wrong list is rarely believed.
std::vector<std::string> parameterNamesInSource(llvm::StringRef Source,
                                                unsigned Line,
                                                llvm::StringRef Function);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_DRIVER_PARAMETERNAMES_H
