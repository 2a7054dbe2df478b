//===- ReadPtxFile.h - PTX to kernel facts ---------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_READPTXFILE_H
#define GPUOCC_TOOLS_SOURCES_READPTXFILE_H

#include "ReadSource.h"
#include "gpuocc/ReadLLVM/ReadModule.h"

namespace gpuocc {

/// The facts of the kernels in \p Text, PTX as any compiler wrote it to the
/// file \p File: nothing is optimized again, and registers are what the
/// assembler makes of the very text. Kernels that cannot be read are treated as
/// readDeviceModule() does.
///
/// Functions that it calls and does not define are taken from \p Others, the
/// PTX of other files of its program, where one has them.
llvm::Expected<ModuleFacts>
readPtx(llvm::StringRef Text, llvm::StringRef File,
        const SourceOptions &Options,
        llvm::ArrayRef<llvm::StringRef> Others = {});

/// The same of what is in \p File. Triton's metadata beside it says the launch.
llvm::Expected<FactsFile> readPtxFile(llvm::StringRef File,
                                      const SourceOptions &Options);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_READPTXFILE_H
