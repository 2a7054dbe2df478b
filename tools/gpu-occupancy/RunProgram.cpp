//===- RunProgram.cpp - Build a program and run it ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunProgram.h"
#include "Project.h"
#include "driver/ChooseDevice.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Support/Printable.h"
#include "sources/AssessFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

RunProgramOptions::RunProgramOptions() : Source(AssessFileOptions().Source) {}

std::vector<OptionRow> RunProgramOptions::rows() {
  std::vector<OptionRow> Rows = {
      {"--arguments", "TEXT",
       "command line of the program, quoted as in a shell",
       [this](StringRef Value) -> Error {
         // Scripts hand over what they were given, which may be nothing.
         Arguments = Value.str();
         return Error::success();
       }},
      {"--device", "NAME", "device that the program believes to run on",
       store(Device)},
      {"--clang", "FILE", "compiler for CUDA sources", store(Source.Clang)},
      {"--built-by", "nvcc|clang",
       "compiler of the program, whose reading of CUDA sources holds",
       storeWord(Source.BuiltBy, {"nvcc", "clang"})},
      {"--code", "auto|nvcc|clang",
       "compiler whose code is read; auto: nvcc's if that builds the program "
       "and is found",
       storeWord(Source.Code, {"auto", "nvcc", "clang"})},
  };
  append_range(Rows, Limits.rows(Run));
  return Rows;
}

Error gpuocc::checkProgramFiles(ArrayRef<StringRef> Files, StringRef Command) {
  if (any_of(Files, [](StringRef File) {
        return sys::path::extension(File) == ".cu";
      }))
    return Error::success();
  return createStringError(
      Command +
      " needs a CUDA source (.cu) and all other sources of the "
      "program; see 'gpu-occupancy " +
      Command + " --help'");
}

/// Makes \p Source one for \p Device with the options \p CompilerWords; it
/// refers to what is returned.
static Expected<TranslatedArguments> prepare(const DeviceModel &Device,
                                             ArrayRef<StringRef> CompilerWords,
                                             SourceOptions &Source) {
  Expected<TranslatedArguments> Compiler =
      takeCompilerOptions(CompilerWords, Source);
  if (Compiler)
    Source.Architecture =
        builtArchitecture(Device.Architecture, Compiler->Architectures);
  return Compiler;
}

static std::vector<std::string> pathsOf(ArrayRef<StringRef> Files) {
  return std::vector<std::string>(Files.begin(), Files.end());
}

Expected<std::vector<KernelFacts>>
gpuocc::readProgramKernels(const DeviceModel &Device, ArrayRef<StringRef> Files,
                           ArrayRef<StringRef> CompilerWords,
                           SourceOptions Source) {
  Expected<TranslatedArguments> Compiler =
      prepare(Device, CompilerWords, Source);
  if (!Compiler)
    return Compiler.takeError();
  return readKernels(pathsOf(Files), Source);
}

Expected<RanProgram> gpuocc::runProgram(RunProgramOptions Options,
                                        ArrayRef<StringRef> Files,
                                        ArrayRef<StringRef> CompilerWords) {
  if (Error E = Options.Limits.apply(Options.Run))
    return std::move(E);
  Expected<DeviceModel> Device = loadDevice(Options.Device);
  if (!Device)
    return Device.takeError();
  Expected<TranslatedArguments> Compiler =
      prepare(*Device, CompilerWords, Options.Source);
  if (!Compiler)
    return Compiler.takeError();
  HostSources Sources;
  Sources.Files = pathsOf(Files);
  Sources.Options = Options.Source;
  Sources.Executes = Options.Executes;
  Sources.CountsExecuted = Options.CountsExecuted;
  Expected<std::vector<KernelFacts>> Kernels =
      readKernels(Sources.Files, Options.Source);
  if (!Kernels)
    return Kernels.takeError();
  Options.Run.Arguments = splitCommandLine(Options.Arguments);
  Expected<HostRecord> Record =
      recordLaunches(Sources, Options.Run, *Kernels, *Device);
  if (!Record)
    return Record.takeError();
  for (const std::string &Note : Record->Notes)
    errs() << "note: " << printable(Note) << '\n';
  if (Record->Launches.empty())
    return createStringError("the program launched no kernel");
  return RanProgram{std::move(*Device), std::move(*Kernels),
                    std::move(*Record)};
}
