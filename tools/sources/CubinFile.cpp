//===- CubinFile.cpp - Sections of a cubin --------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attributes of .nv.info are in no manual. Their forms and numbers are the
// names that cuobjdump -elf prints (EIATTR_REGCOUNT and so on).
//
//===----------------------------------------------------------------------===//

#include "CubinFile.h"
#include "gpuocc/Assembler/RegisterPressure.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace gpuocc;
using namespace llvm;

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

void gpuocc::forEachSection(
    const CubinFile &File,
    function_ref<void(StringRef, const CubinFile::Elf_Shdr &)> Visit) {
  Expected<CubinFile::Elf_Shdr_Range> Sections = File.sections();
  if (!Sections) {
    consumeError(Sections.takeError());
    return;
  }
  for (const CubinFile::Elf_Shdr &S : *Sections)
    if (Expected<StringRef> Its = File.getSectionName(S))
      Visit(*Its, S);
    else
      consumeError(Its.takeError());
}

StringRef gpuocc::sectionOf(const CubinFile &File, StringRef Name) {
  StringRef Found;
  forEachSection(File, [&](StringRef Its, const CubinFile::Elf_Shdr &S) {
    if (Its != Name || !Found.empty())
      return;
    if (Expected<ArrayRef<uint8_t>> Bytes = File.getSectionContents(S))
      Found = toStringRef(*Bytes);
    else
      consumeError(Bytes.takeError());
  });
  return Found;
}

/// Where the last of \p File ends.
static uint64_t endOf(const CubinFile &File) {
  const auto &Head = File.getHeader();
  uint64_t End =
      std::max(Head.e_shoff + uint64_t(Head.e_shentsize) * Head.e_shnum,
               Head.e_phoff + uint64_t(Head.e_phentsize) * Head.e_phnum);
  forEachSection(File, [&](StringRef, const CubinFile::Elf_Shdr &S) {
    if (S.sh_type != ELF::SHT_NOBITS)
      End = std::max(End, uint64_t(S.sh_offset) + S.sh_size);
  });
  return End;
}

Expected<StringRef> gpuocc::cubinAtStart(StringRef Bytes) {
  auto CutOff = [] {
    return createStringError("its device code is damaged: a cubin is cut off");
  };
  Expected<CubinFile> File = CubinFile::create(Bytes);
  if (!File) {
    consumeError(File.takeError());
    return CutOff();
  }
  Expected<CubinFile::Elf_Shdr_Range> Sections = File->sections();
  if (!Sections) {
    consumeError(Sections.takeError());
    return CutOff();
  }
  const uint64_t End = endOf(*File);
  if (End > Bytes.size())
    return CutOff();
  return Bytes.take_front(End);
}

std::vector<StringRef> gpuocc::findCubins(StringRef Bytes) {
  std::vector<StringRef> Found;
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
    Found.push_back(One.take_front(endOf(*File)));
  }
  return Found;
}

std::vector<CubinSymbol> gpuocc::symbolsOf(const CubinFile &File) {
  constexpr uint8_t IsEntry = 0x10; // STO_CUDA_ENTRY
  std::vector<CubinSymbol> Found;
  forEachSection(File, [&](StringRef, const CubinFile::Elf_Shdr &S) {
    if (S.sh_type != ELF::SHT_SYMTAB)
      return;
    auto Symbols = File.symbols(&S);
    Expected<StringRef> Strings = File.getStringTableForSymtab(S);
    if (!Symbols || !Strings) {
      consumeError(Symbols.takeError());
      consumeError(Strings.takeError());
      return;
    }
    for (const CubinFile::Elf_Sym &Symbol : *Symbols) {
      Expected<StringRef> Name = Symbol.getName(*Strings);
      Found.push_back({Name ? Name->str() : "",
                       Symbol.getType() == ELF::STT_FUNC &&
                           (Symbol.st_other & IsEntry) != 0,
                       Symbol.st_size});
      if (!Name)
        consumeError(Name.takeError());
    }
  });
  return Found;
}

std::vector<CubinAttribute> gpuocc::attributesOf(StringRef Bytes) {
  // A form, an attribute, and 16 bits, which are the value or the size of what
  // follows.
  constexpr uint8_t SeveralWords = 4;
  constexpr size_t HeadBytes = 4;
  std::vector<CubinAttribute> Found;
  while (Bytes.size() >= HeadBytes) {
    const uint8_t Form = uint8_t(Bytes[0]), Number = uint8_t(Bytes[1]);
    const StringRef Short = Bytes.substr(2, 2);
    const size_t Size = support::endian::read16le(Short.data());
    Bytes = Bytes.drop_front(HeadBytes);
    if (Form != SeveralWords) {
      Found.push_back({Number, Short});
      continue;
    }
    if (Size > Bytes.size())
      break;
    Found.push_back({Number, Bytes.take_front(Size)});
    Bytes = Bytes.drop_front(Size);
  }
  return Found;
}

StringMap<ResourceUse> gpuocc::resourcesOf(const CubinFile &File) {
  constexpr uint8_t FrameSize = 0x11, RegisterCount = 0x2f;
  constexpr size_t WordBytes = 4;
  StringMap<ResourceUse> Resources;
  const std::vector<CubinSymbol> Symbols = symbolsOf(File);
  for (const CubinAttribute &A : attributesOf(sectionOf(File, ".nv.info"))) {
    if (A.Value.size() != 2 * WordBytes)
      continue;
    const uint32_t Symbol = support::endian::read32le(A.Value.data());
    const uint32_t Value =
        support::endian::read32le(A.Value.data() + WordBytes);
    if (Symbol >= Symbols.size())
      continue;
    ResourceUse &Use = Resources[Symbols[Symbol].Name];
    if (A.Number == RegisterCount) {
      Use.RegistersPerThread = std::max(FewestRegisters, unsigned(Value));
      Use.Source = "cubin";
      Use.IsEstimate = false;
    } else if (A.Number == FrameSize) {
      Use.StackBytes = Value;
    }
  }
  return Resources;
}
