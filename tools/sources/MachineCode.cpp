//===- MachineCode.cpp - Machine code alone to kernel facts ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineCode.h"
#include "BuiltKernels.h"
#include "CubinKernels.h"
#include "FatBinary.h"
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

Error gpuocc::inFile(StringRef File, Error E) {
  return createStringError("'" + File + "': " + toString(std::move(E)));
}

/// The machine code in \p File: as it lies there, else what cuobjdump takes out
/// of it, which may know other containers.
static Expected<std::vector<std::string>>
codeOf(StringRef File, StringRef Bytes, const CudaToolkit &Toolkit) {
  std::vector<std::string> Code;
  Error Damage = forEachCubin(Bytes, [&](StringRef One) {
    Code.push_back(One.str());
    return Error::success();
  });
  if (Damage && !Toolkit.hasCuobjdump())
    return inFile(File, std::move(Damage));
  const bool IsWhole = !Damage;
  consumeError(std::move(Damage));
  if ((IsWhole && !Code.empty()) || !Toolkit.hasCuobjdump())
    return Code;
  Code.clear();
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

/// Names of architectures, of which one is read.
class Architectures {
public:
  void add(StringRef Name) {
    All.insert(Name.str());
    if (architectureNumber(Name) > architectureNumber(Newest))
      Newest = Name.str();
  }

  /// \p Wanted, or where it is empty, the newest. Fails where there is none,
  /// and where \p Wanted is none of them.
  Expected<std::string> choose(StringRef Wanted, StringRef File) const {
    if (All.empty())
      return createStringError("'" + File +
                               "' holds neither PTX nor machine code of a GPU");
    if (Wanted.empty())
      return Newest;
    if (All.count(Wanted.str()))
      return Wanted.str();
    return createStringError("'" + File + "' holds no machine code for " +
                             Wanted + ", but for " + join(All, ", "));
  }

private:
  std::set<std::string> All;
  std::string Newest;
};

/// The kernels of \p File without their instructions.
static Expected<FactsFile> readResources(StringRef File, StringRef Bytes,
                                         const SourceOptions &Options) {
  Expected<std::vector<BuiltKernel>> Built = builtKernels(Bytes);
  if (!Built)
    return inFile(File, Built.takeError());
  Architectures Found;
  for (const BuiltKernel &K : *Built)
    Found.add(K.Architecture);
  Expected<std::string> Chosen = Found.choose(Options.ModuleArchitecture, File);
  if (!Chosen)
    return Chosen.takeError();
  FactsFile Facts;
  Facts.SourceFile = File.str();
  // Templates are in every object that uses them.
  StringSet<> Seen;
  for (const BuiltKernel &K : *Built)
    if (K.Architecture == *Chosen && Seen.insert(K.Name).second)
      Facts.Kernels.push_back(factsOf(K));
  return Facts;
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
    return readResources(File, Bytes, Options);
  Expected<std::vector<std::string>> Code = codeOf(File, Bytes, Toolkit);
  if (!Code)
    return Code.takeError();
  std::vector<std::pair<std::string, CubinKernels>> Cubins;
  Architectures Found;
  for (std::string &Cubin : *Code) {
    CubinKernels Kernels = kernelsOfCubin(Cubin);
    if (Kernels.empty())
      continue;
    Found.add(Kernels.begin()->second.Architecture);
    Cubins.emplace_back(std::move(Cubin), std::move(Kernels));
  }
  Expected<std::string> Chosen = Found.choose(Options.ModuleArchitecture, File);
  if (!Chosen)
    return Chosen.takeError();
  FactsFile Facts;
  Facts.SourceFile = File.str();
  // Templates are in every object that uses them.
  StringSet<> Seen;
  for (const auto &[Cubin, Kernels] : Cubins)
    if (Kernels.begin()->second.Architecture == *Chosen)
      if (Error E =
              addKernels(Cubin, Kernels, Toolkit.Nvdisasm, Seen, Facts.Kernels))
        return std::move(E);
  return Facts;
}
