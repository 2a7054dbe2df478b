//===- KeptFacts.h - Facts kept from run to run -----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_KEPTFACTS_H
#define GPUOCC_TOOLS_ACCURACY_KEPTFACTS_H

#include "gpuocc/Kernel/JSON.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuocc {

/// A folder of facts that were read before, so that nothing is compiled twice.
class KeptFacts {
public:
  /// Keeps them in \p Folder, which is made where it is missing; nowhere when
  /// it is empty.
  static llvm::Expected<KeptFacts> create(llvm::StringRef Folder);

  /// What was kept under \p Key (a path), otherwise what \p Read returns.
  llvm::Expected<FactsFile>
  find(llvm::StringRef Key,
       llvm::function_ref<llvm::Expected<FactsFile>()> Read) const;

private:
  explicit KeptFacts(llvm::StringRef Folder) : Folder(Folder) {}

  std::string Folder;
};

/// Where PTX that nvcc made is kept beside facts in \p Folder, so that runs
/// with other mechanisms read the same; empty: nowhere.
std::string folderOfPtx(llvm::StringRef Folder);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_KEPTFACTS_H
