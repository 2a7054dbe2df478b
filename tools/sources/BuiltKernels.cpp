//===- BuiltKernels.cpp - Resources of the kernels in a binary ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuiltKernels.h"
#include "CubinFile.h"
#include "CubinKernels.h"
#include "FatBinary.h"
#include "gpuocc/Support/Architecture.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Endian.h"

using namespace gpuocc;
using namespace llvm;
using support::endian::read64le;

/// The first architecture whose instructions have 16 bytes.
static constexpr unsigned FirstWithWideInstructions = 70;

static constexpr StringLiteral InstructionsNotRead =
    "its instructions, which nvdisasm of the CUDA toolkit prints (looked for "
    "in "
    "CUDA_PATH, /usr/local/cuda and PATH); PTX, which code=[sm_NN,compute_NN] "
    "or -lineinfo keep, is read without";

LocalTraffic gpuocc::localTrafficOf(StringRef Code) {
  // Bits 0 to 11 are the opcode, 73 to 75 the width. Checked with what ptxas
  // 13.0 says of spills for sm_75, sm_80, sm_90 and sm_100 (BuiltKernelsTest).
  constexpr size_t InstructionBytes = 16;
  constexpr uint64_t OpcodeMask = 0xfff, StoreLocal = 0x387, LoadLocal = 0x983;
  constexpr unsigned WidthBit = 73 - 64, WidthMask = 7;
  static constexpr uint8_t BytesOfWidth[] = {1, 1, 2, 2, 4, 8, 16, 0};
  LocalTraffic Local;
  for (; Code.size() >= InstructionBytes;
       Code = Code.drop_front(InstructionBytes)) {
    const uint64_t Opcode = read64le(Code.data()) & OpcodeMask;
    if (Opcode != StoreLocal && Opcode != LoadLocal)
      continue;
    const uint64_t Upper = read64le(Code.data() + InstructionBytes / 2);
    const uint64_t Bytes = BytesOfWidth[Upper >> WidthBit & WidthMask];
    (Opcode == StoreLocal ? Local.StoredBytes : Local.LoadedBytes) += Bytes;
  }
  return Local;
}

/// Adds the kernels of \p Cubin to \p Out.
static Error addKernels(StringRef Cubin, std::vector<BuiltKernel> &Out) {
  Expected<CubinFile> File = CubinFile::create(Cubin);
  if (!File)
    return File.takeError();
  // The head does not say whether it is "sm_90" or "sm_90a".
  const unsigned Number = architectureNumber(architectureOfCubin(Cubin));
  const std::string Architecture =
      Number == 0 ? "" : "sm_" + std::to_string(Number);
  const StringMap<ResourceUse> Resources = resourcesOf(*File);
  StringMap<size_t> Index;
  for (const CubinSymbol &S : symbolsOf(*File)) {
    if (!S.IsKernel || !Index.try_emplace(S.Name, Out.size()).second)
      continue;
    BuiltKernel &K = Out.emplace_back();
    K.Name = S.Name;
    K.Architecture = Architecture;
    if (auto Its = Resources.find(S.Name); Its != Resources.end()) {
      K.RegistersPerThread = Its->second.RegistersPerThread;
      K.StackBytes = Its->second.StackBytes;
    }
  }
  if (Index.empty())
    return Error::success();
  Error Failed = Error::success();
  forEachSection(*File, [&](StringRef Name, const CubinFile::Elf_Shdr &S) {
    using Reader = void (*)(StringRef, uint64_t, unsigned, BuiltKernel &);
    static constexpr std::pair<StringLiteral, Reader> Rows[] = {
        {".text.",
         [](StringRef Bytes, uint64_t, unsigned Number, BuiltKernel &K) {
           if (Number >= FirstWithWideInstructions)
             K.Local = localTrafficOf(Bytes);
         }},
        {".nv.info.",
         [](StringRef Bytes, uint64_t, unsigned, BuiltKernel &K) {
           const KernelAttributes Of = kernelAttributes(Bytes);
           K.Bounds = Of.Bounds;
           K.Barriers = Of.Barriers;
         }},
        {".nv.shared.",
         [](StringRef, uint64_t Size, unsigned Number, BuiltKernel &K) {
           K.StaticSharedBytes = staticSharedBytes(Size, Number);
         }}};
    for (const auto &[Prefix, Read] : Rows) {
      StringRef Kernel = Name;
      if (!Kernel.consume_front(Prefix))
        continue;
      auto Its = Index.find(Kernel);
      if (Its == Index.end())
        continue;
      StringRef Bytes;
      if (S.sh_type != ELF::SHT_NOBITS) {
        Expected<ArrayRef<uint8_t>> Content = File->getSectionContents(S);
        if (!Content) {
          Failed = joinErrors(std::move(Failed), Content.takeError());
          return;
        }
        Bytes = toStringRef(*Content);
      }
      Read(Bytes, S.sh_size, Number, Out[Its->second]);
    }
  });
  return Failed;
}

Expected<std::vector<BuiltKernel>> gpuocc::builtKernels(StringRef Bytes) {
  std::vector<BuiltKernel> Kernels;
  if (Error E = forEachCubin(
          Bytes, [&](StringRef Cubin) { return addKernels(Cubin, Kernels); }))
    return std::move(E);
  return Kernels;
}

KernelFacts gpuocc::factsOf(const BuiltKernel &Kernel) {
  KernelFacts Facts;
  Facts.Name = Kernel.Name;
  Facts.Demangled = demangle(Kernel.Name);
  Facts.Architecture = Kernel.Architecture;
  Facts.View = MachineView::Sass;
  Facts.BuiltBy = "given machine code";
  Facts.Bounds = Kernel.Bounds;
  Facts.StaticSharedBytes = Kernel.StaticSharedBytes;
  Facts.Resources.RegistersPerThread = Kernel.RegistersPerThread;
  Facts.Resources.Source = "cubin";
  Facts.Resources.IsEstimate = false;
  Facts.Resources.StackBytes = Kernel.StackBytes;
  if (Kernel.Local) {
    Facts.Resources.SpillStoreBytes = Kernel.Local->StoredBytes;
    Facts.Resources.SpillLoadBytes = Kernel.Local->LoadedBytes;
  }
  Facts.Resources.Barriers = Kernel.Barriers;
  Facts.Blocks.emplace_back().Name = "entry";
  Facts.Gaps.push_back({NoIndex, InstructionsNotRead.str()});
  return Facts;
}
