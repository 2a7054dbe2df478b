//===- ReadBinary.cpp - Objects and programs to kernel facts --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadBinary.h"
#include "ReadPtxFile.h"
#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Support/CudaToolkit.h"
#include "gpuocc/Toolchain/Cuobjdump.h"
#include "gpuocc/Toolchain/Ptxas.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

/// The first bytes of fat binaries (fatbinary_section.h of CUDA), as they lie
/// in the file.
static constexpr StringLiteral FatBinaryMagic = "\x50\xed\x55\xba";

bool gpuocc::isBinaryWithCode(StringRef File) {
  constexpr uint64_t BytesOfMagic = 32;
  auto Start = MemoryBuffer::getFileSlice(File, BytesOfMagic, /*Offset=*/0);
  if (!Start)
    return false;
  const StringRef Bytes = (*Start)->getBuffer();
  if (Bytes.starts_with(FatBinaryMagic))
    return true;
  switch (identify_magic(Bytes)) {
  case file_magic::elf:
  case file_magic::elf_relocatable:
  case file_magic::elf_executable:
  case file_magic::elf_shared_object:
  case file_magic::elf_core:
  case file_magic::archive:
    return true;
  default:
    return false;
  }
}

/// The PTX of \p All that is to be read: that for \p Wanted, or where it is
/// empty, for the newest architecture.
static Expected<std::vector<std::string>>
selectPtx(std::vector<std::string> All, StringRef Wanted, StringRef File) {
  std::set<std::string> Targets;
  std::string Newest;
  for (StringRef Ptx : All) {
    const std::string Target = targetOfPtx(Ptx).str();
    Targets.insert(Target);
    if (architectureNumber(Target) > architectureNumber(Newest))
      Newest = Target;
  }
  const StringRef Chosen = Wanted.empty() ? StringRef(Newest) : Wanted;
  erase_if(All, [&](StringRef Ptx) { return targetOfPtx(Ptx) != Chosen; });
  if (All.empty())
    return createStringError("'" + File + "' holds no PTX for " + Chosen +
                             ", but for " + join(Targets, ", "));
  return All;
}

Expected<FactsFile> gpuocc::readBinaryFile(StringRef File,
                                           const SourceOptions &Options) {
  CudaToolkit Toolkit = findCudaToolkit(CudaToolkitPlaces::ofThisMachine());
  if (!Toolkit.hasCuobjdump())
    return createStringError("'" + File +
                             "' is binary: reading PTX in it needs cuobjdump, "
                             "looked for in CUDA_PATH, /usr/local/cuda and "
                             "PATH");
  Expected<std::vector<std::string>> All = ptxInBinary(Toolkit.Cuobjdump, File);
  if (!All)
    return All.takeError();
  if (All->empty())
    return createStringError(
        "'" + File +
        "' holds no PTX; nvcc keeps it with code=[sm_NN,compute_NN]");
  Expected<std::vector<std::string>> Chosen =
      selectPtx(std::move(*All), Options.ModuleArchitecture, File);
  if (!Chosen)
    return Chosen.takeError();
  FactsFile Facts;
  Facts.SourceFile = File.str();
  StringSet<> Seen;
  for (StringRef Ptx : *Chosen) {
    Expected<std::vector<KernelFacts>> Kernels = readPtx(Ptx, File, Options);
    if (!Kernels)
      return Kernels.takeError();
    // Templates are in every object that uses them.
    for (KernelFacts &Kernel : *Kernels)
      if (Seen.insert(Kernel.Name).second)
        Facts.Kernels.push_back(std::move(Kernel));
  }
  return Facts;
}
