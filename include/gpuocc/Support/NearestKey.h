//===- NearestKey.h - The valid word closest to a typo ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_NEARESTKEY_H
#define GPUOCC_SUPPORT_NEARESTKEY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace gpuocc {

/// The entry of \p Valid with the smallest edit distance to \p Word, letter
/// case aside; of equals the first that begins with \p Word, or the first.
/// Empty when \p Valid is empty. For error messages that say what would have
/// been right.
llvm::StringRef nearestKey(llvm::StringRef Word,
                           llvm::ArrayRef<llvm::StringRef> Valid);

/// The same where it is near: at most a third of the letters of \p Word away,
/// or the first that goes on where \p Word, of four letters or more, ends.
///
/// Heuristic: the limit of clang's own corrections of typos.
std::optional<llvm::StringRef> nearKey(llvm::StringRef Word,
                                       llvm::ArrayRef<llvm::StringRef> Valid);

/// The end of an error message about \p Word: "; did you mean 'x'?" with its
/// nearKey(), or "; known: x, y" with what there is.
std::string didYouMean(llvm::StringRef Word,
                       llvm::ArrayRef<llvm::StringRef> Valid);

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_NEARESTKEY_H
