//===- LaneDrawing.h - Lanes on sectors and banks ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_LANEDRAWING_H
#define GPUOCC_TOOLS_LSP_LANEDRAWING_H

#include "gpuocc/Kernel/ExecutionProfile.h"
#include <string>

namespace gpuocc::editor {

/// Where the lanes of a warp are, drawn: the sectors of 32 bytes that they
/// touch, four bytes a sign, or how many words each bank has to give. Of
/// accesses without one stride, the pattern in words.
std::string drawLanes(const MemoryAccess &Access, const AccessProfile &Profile);

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_LANEDRAWING_H
