//===- Hovers.h - How the numbers of a line come about ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_HOVERS_H
#define GPUOCC_TOOLS_LSP_HOVERS_H

#include "Protocol.h"
#include "Unit.h"

namespace gpuocc::editor {

/// At the line of a kernel its verdict, resources and assumptions; at a line
/// inside one what the line costs: findings, accesses with their lanes drawn,
/// and the terms of the worksheet that it causes. Nothing where there is
/// nothing to say.
std::optional<lsp::Hover> hoverAt(const Unit &Of, const ShownFile &Shown,
                                  lsp::Position Where);

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_HOVERS_H
