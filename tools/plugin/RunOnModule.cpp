//===- RunOnModule.cpp - What the plugin does to a module -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunOnModule.h"
#include "HostCode.h"
#include "PluginOptions.h"
#include "driver/Assemble.h"
#include "driver/Registers.h"
#include "gpuocc/EmitRemarks/EmitRemarks.h"
#include "gpuocc/Kernel/JSON.h"
#include "gpuocc/ReadLLVM/ReadModule.h"
#include "gpuocc/Views/WriteJSON.h"
#include "gpuocc/Views/WriteText.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace gpuocc;
using namespace llvm;

bool gpuocc::hasWork(Module &M, const PluginOptions &Options) {
  if (!isDeviceModule(M))
    return false;
  if (Options.wantsFiles() || Options.hasInput())
    return true;
  return !Options.Quiet && wantsRemarks(M.getContext());
}

/// Writes a file as a whole or not at all.
static Error writeFile(StringRef Path,
                       function_ref<void(raw_ostream &)> Write) {
  Error E = writeToOutput(Path, [&](raw_ostream &OS) {
    Write(OS);
    return Error::success();
  });
  return E ? createFileError(Path, std::move(E)) : Error::success();
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

static Error run(Module &M, TargetMachine &TM, const PluginOptions &Options) {
  Expected<Session> Checked =
      Session::create(Options.Session, M.getSourceFileName());
  if (!Checked)
    return Checked.takeError();
  bool Remarks = !Options.Quiet && wantsRemarks(M.getContext());
  // Mistakes in options are told even when nothing else is.
  if (!Remarks && !Options.wantsFiles())
    return Checked->architecture().takeError();

  Expected<AssemblyPrograms> Programs =
      chooseAssembly(Options.Ptxas, Options.View);
  if (!Programs)
    return Programs.takeError();
  ReadOptions Read;
  Read.WantPtx = Programs->wantsPtx();
  Read.WantOrigins = Programs->wantsMachineCode();
  Read.Registers = registerFileOf(TM.getTargetCPU());
  ModuleFacts Facts = readModule(M, TM, Read);
  if (!Facts.Problem.empty()) {
    // Our failure is no reason to fail the user's build.
    M.getContext().diagnose(DiagnosticInfoGeneric(
        "gpu-occupancy: module not analyzed: " + Twine(Facts.Problem),
        DS_Warning));
    return Error::success();
  }
  // Clang shows no notes that stand alone.
  if (!Programs->Note.empty())
    for (KernelFacts &Kernel : Facts.Kernels)
      Kernel.Gaps.push_back({NoIndex, Programs->Note});
  if (Programs->wantsPtx() && !Facts.Kernels.empty()) {
    assembleKernels(Facts.Kernels, *Programs, Facts.Ptx);
    if (Options.Session.Advise)
      assembleUnderLimits(Facts.Kernels, Programs->Ptxas, Facts.Ptx);
  }
  if (!Options.RegistersLog.empty())
    if (Error E = resourcesFromLog(Facts.Kernels, Options.RegistersLog))
      return E;
  Expected<std::vector<HostLaunch>> HostLaunches = launchesInHostCode();
  if (!HostLaunches)
    return HostLaunches.takeError();
  if (!Options.FactsFile.empty()) {
    FactsFile File{M.getSourceFileName(), Facts.Kernels, *HostLaunches};
    if (Error E = writeFile(Options.FactsFile, [&](raw_ostream &OS) {
          OS << toJSON(File) << '\n';
        }))
      return E;
  }
  if (!Remarks && Options.ReportFile.empty() && Options.PrintReport.empty())
    return Error::success();

  Expected<SessionResult> Result =
      Checked->assessAll(std::move(Facts.Kernels), *HostLaunches);
  if (!Result)
    return Result.takeError();
  for (const SessionNote &Note : Result->Notes)
    if (Note.IsWarning)
      M.getContext().diagnose(DiagnosticInfoGeneric(
          "gpu-occupancy: " + Twine(Note.Text), DS_Warning));
  if (Remarks) {
    emitRemarks(Result->What, M, Options.MaxFindings);
    for (const SessionNote &Note : Result->Notes)
      if (!Note.IsWarning)
        emitNotAnalyzed(M, Note.Kernel, Note.Text);
  }
  if (!Options.ReportFile.empty()) {
    JSONOptions WithData;
    WithData.WithData = true;
    Error Written = Error::success();
    if (Error E = writeFile(Options.ReportFile, [&](raw_ostream &OS) {
          Written = joinErrors(std::move(Written),
                               writeJSON(Result->What, WithData, OS));
        }))
      return joinErrors(std::move(E), std::move(Written));
    if (Written)
      return Written;
  }
  return printReport(Result->What, Options);
}

void gpuocc::runOnModule(Module &M, TargetMachine &TM,
                         const PluginOptions &Options) {
  if (Error E = run(M, TM, Options))
    M.getContext().emitError("gpu-occupancy: " + toString(std::move(E)));
}
