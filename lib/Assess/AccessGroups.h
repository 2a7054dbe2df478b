//===- AccessGroups.h - Accesses as the source has them --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_ACCESSGROUPS_H
#define GPUOCC_LIB_ASSESS_ACCESSGROUPS_H

#include "Rules.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuocc {

/// Accesses that one change of the source would mend.
struct AccessGroup {
  /// Indices in KernelFacts::Accesses, the one with most to gain first.
  std::vector<uint32_t> Members;
  /// Different lines, columns and kinds of access among them.
  unsigned Places = 1;
  /// Different arrays among them; those that are not known count as one.
  unsigned Arrays = 1;
  /// How much there is to gain, in the caller's unit, over all members.
  double Excess = 0;

  double requests(const ExecutionProfile &Profile) const;

  /// Mean over the requests of all members.
  double mean(const ExecutionProfile &Profile,
              double AccessProfile::*Field) const;
};

/// Which accesses belong together.
enum class GroupBy : uint8_t {
  /// Copies of one access in the source, by line, column, space and kind:
  /// unrolling and inlining repeat it.
  Place,
  /// Also those of one array (a kernel parameter) with the same lane stride:
  /// fields of a structure, say. Accesses of unknown arrays or strides go by
  /// place.
  ArrayAndStride,
  /// Also those of other arrays that lie alike: one index serves them all.
  Pattern,
  /// All of one array, as far as code decides where their lanes lie: the array
  /// is to be laid out anew.
  Array,
};

/// Groups the accesses for which \p Excess is positive, largest excess first,
/// as many as \p Rule may price.
std::vector<AccessGroup>
groupAccesses(const Case &C, RuleId Rule,
              llvm::function_ref<double(uint32_t)> Excess,
              GroupBy By = GroupBy::Place);

/// The members of \p Group that are copies of its first.
AccessGroup atFirstPlace(const Case &C, const AccessGroup &Group);

/// The kernel parameter that the access \p Index goes through; NoIndex where
/// that is not known.
uint32_t parameterOfAccess(const KernelFacts &Facts, uint32_t Index);

/// Where the access \p Index is.
SourceLocation locationOfAccess(const KernelFacts &Facts, uint32_t Index);

/// "lanes are 128 B (32 elements) apart", "lanes read the same address", or the
/// pattern in the profile's words; empty when nothing is known. An element is
/// what a lane moves, \p BytesPerLane.
std::string patternText(const AccessProfile &Access, unsigned BytesPerLane);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_ACCESSGROUPS_H
