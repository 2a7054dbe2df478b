//===- ReadBinary.cpp - Objects and programs to kernel facts --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadBinary.h"
#include "CubinCode.h"
#include "CubinFile.h"
#include "FatBinary.h"
#include "MachineCode.h"
#include "ReadPtxFile.h"
#include "driver/Finish.h"
#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Support/Architecture.h"
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

/// The PTX of \p Bytes, the content of \p File: that in its containers, else
/// that which \p Cubins keep; none where only machine code is left. Fails where
/// containers are damaged and cuobjdump does not read them either.
static Expected<std::vector<std::string>> ptxOf(StringRef File, StringRef Bytes,
                                                ArrayRef<CubinCode> Cubins) {
  Expected<std::vector<std::string>> InFile = ptxInFatBinaries(Bytes);
  if (InFile && !InFile->empty())
    return InFile;
  std::vector<std::string> Kept;
  for (const CubinCode &Cubin : Cubins)
    if (!Cubin.Ptx.empty())
      Kept.push_back(Cubin.Ptx);
  if (isCubin(Bytes) || !Kept.empty()) {
    consumeError(InFile.takeError());
    return Kept;
  }
  CudaToolkit Toolkit = findCudaToolkit(CudaToolkitPlaces::ofThisMachine());
  if (!Toolkit.hasCuobjdump())
    return InFile ? std::move(InFile) : inFile(File, InFile.takeError());
  consumeError(InFile.takeError());
  return ptxInBinary(Toolkit.Cuobjdump, File);
}

/// Takes registers from the machine code that holds \p Ptx.
static void takeResources(ArrayRef<CubinCode> Cubins, StringRef Ptx,
                          KernelFacts &Kernel) {
  for (const CubinCode &Cubin : Cubins) {
    auto Its = Cubin.Resources.find(Kernel.Name);
    if (Cubin.Ptx != Ptx || Its == Cubin.Resources.end() ||
        Its->second.RegistersPerThread == 0)
      continue;
    // Otherwise ptxas says the same and more.
    if (Kernel.Resources.IsEstimate ||
        Kernel.Resources.RegistersPerThread != Its->second.RegistersPerThread)
      Kernel.Resources = Its->second;
  }
}

Expected<FactsFile> gpuocc::readBinaryFile(StringRef File,
                                           const SourceOptions &Options) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Bytes =
      MemoryBuffer::getFile(File, /*IsText=*/false,
                            /*RequiresNullTerminator=*/false);
  if (!Bytes)
    return createStringError("cannot read '" + File +
                             "': " + Bytes.getError().message());
  if (Options.Code == "machine")
    return readMachineCode(File, (*Bytes)->getBuffer(), Options);
  const std::vector<CubinCode> Cubins = cubinsIn((*Bytes)->getBuffer());
  Expected<std::vector<std::string>> All =
      ptxOf(File, (*Bytes)->getBuffer(), Cubins);
  if (!All)
    return All.takeError();
  if (All->empty())
    return readMachineCode(File, (*Bytes)->getBuffer(), Options);
  Expected<std::vector<std::string>> Chosen =
      selectPtx(std::move(*All), Options.ModuleArchitecture, File);
  if (!Chosen)
    return Chosen.takeError();
  FactsFile Facts;
  Facts.SourceFile = File.str();
  StringSet<> Seen;
  std::vector<std::string> Problems;
  for (StringRef Ptx : *Chosen) {
    Expected<ModuleFacts> Read = readPtx(Ptx, File, Options);
    if (!Read) {
      Problems.push_back(toString(Read.takeError()));
      continue;
    }
    if (!Read->Problem.empty())
      Facts.Problem = Read->Problem;
    // Templates are in every object that uses them.
    for (KernelFacts &Kernel : Read->Kernels)
      if (Seen.insert(Kernel.Name).second) {
        takeResources(Cubins, Ptx, Kernel);
        Facts.Kernels.push_back(std::move(Kernel));
      }
  }
  if (Facts.Kernels.empty() && !Problems.empty())
    return createStringError(Problems.front());
  for (const std::string &Problem : Problems)
    printError("gpu-occupancy", createStringError(Problem));
  if (!Problems.empty())
    Facts.Problem = Problems.front();
  return Facts;
}
