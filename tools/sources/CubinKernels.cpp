//===- CubinKernels.cpp - What sections say of kernels --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CubinKernels.h"
#include "gpuocc/Support/Architecture.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

using namespace gpuocc;
using namespace llvm;
using support::endian::read16le;
using support::endian::read32le;

std::string gpuocc::architectureOfCubin(StringRef Cubin) {
  // LLVM's tryGetCPUName() has no answer for numbers that it does not know, and
  // goes astray.
  Expected<CubinFile> File = CubinFile::create(Cubin);
  if (!File) {
    consumeError(File.takeError());
    return "";
  }
  constexpr unsigned FirstWithAccelerators = 90;
  const auto &Head = File->getHeader();
  const uint32_t Flags = Head.e_flags;
  const bool IsFirst =
      Head.e_ident[ELF::EI_ABIVERSION] == ELF::ELFABIVERSION_CUDA_V1;
  const unsigned Number =
      IsFirst ? Flags & ELF::EF_CUDA_SM
              : (Flags & ELF::EF_CUDA_SM_MASK) >> ELF::EF_CUDA_SM_OFFSET;
  if (Number == 0)
    return "";
  const bool HasAccelerators = Number >= FirstWithAccelerators &&
                               Flags & (IsFirst ? ELF::EF_CUDA_ACCELERATORS_V1
                                                : ELF::EF_CUDA_ACCELERATORS);
  return ("sm_" + Twine(Number) + (HasAccelerators ? "a" : "")).str();
}

namespace {
/// Numbers of attributes, as `cuobjdump -elf` names them.
enum Attribute : uint8_t {
  MaxThreads = 0x05,
  ParameterBank = 0x0a,
  RequiredBlock = 0x10,
  ParameterInfo = 0x17,
  NumBarriers = 0x4c
};
} // namespace

/// What the attributes in \p Bytes say of one kernel.
static void readAttributes(StringRef Bytes, SassKernel &Kernel) {
  for (const CubinAttribute &A : attributesOf(Bytes)) {
    const char *Data = A.Value.data();
    switch (A.Number) {
    case ParameterInfo:
      // An index that is 0, ordinal and offset, then fields of a word; the
      // size is above bit 18.
      if (A.Value.size() == 12) {
        const unsigned Ordinal = read16le(Data + 4);
        if (Kernel.Parameters.size() <= Ordinal)
          Kernel.Parameters.resize(Ordinal + 1);
        Parameter &P = Kernel.Parameters[Ordinal];
        P.OffsetBytes = read16le(Data + 6);
        P.SizeBytes = read32le(Data + 8) >> 18;
      }
      break;
    case ParameterBank:
      // A symbol, then offset and size.
      if (A.Value.size() == 8)
        Kernel.ParameterOffset = read16le(Data + 4);
      break;
    default:
      break;
    }
  }
  const KernelAttributes Launched = kernelAttributes(Bytes);
  Kernel.Bounds = Launched.Bounds;
  Kernel.Resources.Barriers = Launched.Barriers;
}

KernelAttributes gpuocc::kernelAttributes(StringRef Bytes) {
  KernelAttributes Of;
  for (const CubinAttribute &A : attributesOf(Bytes)) {
    const char *Data = A.Value.data();
    if (A.Number == NumBarriers)
      Of.Barriers = uint8_t(Data[0]);
    if (A.Value.size() != 12)
      continue;
    if (A.Number == MaxThreads)
      Of.Bounds.MaxThreads =
          read32le(Data) * read32le(Data + 4) * read32le(Data + 8);
    if (A.Number == RequiredBlock)
      Of.Bounds.RequiredBlock = {read32le(Data), read32le(Data + 4),
                                 read32le(Data + 8)};
  }
  return Of;
}

uint64_t gpuocc::staticSharedBytes(uint64_t SectionBytes,
                                   unsigned Architecture) {
  // Part of the section from sm_90 on.
  constexpr uint64_t ReservedSharedBytes = 1024;
  constexpr unsigned FirstWithReserved = 90;
  return Architecture < FirstWithReserved
             ? SectionBytes
             : SectionBytes - std::min(SectionBytes, ReservedSharedBytes);
}

/// Variables whose addresses are in constant bank 4, by their offset there.
static std::map<int64_t, CubinSymbol>
addressesIn(const CubinFile &File, ArrayRef<CubinSymbol> Symbols) {
  std::map<int64_t, CubinSymbol> At;
  forEachSection(File, [&](StringRef Name, const CubinFile::Elf_Shdr &S) {
    if (Name != ".rela.nv.constant4" && Name != ".rel.nv.constant4")
      return;
    auto Add = [&](uint64_t Offset, uint32_t Symbol) {
      if (Symbol < Symbols.size())
        At[int64_t(Offset)] = Symbols[Symbol];
    };
    if (S.sh_type == ELF::SHT_RELA) {
      auto Entries = File.relas(S);
      if (!Entries)
        return consumeError(Entries.takeError());
      for (const auto &R : *Entries)
        Add(R.r_offset, R.getSymbol(/*isMips64EL=*/false));
    } else if (S.sh_type == ELF::SHT_REL) {
      auto Entries = File.rels(S);
      if (!Entries)
        return consumeError(Entries.takeError());
      for (const auto &R : *Entries)
        Add(R.r_offset, R.getSymbol(/*isMips64EL=*/false));
    }
  });
  return At;
}

CubinKernels gpuocc::kernelsOfCubin(StringRef Cubin) {
  CubinKernels Kernels;
  Expected<CubinFile> File = CubinFile::create(Cubin);
  if (!File) {
    consumeError(File.takeError());
    return Kernels;
  }
  const std::string Architecture = architectureOfCubin(Cubin);
  const StringMap<ResourceUse> Resources = resourcesOf(*File);
  const std::vector<CubinSymbol> Symbols = symbolsOf(*File);
  const std::map<int64_t, CubinSymbol> Addresses = addressesIn(*File, Symbols);
  for (const CubinSymbol &S : Symbols) {
    if (!S.IsKernel)
      continue;
    SassKernel &K = Kernels[S.Name];
    K.Architecture = Architecture;
    K.Layout = constantLayout(Architecture);
    if (auto Its = Resources.find(S.Name); Its != Resources.end())
      K.Resources = Its->second;
    readAttributes(sectionOf(*File, ".nv.info." + S.Name), K);
    for (const auto &[Offset, Variable] : Addresses) {
      K.SymbolAtConstant[Offset] = uint32_t(K.Symbols.size());
      Symbol Global;
      Global.Name = Variable.Name;
      Global.Space = MemorySpace::Global;
      Global.SizeBytes = Variable.Bytes;
      K.Symbols.push_back(std::move(Global));
    }
    if (K.Resources.StackBytes != 0) {
      Symbol Frame;
      Frame.Name = "stack";
      Frame.Space = MemorySpace::Local;
      Frame.SizeBytes = K.Resources.StackBytes;
      K.Symbols.push_back(std::move(Frame));
    }
  }
  forEachSection(*File, [&](StringRef Name, const CubinFile::Elf_Shdr &S) {
    if (!Name.consume_front(".nv.shared."))
      return;
    auto Its = Kernels.find(Name.str());
    if (Its == Kernels.end())
      return;
    Its->second.StaticSharedBytes =
        staticSharedBytes(S.sh_size, architectureNumber(Architecture));
  });
  return Kernels;
}
