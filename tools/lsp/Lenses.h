//===- Lenses.h - The verdict above each kernel -----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_LENSES_H
#define GPUOCC_TOOLS_LSP_LENSES_H

#include "Protocol.h"
#include "Unit.h"

namespace gpuocc::editor {

/// Commands that lenses carry out when clicked.
inline constexpr llvm::StringLiteral NextLaunchCommand =
    "gpu-occupancy.nextLaunch";
inline constexpr llvm::StringLiteral NextDeviceCommand =
    "gpu-occupancy.nextDevice";

/// Two lenses for each kernel in \p Shown: the verdict, whose click shows the
/// next launch or instance, and the device, whose click takes the next one.
/// \p Uri names the document in the commands.
std::vector<CodeLens> lensesOf(const Unit &Of, const ShownFile &Shown,
                               llvm::StringRef Uri);

/// One kernel of a source with the entry of the report that is shown of it: one
/// of its launches and instances.
struct ShownKernel {
  /// What names the kernel, whatever its launch and template arguments.
  std::string Key;
  const KernelReport *What = nullptr;
  /// Which of its entries that is, and how many there are.
  size_t Index = 0, Count = 0;
};

/// The kernels of \p Of in the order of the report.
std::vector<ShownKernel> shownKernels(const Unit &Of);

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_LENSES_H
