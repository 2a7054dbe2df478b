//===- CubinCode.cpp - PTX that machine code keeps ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -lineinfo ptxas keeps the PTX in .nv_debug_ptx_txt, without comments and
// directives of places, and writes two line tables: .debug_line leads from
// machine code to the source, .nv_debug_line_sass from machine code to lines of
// that PTX. Both have a sequence for each function, in the same order.
//
//===----------------------------------------------------------------------===//

#include "CubinCode.h"
#include "CubinFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include <map>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Rows of one function, by address.
using LineSequence = std::vector<DWARFDebugLine::Row>;

struct LineTable {
  DWARFDebugLine::LineTable Read;
  std::vector<LineSequence> Sequences;
};

struct PlaceInSource {
  std::string File;
  unsigned Line = 0, Column = 0;
};

} // namespace

/// Nothing where \p Bytes are no line table.
static std::optional<LineTable> lineTable(StringRef Bytes) {
  std::optional<LineTable> Table(std::in_place);
  const std::unique_ptr<DWARFContext> Context = DWARFContext::create(
      StringMap<std::unique_ptr<MemoryBuffer>>(), /*AddrSize=*/8);
  DWARFDataExtractor Data(Bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  uint64_t Offset = 0;
  if (Error E = Table->Read.parse(
          Data, &Offset, *Context, /*U=*/nullptr,
          [](Error Recoverable) { consumeError(std::move(Recoverable)); })) {
    consumeError(std::move(E));
    return std::nullopt;
  }
  LineSequence Rows;
  for (const DWARFDebugLine::Row &Row : Table->Read.Rows) {
    if (!Row.EndSequence) {
      Rows.push_back(Row);
      continue;
    }
    Table->Sequences.push_back(std::move(Rows));
    Rows.clear();
  }
  return Table;
}

/// The places of lines of the PTX.
static std::map<unsigned, PlaceInSource> placesOf(const CubinFile &File) {
  std::map<unsigned, PlaceInSource> Places;
  const std::optional<LineTable> ToSource =
                                     lineTable(sectionOf(File, ".debug_line")),
                                 ToPtx = lineTable(
                                     sectionOf(File, ".nv_debug_line_sass"));
  if (!ToSource || !ToPtx ||
      ToSource->Sequences.size() != ToPtx->Sequences.size())
    return Places;
  for (auto [Source, Ptx] : zip(ToSource->Sequences, ToPtx->Sequences))
    for (const DWARFDebugLine::Row &Of : Ptx) {
      auto After = upper_bound(Source, Of.Address.Address,
                               [](uint64_t At, const auto &Row) {
                                 return At < Row.Address.Address;
                               });
      if (After == Source.begin())
        continue;
      const DWARFDebugLine::Row &From = *std::prev(After);
      PlaceInSource Place{"", From.Line, From.Column};
      if (From.Line != 0 &&
          ToSource->Read.getFileNameByIndex(
              From.File, /*CompDir=*/"",
              DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
              Place.File))
        Places.try_emplace(Of.Line, std::move(Place));
    }
  return Places;
}

/// \p Text, whose lines end in zeros, as a file of PTX with \p Places.
static std::string ptxWith(const std::map<unsigned, PlaceInSource> &Places,
                           StringRef Text) {
  std::string Ptx;
  std::map<std::string, unsigned> Files;
  unsigned Number = 0;
  for (StringRef Line : split(Text, '\0')) {
    auto Place = Places.find(++Number);
    std::string Loc;
    if (Place != Places.end()) {
      const unsigned File =
          Files.try_emplace(Place->second.File, unsigned(Files.size()) + 1)
              .first->second;
      Loc = (".loc " + Twine(File) + " " + Twine(Place->second.Line) + " " +
             Twine(Place->second.Column) + "\n")
                .str();
    }
    // The place of a function stands at the line that opens it.
    const bool IsInstruction = Line.trim().ends_with(";");
    Ptx += IsInstruction ? Loc + Line.str() + "\n" : Line.str() + "\n" + Loc;
  }
  for (const auto &[File, Index] : Files) {
    std::string Quoted;
    raw_string_ostream(Quoted).write_escaped(File);
    Ptx += (".file " + Twine(Index) + " \"" + Quoted + "\"\n").str();
  }
  return Ptx;
}

std::vector<CubinCode> gpuocc::cubinsIn(StringRef Bytes) {
  std::vector<CubinCode> Found;
  for (StringRef One : findCubins(Bytes)) {
    Expected<CubinFile> File = CubinFile::create(One);
    if (!File) {
      consumeError(File.takeError());
      continue;
    }
    const StringRef Text = sectionOf(*File, ".nv_debug_ptx_txt");
    Found.push_back({Text.empty() ? "" : ptxWith(placesOf(*File), Text),
                     resourcesOf(*File)});
  }
  return Found;
}
