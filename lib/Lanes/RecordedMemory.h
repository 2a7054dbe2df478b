//===- RecordedMemory.h - What arrays hold at a launch ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_RECORDEDMEMORY_H
#define GPUOCC_LIB_LANES_RECORDEDMEMORY_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Launch.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace gpuocc {

/// By access: it loads from an array whose contents are recorded.
using RecordedLoads = std::vector<bool>;

/// The loads of \p Facts from arrays whose contents \p L gives. Empty where it
/// gives none.
RecordedLoads findRecordedLoads(const KernelFacts &Facts, const Launch &L);

/// The contents of the arrays of a launch.
class RecordedMemory {
public:
  /// Opens the files of \p L; what cannot be read is as if it was not given.
  explicit RecordedMemory(const Launch &L);

  /// The \p Bytes bytes, eight at most, that are \p Offset bytes behind the
  /// address at \p Array in parameter memory; nothing where that is not
  /// recorded.
  std::optional<uint64_t> read(uint64_t Array, uint64_t Offset,
                               unsigned Bytes) const;

  bool isEmpty() const { return Contents.empty(); }

private:
  std::map<uint64_t, std::unique_ptr<llvm::MemoryBuffer>> Contents;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_RECORDEDMEMORY_H
