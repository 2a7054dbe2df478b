//===- RunEffects.h - What shows that a kernel has run ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_EXECUTE_RUNEFFECTS_H
#define GPUOCC_EXECUTE_RUNEFFECTS_H

#include <cstdint>

namespace gpuocc {

/// What, beside plain stores, shows that a kernel has run. The larger one holds
/// for a kernel that does both.
enum class RunEffects : uint8_t {
  None,
  /// It shares memory with other threads while it runs: what it leaves depends
  /// on what it finds.
  Sharing,
  /// It prints, allocates, reads a clock or writes to a surface.
  Others
};

} // namespace gpuocc

#endif // GPUOCC_EXECUTE_RUNEFFECTS_H
