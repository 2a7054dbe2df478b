//===- LspGuesses.h - Options of files without a database -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_LSPGUESSES_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_LSPGUESSES_H

#include "GuessedMacros.h"
#include <map>
#include <set>

namespace gpuocc {

/// Guesses options of texts as `analyze` does for a file, but once only for
/// what lacks: while somebody types, most texts lack a name.
class LspGuesses {
public:
  /// The job that was guessed for \p File, whose user gives the options
  /// \p Given; null: none.
  const SourceJob *find(llvm::StringRef File,
                        llvm::ArrayRef<std::string> Given) const;

  /// Guesses options of \p File, \p Arguments among them (\p Given as they are
  /// written), which failed with \p Messages, and tries them by \p Run. Names
  /// are guessed about only where \p WasAnalyzed is false: no text of the file
  /// had them. Returns notes on what was guessed; nothing where that did not
  /// help or was tried before.
  std::optional<std::vector<std::string>>
  guess(llvm::StringRef File, llvm::ArrayRef<std::string> Given,
        const TranslatedArguments &Arguments, llvm::StringRef Messages,
        bool WasAnalyzed, RunJob Run);

private:
  struct OfFile {
    std::vector<std::string> Given;
    std::optional<SourceJob> Job;
    /// What was lacking when options were guessed.
    std::set<std::string> Tried;
  };
  std::map<std::string, OfFile> Files;
};

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_LSPGUESSES_H
