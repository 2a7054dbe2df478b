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

/// Which places of instructions the disassembler prints.
enum class DisassembledPlaces { Lines, LinesAndCalls };

/// The code in the file \p Cubin with encodings and \p Places, as \p Program (a
/// path of nvdisasm) prints it. Fails when the program cannot be run or rejects
/// the file.
llvm::Expected<std::string>
runNvdisasm(llvm::StringRef Program, llvm::StringRef Cubin,
            DisassembledPlaces Places = DisassembledPlaces::Lines);

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_NVDISASM_H
