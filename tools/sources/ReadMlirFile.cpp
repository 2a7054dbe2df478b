//===- ReadMlirFile.cpp - MLIR to kernel facts ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadMlirFile.h"
#include "Compiler.h"
#include "driver/Registers.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

bool gpuocc::isMlir(StringRef File) {
  const StringRef Extension = sys::path::extension(File);
  return Extension == ".mlir" || Extension == ".mlirbc";
}

static Expected<std::string> findMlirOpt() {
  for (StringRef Name : {"mlir-opt", "mlir-opt-22"}) {
    // The folder of our LLVM, then PATH, where another may have the short name.
    ErrorOr<std::string> Found =
        Name == "mlir-opt"
            ? sys::findProgramByName(Name, {GPUOCC_LLVM_TOOLS_DIR})
            : sys::findProgramByName(Name);
    if (Found)
      return *Found;
  }
  return createStringError("reading MLIR needs mlir-opt-22, which was not "
                           "found; install mlir-22-tools");
}

static Expected<std::string> findMlirPlugin() {
  std::string Plugin = besideProgram("lib/GpuOccupancyMLIR.so");
  if (!sys::fs::exists(Plugin))
    return createStringError(
        "reading MLIR needs the plugin '" + Plugin +
        "', which this build left out; install libmlir-22-dev and "
        "mlir-22-tools, and build again");
  return Plugin;
}

/// \p Text in the braces of a pass option.
static std::string braced(StringRef Text) { return ("{" + Text + "}").str(); }

/// The pass pipeline that writes facts to \p Facts.
static std::string pipeline(StringRef Facts, const SourceOptions &Options) {
  std::string Pass = "builtin.module(gpu-occupancy{remarks=notes";
  auto Add = [&](StringRef Name, StringRef Value) {
    Pass += (" " + Name + "=" + braced(Value)).str();
  };
  Add("facts-file", Facts);
  Add("ptxas", Options.Ptxas);
  Add("view", Options.View);
  // Otherwise it is what #nvvm.target says.
  if (!Options.ArchitectureIsDefault)
    Add("arch", Options.Architecture);
  if (Options.Advise)
    Pass += " advise=true";
  if (Options.RegisterLimit != 0)
    Add("maxrregcount", std::to_string(Options.RegisterLimit));
  std::vector<StringRef> LeftOut;
  for (Mechanism M : Options.Used.leftOut())
    LeftOut.push_back(mechanismInfo(M).Key);
  if (!LeftOut.empty())
    Add("without", join(LeftOut, ","));
  return Pass + "})";
}

Expected<FactsFile> gpuocc::readMlirFile(StringRef File,
                                         const SourceOptions &Options) {
  Expected<std::string> Plugin = findMlirPlugin();
  if (!Plugin)
    return Plugin.takeError();
  Expected<std::string> MlirOpt = findMlirOpt();
  if (!MlirOpt)
    return MlirOpt.takeError();
  Expected<TemporaryFile> Facts = TemporaryFile::create("gpuocc-mlir", "json");
  if (!Facts)
    return Facts.takeError();
  const std::string Load = "--load-pass-plugin=" + *Plugin,
                    Passes =
                        "--pass-pipeline=" + pipeline(Facts->path(), Options);
  std::vector<StringRef> Arguments = {
      Load, Passes, "--allow-unregistered-dialect", "-o", "/dev/null"};
  append_range(Arguments, Options.ClangArguments);
  Arguments.push_back(File);
  Expected<ProcessResult> Run = runProcess(*MlirOpt, Arguments);
  if (!Run)
    return Run.takeError();
  errs() << printableLines(Run->ErrorOutput);
  if (Run->Status != 0)
    return createStringError("mlir-opt " +
                             howItEnded(*Run, /*LimitSeconds=*/0) + " on '" +
                             File + "'");
  Expected<std::string> Text = Facts->read();
  if (!Text)
    return Text.takeError();
  if (Text->empty())
    return createStringError("'" + File + "' was not analyzed");
  Expected<FactsFile> Read = parseFactsFile(*Text, Facts->path());
  if (!Read)
    return Read;
  if (Read->Kernels.empty() && !Read->Problem.empty())
    return createStringError("'" + File + "': " + Read->Problem);
  if (!Options.RegistersLog.empty())
    if (Error E = resourcesFromLog(Read->Kernels, Options.RegistersLog))
      return std::move(E);
  return Read;
}
