//===- ParameterRoles.h - What a kernel does with its arguments -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_ANALYSIS_PARAMETERROLES_H
#define GPUOCC_LIB_LANES_ANALYSIS_PARAMETERROLES_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <vector>

namespace gpuocc {

/// An index of threads that is compared with a parameter: it is below the
/// parameter plus Addend, or at most that.
struct BoundedIndex {
  /// In KernelFacts::Operations.
  uint32_t Index = NoIndex;
  int64_t Addend = 0;
  bool OrEqual = false;
  bool operator==(const BoundedIndex &) const = default;
};

/// What the uses of a parameter, or of a member of one, tell of its value.
struct ParameterRole {
  /// Only ever added to something that differs between lanes: the start of a
  /// range.
  bool IsStart = false;
  /// Only ever compared with the counter of a loop that no thread index goes
  /// into: a number of repetitions.
  bool IsCount = false;
  /// An operand of floating-point operations.
  bool IsReal = false;
  /// Compared with indices of these dimensions of the grid (bit 0 for x): an
  /// extent of what they run over.
  uint8_t Dimensions = 0;
  /// These indices.
  std::vector<BoundedIndex> Bounded;
  /// Never compared, a factor of what differs between neighbours in x, and of
  /// no other index: the distance of their elements.
  bool IsScale = false;
  /// A factor of this index of KernelFacts::Operations, which is the same for
  /// neighbours in x, or whose product a loop goes on from in constant steps:
  /// the distance of rows.
  uint32_t PitchOf = NoIndex;
  /// A factor of a product of arguments that indices of FactorDimensions are
  /// compared with: number FactorNumber of Factors. 0 factors: it is none.
  unsigned Factors = 0, FactorNumber = 0;
  uint8_t FactorDimensions = 0;
  /// One of these indices, in KernelFacts::Operations.
  uint32_t FactorIndex = NoIndex;
  /// Of how many parameters a product of 32 bits is made that it goes into; 0:
  /// of none.
  unsigned Multiplied = 0;
  bool operator==(const ParameterRole &) const = default;
};

/// The roles of all parameters by their offset, Operation::Imm of a Param.
/// \p IsVarying tells whether an operand may differ between lanes.
std::map<int64_t, ParameterRole>
findParameterRoles(const KernelFacts &Facts,
                   llvm::function_ref<bool(const Operand &)> IsVarying);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_ANALYSIS_PARAMETERROLES_H
