//===- Cuobjdump.h - PTX in objects and programs ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLCHAIN_CUOBJDUMP_H
#define GPUOCC_TOOLCHAIN_CUOBJDUMP_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuocc {

/// The PTX files in \p Binary, as \p Program (a path of cuobjdump) prints them,
/// in its order; none where it holds none. Fails when the program cannot be run
/// or does not know the file.
llvm::Expected<std::vector<std::string>> ptxInBinary(llvm::StringRef Program,
                                                     llvm::StringRef Binary);

/// Writes the machine code in \p Binary to \p Folder, a file for each part, as
/// \p Program (a path of cuobjdump) does. Returns their names; none where it
/// holds none. Fails when the program cannot be run.
llvm::Expected<std::vector<std::string>>
extractMachineCode(llvm::StringRef Program, llvm::StringRef Binary,
                   llvm::StringRef Folder);

/// The PTX files in \p Text, what `cuobjdump -ptx` prints.
std::vector<std::string> parsePtxDump(llvm::StringRef Text);

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_CUOBJDUMP_H
