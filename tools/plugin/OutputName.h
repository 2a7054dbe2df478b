//===- OutputName.h - Names of report and facts files -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_PLUGIN_OUTPUTNAME_H
#define GPUOCC_TOOLS_PLUGIN_OUTPUTNAME_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuocc {

/// What is compiled: every pair has files of its own.
struct CompiledUnit {
  /// The source as the compiler names it.
  llvm::StringRef SourceFile;
  /// "sm_90".
  llvm::StringRef Architecture;
};

/// The file that \p Pattern means for \p Unit. In it %s is the name of the
/// source without folder and extension, %h eight hexadecimal digits of its
/// whole path, %a the architecture, %% a percent sign; other uses of % fail. A
/// folder, one that is there or a pattern that ends in '/', stands for
/// "FOLDER/%s-%h.%a.KIND.json".
llvm::Expected<std::string> outputName(llvm::StringRef Pattern,
                                       llvm::StringRef Kind,
                                       const CompiledUnit &Unit);

/// The name of the optimization record of a device compile that was told to
/// write \p Record, which the host compile of the same source writes too: as
/// clang names those of device compiles, with \p Triple and \p Architecture
/// before the extension. Empty when \p Record is such a name already.
std::string deviceRecordName(llvm::StringRef Record, llvm::StringRef Triple,
                             llvm::StringRef Architecture);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_PLUGIN_OUTPUTNAME_H
