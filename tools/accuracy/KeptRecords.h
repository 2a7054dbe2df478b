//===- KeptRecords.h - Recorded launches kept from run to run ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_KEPTRECORDS_H
#define GPUOCC_TOOLS_ACCURACY_KEPTRECORDS_H

#include "gpuocc/Toolchain/Process.h"
#include "sources/HostProgram.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <deque>

namespace gpuocc {

/// A folder of launches that were recorded before, with what arrays held, so
/// that no host code is built and run twice.
class KeptRecords {
public:
  /// Keeps them in \p Folder, which is there; where it is empty, for as long as
  /// this lives.
  explicit KeptRecords(llvm::StringRef Folder) : Folder(Folder) {}

  /// What was kept under \p Key (any text), failures too; otherwise what
  /// \p Run returns, which gets a new folder for what arrays hold.
  llvm::Expected<HostRecord>
  find(llvm::StringRef Key,
       llvm::function_ref<llvm::Expected<HostRecord>(llvm::StringRef Memory)>
           Run);

private:
  std::string Folder;
  std::deque<TemporaryFolder> Temporary;
};

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_KEPTRECORDS_H
