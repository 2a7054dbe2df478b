//===- Hints.h - Costs at the ends of lines ---------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_HINTS_H
#define GPUOCC_TOOLS_LSP_HINTS_H

#include "Protocol.h"
#include "Unit.h"

namespace gpuocc::editor {

/// A word for each line of \p Range that costs: "32 sectors", "8-way", "1.7x".
std::vector<lsp::InlayHint> hintsOf(const Unit &Of, const ShownFile &Shown,
                                    const lsp::Range &Range);

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_HINTS_H
