//===- Shortcuts.h - What spares a compiler work ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_SHORTCUTS_H
#define GPUOCC_TOOLS_SOURCES_SHORTCUTS_H

#include "gpuocc/Toolchain/Process.h"
#include <map>

namespace gpuocc {

/// For sources that are analyzed again and again, such as those in an editor.
struct SourceShortcuts {
  /// Facts are read from this file, with the architecture added to its name,
  /// whatever the source says now; where it is missing, it is written. Empty:
  /// neither.
  std::string KeptFacts;
  /// Facts of an earlier text, a file named in the same way: those of the
  /// kernels where the device code is still the same. Empty: none.
  std::string KnownFacts;
  /// A folder for precompiled preambles: what a source includes in front of
  /// its first declaration. Those that are there are used. Empty: none.
  std::string Preambles;
  /// Only the preamble is compiled, and no facts are read.
  bool BuildsPreamble = false;
  /// Texts to be read instead of files: the path of the file, absolute, and
  /// that of the text.
  std::map<std::string, std::string> Buffers;
  /// nvcc is run on these texts, which takes its time.
  bool NvccReadsBuffers = false;

  /// The file that holds the text of \p File.
  std::string textOf(llvm::StringRef File) const;
};

/// The option of the plugin that names the device code that is known.
constexpr llvm::StringLiteral KnownModuleOption =
    "-gpu-occupancy-known-module=";

/// \p Command without its last word, the source, and without what names files
/// and texts that differ from run to run.
std::vector<std::string> lastingOptions(llvm::ArrayRef<std::string> Command);

/// runClang() with the texts and the preamble that \p Shortcuts know. What
/// fails with a preamble is tried without it, so that errors are those of the
/// source.
llvm::Expected<ProcessResult> runClangWith(const SourceShortcuts &Shortcuts,
                                           llvm::StringRef Clang,
                                           llvm::ArrayRef<std::string> Command);

/// What clang's -ivfsoverlay takes: the texts \p Buffers stand in for files, as
/// SourceShortcuts::Buffers has them.
std::string overlayText(const std::map<std::string, std::string> &Buffers);

/// The bytes at the beginning of the source \p Text that hold nothing but
/// comments and directives, up to the end of the last `#include` that stands
/// under no condition; 0 where there is none.
size_t preambleBytes(llvm::StringRef Text);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_SHORTCUTS_H
