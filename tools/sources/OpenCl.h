//===- OpenCl.h - What OpenCL C takes beyond CUDA ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_OPENCL_H
#define GPUOCC_TOOLS_SOURCES_OPENCL_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuocc {

/// True if the name of \p File is that of OpenCL C.
bool isOpenCl(llvm::StringRef File);

/// Options with which clang compiles OpenCL C for \p Architecture: the
/// functions of the language from libclc, those of mathematics from the device
/// library of a CUDA toolkit where there is one. Fails without libclc, without
/// which no index of a work item is known.
llvm::Expected<std::vector<std::string>>
openClOptions(llvm::StringRef Architecture);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_OPENCL_H
