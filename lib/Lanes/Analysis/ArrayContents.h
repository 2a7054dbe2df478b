//===- ArrayContents.h - What an array holds --------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_ANALYSIS_ARRAYCONTENTS_H
#define GPUOCC_LIB_LANES_ANALYSIS_ARRAYCONTENTS_H

#include "gpuocc/Kernel/ArrayParts.h"
#include "gpuocc/Kernel/RowStarts.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>

namespace gpuocc {

/// The contents of one array, or of parts of it (ArrayParts). What lies between
/// the parts is taken to be like them: numbers that rise from the first part to
/// the last rise evenly there too, others are those of the nearest part.
class ArrayContents {
public:
  explicit ArrayContents(std::unique_ptr<llvm::MemoryBuffer> File);
  /// Where rows of one length begin.
  explicit ArrayContents(const RowStarts &Rows);

  /// The \p Bytes bytes, eight at most, from \p Offset on; nothing behind the
  /// end.
  std::optional<uint64_t> read(uint64_t Offset, unsigned Bytes) const;

  /// The parts, where it is recorded in parts.
  const std::optional<ArrayParts> &parts() const { return Parts; }
  /// The rows, where all are taken to be of one length.
  const std::optional<RowStarts> &rows() const { return Rows; }
  /// Is any of the \p Bytes bytes from \p Offset on in no part?
  bool isBetweenParts(uint64_t Offset, unsigned Bytes) const;

private:
  uint64_t word(uint64_t InFile, unsigned Bytes) const;
  uint64_t nearestPart(uint64_t Offset) const;
  /// The word of RisingBytes that holds \p Offset, between two parts.
  uint64_t risenWord(uint64_t Offset) const;
  template <typename Word> bool rises() const;

  std::unique_ptr<llvm::MemoryBuffer> File;
  std::optional<ArrayParts> Parts;
  std::optional<RowStarts> Rows;
  /// Bytes of the numbers, where they rise; 0 where they do not.
  unsigned RisingBytes = 0;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_ANALYSIS_ARRAYCONTENTS_H
