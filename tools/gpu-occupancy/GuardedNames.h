//===- GuardedNames.h - Names behind conditions of headers ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_GUARDEDNAMES_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_GUARDEDNAMES_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gpuocc {

/// The name that \p CompilerError, a line of clang, nvcc or GCC, says is not
/// declared; empty where it says something else.
llvm::StringRef undeclaredName(llvm::StringRef CompilerError);

/// A line that is compiled only where macros are defined.
struct GuardedLine {
  unsigned Number = 0;
  /// The outermost first, without those that compilers define.
  std::vector<std::string> Macros;
};

/// The first line of \p Text, a header, that has the word \p Name and is
/// compiled only where macros are defined: below `#ifdef M`, `#if defined(M)`
/// or `#if M`, in their first part, or in the second part of `#ifndef M`. A
/// line without macros where \p Name stands in one that is not guarded so:
/// conditions that say more are taken to hold. Nothing where \p Name is absent.
std::optional<GuardedLine> guardedLine(llvm::StringRef Text,
                                       llvm::StringRef Name);

/// Where a name stands behind conditions.
struct GuardedName : GuardedLine {
  std::string Name, File;
};

/// Of \p Files other than \p Source the first that has \p Name behind
/// conditions (\see guardedLine); nothing where one of them has it unguarded.
std::optional<GuardedName> guardedName(llvm::StringRef Name,
                                       const std::set<std::string> &Files,
                                       llvm::StringRef Source);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_GUARDEDNAMES_H
