//===- FatBinary.cpp - Device code in containers of the CUDA toolkit ------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The head of a container is that of fatbinary_section.h of CUDA. The heads of
// its parts are in no manual; their fields were read in files that nvcc 13.0
// writes with each --compress-mode (FatBinaryTest).
//
//===----------------------------------------------------------------------===//

#include "FatBinary.h"
#include "CubinFile.h"
#include "Lz4Block.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"

using namespace gpuocc;
using namespace llvm;
using support::endian::read16le;
using support::endian::read32le;
using support::endian::read64le;

static constexpr StringLiteral ContainerMagic = "\x50\xed\x55\xba";
static constexpr StringLiteral ElfMagic = "\x7f"
                                          "ELF";

namespace {

/// Offsets in the head of a container.
enum Container : size_t {
  ContainerVersion = 4,
  ContainerHeadBytes = 6,
  ContainerPartBytes = 8,
  LeastContainerHead = 16
};

/// Offsets in the head of a part.
enum Part : size_t {
  PartKind = 0,
  PartHeadBytes = 4,
  PartPaddedBytes = 8,
  PartCompressedBytes = 16,
  PartFlags = 40,
  PartOriginalBytes = 56,
  LeastPartHead = 64
};

enum PartFlag : uint64_t { IsLz4 = 0x2000, IsZstd = 0x8000 };

/// Numbers of kinds of parts; others are code for the linker and lists.
constexpr std::pair<uint16_t, DeviceCode> Kinds[] = {{1, DeviceCode::Ptx},
                                                     {2, DeviceCode::Cubin}};

using Visitor = function_ref<Error(DeviceCode, StringRef)>;

/// What is visited.
struct Visit {
  Visitor Call;
  bool WantsPtx = true;
};

} // namespace

static Error damaged(const Twine &What) {
  return createStringError("its device code is damaged: " + What);
}

static Expected<std::string> decompressed(StringRef Bytes, uint64_t Flags,
                                          uint64_t OriginalBytes) {
  // Larger than any code: a size that is no size.
  constexpr uint64_t MostBytes = uint64_t(1) << 32;
  if (OriginalBytes > MostBytes)
    return damaged("a part of " + Twine(OriginalBytes) + " bytes");
  if (Flags & IsLz4) {
    if (std::optional<std::string> Out =
            decompressLz4Block(Bytes, OriginalBytes))
      return std::move(*Out);
    return damaged("a compressed part does not decompress");
  }
  if (!compression::zstd::isAvailable())
    return createStringError("its device code is compressed with Zstandard, "
                             "which this build of LLVM does not have");
  SmallVector<uint8_t, 0> Out;
  if (Error E = compression::zstd::decompress(arrayRefFromStringRef(Bytes), Out,
                                              OriginalBytes)) {
    consumeError(std::move(E));
    return damaged("a compressed part does not decompress");
  }
  return toStringRef(Out).str();
}

static Error visitPart(StringRef Head, StringRef Content, const Visit &To) {
  const auto *Kind = find_if(Kinds, [&](const auto &Row) {
    return Row.first == read16le(Head.data() + PartKind);
  });
  if (Kind == std::end(Kinds) ||
      (Kind->second == DeviceCode::Ptx && !To.WantsPtx))
    return Error::success();
  const uint64_t Flags = read64le(Head.data() + PartFlags);
  if ((Flags & (IsLz4 | IsZstd)) == 0)
    return To.Call(Kind->second, Content);
  const uint64_t Bytes = read32le(Head.data() + PartCompressedBytes);
  if (Bytes > Content.size())
    return damaged("a compressed part ends behind its container");
  Expected<std::string> Code =
      decompressed(Content.take_front(Bytes), Flags,
                   read64le(Head.data() + PartOriginalBytes));
  if (!Code)
    return Code.takeError();
  return To.Call(Kind->second, *Code);
}

/// True where \p Bytes begin with a container and not with data that looks like
/// its first word.
static bool isContainer(StringRef Bytes) {
  return Bytes.starts_with(ContainerMagic) &&
         Bytes.size() >= LeastContainerHead &&
         read16le(Bytes.data() + ContainerVersion) == 1 &&
         read16le(Bytes.data() + ContainerHeadBytes) >= LeastContainerHead;
}

/// Visits the parts of the container at the start of \p Bytes, and moves these
/// to its end.
static Error visitContainer(StringRef &Bytes, const Visit &To) {
  const uint64_t HeadBytes = read16le(Bytes.data() + ContainerHeadBytes);
  const uint64_t PartBytes = read64le(Bytes.data() + ContainerPartBytes);
  if (HeadBytes > Bytes.size() || PartBytes > Bytes.size() - HeadBytes)
    return damaged("a container of " + Twine(HeadBytes + PartBytes) +
                   " bytes, of which the file holds " + Twine(Bytes.size()));
  StringRef Parts = Bytes.substr(HeadBytes, PartBytes);
  Bytes = Bytes.drop_front(HeadBytes + PartBytes);
  while (Parts.size() >= LeastPartHead) {
    const uint64_t Head = read32le(Parts.data() + PartHeadBytes);
    const uint64_t Padded = read64le(Parts.data() + PartPaddedBytes);
    if (Head < LeastPartHead || Head > Parts.size() ||
        Padded > Parts.size() - Head)
      return damaged("a part ends behind its container");
    if (Error E =
            visitPart(Parts.take_front(Head), Parts.substr(Head, Padded), To))
      return E;
    Parts = Parts.drop_front(Head + Padded);
  }
  return Error::success();
}

/// Visits the cubin at the start of \p Bytes, and moves these to its end.
static Error visitCubin(StringRef &Bytes, const Visit &To) {
  Expected<StringRef> Cubin = cubinAtStart(Bytes);
  if (!Cubin)
    return Cubin.takeError();
  Bytes = Bytes.drop_front(Cubin->size());
  return To.Call(DeviceCode::Cubin, *Cubin);
}

static Error visitAll(StringRef Bytes, const Visit &To) {
  while (!Bytes.empty()) {
    const size_t Container = Bytes.find(ContainerMagic);
    const size_t Elf = Bytes.find(ElfMagic);
    const size_t Next = std::min(Container, Elf);
    if (Next == StringRef::npos)
      return Error::success();
    Bytes = Bytes.drop_front(Next);
    if (isContainer(Bytes)) {
      if (Error E = visitContainer(Bytes, To))
        return E;
    } else if (isCubin(Bytes)) {
      if (Error E = visitCubin(Bytes, To))
        return E;
    } else {
      Bytes = Bytes.drop_front(ElfMagic.size());
    }
  }
  return Error::success();
}

Error gpuocc::forEachDeviceCode(StringRef Bytes, Visitor Call) {
  return visitAll(Bytes, {Call, /*WantsPtx=*/true});
}

Error gpuocc::forEachCubin(StringRef Bytes,
                           function_ref<Error(StringRef)> Call) {
  auto CallForCubins = [&](DeviceCode, StringRef Cubin) { return Call(Cubin); };
  return visitAll(Bytes, {CallForCubins, /*WantsPtx=*/false});
}

Expected<std::vector<std::string>> gpuocc::ptxInFatBinaries(StringRef Bytes) {
  std::vector<std::string> All;
  auto Keep = [&](DeviceCode Kind, StringRef Code) {
    // Padded with zeros.
    if (Kind == DeviceCode::Ptx)
      All.push_back(Code.rtrim('\0').str());
    return Error::success();
  };
  if (Error E = forEachDeviceCode(Bytes, Keep))
    return std::move(E);
  return All;
}
