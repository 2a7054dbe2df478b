//===- CompareExecuted.h - Said counts against executed ones ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_DRIVER_COMPAREEXECUTED_H
#define GPUOCC_TOOLS_DRIVER_COMPAREEXECUTED_H

#include "gpuocc/Report/Report.h"
#include "gpuocc/Toolchain/RecordedLaunch.h"
#include "llvm/Support/JSON.h"
#include <optional>

namespace gpuocc {

/// What the warps of \p L executed beside what \p R says of them, per warp in
/// the mean: instructions and sectors of the launch, and blocks, branches and
/// accesses by line. "fits" is false, and counts are missing, where the code
/// that ran is not the code that was read. Absent where nothing was counted.
std::optional<llvm::json::Object> compareExecuted(const RecordedLaunch &L,
                                                  const KernelReport &R);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_DRIVER_COMPAREEXECUTED_H
