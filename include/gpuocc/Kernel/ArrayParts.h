//===- ArrayParts.h - Parts of an array that are recorded -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_ARRAYPARTS_H
#define GPUOCC_KERNEL_ARRAYPARTS_H

#include <algorithm>
#include <cstdint>

namespace gpuocc {

/// What a file with parts of an array begins with; the parts follow, one after
/// the other. A file that does not begin so is the array itself.
struct ArrayParts {
  static constexpr uint64_t Sign = 0x747261706f757067; // "gpuopart"
  /// Larger arrays are recorded in parts, of so many bytes together.
  static constexpr uint64_t MostBytes = uint64_t(1) << 28;
  /// A whole number of elements of 12, 20 and 24 bytes too, so that an element
  /// of one part can stand for one of another.
  static constexpr uint64_t BytesPerPart = 60 << 10;

  uint64_t Mark = Sign;
  uint64_t ArrayBytes = 0;
  uint64_t PartBytes = 0;
  /// At least 2.
  uint64_t NumParts = 0;

  /// Those of an array of \p Bytes, more than MostBytes.
  static constexpr ArrayParts of(uint64_t Bytes) {
    return {Sign, Bytes, BytesPerPart, MostBytes / BytesPerPart};
  }

  /// Where part \p Index, from 0, begins in the array. They are spread evenly;
  /// the first has the begin and the last the end of the array.
  constexpr uint64_t begin(uint64_t Index) const {
    const uint64_t Last = (ArrayBytes - 1) / PartBytes;
    // No product of both, which may not fit.
    const uint64_t Step = Last / (NumParts - 1), Rest = Last % (NumParts - 1);
    return (Step * Index + Rest * Index / (NumParts - 1)) * PartBytes;
  }
  /// Behind the last byte of part \p Index.
  constexpr uint64_t end(uint64_t Index) const {
    return std::min(begin(Index) + PartBytes, ArrayBytes);
  }
  /// Where part \p Index begins in the file.
  constexpr uint64_t beginInFile(uint64_t Index) const {
    return sizeof(ArrayParts) + Index * PartBytes;
  }
};
static_assert(sizeof(ArrayParts) == 32);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_ARRAYPARTS_H
