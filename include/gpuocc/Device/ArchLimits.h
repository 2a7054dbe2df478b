//===- ArchLimits.h - What an architecture can hold per SM -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The limits of a compute capability that decide how many blocks an SM holds,
/// and what all of its devices have alike. They come from
/// lib/Device/data/architectures.json, which is built in.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_DEVICE_ARCHLIMITS_H
#define GPUOCC_DEVICE_ARCHLIMITS_H

#include "gpuocc/Support/InstClass.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuocc {

/// Resource limits of one compute capability; ArchLimit.def gives each its key,
/// unit and meaning. A limit that the sources do not state, or that the
/// hardware does not have, is absent.
struct ArchLimits {
  /// "sm_90".
  std::string Name;
  /// "Hopper".
  std::string Family;
  /// Documents the limits were read in.
  std::vector<std::string> Sources;

#define ARCH_LIMIT(Member, Key, Unit, Needed, Description)                     \
  std::optional<unsigned> Member;
#include "gpuocc/Device/ArchLimit.def"

  /// Sizes in bytes the shared part of L1 can be set to, ascending; empty
  /// where shared memory is apart from L1.
  std::vector<unsigned> SharedCarveoutBytes;

  /// The embedded device that stands for the architecture; empty when there is
  /// none.
  std::string DefaultDevice;
  /// Results per cycle and SM by group of arithmetic units ("fp32"; of tensor
  /// groups multiply-adds), and the documents they were read in. Empty where no
  /// device is derived.
  std::map<std::string, double> Units;
  std::vector<std::string> UnitsSources;
  /// Classes that the architecture has no instruction of, beside those whose
  /// group of units is absent.
  std::vector<InstClass> Lacks;

  /// Keys of the limits that occupancy needs and the sources do not state;
  /// empty for every architecture from sm_50.
  std::vector<llvm::StringRef> missingForOccupancy() const;

  bool operator==(const ArchLimits &) const = default;
};

/// One row of ArchLimit.def.
struct ArchLimitInfo {
  std::optional<unsigned> ArchLimits::*Member;
  llvm::StringLiteral Key;
  llvm::StringLiteral Unit;
  bool NeededForOccupancy;
  llvm::StringLiteral Description;
};

/// All rows of ArchLimit.def.
llvm::ArrayRef<ArchLimitInfo> archLimitTable();

/// All architectures in the database, oldest first.
llvm::ArrayRef<ArchLimits> allArchLimits();

/// The limits of \p Arch: "sm_90"; the features of "sm_90a" and "sm_100f" do
/// not change them.
///
/// Fails when the architecture is not in the database, naming the nearest one.
llvm::Expected<const ArchLimits &> archLimits(llvm::StringRef Arch);

/// The limits of \p Arch; without any where the database lacks it.
const ArchLimits &archLimitsOrNone(llvm::StringRef Arch);

/// The architectures of \p Text, which has the form of architectures.json, or
/// an error naming \p FileName, place, what is wrong and the nearest valid key.
llvm::Expected<std::vector<ArchLimits>>
parseArchLimits(llvm::StringRef Text, llvm::StringRef FileName);

} // namespace gpuocc

#endif // GPUOCC_DEVICE_ARCHLIMITS_H
