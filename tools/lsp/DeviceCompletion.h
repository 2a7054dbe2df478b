//===- DeviceCompletion.h - What a device database can say ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_DEVICECOMPLETION_H
#define GPUOCC_TOOLS_LSP_DEVICECOMPLETION_H

#include "Document.h"

namespace gpuocc::editor {

/// The keys that can stand at \p At of a device database: those that the
/// databases in this binary have at such a place.
llvm::lsp::CompletionList deviceCompletion(const Document &Text,
                                           llvm::lsp::Position At);

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_DEVICECOMPLETION_H
