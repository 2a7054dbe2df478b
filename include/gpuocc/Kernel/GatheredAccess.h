//===- GatheredAccess.h - Accesses through loaded indices -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_GATHEREDACCESS_H
#define GPUOCC_KERNEL_GATHEREDACCESS_H

#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"

namespace gpuocc {

/// Each lane of access \p Access goes where a word leads that it loads in the
/// same pass through the innermost loop around the access (anywhere, where
/// there is none): `x[index[k]]`, not `value[k]` with k from a loaded start of
/// a row on. Whether the words are known makes no difference; words that are
/// the same for all lanes do not count.
bool isGathered(const KernelFacts &Facts, const ExecutionProfile &Profile,
                uint32_t Access);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_GATHEREDACCESS_H
