//===- RecordedMemory.h - What arrays hold at a launch ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_ANALYSIS_RECORDEDMEMORY_H
#define GPUOCC_LIB_LANES_ANALYSIS_RECORDEDMEMORY_H

#include "Analysis/ArrayContents.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Launch.h"
#include "gpuocc/Support/Mechanism.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <optional>
#include <vector>

namespace gpuocc {

/// The accesses to arrays whose contents are recorded, to structures that are
/// passed by value, and to tables that the code has.
class RecordedArrays {
public:
  RecordedArrays() = default;
  /// \p IsRecorded tells of the offset in parameter memory of the address of
  /// an array whether its contents are.
  RecordedArrays(const KernelFacts &Facts,
                 llvm::function_ref<bool(uint64_t)> IsRecorded);
  /// Loads from the parameters of which \p IsGiven tells by their indices that
  /// their bytes are known are looked up, too. Nothing stores there.
  void addStructs(const KernelFacts &Facts,
                  llvm::function_ref<bool(unsigned)> IsGiven);
  /// Loads from variables whose contents the code says are looked up, too,
  /// unless the kernel writes to them.
  void addTables(const KernelFacts &Facts);
  /// What is read from any array was seen while the kernel ran, through
  /// pointers that were loaded and from variables too, and what atomics return:
  /// what the kernel writes needs not be followed.
  static RecordedArrays seen(const KernelFacts &Facts);

  /// Nothing is recorded.
  bool isEmpty() const { return Loads.empty(); }
  /// Does \p Access load from one, or return what it holds?
  bool isLoad(uint32_t Access) const {
    return Access < Loads.size() && Loads[Access];
  }
  /// The stores and atomics of the kernel that may have written what \p Access
  /// loads, as accesses.
  llvm::ArrayRef<uint32_t> writesBefore(uint32_t Access) const {
    return Access < Writes.size() ? llvm::ArrayRef<uint32_t>(Writes[Access])
                                  : llvm::ArrayRef<uint32_t>();
  }

private:
  /// By access.
  std::vector<bool> Loads;
  std::vector<llvm::SmallVector<uint32_t, 2>> Writes;
};

/// Those whose contents \p L gives, or tells by the sizes of arrays
/// (rowStarts), or all where \p IsSeen.
RecordedArrays findRecordedArrays(const KernelFacts &Facts, const Launch &L,
                                  const Mechanisms &Used, bool IsSeen);

/// The contents of the arrays of a launch.
class RecordedMemory {
public:
  /// Opens the files of \p L; what cannot be read is as if it was not given.
  /// Rows of which \p L gives the sizes of arrays only (rowStarts) are alike.
  RecordedMemory(const KernelFacts &Facts, const Launch &L);

  /// What the array holds whose address is at \p Array in parameter memory;
  /// null where that is not recorded.
  const ArrayContents *find(uint64_t Array) const;

  bool isEmpty() const { return Contents.empty(); }

private:
  std::map<uint64_t, ArrayContents> Contents;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_ANALYSIS_RECORDEDMEMORY_H
