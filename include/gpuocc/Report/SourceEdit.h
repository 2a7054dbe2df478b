//===- SourceEdit.h - A change of a source that was tried ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_REPORT_SOURCEEDIT_H
#define GPUOCC_REPORT_SOURCEEDIT_H

#include <string>
#include <vector>

namespace gpuocc {

/// What replaces a piece of a text. Lines and columns count from 1, columns
/// bytes; the end is not part of the piece.
struct TextChange {
  unsigned Line = 1, Column = 1, EndLine = 1, EndColumn = 1;
  std::string Text;
  bool operator==(const TextChange &) const = default;
};

/// An edit of the source that mends a finding. It was compiled, and what came
/// out was priced.
struct SourceEdit {
  /// As the places of the report name it.
  std::string File;
  /// "pad the rows of 'tile' by one element".
  std::string Title;
  /// In order, none of which overlaps another.
  std::vector<TextChange> Changes;
  /// The same as a unified diff.
  std::string Diff;
  /// Predicted speed-up of all launches of the kernel together.
  double Gain = 1;
  /// "1.72x faster: 6.99 us to 4.05 us".
  std::string Price;
  bool operator==(const SourceEdit &) const = default;
};

} // namespace gpuocc

#endif // GPUOCC_REPORT_SOURCEEDIT_H
