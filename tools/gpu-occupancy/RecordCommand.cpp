//===- RecordCommand.cpp - gpu-occupancy record ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Commands.h"
#include "HostProgram.h"
#include "driver/RecordedSpec.h"
#include "driver/Session.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral Usage =
    "usage: gpu-occupancy record FILE... [options] [-- clang arguments]\n"
    "\n"
    "Builds the host code of the sources of a program and runs it without a "
    "GPU:\n"
    "kernels do nothing, and their launches with grids, blocks and arguments "
    "are\n"
    "written as a configuration (.gpu-occupancy).\n";

namespace {

struct RecordOptions {
  SourceOptions Source;
  std::string Device = "nvidia-h200";
  std::string Arguments;
  std::string Output = "-";
  HostRun Run;

  std::vector<OptionRow> rows() {
    return {
        {"--arguments", "TEXT",
         "command line of the program, quoted as in a shell", store(Arguments)},
        {"--folder", "DIR", "where the program runs (default: here)",
         store(Run.Folder)},
        {"--memory", "DIR",
         "write there what arrays hold that decide what kernels do",
         store(Run.MemoryFolder)},
        {"--limit", "SECONDS", "the program is ended after that (default: 60)",
         storeNumber(Run.LimitSeconds)},
        {"--device", "NAME", "device that the program believes to run on",
         store(Device)},
        {"--clang", "FILE", "compiler for CUDA sources", store(Source.Clang)},
        {"-o", "FILE", "write the configuration there", store(Output)},
    };
  }
};

} // namespace

/// The kernels of the CUDA sources among \p Files.
static Expected<std::vector<KernelFacts>>
readKernels(ArrayRef<std::string> Files, const SourceOptions &Options) {
  std::vector<KernelFacts> Kernels;
  for (const std::string &File : Files) {
    if (sys::path::extension(File) != ".cu")
      continue;
    Expected<FactsFile> Facts = readSource(File, Options);
    if (!Facts)
      return Facts.takeError();
    append_range(Kernels, std::move(Facts->Kernels));
  }
  return Kernels;
}

/// One entry for each shape of launches of a kernel, with the arguments of the
/// first.
static void writeRecord(const HostRecord &Record, ArrayRef<KernelFacts> Kernels,
                        raw_ostream &OS) {
  OS << "# Written by " << toolVersion() << " record.\n"
     << "launches:\n";
  std::vector<std::pair<const RecordedLaunch *, unsigned>> Shapes;
  for (const RecordedLaunch &L : Record.Launches) {
    auto Same = find_if(Shapes, [&](const auto &Shape) {
      return Shape.first->Kernel == L.Kernel && Shape.first->Grid == L.Grid &&
             Shape.first->Block == L.Block &&
             Shape.first->DynamicSharedBytes == L.DynamicSharedBytes;
    });
    if (Same == Shapes.end())
      Shapes.push_back({&L, 0});
    else
      ++Same->second;
  }
  for (const auto &[L, NumOthers] : Shapes) {
    auto Facts = find_if(Kernels, [&, &L = L](const KernelFacts &K) {
      return K.Name == L->Kernel;
    });
    if (Facts == Kernels.end())
      continue;
    OS << "  # " << Facts->Demangled;
    if (NumOthers != 0)
      OS << "; " << NumOthers << " more with other arguments";
    OS << '\n';
    writeLaunch(specOfRecord(*L, *Facts), OS);
  }
}

Error gpuocc::runRecord(ArrayRef<StringRef> Arguments) {
  RecordOptions Options;
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, Usage, Options.rows());
  if (!Parsed || Parsed->Help)
    return Parsed.takeError();
  HostSources Sources;
  for (StringRef File : Parsed->Positional)
    Sources.Files.push_back(File.str());
  if (none_of(Sources.Files, [](StringRef File) {
        return sys::path::extension(File) == ".cu";
      }))
    return createStringError("record needs a CUDA source (.cu) and all other "
                             "sources of the program; see 'gpu-occupancy "
                             "record --help'");
  if (!Options.Run.Folder.empty() && !sys::fs::is_directory(Options.Run.Folder))
    return createStringError("there is no folder '" + Options.Run.Folder + "'");
  if (StringRef Folder = Options.Run.MemoryFolder; !Folder.empty())
    if (std::error_code EC = sys::fs::create_directories(Folder))
      return createFileError(Folder, EC);
  Expected<DeviceModel> Device = loadDevice(Options.Device);
  if (!Device)
    return Device.takeError();
  Options.Source.Architecture = Device->Architecture;
  Options.Source.ClangArguments = Parsed->Rest;
  Expected<std::vector<KernelFacts>> Kernels =
      readKernels(Sources.Files, Options.Source);
  if (!Kernels)
    return Kernels.takeError();
  Options.Run.Arguments = splitCommandLine(Options.Arguments);
  Sources.Options = Options.Source;
  Expected<HostRecord> Record =
      recordLaunches(Sources, Options.Run, *Kernels, *Device);
  if (!Record)
    return Record.takeError();
  for (const std::string &Note : Record->Notes)
    errs() << "note: " << Note << '\n';
  if (Record->Launches.empty())
    return createStringError("the program launched no kernel");
  if (Options.Output == "-") {
    writeRecord(*Record, *Kernels, outs());
    return Error::success();
  }
  return writeToOutput(Options.Output, [&](raw_ostream &OS) {
    writeRecord(*Record, *Kernels, OS);
    return Error::success();
  });
}
