//===- DoubledEscapes.h - Inline assembly as clang takes it -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc takes a single '%' in front of a register of inline assembly
/// ("mov.u64 %0, %globaltimer;"), clang wants two.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_DOUBLEDESCAPES_H
#define GPUOCC_TOOLS_SOURCES_DOUBLEDESCAPES_H

#include "gpuocc/Toolchain/Process.h"
#include <deque>
#include <map>

namespace gpuocc {

/// Copies of sources in which each '%' that clang refuses is doubled.
class DoubledEscapes {
public:
  /// Doubles what \p Errors, which clang prints for the copies, refuses. False
  /// where that is nothing.
  bool take(llvm::StringRef Errors);

  /// The path of an overlay that puts the copies in place of their files. It
  /// lives as long as this.
  llvm::Expected<llvm::StringRef> writeOverlay();

private:
  bool doubleAt(llvm::StringRef File, unsigned Line, unsigned Column);
  llvm::Expected<llvm::StringRef> write(llvm::StringRef Suffix,
                                        llvm::StringRef Text);

  /// By the absolute paths of their files.
  std::map<std::string, std::string> Texts;
  std::deque<TemporaryFile> Written;
};

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_DOUBLEDESCAPES_H
