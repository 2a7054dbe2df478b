//===- RecordTable.h - Recorded measurements in CSV files -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_RECORDTABLE_H
#define GPUOCC_TOOLS_ACCURACY_RECORDTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuocc {

/// A CSV table without quotes: comments that start with '#' (how it was
/// measured), a line of column names, rows.
struct RecordTable {
  std::string FileName;
  std::vector<std::string> Comments;
  std::vector<std::string> Columns;
  std::vector<std::vector<std::string>> Rows;

  /// Index of \p Column, which must be one of those asked of the parser.
  size_t index(llvm::StringRef Column) const;
  llvm::StringRef text(size_t Row, llvm::StringRef Column) const;
  /// A number greater than 0; the error names file, row and column.
  llvm::Expected<double> number(size_t Row, llvm::StringRef Column) const;
};

/// Errors name \p FileName and the columns of \p Wanted that \p Text lacks, and
/// rows that do not have as many cells as there are columns.
llvm::Expected<RecordTable>
parseRecordTable(llvm::StringRef Text, llvm::StringRef FileName,
                 llvm::ArrayRef<llvm::StringRef> Wanted);

/// The same for the file at \p Path.
llvm::Expected<RecordTable>
readRecordTable(llvm::StringRef Path, llvm::ArrayRef<llvm::StringRef> Wanted);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_RECORDTABLE_H
