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
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include <map>

using namespace gpuocc;
using namespace llvm;
using CubinFile = object::ELFFile<object::ELF64LE>;

static constexpr StringLiteral ElfMagic = "\x7f"
                                          "ELF";

bool gpuocc::isCubin(StringRef Bytes) {
  return Bytes.size() >= sizeof(CubinFile::Elf_Ehdr) &&
         Bytes.starts_with(ElfMagic) &&
         Bytes[ELF::EI_CLASS] == ELF::ELFCLASS64 &&
         support::endian::read16le(Bytes.data() +
                                   offsetof(ELF::Elf64_Ehdr, e_machine)) ==
             ELF::EM_CUDA;
}

/// What section \p Name holds; empty where there is none.
static StringRef sectionOf(const CubinFile &File, StringRef Name) {
  Expected<CubinFile::Elf_Shdr_Range> Sections = File.sections();
  if (!Sections) {
    consumeError(Sections.takeError());
    return "";
  }
  for (const CubinFile::Elf_Shdr &S : *Sections) {
    Expected<StringRef> Its = File.getSectionName(S);
    if (!Its) {
      consumeError(Its.takeError());
      continue;
    }
    if (*Its != Name)
      continue;
    if (Expected<ArrayRef<uint8_t>> Bytes = File.getSectionContents(S))
      return toStringRef(*Bytes);
    else
      consumeError(Bytes.takeError());
  }
  return "";
}

/// Names of symbols by their number.
static std::vector<std::string> symbolsOf(const CubinFile &File) {
  std::vector<std::string> Names;
  Expected<CubinFile::Elf_Shdr_Range> Sections = File.sections();
  if (!Sections) {
    consumeError(Sections.takeError());
    return Names;
  }
  for (const CubinFile::Elf_Shdr &S : *Sections) {
    if (S.sh_type != ELF::SHT_SYMTAB)
      continue;
    auto Symbols = File.symbols(&S);
    Expected<StringRef> Strings = File.getStringTableForSymtab(S);
    if (!Symbols || !Strings) {
      consumeError(Symbols.takeError());
      consumeError(Strings.takeError());
      continue;
    }
    for (const CubinFile::Elf_Sym &Symbol : *Symbols) {
      Expected<StringRef> Name = Symbol.getName(*Strings);
      Names.push_back(Name ? Name->str() : "");
      if (!Name)
        consumeError(Name.takeError());
    }
  }
  return Names;
}

/// Reads the attributes of section .nv.info: a form, an attribute, and 16 bits,
/// which are the size of what follows in the form of several words.
static StringMap<ResourceUse> resourcesOf(const CubinFile &File) {
  constexpr uint8_t SeveralWords = 4, FrameSize = 0x11, RegisterCount = 0x2f;
  constexpr size_t HeadBytes = 4, WordBytes = 4;
  StringMap<ResourceUse> Resources;
  const std::vector<std::string> Symbols = symbolsOf(File);
  StringRef Bytes = sectionOf(File, ".nv.info");
  while (Bytes.size() >= HeadBytes) {
    const uint8_t Form = uint8_t(Bytes[0]), Attribute = uint8_t(Bytes[1]);
    const size_t Size = support::endian::read16le(Bytes.data() + 2);
    Bytes = Bytes.drop_front(HeadBytes);
    if (Form != SeveralWords)
      continue;
    if (Size > Bytes.size())
      break;
    const StringRef Words = Bytes.take_front(Size);
    Bytes = Bytes.drop_front(Size);
    if (Size != 2 * WordBytes)
      continue;
    const uint32_t Symbol = support::endian::read32le(Words.data());
    const uint32_t Value = support::endian::read32le(Words.data() + WordBytes);
    if (Symbol >= Symbols.size())
      continue;
    if (Attribute == RegisterCount) {
      ResourceUse &Use = Resources[Symbols[Symbol]];
      Use.RegistersPerThread = Value;
      Use.Source = "cubin";
      Use.IsEstimate = false;
    } else if (Attribute == FrameSize) {
      Resources[Symbols[Symbol]].StackBytes = Value;
    }
  }
  return Resources;
}

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
  for (size_t At = Bytes.find(ElfMagic); At != StringRef::npos;
       At = Bytes.find(ElfMagic, At + 1)) {
    const StringRef One = Bytes.drop_front(At);
    if (!isCubin(One))
      continue;
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
