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
#include <memory>

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

namespace {
/// What was checked before a module is read.
struct Plan {
  Module &M;
  PluginOptions Options;
  Session Checked;
  AssemblyPrograms Programs;
  bool WantsRemarks = false;
};
} // namespace

/// Nothing when there is nothing to read a module for.
static Expected<std::shared_ptr<Plan>> check(Module &M,
                                             const PluginOptions &Options) {
  Expected<Session> Checked =
      Session::create(Options.Session, M.getSourceFileName());
  if (!Checked)
    return Checked.takeError();
  bool Remarks = !Options.Quiet && wantsRemarks(M.getContext());
  // Mistakes in options are told even when nothing else is.
  if (!Remarks && !Options.wantsFiles()) {
    if (Error E = Checked->architecture().takeError())
      return std::move(E);
    return nullptr;
  }
  Expected<AssemblyPrograms> Programs =
      chooseAssembly(Options.Ptxas, Options.View);
  if (!Programs)
    return Programs.takeError();
  return std::make_shared<Plan>(
      Plan{M, Options, std::move(*Checked), std::move(*Programs), Remarks});
}

/// Assesses what was read and tells.
static Error finish(Plan &P, ModuleFacts Facts) {
  Module &M = P.M;
  const PluginOptions &Options = P.Options;
  if (!Facts.Problem.empty()) {
    // Our failure is no reason to fail the user's build.
    M.getContext().diagnose(DiagnosticInfoGeneric(
        "gpu-occupancy: module not analyzed: " + Twine(Facts.Problem),
        DS_Warning));
    return Error::success();
  }
  // Clang shows no notes that stand alone.
  if (!P.Programs.Note.empty())
    for (KernelFacts &Kernel : Facts.Kernels)
      Kernel.Gaps.push_back({NoIndex, P.Programs.Note});
  if (P.Programs.wantsPtx() && !Facts.Kernels.empty()) {
    assembleKernels(Facts.Kernels, P.Programs, Facts.Ptx);
    if (Options.Session.Advise)
      assembleUnderLimits(Facts.Kernels, P.Programs.Ptxas, Facts.Ptx);
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
  if (!P.WantsRemarks && Options.ReportFile.empty() &&
      Options.PrintReport.empty())
    return Error::success();

  Expected<SessionResult> Result =
      P.Checked.assessAll(std::move(Facts.Kernels), *HostLaunches);
  if (!Result)
    return Result.takeError();
  for (const SessionNote &Note : Result->Notes)
    if (Note.IsWarning)
      M.getContext().diagnose(DiagnosticInfoGeneric(
          "gpu-occupancy: " + Twine(Note.Text), DS_Warning));
  if (P.WantsRemarks) {
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

/// A mistake of the user becomes one error of the compilation.
static void emitError(Module &M, Error E) {
  if (E)
    M.getContext().emitError("gpu-occupancy: " + toString(std::move(E)));
}

void gpuocc::runOnModule(Module &M, TargetMachine &TM, CodeGeneration Code,
                         const PluginOptions &Options) {
  Expected<std::shared_ptr<Plan>> Checked = check(M, Options);
  if (!Checked)
    return emitError(M, Checked.takeError());
  std::shared_ptr<Plan> P = std::move(*Checked);
  if (!P)
    return;
  ReadOptions Read;
  Read.WantPtx = P->Programs.wantsPtx();
  Read.WantOrigins = P->Programs.wantsMachineCode();
  Read.Registers = registerFileOf(TM.getTargetCPU());
  auto Finish = [P](ModuleFacts Facts) {
    emitError(P->M, finish(*P, std::move(Facts)));
  };
  if (Code == CodeGeneration::None || !readDuringCodeGen(M, TM, Read, Finish))
    Finish(readModule(M, TM, Read));
}
