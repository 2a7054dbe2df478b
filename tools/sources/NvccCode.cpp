//===- NvccCode.cpp - The kernels of a source as nvcc makes them ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NvccCode.h"
#include "Compiler.h"
#include "ReadPtxFile.h"
#include "ReportCache.h"
#include "gpuocc/Support/CudaToolkit.h"
#include "gpuocc/Support/KeptFiles.h"
#include "gpuocc/Support/Paths.h"
#include "gpuocc/Toolchain/AllowedOptions.h"
#include "gpuocc/Toolchain/Nvcc.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace llvm;

Expected<std::string> gpuocc::chooseNvcc(const SourceOptions &Options) {
  // Machine code is joined to clang's instructions only.
  bool WantsClang = Options.Code == "clang" || Options.BuiltBy != "nvcc" ||
                    Options.View != "mir";
  // Nor does nvcc read texts of an editor, which wants an answer at once.
  WantsClang |= (!Options.Shortcuts.Buffers.empty() &&
                 !Options.Shortcuts.NvccReadsBuffers) ||
                !Options.Shortcuts.Preambles.empty();
  if (Options.Code != "nvcc" && WantsClang)
    return std::string();
  CudaToolkit Toolkit = findCudaToolkit(CudaToolkitPlaces::ofThisMachine());
  // Without its assembler nvcc compiles nothing.
  if (Toolkit.hasNvcc() && Toolkit.hasHeaders())
    return Toolkit.Nvcc;
  if (Options.Code == "nvcc")
    return createStringError("there is no nvcc in CUDA_PATH, /usr/local/cuda "
                             "and PATH");
  return std::string();
}

/// What decides the PTX beside the contents of files.
static std::string keyOf(StringRef Nvcc, StringRef File,
                         const SourceOptions &Options) {
  return ("ptx\n" + Nvcc + "\n" + stateOfFile(Nvcc) + "\n" +
          absolutePath(File) + "\n" + Options.Architecture + "\n" +
          join(Options.NvccArguments, "\n"))
      .str();
}

/// Runs \p Nvcc as runNvcc() does, and again with each option that it names in
/// its refusal, without which no build takes the source either. Of headers of
/// the system, as those in guessed folders are, it names only some.
static Expected<NvccOutput> runAllowing(StringRef Nvcc, StringRef File,
                                        StringRef Architecture,
                                        std::vector<std::string> Arguments,
                                        StringRef TextOf) {
  static constexpr StringLiteral Allowing[] = {"--expt-relaxed-constexpr",
                                               "--extended-lambda"};
  Expected<NvccOutput> Made =
      runNvcc(Nvcc, File, Architecture, Arguments, TextOf);
  for (size_t Tried = 0; !Made && Tried != std::size(Allowing); ++Tried) {
    std::string Why = toString(Made.takeError());
    auto IsAbsent = [&](StringRef Option) {
      return !is_contained(Arguments, Option);
    };
    const auto *Named = find_if(Allowing, [&](StringRef Option) {
      return StringRef(Why).contains(Option) && IsAbsent(Option);
    });
    if (Named == std::end(Allowing) && Tried != 0)
      Named = find_if(Allowing, IsAbsent);
    if (Named == std::end(Allowing))
      return createStringError(Why);
    Arguments.push_back(Named->str());
    Made = runNvcc(Nvcc, File, Architecture, Arguments, TextOf);
  }
  return Made;
}

std::optional<SourceOptions>
gpuocc::withFeaturesOfOne(StringRef Messages, const SourceOptions &Options) {
  StringRef Architecture = Options.Architecture;
  if (!Options.ModuleArchitecture.empty() || Architecture.empty() ||
      !isDigit(Architecture.back()) ||
      !Messages.contains(
          ("not supported on .target '" + Architecture + "'").str()))
    return std::nullopt;
  SourceOptions WithFeatures = Options;
  WithFeatures.Architecture += "a";
  return WithFeatures;
}

Expected<std::string> gpuocc::ptxByNvcc(StringRef Nvcc, StringRef File,
                                        const SourceOptions &Options) {
  const std::string TextOf = Options.Shortcuts.textOf(File);
  // A trial is not made again.
  ReportCache Cache(TextOf == File ? Options.CacheFolder : std::string());
  const std::string Key = keyOf(Nvcc, File, Options);
  if (std::optional<KeptReport> Kept = Cache.find(Key))
    return std::move(Kept->Json);
  Expected<NvccOutput> Made = runAllowing(Nvcc, File, Options.Architecture,
                                          Options.NvccArguments, TextOf);
  if (!Made) {
    const std::string Why = toString(Made.takeError());
    if (lacksHeader(Why))
      return createStringError(Why);
    std::vector<std::string> Arguments = Options.NvccArguments;
    Arguments.push_back("--pre-include=" + asOneOfList(removedCudaHeader()));
    Expected<NvccOutput> Again =
        runAllowing(Nvcc, File, Options.Architecture, Arguments, TextOf);
    // What nvcc says without it is what the user wrote.
    if (!Again) {
      consumeError(Again.takeError());
      return createStringError(Why);
    }
    Made = std::move(Again);
  }
  std::vector<std::string> Files = parseDependencies(Made->DependenceFile);
  for (std::string &Path : Files)
    Path = absolutePath(Path == Made->NameOfSource ? File : StringRef(Path));
  if (!Files.empty())
    Cache.store(Key, {Made->Ptx, "", std::move(Files)});
  return std::move(Made->Ptx);
}

/// Names \p File in \p Facts as the user does: nvcc writes whole paths.
static void nameAsGiven(KernelFacts &Facts, StringRef File) {
  const std::string Full = nameInPtx(absolutePath(File));
  auto Rename = [&](SourcePlace &Place) {
    if (Place.File == Full)
      Place.File = File.str();
  };
  Rename(Facts.Place);
  for (SourceLocation &Location : Facts.Locations.edit())
    for_each(Location.Places, Rename);
}

Expected<FactsFile> gpuocc::readNvccPtx(StringRef Ptx, StringRef File,
                                        const SourceOptions &Options) {
  Expected<ModuleFacts> Read = readPtx(Ptx, File, Options);
  if (!Read)
    return Read.takeError();
  const std::string BuiltBy = nvccOfPtx(Ptx);
  for (KernelFacts &Facts : Read->Kernels) {
    nameAsGiven(Facts, File);
    Facts.BuiltBy = BuiltBy;
  }
  return FactsFile{
      File.str(), std::move(Read->Kernels), {}, std::move(Read->Problem), ""};
}

/// True where \p A and \p B lie at the same place with the same size.
static bool sameLayout(ArrayRef<Parameter> A, ArrayRef<Parameter> B) {
  return equal(A, B, [](const Parameter &P, const Parameter &Q) {
    return P.OffsetBytes == Q.OffsetBytes && P.SizeBytes == Q.SizeBytes;
  });
}

static bool lacksWork(const KernelFacts &Facts) {
  return any_of(Facts.Gaps,
                [](const AnalysisGap &Gap) { return Gap.LacksWork; });
}

void gpuocc::linkKernels(ArrayRef<std::string> Files,
                         std::vector<KernelFacts> &Kernels,
                         const SourceOptions &Options) {
  if (Files.size() < 2 || none_of(Kernels, lacksWork))
    return;
  Expected<std::string> Nvcc = chooseNvcc(Options);
  if (!Nvcc || Nvcc->empty()) {
    consumeError(Nvcc.takeError());
    return;
  }
  // Functions that no kernel of their file calls are kept for others.
  SourceOptions ForLinking = Options;
  ForLinking.NvccArguments.push_back("-rdc=true");
  std::vector<std::string> Texts;
  for (const std::string &File : Files) {
    Expected<std::string> Ptx = ptxByNvcc(*Nvcc, File, ForLinking);
    Texts.push_back(Ptx ? std::move(*Ptx) : std::string());
    if (!Ptx)
      consumeError(Ptx.takeError());
  }
  for (size_t I = 0; I != Files.size(); ++I) {
    if (none_of(Kernels, [&](const KernelFacts &K) {
          return lacksWork(K) && StringRef(Texts[I]).contains(K.Name);
        }))
      continue;
    std::vector<StringRef> Others;
    for (size_t J = 0; J != Files.size(); ++J)
      if (J != I && !Texts[J].empty())
        Others.push_back(Texts[J]);
    Expected<ModuleFacts> Linked =
        readPtx(Texts[I], Files[I], ForLinking, Others);
    if (!Linked) {
      consumeError(Linked.takeError());
      continue;
    }
    for (KernelFacts &New : Linked->Kernels) {
      auto Old = find_if(Kernels, [&](const KernelFacts &K) {
        return K.Name == New.Name && lacksWork(K);
      });
      if (Old == Kernels.end())
        continue;
      for (const std::string &File : Files)
        nameAsGiven(New, File);
      New.BuiltBy = Old->BuiltBy;
      New.Place = Old->Place;
      if (sameLayout(New.Parameters, Old->Parameters))
        New.Parameters = std::move(Old->Parameters);
      *Old = std::move(New);
    }
  }
}

void gpuocc::takeDeclarations(FactsFile &Code, FactsFile Declared) {
  // The compilers mangle functions that only one file sees in different ways.
  for (KernelFacts &Facts : Code.Kernels) {
    auto Same = find_if(Declared.Kernels, [&](const KernelFacts &D) {
      return D.Demangled == Facts.Demangled;
    });
    if (Same == Declared.Kernels.end())
      continue;
    for (HostLaunch &Launch : Declared.Launches)
      if (Launch.Kernel == Same->Name)
        Launch.Kernel = Facts.Name;
    if (Same->Place.isValid())
      Facts.Place = Same->Place;
    if (sameLayout(Facts.Parameters, Same->Parameters))
      Facts.Parameters = std::move(Same->Parameters);
  }
  Code.Launches = std::move(Declared.Launches);
}
