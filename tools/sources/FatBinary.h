//===- FatBinary.h - Device code in containers of the CUDA toolkit -*- C++ -*-//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_FATBINARY_H
#define GPUOCC_TOOLS_SOURCES_FATBINARY_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuocc {

/// What a part of a fat binary is.
enum class DeviceCode : uint8_t { Ptx, Cubin };

/// Calls \p Visit with each cubin and each text of PTX in \p Bytes, which may
/// be a cubin, a fat binary, or hold some of both, as objects, libraries and
/// programs do. Parts of fat binaries that are compressed with Zstandard or LZ4
/// are decompressed; what \p Visit is given lives until it returns.
///
/// Fails on what is cut off or damaged, and on parts that this build cannot
/// decompress. No program is run.
llvm::Error forEachDeviceCode(
    llvm::StringRef Bytes,
    llvm::function_ref<llvm::Error(DeviceCode Kind, llvm::StringRef Code)>
        Visit);

/// The same of cubins alone; PTX is not decompressed.
llvm::Error
forEachCubin(llvm::StringRef Bytes,
             llvm::function_ref<llvm::Error(llvm::StringRef Cubin)> Visit);

/// The PTX in the fat binaries of \p Bytes, in its order. Fails as
/// forEachDeviceCode() does.
llvm::Expected<std::vector<std::string>>
ptxInFatBinaries(llvm::StringRef Bytes);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_FATBINARY_H
