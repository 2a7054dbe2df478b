//===- LocationTable.h - Debug locations, each once ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_LOCATIONTABLE_H
#define GPUOCC_LIB_READLLVM_LOCATIONTABLE_H

#include "gpuocc/Support/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"
#include <cstdint>
#include <vector>

namespace llvm {
class DIFile;
class DILocation;
class DISubprogram;
class Function;
} // namespace llvm

namespace gpuocc {

/// Gives each DILocation (with its inlined chain) an index in
/// KernelFacts::Locations.
class LocationTable {
public:
  explicit LocationTable(std::vector<SourceLocation> &Locations)
      : Locations(Locations) {}

  /// The index of \p Loc; NoIndex when it is null or has line 0.
  uint32_t indexOf(const llvm::DILocation *Loc);

private:
  const std::string &pathOf(const llvm::DIFile *F);

  std::vector<SourceLocation> &Locations;
  /// Asking the system for the current directory costs more than the rest.
  llvm::DenseMap<const llvm::DIFile *, std::string> Paths;
  llvm::DenseMap<const llvm::DILocation *, uint32_t> Indices;
};

/// Where \p F is declared; invalid without debug information.
SourcePlace placeOfFunction(const llvm::Function &F);

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_LOCATIONTABLE_H
