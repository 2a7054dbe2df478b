//===- ReadDeviceModule.cpp - A module to kernel facts --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadDeviceModule.h"
#include "driver/Assemble.h"
#include "driver/Registers.h"
#include "gpuocc/ReadLLVM/DeviceTarget.h"
#include "gpuocc/ReadLLVM/ReadModule.h"
#include "gpuocc/Support/Printable.h"
#include "gpuocc/Support/ThreadBeside.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <utility>

using namespace gpuocc;
using namespace llvm;

namespace {
/// The assembler at work on PTX, beside the reading of the same code, which
/// takes about as long.
class AssemblyBeside {
public:
  /// Both have to outlive this.
  AssemblyBeside(const AssemblyPrograms &Programs, StringRef Ptx)
      : Working([&Programs, Ptx, this] {
          Made.emplace(assemble(Programs, Ptx));
        }) {}
  ~AssemblyBeside() {
    Working.join();
    if (Made)
      consumeError(Made->takeError());
  }
  AssemblyBeside(const AssemblyBeside &) = delete;
  AssemblyBeside &operator=(const AssemblyBeside &) = delete;

  /// Waits for it; to be called once.
  Expected<AssembledKernels> result() {
    Working.join();
    return *std::exchange(Made, std::nullopt);
  }

private:
  std::optional<Expected<AssembledKernels>> Made;
  ThreadBeside Working;
};
} // namespace

Expected<ModuleFacts> gpuocc::readDeviceModule(const Module &M, StringRef Ptx,
                                               const SourceOptions &Options) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  Expected<std::unique_ptr<TargetMachine>> TM = createDeviceTarget(M);
  if (!TM)
    return TM.takeError();
  const bool IsLifted = !Ptx.empty();
  Expected<AssemblyPrograms> Programs =
      chooseAssembly(Options.Ptxas, IsLifted ? "mir" : Options.View);
  if (!Programs)
    return Programs.takeError();
  Programs->RegisterLimit = Options.RegisterLimit;
  if (IsLifted)
    Programs->PtxasWords = Options.PtxasArguments;
  if (!Programs->Note.empty())
    errs() << "note: " << Programs->Note << '\n';
  std::optional<AssemblyBeside> Assembling;
  if (IsLifted && Programs->wantsPtx())
    Assembling.emplace(*Programs, Ptx);
  ReadOptions Read;
  Read.WantPtx = Programs->wantsPtx() && !IsLifted;
  Read.WantOrigins = Programs->wantsMachineCode();
  Read.IsFinalCode = IsLifted;
  Read.Registers = registerFileOf((*TM)->getTargetCPU(), Options.RegisterLimit);
  Read.Used = Options.Used;
  ModuleFacts Facts = readModule(M, **TM, Read);
  const std::string Problem =
      "'" + M.getModuleIdentifier() + "': " + Facts.Problem;
  if (!Facts.Problem.empty() && Facts.Kernels.empty())
    return createStringError(Problem);
  if (!Facts.Problem.empty())
    errs() << "gpu-occupancy: error: " << printable(Problem) << '\n';
  for (KernelFacts &Kernel : Facts.Kernels)
    Kernel.BuiltBy = IsLifted ? "given PTX" : "given module";
  if (!IsLifted)
    Ptx = Facts.Ptx;
  if (Programs->wantsPtx() && !Facts.Kernels.empty()) {
    if (Assembling)
      takeResources(Facts.Kernels, Assembling->result());
    else
      assembleKernels(Facts.Kernels, *Programs, Ptx);
    if (Options.Advise)
      assembleUnderLimits(Facts.Kernels, Programs->Ptxas, Ptx);
  }
  if (!Options.RegistersLog.empty())
    if (Error E = resourcesFromLog(Facts.Kernels, Options.RegistersLog))
      return std::move(E);
  return Facts;
}
