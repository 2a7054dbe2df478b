//===- KnownModule.h - Device code that was read before ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// In an editor most edits of host code leave the device code as it was. The
/// module that clang parsed then has the fingerprint that it had before, and
/// needs neither be optimized nor read again.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_PLUGIN_KNOWNMODULE_H
#define GPUOCC_TOOLS_PLUGIN_KNOWNMODULE_H

#include "llvm/IR/PassManager.h"
#include <string>

namespace gpuocc {

/// The first pass: notes the fingerprint of a device module in its metadata.
/// Removes the code of the module whose fingerprint is already known.
class FingerprintPass : public llvm::PassInfoMixin<FingerprintPass> {
public:
  /// \p Known is the fingerprint of the known module; empty: there is none.
  explicit FingerprintPass(std::string Known) : Known(std::move(Known)) {}

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  std::string Known;
};

/// The fingerprint that the pass noted in \p M; empty where it did not run.
std::string notedFingerprint(const llvm::Module &M);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_PLUGIN_KNOWNMODULE_H
