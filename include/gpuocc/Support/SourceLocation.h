//===- SourceLocation.h - Places in the user's source ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_SOURCELOCATION_H
#define GPUOCC_SUPPORT_SOURCELOCATION_H

#include <string>
#include <vector>

namespace gpuocc {

/// One place in a source file; Line and Column count from 1, 0 is unknown.
struct SourcePlace {
  std::string File;
  unsigned Line = 0;
  unsigned Column = 0;
  /// The function that contains the place, as written in the source.
  std::string Function;

  bool isValid() const { return Line != 0; }
  bool operator==(const SourcePlace &) const = default;
};

/// Where an operation comes from: the innermost place first, then the call
/// sites through which it was inlined, outermost (in the kernel itself) last.
struct SourceLocation {
  std::vector<SourcePlace> Places;

  bool isValid() const { return !Places.empty() && Places.front().isValid(); }
  const SourcePlace &innermost() const { return Places.front(); }
  const SourcePlace &outermost() const { return Places.back(); }
  bool operator==(const SourceLocation &) const = default;
};

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_SOURCELOCATION_H
