//===- DeviceFile.h - Device databases in the editor ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_DEVICEFILE_H
#define GPUOCC_TOOLS_LSP_DEVICEFILE_H

#include "Document.h"
#include "Protocol.h"

namespace gpuocc::editor {

/// True for a JSON file with the words that each device database has.
bool isDeviceFile(llvm::StringRef Path, llvm::StringRef Text);

/// Where the value at \p Place of the JSON document \p Text begins, or the
/// deepest value around it that exists: a Place is written as errors of the
/// database do, `instructions["fp32.fma"].latency_cycles`.
size_t offsetOfPlace(llvm::StringRef Text, llvm::StringRef Place);

/// What is wrong with the device database \p Path, whose text is \p Text: the
/// first thing of a wrong form, or all that is implausible.
std::vector<Diagnostic> deviceDiagnostics(const Document &Text,
                                          llvm::StringRef Path);

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_DEVICEFILE_H
