//===- ConfigKeys.h - What a configuration can say --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CONFIG_CONFIGKEYS_H
#define GPUOCC_CONFIG_CONFIGKEYS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace gpuocc {

/// A key that parseConfig() reads.
struct ConfigKey {
  /// The key whose value it is part of: "" at the top, "launches", "findings",
  /// or "rules" for the options of one finding.
  llvm::StringLiteral Section;
  llvm::StringLiteral Name;
  /// In a few words.
  llvm::StringLiteral Description;
};

/// All of them, those of a section in the order in which errors list them.
llvm::ArrayRef<ConfigKey> configKeys();

} // namespace gpuocc

#endif // GPUOCC_CONFIG_CONFIGKEYS_H
