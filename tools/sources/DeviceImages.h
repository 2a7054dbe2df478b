//===- DeviceImages.h - What a binary has for which GPU ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The driver loads a cubin on devices of its major version that are not older,
/// and compiles PTX for devices that are not older than it. Source: CUDA C++
/// Programming Guide, "Binary Compatibility", "PTX Compatibility" and
/// "Architecture-Specific Features".
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_DEVICEIMAGES_H
#define GPUOCC_TOOLS_SOURCES_DEVICEIMAGES_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <set>
#include <string>

namespace gpuocc {

/// True where a device of \p Device, "sm_90", loads the machine code for
/// \p Architecture. Letters behind the number are not in all files, and do not
/// count.
bool loadsMachineCode(llvm::StringRef Device, llvm::StringRef Architecture);

/// True where the driver compiles PTX of \p Target, "sm_90a", for \p Device.
bool loadsPtx(llvm::StringRef Device, llvm::StringRef Target);

/// The images of each kernel in a binary. PTX that a cubin keeps for its lines
/// is none.
class DeviceImages {
public:
  /// Those of the bytes of an object, a library, a program, a cubin or a fat
  /// binary. Fails where they are damaged or cannot be decompressed.
  static llvm::Expected<DeviceImages> of(llvm::StringRef Bytes);

  /// "the binary has it for sm_80 only", where no image of \p Kernel runs on
  /// \p Device; empty where one does, and for kernels that it does not have.
  std::string missing(llvm::StringRef Kernel, llvm::StringRef Device) const;

private:
  /// Architectures of machine code, and targets of PTX.
  struct Images {
    std::set<std::string> Cubins, Ptx;
  };
  llvm::StringMap<Images> OfKernels;
};

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_DEVICEIMAGES_H
