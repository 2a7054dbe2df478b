//===- MixGrid.cpp - Measured throughput over intensity and occupancy -----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MixGrid.h"
#include "gpuocc/Support/ParseJSON.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

double MixGrid::peak(unsigned Alpha) const {
  double Peak = 0;
  for (const MixPoint &P : Points)
    if (P.Alpha == Alpha)
      Peak = std::max(Peak, P.PerCycleSm);
  return Peak;
}

const MixPoint *MixGrid::find(unsigned Ilp, unsigned Alpha,
                              unsigned Warps) const {
  auto At = find_if(Points, [&](const MixPoint &P) {
    return P.Ilp == Ilp && P.Alpha == Alpha && P.Warps == Warps;
  });
  return At == Points.end() ? nullptr : &*At;
}

static Error wrong(StringRef FileName, const Twine &What) {
  return createStringError("'" + FileName + "': " + What);
}

Expected<MixGrid> gpuocc::parseMixGrid(StringRef Text, StringRef FileName,
                                       const MixFamily &Family) {
  Expected<json::Value> File = parseJSON(Text);
  if (!File)
    return wrong(FileName, toString(File.takeError()));
  const json::Object *Root = File->getAsObject();
  const json::Object *Table = Root ? Root->getObject("table") : nullptr;
  const json::Array *Columns = Table ? Table->getArray("columns") : nullptr;
  const json::Array *Rows = Table ? Table->getArray("rows") : nullptr;
  if (!Columns || !Rows)
    return wrong(FileName, "expected a table with columns and rows");

  static constexpr StringLiteral Wanted[] = {"ilp", "alpha", "warps",
                                             "per_cycle_sm"};
  size_t Index[std::size(Wanted)];
  for (auto [Name, At] : zip(Wanted, Index)) {
    At = find_if(*Columns,
                 [&, N = StringRef(Name)](const json::Value &C) {
                   return C.getAsString() == N;
                 }) -
         Columns->begin();
    if (At == Columns->size())
      return wrong(FileName, "the table has no column '" + Name + "'");
  }

  MixGrid Grid;
  Grid.Kind = Family.Kind;
  Grid.Title = Family.Title.str();
  Grid.Source = Table->getString("source").value_or("").str();
  for (auto [Number, Row] : enumerate(*Rows)) {
    const json::Array *Cells = Row.getAsArray();
    double Values[std::size(Wanted)];
    for (auto [Name, At, Value] : zip(Wanted, Index, Values)) {
      std::optional<double> Cell = Cells && At < Cells->size()
                                       ? (*Cells)[At].getAsNumber()
                                       : std::nullopt;
      if (!Cell || !(*Cell >= 0))
        return wrong(FileName, "row " + Twine(Number + 1) + ": '" + Name +
                                   "' should be a number of at least 0");
      Value = *Cell;
    }
    if (Values[3] > 0)
      Grid.Points.push_back({unsigned(Values[0]), unsigned(Values[1]),
                             unsigned(Values[2]), Values[3]});
  }
  if (Grid.Points.empty())
    return wrong(FileName, "the table has no measured point");
  return Grid;
}

Expected<std::vector<MixGrid>> gpuocc::readMixGrids(StringRef Folder) {
  std::vector<MixGrid> Grids;
  for (const MixFamily &Family : mixFamilies()) {
    SmallString<128> Path(Folder);
    sys::path::append(Path, Family.Table + ".json");
    if (!sys::fs::exists(Path))
      continue;
    ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Path);
    if (!Buffer)
      return createFileError(Path, Buffer.getError());
    Expected<MixGrid> Grid = parseMixGrid((*Buffer)->getBuffer(), Path, Family);
    if (!Grid)
      return Grid.takeError();
    Grids.push_back(std::move(*Grid));
  }
  if (Grids.empty())
    return createStringError("no grid in '" + Folder +
                             "': expected alpha-dram.json or one of its kin, "
                             "as gpu-occupancy-calibrate --raw writes them");
  return Grids;
}
