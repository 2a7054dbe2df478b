//===- FileFormat.h - Versions of file formats ------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The versions of the files that this build reads and writes, and what is said
/// of a file of another one. docs/versions.md is the promise.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_FILEFORMAT_H
#define GPUOCC_SUPPORT_FILEFORMAT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace gpuocc {

/// A format of files that outlive a run.
enum class FileFormat : uint8_t {
#define FILE_FORMAT(Enum, Name, Oldest, Current, Remedy) Enum,
#include "gpuocc/Support/FileFormats.def"
};

/// What FileFormats.def says of a format.
struct FileFormatInfo {
  /// For messages: "device database".
  llvm::StringLiteral Name;
  /// Versions that are read.
  unsigned Oldest;
  /// The version that is written.
  unsigned Current;
  /// What helps against a file that is older than Oldest.
  llvm::StringLiteral Remedy;
};

namespace detail {
inline constexpr FileFormatInfo FileFormatRows[] = {
#define FILE_FORMAT(Enum, Name, Oldest, Current, Remedy)                       \
  {Name, Oldest, Current, Remedy},
#include "gpuocc/Support/FileFormats.def"
};
} // namespace detail

constexpr const FileFormatInfo &fileFormatInfo(FileFormat F) {
  return detail::FileFormatRows[size_t(F)];
}

/// The version of \p F that this build writes.
constexpr unsigned currentVersion(FileFormat F) {
  return fileFormatInfo(F).Current;
}

/// Fails where this build does not read version \p Version of \p F; the message
/// is one line without the file's name: both versions, and what helps.
llvm::Error checkVersion(FileFormat F, int64_t Version);

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_FILEFORMAT_H
