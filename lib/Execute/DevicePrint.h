//===- DevicePrint.h - printf of kernels ------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_DEVICEPRINT_H
#define GPUOCC_LIB_EXECUTE_DEVICEPRINT_H

#include <cstdint>
#include <string>

namespace gpuocc::execute {

/// The text of \p Format with the arguments in \p Packed: each as C's variadic
/// functions get it, at the next multiple of its size. \p NumArguments counts
/// them.
std::string formatPacked(const char *Format, const void *Packed,
                         int32_t &NumArguments);

/// CUDA's vprintf: prints to standard output and returns the number of
/// arguments.
int32_t devicePrint(const char *Format, const void *Packed);

} // namespace gpuocc::execute

#endif // GPUOCC_LIB_EXECUTE_DEVICEPRINT_H
