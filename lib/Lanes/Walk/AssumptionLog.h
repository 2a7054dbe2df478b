//===- AssumptionLog.h - What a walk took that nobody supplied --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_ASSUMPTIONLOG_H
#define GPUOCC_LIB_LANES_WALK_ASSUMPTIONLOG_H

#include "Walk/LaneValue.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>
#include <vector>

namespace gpuocc {

/// The assumptions of one launch, in the order in which walks made them.
class AssumptionLog {
public:
  /// Adds \p A unless there is one about the same.
  void add(Assumption A);
  /// Adds \p A, about the input \p Key, unless that has one. \returns the bit
  /// by which values name it.
  TaintMask addInput(uint64_t Key, Assumption A);
  /// Adds \p A, about the trip count of \p Loop, which must not have one.
  void addTripCount(uint32_t Loop, Assumption A);
  bool hasTripCount(uint32_t Loop) const;
  /// Takes back the assumptions about trip counts.
  void dropTripCounts();

  std::vector<Assumption> list() const;
  /// Calls \p Use with the key of each assumed input, in their order.
  void forEachInput(llvm::function_ref<void(uint64_t Key)> Use) const;
  /// What \p Taint names, in words; empty for none.
  std::string describe(TaintMask Taint) const;

private:
  struct Entry {
    Assumption A;
    /// The loop whose trip count it is about; NoIndex for another one.
    uint32_t Loop = NoIndex;
  };
  struct Input {
    uint64_t Key = 0;
    /// "assumes argument n = 5".
    std::string Text;
  };
  std::vector<Entry> Entries;
  /// By bit.
  std::vector<Input> Inputs;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_ASSUMPTIONLOG_H
