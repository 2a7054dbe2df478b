//===- RecordTable.cpp - Recorded measurements in CSV files ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cassert>

using namespace gpuocc;
using namespace llvm;

size_t RecordTable::index(StringRef Column) const {
  auto At = find(Columns, Column);
  assert(At != Columns.end() && "a column the parser was not asked for");
  return At - Columns.begin();
}

StringRef RecordTable::text(size_t Row, StringRef Column) const {
  return Rows[Row][index(Column)];
}

Expected<double> RecordTable::number(size_t Row, StringRef Column) const {
  double Value = 0;
  if (text(Row, Column).getAsDouble(Value) || !(Value > 0))
    return createStringError(
        "'" + FileName + "': row " + Twine(Row + 1) + ": '" + Column +
        "' should be a number greater than 0, not '" + text(Row, Column) + "'");
  return Value;
}

static std::vector<std::string> cells(StringRef Line) {
  SmallVector<StringRef, 8> Parts;
  Line.split(Parts, ',');
  std::vector<std::string> Cells;
  for (StringRef Part : Parts)
    Cells.push_back(Part.trim().str());
  return Cells;
}

Expected<RecordTable> gpuocc::parseRecordTable(StringRef Text,
                                               StringRef FileName,
                                               ArrayRef<StringRef> Wanted) {
  RecordTable T;
  T.FileName = FileName.str();
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    Line = Line.trim();
    if (Line.empty())
      continue;
    if (Line.consume_front("#"))
      T.Comments.push_back(Line.trim().str());
    else if (T.Columns.empty())
      T.Columns = cells(Line);
    else
      T.Rows.push_back(cells(Line));
  }
  for (StringRef Column : Wanted)
    if (!is_contained(T.Columns, Column))
      return createStringError("'" + FileName + "': the table has no column '" +
                               Column + "'");
  for (auto [I, Row] : enumerate(T.Rows))
    if (Row.size() != T.Columns.size())
      return createStringError("'" + FileName + "': row " + Twine(I + 1) +
                               " has " + Twine(Row.size()) + " cells, not " +
                               Twine(T.Columns.size()));
  return T;
}

Expected<RecordTable> gpuocc::readRecordTable(StringRef Path,
                                              ArrayRef<StringRef> Wanted) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createFileError(Path, Buffer.getError());
  return parseRecordTable((*Buffer)->getBuffer(), Path, Wanted);
}
