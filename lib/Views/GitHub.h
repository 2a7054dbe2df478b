//===- GitHub.h - Workflow commands of GitHub Actions -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_VIEWS_GITHUB_H
#define GPUOCC_LIB_VIEWS_GITHUB_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace gpuocc {

/// One annotation. \p Level is "error", "warning" or "notice"; an empty \p
/// File, a \p Line or a \p Column of 0 are left out.
struct Annotation {
  llvm::StringRef Level, File;
  unsigned Line = 0, Column = 0;
  llvm::StringRef Title, Message;
};

/// Writes \p A as one line, whatever its texts hold.
void writeAnnotation(const Annotation &A, llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_LIB_VIEWS_GITHUB_H
