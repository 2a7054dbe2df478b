//===- PrecompiledHeaders.h - CUDA's headers, read once ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_PRECOMPILEDHEADERS_H
#define GPUOCC_TOOLS_SOURCES_PRECOMPILEDHEADERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace gpuocc {

/// \p Options without those of passes and of files that are written, which do
/// not change what headers say.
std::vector<std::string> withoutOutputs(llvm::ArrayRef<std::string> Options);

/// The headers that clang reads in front of each CUDA source, which are most of
/// what it reads of small ones, in a precompiled file for each set of options.
class PrecompiledHeaders {
public:
  /// Files are kept below \p Folder, where it is not empty. \p Options are
  /// those of \p Clang that choose the language and what headers say.
  PrecompiledHeaders(llvm::StringRef Folder, llvm::StringRef Clang,
                     std::vector<std::string> Options);

  /// Options that use the file, which is made where it is missing; none where
  /// that is not possible.
  std::vector<std::string> use() const;

  /// To be called with what clang said when it failed: true where it refuses
  /// the file, since headers have changed. The file is removed then.
  bool noteFailure(llvm::StringRef ErrorOutput) const;

private:
  bool make() const;
  /// True where the file is what make() made; it may have been damaged since.
  bool isWhole() const;

  std::string Folder, Clang, File;
  std::vector<std::string> Options;
};

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_PRECOMPILEDHEADERS_H
