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
// that PTX. Both have a sequence for each function, in the same order. What is
// inlined has rows behind an extended opcode of NVIDIA's, with the row of the
// call and the name of the function.
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

/// What a row is inlined at.
struct Inlining {
  /// The row of the call, counted from 1 in its sequence; 0: not inlined.
  uint64_t Call = 0;
  /// Where the name of the function that is inlined lies in .debug_str.
  uint64_t Name = 0;
};

struct LineRow {
  DWARFDebugLine::Row At;
  Inlining In;
};

/// Rows of one function, by address.
using LineSequence = std::vector<LineRow>;

struct LineTable {
  DWARFDebugLine::LineTable Read;
  std::vector<LineSequence> Sequences;
};

struct PlaceInSource {
  std::string File;
  unsigned Line = 0, Column = 0;
  /// Inlining::Name.
  uint64_t Name = 0;
};

/// The places of calls from the kernel on, and behind them that of the code.
using CallChain = std::vector<PlaceInSource>;

} // namespace

/// The inlining of each row of the table \p Data with the head \p Head, ends of
/// sequences included.
static std::vector<Inlining>
inliningOfRows(const DataExtractor &Data,
               const DWARFDebugLine::Prologue &Head) {
  constexpr uint8_t InlinedCall = 0x90, Extended = 0;
  std::vector<Inlining> Rows;
  Inlining Now;
  // Up to version 4 nothing else stands before the rest of the head.
  DataExtractor::Cursor At(Head.sizeofTotalLength() + sizeof(uint16_t) +
                           Head.sizeofPrologueLength() + Head.PrologueLength);
  const uint64_t End = Head.sizeofTotalLength() + Head.TotalLength;
  while (At && At.tell() < End) {
    const uint8_t Opcode = Data.getU8(At);
    if (Opcode >= Head.OpcodeBase || Opcode == dwarf::DW_LNS_copy) {
      Rows.push_back(Now);
    } else if (Opcode == Extended) {
      const uint64_t Length = Data.getULEB128(At), Next = At.tell() + Length;
      if (!At || Length > End)
        break;
      const uint8_t What = Data.getU8(At);
      if (What == InlinedCall) {
        Now.Call = Data.getULEB128(At);
        Now.Name = Data.getULEB128(At);
      } else if (What == dwarf::DW_LNE_end_sequence) {
        Rows.push_back(Now);
        Now = {};
      }
      At.seek(Next);
    } else if (Opcode == dwarf::DW_LNS_fixed_advance_pc) {
      Data.getU16(At);
    } else if (Opcode <= Head.StandardOpcodeLengths.size()) {
      for (uint8_t I = 0; I != Head.StandardOpcodeLengths[Opcode - 1]; ++I)
        Data.getULEB128(At);
    } else {
      break;
    }
  }
  consumeError(At.takeError());
  return Rows;
}

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
  std::vector<Inlining> Inlined = inliningOfRows(Data, Table->Read.Prologue);
  Inlined.resize(Table->Read.Rows.size());
  LineSequence Rows;
  for (auto [Row, In] : zip(Table->Read.Rows, Inlined)) {
    if (!Row.EndSequence) {
      Rows.push_back({Row, In});
      continue;
    }
    Table->Sequences.push_back(std::move(Rows));
    Rows.clear();
  }
  return Table;
}

/// Where the code of row \p Index of \p Rows in \p Table comes from; empty
/// where that is not known.
static CallChain chainOf(const LineTable &Table, const LineSequence &Rows,
                         size_t Index) {
  CallChain Chain;
  while (true) {
    const auto &[At, In] = Rows[Index];
    PlaceInSource Place{"", At.Line, At.Column, In.Name};
    if (At.Line == 0 ||
        !Table.Read.getFileNameByIndex(
            At.File, /*CompDir=*/"",
            DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
            Place.File))
      return {};
    Chain.push_back(std::move(Place));
    // Calls come before what is inlined.
    if (In.Call == 0 || In.Call > Index)
      break;
    Index = In.Call - 1;
  }
  std::reverse(Chain.begin(), Chain.end());
  return Chain;
}

/// The places of lines of the PTX.
static std::map<unsigned, CallChain> placesOf(const CubinFile &File) {
  std::map<unsigned, CallChain> Places;
  const std::optional<LineTable> ToSource =
                                     lineTable(sectionOf(File, ".debug_line")),
                                 ToPtx = lineTable(
                                     sectionOf(File, ".nv_debug_line_sass"));
  if (!ToSource || !ToPtx ||
      ToSource->Sequences.size() != ToPtx->Sequences.size())
    return Places;
  for (auto [Source, Ptx] : zip(ToSource->Sequences, ToPtx->Sequences))
    for (const LineRow &Of : Ptx) {
      auto After = upper_bound(Source, Of.At.Address.Address,
                               [](uint64_t At, const LineRow &Row) {
                                 return At < Row.At.Address.Address;
                               });
      if (After == Source.begin())
        continue;
      CallChain Chain =
          chainOf(*ToSource, Source, size_t(std::prev(After) - Source.begin()));
      if (!Chain.empty())
        Places.try_emplace(Of.At.Line, std::move(Chain));
    }
  return Places;
}

/// The label of .debug_str in PTX, which may have labels of its own.
static constexpr StringLiteral NamesLabel = "$L__cubin_names";

/// The directives that place \p Chain, from the call in the kernel on; \p
/// Number gives the numbers of files.
static std::string locOf(const CallChain &Chain,
                         function_ref<unsigned(const std::string &)> Number) {
  std::string Text, Call;
  for (const PlaceInSource &Place : Chain) {
    const std::string Here = (Twine(Number(Place.File)) + " " +
                              Twine(Place.Line) + " " + Twine(Place.Column))
                                 .str();
    Text += ".loc " + Here;
    if (!Call.empty())
      Text += (", function_name " + NamesLabel + "+" + Twine(Place.Name) +
               ", inlined_at " + Call)
                  .str();
    Text += '\n';
    Call = Here;
  }
  return Text;
}

/// The section .debug_str that holds \p Names, in PTX.
static std::string sectionOfNames(StringRef Names) {
  std::string Text = (".section .debug_str\n{\n" + NamesLabel + ":\n").str();
  // Bytes of one name to a line.
  while (!Names.empty()) {
    const size_t Bytes = std::min(Names.find('\0'), Names.size() - 1) + 1;
    Text += ".b8 ";
    ListSeparator Comma(",");
    for (uint8_t Byte : Names.take_front(Bytes).bytes())
      Text += (StringRef(Comma) + Twine(unsigned(Byte))).str();
    Text += '\n';
    Names = Names.drop_front(Bytes);
  }
  return Text + "}\n";
}

/// \p Text, whose lines end in zeros, as a file of PTX with \p Places; \p Names
/// is .debug_str.
static std::string ptxWith(const std::map<unsigned, CallChain> &Places,
                           StringRef Text, StringRef Names) {
  std::string Ptx;
  std::map<std::string, unsigned> Files;
  auto NumberOf = [&](const std::string &File) {
    return Files.try_emplace(File, unsigned(Files.size()) + 1).first->second;
  };
  unsigned Number = 0;
  for (StringRef Line : split(Text, '\0')) {
    auto Place = Places.find(++Number);
    const std::string Loc =
        Place == Places.end() ? "" : locOf(Place->second, NumberOf);
    // The place of a function stands at the line that opens it.
    const bool IsInstruction = Line.trim().ends_with(";");
    Ptx += IsInstruction ? Loc + Line.str() + "\n" : Line.str() + "\n" + Loc;
  }
  for (const auto &[File, Index] : Files) {
    std::string Quoted;
    raw_string_ostream(Quoted).write_escaped(File);
    Ptx += (".file " + Twine(Index) + " \"" + Quoted + "\"\n").str();
  }
  return Names.empty() ? Ptx : Ptx + sectionOfNames(Names);
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
    Found.push_back({Text.empty() ? ""
                                  : ptxWith(placesOf(*File), Text,
                                            sectionOf(*File, ".debug_str")),
                     resourcesOf(*File)});
  }
  return Found;
}
