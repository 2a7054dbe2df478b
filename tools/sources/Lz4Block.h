//===- Lz4Block.h - Blocks that LZ4 compressed ------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_LZ4BLOCK_H
#define GPUOCC_TOOLS_SOURCES_LZ4BLOCK_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace gpuocc {

/// What the LZ4 block \p Compressed holds, \p Bytes long; nothing where it is
/// damaged or holds another number of bytes.
///
/// Source: LZ4 Block Format Description (lz4_Block_format.md of LZ4 1.10).
/// LLVM has no LZ4; the format is small enough to read it here.
std::optional<std::string> decompressLz4Block(llvm::StringRef Compressed,
                                              uint64_t Bytes);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_LZ4BLOCK_H
