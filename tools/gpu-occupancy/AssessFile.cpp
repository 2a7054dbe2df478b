//===- AssessFile.cpp - A source file to a report -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AssessFile.h"
#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

/// What sources are compiled for when neither an option nor a device says.
static constexpr StringLiteral DefaultArchitecture = "sm_90";

std::vector<OptionRow> AssessFileOptions::rows() {
  return {
      {"--device", "NAME", "device database: a built-in name or a file",
       store(Session.Device)},
      {"--config", "FILE",
       "configuration instead of the nearest .gpu-occupancy",
       store(Session.ConfigPath)},
      {"--launch", "KERNEL:KEY=VALUE,...",
       "a launch: grid=, block= (WxHxD), shared= (bytes), arguments",
       append(Session.Launches)},
      {"--arch", "sm_NN",
       "compile for this architecture (default: the device's)",
       store(Source.Architecture)},
      {"--ptxas", "auto|off|FILE", "assembler that is asked for registers",
       store(Source.Ptxas)},
      {"--registers-log", "FILE",
       "log of nvcc -Xptxas -v that says the registers",
       store(Source.RegistersLog)},
      {"--advise", "", "look for launch bounds and block sizes that pay",
       [this](StringRef) {
         Session.Advise = Source.Advise = true;
         return Error::success();
       }},
      {"--view", "auto|mir|sass",
       "code that is priced: the compiler's, or the assembler's",
       storeWord(Source.View, {"auto", "mir", "sass"})},
      {"--clang", "FILE", "compiler for CUDA sources", store(Source.Clang)},
      {"--built-by", "nvcc|clang",
       "compiler of the program, whose reading of CUDA sources holds",
       storeWord(Source.BuiltBy, {"nvcc", "clang"})},
  };
}

Error gpuocc::checkForAllFiles(const AssessFileOptions &Options) {
  for (const std::string &Text : Options.Session.Launches)
    if (Error E = parseLaunchSpec(Text).takeError())
      return E;
  if (StringRef Name = Options.Session.Device; !Name.empty())
    if (Error E = loadDevice(Name).takeError())
      return E;
  if (StringRef Arch = Options.Source.Architecture; !Arch.empty())
    if (Error E = archLimits(Arch).takeError())
      return E;
  if (!Options.Source.Clang.empty())
    return checkCompiler(Options.Source);
  return Error::success();
}

Expected<Report> gpuocc::assessFile(StringRef File,
                                    const AssessFileOptions &Options,
                                    UnmatchedLaunches *Unmatched) {
  Expected<gpuocc::Session> Checked =
      gpuocc::Session::create(Options.Session, File);
  if (!Checked)
    return Checked.takeError();
  SourceOptions Source = Options.Source;
  Source.ModuleArchitecture = Source.Architecture;
  if (Source.Architecture.empty()) {
    Expected<std::string> Arch = Checked->architecture();
    if (!Arch)
      return Arch.takeError();
    Source.Architecture = Arch->empty() ? DefaultArchitecture.str() : *Arch;
  }
  if (Expected<const ArchLimits &> Limits = archLimits(Source.Architecture);
      !Limits)
    return Limits.takeError();
  Expected<FactsFile> Facts = readSource(File, Source);
  if (!Facts)
    return Facts.takeError();
  if (Unmatched)
    Unmatched->add(Checked->config(), Facts->Kernels);
  Expected<SessionResult> Result =
      Checked->assessAll(std::move(Facts->Kernels), Facts->Launches);
  if (!Result)
    return Result.takeError();
  for (const SessionNote &Note : Result->Notes)
    errs() << (Note.IsWarning ? "warning: " : "note: ") << printable(Note.Text)
           << '\n';
  return std::move(Result->What);
}
