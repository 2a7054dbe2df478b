//===- ParseJSON.h - JSON of any depth, read without harm -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_PARSEJSON_H
#define GPUOCC_SUPPORT_PARSEJSON_H

#include "llvm/Support/JSON.h"

namespace gpuocc {

/// Parses \p Text as llvm::json::parse does. Arrays and objects that are nested
/// deeper than any file of ours fail too: LLVM's parser and values take a stack
/// frame for each level, and end the process where the stack ends.
llvm::Expected<llvm::json::Value> parseJSON(llvm::StringRef Text);

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_PARSEJSON_H
