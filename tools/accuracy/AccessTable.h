//===- AccessTable.h - How exactly accesses are known -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_ACCESSTABLE_H
#define GPUOCC_TOOLS_ACCURACY_ACCESSTABLE_H

#include "gpuocc/Report/Report.h"
#include <array>
#include <map>

namespace llvm {
class raw_ostream;
namespace json {
class OStream;
} // namespace json
} // namespace llvm

namespace gpuocc {

constexpr unsigned NumExactness = unsigned(Exactness::Unknown) + 1;

/// Numbers of accesses by Exactness.
using ExactnessCounts = std::array<unsigned, NumExactness>;

/// How exactly the accesses of one suite are known.
class AccessTable {
public:
  /// Adds the accesses of \p R, of one launch of a kernel in \p File.
  void add(llvm::StringRef File, const KernelReport &R);

  /// Memory instructions of all launches of all kernels.
  const ExactnessCounts &instructions() const { return Instructions; }

  /// Accesses as they are written: equal places once, however often they were
  /// inlined, unrolled or launched, with the least exact of their figures.
  ExactnessCounts sourceAccesses() const;

  /// Of the exact instructions, those that their launch never executes.
  unsigned numNeverExecuted() const { return NumNeverExecuted; }

  unsigned numLaunches() const { return NumLaunches; }

  /// Reasons of what is not exact, with numbers and names left out, and how
  /// many instructions have them.
  const std::map<std::string, unsigned> &reasons(Exactness E) const {
    return Reasons[size_t(E)];
  }

private:
  ExactnessCounts Instructions = {};
  unsigned NumNeverExecuted = 0, NumLaunches = 0;
  std::map<std::string, Exactness> ByPlace;
  std::array<std::map<std::string, unsigned>, NumExactness> Reasons;
};

/// \p Reason without numbers, names of arguments and places.
std::string generalReason(llvm::StringRef Reason);

/// One line for each of two ways to count, and the most frequent reasons.
void printAccesses(llvm::StringRef Suite, const AccessTable &Table,
                   llvm::raw_ostream &OS);
void writeAccesses(const AccessTable &Table, llvm::json::OStream &J);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_ACCESSTABLE_H
