//===- Plural.h - Nouns behind numbers --------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_PLURAL_H
#define GPUOCC_SUPPORT_PLURAL_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuocc {

/// \p Noun as it stands behind \p Count: "block" behind 1, "blocks" behind 0,
/// 2 and 1.5; "branch", "branches". The singular is given.
std::string plural(double Count, llvm::StringRef Noun);

/// The same behind a number as it is shown, which is rounded.
std::string plural(llvm::StringRef Shown, llvm::StringRef Noun);

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_PLURAL_H
