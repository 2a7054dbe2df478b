//===- MachineCode.cpp - Machine code alone to kernel facts ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineCode.h"
#include "CubinKernels.h"
#include "gpuocc/ReadSass/Disassembly.h"
#include "gpuocc/ReadSass/ReadSass.h"
#include "gpuocc/Support/Architecture.h"
#include "gpuocc/Support/CudaToolkit.h"
#include "gpuocc/Toolchain/Cuobjdump.h"
#include "gpuocc/Toolchain/Nvdisasm.h"
#include "gpuocc/Toolchain/Process.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/MemoryBuffer.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

/// The machine code in \p File: as it lies there, else what cuobjdump takes out
/// of it, which knows compressed parts.
static Expected<std::vector<std::string>>
codeOf(StringRef File, StringRef Bytes, const CudaToolkit &Toolkit) {
  std::vector<std::string> Code;
  for (StringRef One : findCubins(Bytes))
    Code.push_back(One.str());
  if (!Code.empty() || !Toolkit.hasCuobjdump())
    return Code;
  Expected<TemporaryFolder> Folder = TemporaryFolder::create("gpuocc");
  if (!Folder)
    return Folder.takeError();
  Expected<std::vector<std::string>> Files =
      extractMachineCode(Toolkit.Cuobjdump, File, Folder->path());
  if (!Files)
    return Files.takeError();
  for (const std::string &Path : *Files)
    if (auto Buffer = MemoryBuffer::getFile(Path))
      Code.push_back((*Buffer)->getBuffer().str());
  return Code;
}

/// Adds the kernels of \p Cubin, whose sections say \p Kernels.
static Error addKernels(StringRef Cubin, const CubinKernels &Kernels,
                        StringRef Nvdisasm, StringSet<> &Seen,
                        std::vector<KernelFacts> &Out) {
  Expected<TemporaryFile> File = TemporaryFile::create("gpuocc", "cubin");
  if (!File)
    return File.takeError();
  if (Error E = File->write(Cubin))
    return E;
  Expected<std::string> Text =
      runNvdisasm(Nvdisasm, File->path(), DisassembledPlaces::LinesAndCalls);
  if (!Text)
    return Text.takeError();
  Expected<std::vector<SassFunction>> Functions =
      parseDisassembly(*Text, "nvdisasm");
  if (!Functions)
    return Functions.takeError();
  for (const SassFunction &F : *Functions) {
    auto Its = Kernels.find(F.Name);
    if (Its == Kernels.end() || !Seen.insert(F.Name).second)
      continue;
    Expected<KernelFacts> Facts = readSassAlone(F, Its->second);
    if (!Facts)
      return Facts.takeError();
    Facts->Demangled = demangle(F.Name);
    Facts->BuiltBy = "given machine code";
    Out.push_back(std::move(*Facts));
  }
  return Error::success();
}

Expected<FactsFile> gpuocc::readMachineCode(StringRef File, StringRef Bytes,
                                            const SourceOptions &Options) {
  CudaToolkit Toolkit = findCudaToolkit(CudaToolkitPlaces::ofThisMachine());
  if (!Toolkit.hasNvdisasm())
    return createStringError(
        "'" + File +
        "' holds no PTX: reading its machine code needs nvdisasm of the CUDA "
        "toolkit, looked for in CUDA_PATH, /usr/local/cuda and PATH; or build "
        "with code=[sm_NN,compute_NN] or -lineinfo, which keep PTX");
  Expected<std::vector<std::string>> Code = codeOf(File, Bytes, Toolkit);
  if (!Code)
    return Code.takeError();
  std::vector<std::pair<std::string, CubinKernels>> Found;
  std::set<std::string> Architectures;
  std::string Newest;
  for (std::string &Cubin : *Code) {
    CubinKernels Kernels = kernelsOfCubin(Cubin);
    if (Kernels.empty())
      continue;
    const std::string &Arch = Kernels.begin()->second.Architecture;
    Architectures.insert(Arch);
    if (architectureNumber(Arch) > architectureNumber(Newest))
      Newest = Arch;
    Found.emplace_back(std::move(Cubin), std::move(Kernels));
  }
  if (Found.empty())
    return createStringError(
        "'" + File + "' holds neither PTX nor machine code of a GPU" +
        (Toolkit.hasCuobjdump() ? ""
                                : " that is not compressed, which only "
                                  "cuobjdump could read"));
  const std::string Chosen =
      Options.ModuleArchitecture.empty() ? Newest : Options.ModuleArchitecture;
  erase_if(Found, [&](const auto &One) {
    return One.second.begin()->second.Architecture != Chosen;
  });
  if (Found.empty())
    return createStringError("'" + File + "' holds no machine code for " +
                             Chosen + ", but for " + join(Architectures, ", "));
  FactsFile Facts;
  Facts.SourceFile = File.str();
  // Templates are in every object that uses them.
  StringSet<> Seen;
  for (const auto &[Cubin, Kernels] : Found)
    if (Error E =
            addKernels(Cubin, Kernels, Toolkit.Nvdisasm, Seen, Facts.Kernels))
      return std::move(E);
  return Facts;
}
