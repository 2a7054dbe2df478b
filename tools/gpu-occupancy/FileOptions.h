//===- FileOptions.h - How one file is compiled -----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_FILEOPTIONS_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_FILEOPTIONS_H

#include "AnalyzeProject.h"

namespace gpuocc {

/// Options of a file that is named by itself: those of the compilation database
/// that is named or nearest to it, then those of the user.
class FileOptions {
public:
  FileOptions(FileOptions &&) = default;

  /// \p CompilerOptions stand behind "--". Fails where they cannot be read, and
  /// where a database that the user names cannot be. What was left out of the
  /// database is noted on standard error.
  static llvm::Expected<FileOptions>
  create(llvm::StringRef File, const AssessFileOptions &Given,
         llvm::ArrayRef<llvm::StringRef> CompilerOptions,
         const ProjectOptions &Sets);

  /// The same for a file that is built as \p Job says. Fails where
  /// \p CompilerOptions cannot be read.
  static llvm::Expected<FileOptions>
  ofBuild(SourceJob Job, const AssessFileOptions &Given,
          llvm::ArrayRef<llvm::StringRef> CompilerOptions);

  /// They refer to this object.
  const AssessFileOptions &get() const { return Options; }
  /// The options of a trial of the file (\see addEdits), beside the user's.
  std::vector<std::string> ofDatabase() const { return OfDatabase; }
  /// All that stands behind "--" of a trial.
  std::vector<llvm::StringRef> compilerOptions() const {
    return {Words.begin(), Words.end()};
  }

private:
  FileOptions() = default;

  AssessFileOptions Options;
  std::vector<std::string> OfDatabase;
  std::vector<std::string> Words;
};

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_FILEOPTIONS_H
