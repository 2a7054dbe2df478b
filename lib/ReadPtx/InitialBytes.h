//===- InitialBytes.h - What PTX variables begin with -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READPTX_INITIALBYTES_H
#define GPUOCC_LIB_READPTX_INITIALBYTES_H

#include "gpuocc/ReadPtx/PtxModule.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace gpuocc {

/// The bytes that \p V is initialized with: a number, or a list of them, behind
/// which zeros follow. Nothing where it is not initialized, holds addresses or
/// lists of lists, or exceeds 64 KiB, as much as constant memory has.
std::optional<std::vector<uint8_t>> initialBytes(const PtxVariable &V);

} // namespace gpuocc

#endif // GPUOCC_LIB_READPTX_INITIALBYTES_H
