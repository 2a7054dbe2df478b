//===- AllowedOptions.h - Options that a repository may decide --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A compilation database comes with a repository that its reader may not
/// trust. Compilers load plugins, run programs and write files for options.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLCHAIN_ALLOWEDOPTIONS_H
#define GPUOCC_TOOLCHAIN_ALLOWEDOPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuocc {

/// A command line, sorted.
struct SortedOptions {
  /// Options that only decide what the code says. Paths are absolute; an option
  /// whose value is a path that no prefix holds is two words.
  std::vector<std::string> Taken;
  /// Options that could do more, and those that are not known.
  std::vector<std::string> Dropped;
  /// What is no option.
  std::vector<std::string> Inputs;
};

/// Sorts \p Arguments, options of clang or gcc without the compiler's name, by
/// AllowedOptions.def. Response files ("@FILE") are read; they and relative
/// paths start at \p Directory. One that cannot be read is dropped.
SortedOptions sortOptions(llvm::ArrayRef<std::string> Arguments,
                          llvm::StringRef Directory);

/// The file that "-include \p Name" means: in \p Directory where it is there.
/// Else a name for the compiler, which looks for it in the include folders too;
/// but a path where compilers would read a name as an option or, behind '@', as
/// a file of options.
std::string pathOfIncluded(llvm::StringRef Name, llvm::StringRef Directory);

/// True when \p Text has only letters, digits and characters that no shell and
/// no list of options gives a meaning: "/._+-".
bool isPlain(llvm::StringRef Text);

/// The words in the response file \p Name, which starts at \p Directory where
/// it is relative. Fails where it cannot be read or is no file.
llvm::Expected<std::vector<std::string>>
readResponseFile(llvm::StringRef Name, llvm::StringRef Directory);

/// The parts of \p List, which commas separate but for those
/// behind a backslash.
std::vector<std::string> splitList(llvm::StringRef List);

/// \p Part as one of such a list.
std::string asOneOfList(llvm::StringRef Part);

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_ALLOWEDOPTIONS_H
