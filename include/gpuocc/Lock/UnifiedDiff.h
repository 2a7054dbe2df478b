//===- UnifiedDiff.h - A patch from one text to another ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LOCK_UNIFIEDDIFF_H
#define GPUOCC_LOCK_UNIFIEDDIFF_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuocc {

/// A patch of \p Name that `patch -p0` and `git apply -p0` make \p After of
/// \p Before with; empty where they are equal. Both end with a line break.
///
/// Source: Myers 1986, "An O(ND) Difference Algorithm and Its Variations".
/// Texts that differ in very many lines are replaced as a whole, which is a
/// patch too.
std::string unifiedDiff(llvm::StringRef Before, llvm::StringRef After,
                        llvm::StringRef Name);

} // namespace gpuocc

#endif // GPUOCC_LOCK_UNIFIEDDIFF_H
