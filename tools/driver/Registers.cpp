//===- Registers.cpp - Ask the assembler where there is one ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Registers.h"
#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Device/FallbackNumber.h"
#include "gpuocc/Support/CudaToolkit.h"
#include "gpuocc/Toolchain/Ptxas.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace gpuocc;
using namespace llvm;

Expected<std::string> gpuocc::choosePtxas(StringRef Choice) {
  if (Choice == "off")
    return std::string();
  if (Choice == "auto")
    return findCudaToolkit(CudaToolkitPlaces::ofThisMachine()).Ptxas;
  ErrorOr<std::string> Found = sys::findProgramByName(Choice);
  if (!Found || !sys::fs::can_execute(*Found))
    return createStringError("there is no assembler '" + Choice + "'");
  return *Found;
}

/// Gives \p Kernels what \p Assembled says of them; true when it says
/// something.
static bool use(std::vector<KernelFacts> &Kernels,
                const AssembledKernels &Assembled) {
  bool Any = false;
  for (KernelFacts &Facts : Kernels) {
    auto Found = Assembled.find(Facts.Name);
    if (Found == Assembled.end())
      continue;
    Facts.Resources = Found->second.Resources;
    Facts.StaticSharedBytes = Found->second.SharedBytes;
    Any = true;
  }
  return Any;
}

Error gpuocc::resourcesFromLog(std::vector<KernelFacts> &Kernels,
                               StringRef File) {
  if (Kernels.empty())
    return Error::success();
  auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/true);
  if (!Buffer)
    return createFileError(File, Buffer.getError());
  StringRef Architecture = Kernels.front().Architecture;
  AssembledKernels Assembled = parsePtxasLog(
      (*Buffer)->getBuffer(), ("log " + File).str(), Architecture);
  if (use(Kernels, Assembled))
    return Error::success();
  return createStringError("'" + File +
                           "' says nothing of the registers of these kernels "
                           "for " +
                           Architecture +
                           "; it should be what nvcc prints with -Xptxas -v");
}

RegisterFile gpuocc::registerFileOf(StringRef Architecture,
                                    unsigned RegisterLimit) {
  RegisterFile File;
  Expected<const ArchLimits &> Limits = archLimits(Architecture);
  if (!Limits) {
    consumeError(Limits.takeError());
    return File;
  }
  File.RegistersPerSm = Limits->RegistersPerSm.value_or(File.RegistersPerSm);
  File.WarpsPerSm = Limits->MaxWarpsPerSm.value_or(File.WarpsPerSm);
  File.AllocationUnit =
      Limits->RegisterAllocationUnit.value_or(File.AllocationUnit);
  File.MostPerThread =
      Limits->MaxRegistersPerThread.value_or(File.MostPerThread);
  if (RegisterLimit != 0)
    File.MostPerThread = std::min(File.MostPerThread, RegisterLimit);
  return File;
}

std::vector<unsigned> gpuocc::registerLimits(const ArchLimits &Limits) {
  std::vector<unsigned> Registers;
  if (!Limits.RegistersPerSm || !Limits.MaxWarpsPerSm ||
      !Limits.RegisterAllocationUnit || !Limits.MaxRegistersPerThread)
    return Registers;
  RegisterFile File{*Limits.RegistersPerSm, *Limits.MaxWarpsPerSm,
                    *Limits.RegisterAllocationUnit,
                    *Limits.MaxRegistersPerThread};
  unsigned Step = limitOrDefault(Limits, &ArchLimits::SubpartitionsPerSm);
  for (unsigned Warps = Step; Warps <= *Limits.MaxWarpsPerSm; Warps += Step) {
    unsigned PerLane = File.perThread(Warps);
    if (Registers.empty() || PerLane < Registers.back())
      Registers.push_back(PerLane);
  }
  return Registers;
}

void gpuocc::assembleUnderLimits(std::vector<KernelFacts> &Kernels,
                                 StringRef Ptxas, StringRef Ptx) {
  if (Kernels.empty())
    return;
  Expected<const ArchLimits &> Limits =
      archLimits(Kernels.front().Architecture);
  if (!Limits) {
    consumeError(Limits.takeError());
    return;
  }
  unsigned Most = 0;
  for (const KernelFacts &Facts : Kernels)
    Most = std::max(Most, Facts.Resources.RegistersPerThread);
  for (unsigned Limit : registerLimits(*Limits)) {
    if (Limit >= Most)
      continue;
    PtxasOptions Options;
    Options.RegisterLimit = Limit;
    Options.ForgetLaunchBounds = true;
    Expected<AssembledKernels> Assembled = runPtxas(Ptxas, Ptx, Options);
    if (!Assembled) {
      // A limit can be too low for the calls of the module.
      consumeError(Assembled.takeError());
      return;
    }
    for (KernelFacts &Facts : Kernels)
      if (auto Found = Assembled->find(Facts.Name);
          Found != Assembled->end() &&
          Limit < Facts.Resources.RegistersPerThread)
        Facts.LimitedResources.push_back(Found->second.Resources);
  }
}
