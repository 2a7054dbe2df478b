//===- Table.h - Rows of text in columns ------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_VIEWS_TABLE_H
#define GPUOCC_LIB_VIEWS_TABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace gpuocc {

/// Rows of text whose columns are as wide as their widest cell.
class Table {
public:
  using Row = llvm::SmallVector<std::string, 6>;

  /// Columns named in \p RightAligned hold numbers.
  Table(Row Head, llvm::ArrayRef<size_t> RightAligned);

  /// Cells may quote what comes from elsewhere.
  void add(Row R);

  void print(llvm::raw_ostream &OS) const;

private:
  llvm::SmallVector<size_t, 4> RightAligned;
  std::vector<Row> Rows;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_VIEWS_TABLE_H
