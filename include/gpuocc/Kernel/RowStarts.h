//===- RowStarts.h - Arrays that say where rows begin -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_ROWSTARTS_H
#define GPUOCC_KERNEL_ROWSTARTS_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Launch.h"
#include <cstdint>
#include <vector>

namespace gpuocc {

/// An array of where rows begin in others, as sparse matrices and graphs have
/// it: word I is where row I begins, the next one where it ends.
struct RowStarts {
  /// The offset in parameter memory of the array's address.
  uint64_t Array = 0;
  unsigned BytesPerWord = 0;
  uint64_t NumRows = 0;
  /// Elements of all rows together.
  uint64_t NumElements = 0;

  double elementsPerRow() const {
    return double(NumElements) / double(NumRows);
  }
};

/// The arrays of which \p Facts reads two neighbouring words, where a loop goes
/// through other arrays from the one to the other, and of which \p L gives the
/// sizes but not the contents: the sizes tell how long rows are in the mean, if
/// the arrays are full.
std::vector<RowStarts> rowStarts(const KernelFacts &Facts, const Launch &L);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_ROWSTARTS_H
