//===- MergeRecord.h - Recorded launches in a configuration ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Recorded launches stand in a block of their own among the launches of a
/// configuration. A later record replaces the block; all else belongs to the
/// user and stays as it is, byte for byte.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_DRIVER_MERGERECORD_H
#define GPUOCC_TOOLS_DRIVER_MERGERECORD_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuocc {

/// A configuration that holds \p Entries, lines as writeLaunch() writes them,
/// and nothing else. \p Writer is named in it.
std::string recordedConfig(llvm::StringRef Entries, llvm::StringRef Writer);

/// \p Existing, the text of the configuration \p FileName, with \p Entries in
/// the place of those of an earlier record, or behind its other launches.
///
/// Fails where \p Existing is no configuration, and where its launches are not
/// written as lines that begin with '-'; then nothing can be put among them
/// without changing them.
llvm::Expected<std::string>
mergeRecorded(llvm::StringRef Existing, llvm::StringRef FileName,
              llvm::StringRef Entries, llvm::StringRef Writer,
              llvm::ArrayRef<llvm::StringRef> RuleNames);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_DRIVER_MERGERECORD_H
