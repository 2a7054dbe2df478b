//===- Assemble.cpp - What the assembler makes of kernels -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Assemble.h"
#include "driver/Registers.h"
#include "gpuocc/ReadSass/Disassembly.h"
#include "gpuocc/ReadSass/ReadSass.h"
#include "gpuocc/Support/CudaToolkit.h"
#include "gpuocc/Toolchain/Nvdisasm.h"
#include "gpuocc/Toolchain/Process.h"
#include "gpuocc/Toolchain/Ptxas.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace llvm;

Expected<AssemblyPrograms> gpuocc::chooseAssembly(StringRef Ptxas,
                                                  StringRef View) {
  if (View != "auto" && View != "mir" && View != "sass")
    return createStringError("view '" + View +
                             "' is none of 'auto', 'mir' and 'sass'");
  CudaToolkit Toolkit = findCudaToolkit(CudaToolkitPlaces::ofThisMachine());
  Expected<std::string> Assembler = choosePtxas(Ptxas);
  if (!Assembler)
    return Assembler.takeError();
  AssemblyPrograms Programs;
  Programs.Ptxas = *Assembler;
  if (View == "mir")
    return Programs;
  SmallVector<StringRef, 2> Missing;
  if (Programs.Ptxas.empty())
    Missing.push_back("ptxas");
  if (!Toolkit.hasNvdisasm())
    Missing.push_back("nvdisasm");
  if (Missing.empty()) {
    Programs.Nvdisasm = Toolkit.Nvdisasm;
    return Programs;
  }
  Programs.Note = "the SASS view needs " + join(Missing, " and ") +
                  ", looked for in CUDA_PATH, /usr/local/cuda and PATH";
  if (View == "sass")
    return createStringError(Programs.Note);
  Programs.Note += "; the MIR view is used";
  return Programs;
}

/// Adds the SASS view of the kernels in \p Cubin.
static Error addMachineCode(std::vector<KernelFacts> &Kernels,
                            StringRef Nvdisasm, StringRef Cubin) {
  Expected<std::string> Text = runNvdisasm(Nvdisasm, Cubin);
  if (!Text)
    return Text.takeError();
  Expected<std::vector<SassFunction>> Functions =
      parseDisassembly(*Text, "nvdisasm");
  if (!Functions)
    return Functions.takeError();
  std::vector<KernelFacts> Views;
  for (const SassFunction &F : *Functions) {
    if (none_of(Kernels,
                [&](const KernelFacts &K) { return K.Name == F.Name; }))
      continue;
    Expected<KernelFacts> View = readSass(F);
    if (!View)
      return View.takeError();
    Views.push_back(std::move(*View));
  }
  for (KernelFacts &View : Views)
    Kernels.push_back(std::move(View));
  return Error::success();
}

Expected<AssembledKernels> gpuocc::assemble(const AssemblyPrograms &Programs,
                                            StringRef Ptx, StringRef Cubin) {
  PtxasOptions Options;
  Options.RegisterLimit = Programs.RegisterLimit;
  Options.Cubin = Cubin;
  Options.Words = Programs.PtxasWords;
  return runPtxas(Programs.Ptxas, Ptx, Options);
}

void gpuocc::takeResources(std::vector<KernelFacts> &Kernels,
                           Expected<AssembledKernels> Made) {
  if (!Made) {
    std::string Why = "registers are estimated: " + toString(Made.takeError());
    for (KernelFacts &Facts : Kernels)
      Facts.Gaps.push_back({NoIndex, Why});
    return;
  }
  for (KernelFacts &Facts : Kernels) {
    auto Found = Made->find(Facts.Name);
    if (Found == Made->end())
      continue;
    Facts.Resources = Found->second.Resources;
    Facts.StaticSharedBytes = Found->second.SharedBytes;
  }
}

void gpuocc::assembleKernels(std::vector<KernelFacts> &Kernels,
                             const AssemblyPrograms &Programs, StringRef Ptx) {
  auto GiveUp = [&](Error E) {
    std::string Why = "no SASS view: " + toString(std::move(E));
    for (KernelFacts &Facts : Kernels)
      Facts.Gaps.push_back({NoIndex, Why});
  };
  std::optional<TemporaryFile> Cubin;
  if (Programs.wantsMachineCode()) {
    Expected<TemporaryFile> File = TemporaryFile::create("gpuocc", "cubin");
    if (File)
      Cubin.emplace(std::move(*File));
    else
      GiveUp(File.takeError());
  }
  Expected<AssembledKernels> Made =
      assemble(Programs, Ptx, Cubin ? Cubin->path() : "");
  const bool HasCode = Made && Cubin;
  takeResources(Kernels, std::move(Made));
  if (HasCode)
    if (Error E = addMachineCode(Kernels, Programs.Nvdisasm, Cubin->path()))
      GiveUp(std::move(E));
}
