//===- RunOnModule.h - What the plugin does to a module --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_PLUGIN_RUNONMODULE_H
#define GPUOCC_TOOLS_PLUGIN_RUNONMODULE_H

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace gpuocc {

struct PluginOptions;

/// True when \p M is a device module and somebody wants to know about it.
bool hasWork(llvm::Module &M, const PluginOptions &Options);

/// Whether the code of a module is about to be generated.
enum class CodeGeneration { None, Follows };

/// Reads, assesses and tells. Nothing that goes wrong ends the compilation: it
/// becomes a remark NotAnalyzed and a warning (Tell.h). \p M and what \p TM
/// emits for it do not change. When code generation follows, most of this
/// happens in its course; \p M has to live as long.
void runOnModule(llvm::Module &M, llvm::TargetMachine &TM, CodeGeneration Code,
                 const PluginOptions &Options);

/// Writes the facts file with launches only: the kernels of \p M are known.
void writeLaunches(llvm::Module &M, llvm::TargetMachine &TM,
                   const PluginOptions &Options);

/// Tells that \p M is not analyzed and why.
void tellNotAnalyzed(llvm::Module &M, const PluginOptions &Options,
                     llvm::Error Why);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_PLUGIN_RUNONMODULE_H
