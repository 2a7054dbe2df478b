//===- Nvdisasm.h - Machine code as text ------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLCHAIN_NVDISASM_H
#define GPUOCC_TOOLCHAIN_NVDISASM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuocc {

/// The code in the file \p Cubin with encodings and lines, as \p Program (a
/// path of nvdisasm) prints it. Fails when the program cannot be run or rejects
/// the file.
llvm::Expected<std::string> runNvdisasm(llvm::StringRef Program,
                                        llvm::StringRef Cubin);

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_NVDISASM_H
