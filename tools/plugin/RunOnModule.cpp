//===- RunOnModule.cpp - What the plugin does to a module -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunOnModule.h"
#include "DeviceRecord.h"
#include "HostCode.h"
#include "KnownModule.h"
#include "OutputName.h"
#include "PluginOptions.h"
#include "Tell.h"
#include "driver/Assemble.h"
#include "driver/Registers.h"
#include "gpuocc/EmitRemarks/EmitRemarks.h"
#include "gpuocc/Kernel/JSON.h"
#include "gpuocc/ReadLLVM/ReadModule.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Views/WriteJSON.h"
#include "gpuocc/Views/WriteText.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <optional>

using namespace gpuocc;
using namespace llvm;

static bool showsRemarks(Module &M, const PluginOptions &Options) {
  return !Options.Quiet && wantsRemarks(M.getContext());
}

bool gpuocc::hasWork(Module &M, const PluginOptions &Options) {
  return isDeviceModule(M) &&
         (Options.wantsFiles() || showsRemarks(M, Options));
}

namespace {

/// One module on its way from facts to what is told of it.
class Job {
public:
  Job(Module &M, const TargetMachine &TM, CodeGeneration Code,
      const PluginOptions &Options)
      : M(M), Options(Options), Architecture(TM.getTargetCPU()), Code(Code) {}

  /// Checks what can be checked before a module is read.
  Error prepare();

  ReadOptions readOptions() const;

  /// Assesses what was read and tells.
  void finish(ModuleFacts Facts);

  /// Writes facts of declarations only.
  void writeLaunches();

  /// Tells that nothing can be assessed.
  void giveUp(Error Why);

private:
  StringRef builtBy() const;
  void addResources(ModuleFacts &Facts);
  void writeFacts(const FactsFile &File);
  Report assess(std::vector<KernelFacts> Kernels,
                ArrayRef<HostLaunch> HostLaunches);
  void writeReport(const Report &R);
  void tell(const Report &R);
  Error write(StringRef Pattern, StringRef Kind,
              function_ref<Error(raw_ostream &)> Write) const;

  Module &M;
  PluginOptions Options;
  std::string Architecture;
  CodeGeneration Code;
  std::optional<Session> Checked;
  AssemblyPrograms Programs;
  Diagnostics Diags;
};

} // namespace

/// Evaluated operations for questions beyond the predictions of a module. The
/// profiles of a large kernel take half as many; a compile waits for them.
static constexpr uint64_t QuestionSteps = 1'000'000;

Error Job::prepare() {
  if (!Options.Mistake.empty())
    return createStringError(Options.Mistake);
  Options.Session.QuestionSteps = QuestionSteps;
  Expected<Session> Session =
      Session::create(Options.Session, M.getSourceFileName());
  if (!Session)
    return Session.takeError();
  Checked = std::move(*Session);
  Expected<AssemblyPrograms> Chosen =
      chooseAssembly(Options.Ptxas, Options.View);
  if (!Chosen)
    return Chosen.takeError();
  Programs = std::move(*Chosen);
  Programs.RegisterLimit = Options.RegisterLimit;
  return Error::success();
}

ReadOptions Job::readOptions() const {
  ReadOptions Read;
  Read.WantPtx = Programs.wantsPtx();
  Read.WantOrigins = Programs.wantsMachineCode();
  Read.Registers = registerFileOf(Architecture, Options.RegisterLimit);
  Read.Used = Options.Session.Used;
  return Read;
}

/// Writes a file as a whole or not at all.
Error Job::write(StringRef Pattern, StringRef Kind,
                 function_ref<Error(raw_ostream &)> Write) const {
  Expected<std::string> Path =
      outputName(Pattern, Kind, {M.getSourceFileName(), Architecture});
  if (!Path)
    return Path.takeError();
  // Folders of a name that is made up need not be there.
  if (StringRef Folder = sys::path::parent_path(*Path);
      *Path != Pattern && !Folder.empty())
    if (std::error_code EC = sys::fs::create_directories(Folder))
      return createFileError(Folder, EC);
  if (Error E = checkOutput(*Path, StringRef(M.getSourceFileName())))
    return E;
  return writeOutput(*Path, Write);
}

void Job::addResources(ModuleFacts &Facts) {
  // Clang shows no notes that stand alone.
  if (!Programs.Note.empty())
    for (KernelFacts &Kernel : Facts.Kernels)
      Kernel.Gaps.push_back({NoIndex, Programs.Note});
  if (Programs.wantsPtx() && !Facts.Kernels.empty()) {
    assembleKernels(Facts.Kernels, Programs, Facts.Ptx);
    if (Options.Session.Advise)
      assembleUnderLimits(Facts.Kernels, Programs.Ptxas, Facts.Ptx);
  }
  if (!Options.RegistersLog.empty())
    Diags.add(resourcesFromLog(Facts.Kernels, Options.RegistersLog));
}

void Job::writeFacts(const FactsFile &File) {
  Diags.add(write(Options.FactsFile, "facts", [&](raw_ostream &OS) {
    writeFactsFile(File, OS);
    return Error::success();
  }));
}

Report Job::assess(std::vector<KernelFacts> Kernels,
                   ArrayRef<HostLaunch> HostLaunches) {
  Expected<SessionResult> Result =
      Checked->assessAll(std::move(Kernels), HostLaunches);
  if (!Result) {
    Diags.add(Result.takeError());
    return Report();
  }
  for (const SessionNote &Note : Result->Notes)
    Diags.add(Note);
  return std::move(Result->What);
}

static Error printReport(const Report &R, const PluginOptions &Options) {
  TextOptions Text;
  Text.MaxFindings = Options.MaxFindings;
  if (Options.PrintReport.empty())
    return Error::success();
  if (Options.PrintReport == "text")
    return writeText(R, Text, errs());
  if (Options.PrintReport == "json")
    return writeJSON(R, JSONOptions(), errs());
  return createStringError("-gpu-occupancy-print-report: '" +
                           Options.PrintReport +
                           "' is neither 'text' nor 'json'");
}

void Job::writeReport(const Report &R) {
  if (!Options.ReportFile.empty()) {
    JSONOptions WithData;
    WithData.Contents = JSONContents::WithData;
    Diags.add(write(Options.ReportFile, "report", [&](raw_ostream &OS) {
      return writeJSON(R, WithData, OS);
    }));
  }
  Diags.add(printReport(R, Options));
}

void Job::tell(const Report &R) {
  if (showsRemarks(M, Options)) {
    auto Emit = [&](LLVMRemarkStreamer *Beside) {
      emitRemarks(R, M, Options.MaxFindings, Beside);
      for (const SessionNote &Note : Diags.remarks())
        emitNotAnalyzed(M, Note.Kernel, Note.Text, Beside);
    };
    if (Code == CodeGeneration::Follows)
      Diags.add(withDeviceRecord(M, Architecture, Emit));
    else
      Emit(nullptr);
  }
  // Who reads the facts finds there why there are none.
  if (!Options.Quiet || Options.FactsFile.empty())
    Diags.warn(M.getSourceFileName());
}

StringRef Job::builtBy() const {
  if (Code == CodeGeneration::None)
    return "given module";
  return Options.BuiltBy == "nvcc" ? "clang, as nvcc reads it" : "clang";
}

void Job::finish(ModuleFacts Facts) {
  TimeTraceScope Scope("gpu-occupancy", M.getSourceFileName());
  if (!Facts.Problem.empty() && Facts.Kernels.empty())
    return giveUp(createStringError(Facts.Problem));
  if (!Facts.Problem.empty())
    Diags.add(createStringError(Facts.Problem));
  addResources(Facts);
  for (KernelFacts &Kernel : Facts.Kernels)
    Kernel.BuiltBy = builtBy();
  Expected<std::vector<HostLaunch>> HostLaunches = launchesInHostCode();
  if (!HostLaunches) {
    Diags.add(HostLaunches.takeError());
    HostLaunches = std::vector<HostLaunch>();
  }
  if (!Options.FactsFile.empty())
    writeFacts({M.getSourceFileName(), Facts.Kernels, *HostLaunches,
                Diags.textOfModule(), notedFingerprint(M)});
  Report R;
  if (showsRemarks(M, Options) || !Options.ReportFile.empty() ||
      !Options.PrintReport.empty()) {
    R = assess(std::move(Facts.Kernels), *HostLaunches);
    writeReport(R);
  }
  tell(R);
}

void Job::writeLaunches() {
  Expected<std::vector<HostLaunch>> Launches = launchesInHostCode();
  if (!Launches) {
    Diags.add(Launches.takeError());
    Launches = std::vector<HostLaunch>();
  }
  writeFacts({M.getSourceFileName(),
              {},
              std::move(*Launches),
              Diags.textOfModule(),
              notedFingerprint(M)});
}

void Job::giveUp(Error Why) {
  Diags.add(std::move(Why));
  if (!Options.FactsFile.empty())
    writeFacts({M.getSourceFileName(), {}, {}, Diags.textOfModule(), ""});
  tell(Report());
}

void gpuocc::runOnModule(Module &M, TargetMachine &TM, CodeGeneration Code,
                         const PluginOptions &Options) {
  auto J = std::make_shared<Job>(M, TM, Code, Options);
  if (Error E = J->prepare())
    return J->giveUp(std::move(E));
  auto Finish = [J](ModuleFacts Facts) { J->finish(std::move(Facts)); };
  ReadOptions Read = J->readOptions();
  if (Code == CodeGeneration::None || !readDuringCodeGen(M, TM, Read, Finish))
    Finish(readModule(M, TM, Read));
}

void gpuocc::writeLaunches(Module &M, TargetMachine &TM,
                           const PluginOptions &Options) {
  Job(M, TM, CodeGeneration::Follows, Options).writeLaunches();
}

void gpuocc::tellNotAnalyzed(Module &M, const PluginOptions &Options,
                             Error Why) {
  Diagnostics Diags;
  Diags.add(std::move(Why));
  if (showsRemarks(M, Options))
    for (const SessionNote &Note : Diags.remarks())
      emitNotAnalyzed(M, Note.Kernel, Note.Text);
  Diags.warn(M.getSourceFileName());
}
