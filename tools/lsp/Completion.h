//===- Completion.h - What a configuration can say --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_COMPLETION_H
#define GPUOCC_TOOLS_LSP_COMPLETION_H

#include "Document.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc::editor {

/// What can stand at \p At of a configuration file: keys with what they mean,
/// devices, findings, and \p Kernels, the names of those that are known.
llvm::lsp::CompletionList
configurationCompletion(const Document &Text, llvm::lsp::Position At,
                        llvm::ArrayRef<std::string> Kernels);

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_COMPLETION_H
