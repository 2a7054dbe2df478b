//===- ReadPtxFile.cpp - PTX to kernel facts ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadPtxFile.h"
#include "ReadDeviceModule.h"
#include "TritonCache.h"
#include "gpuocc/ReadPtx/LiftPtx.h"
#include "gpuocc/ReadPtx/ParsePtx.h"
#include "gpuocc/Support/Architecture.h"
#include "gpuocc/Support/ReadInput.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include <utility>

using namespace gpuocc;
using namespace llvm;

static Expected<std::unique_ptr<MemoryBuffer>> readFile(StringRef File) {
  Expected<std::unique_ptr<MemoryBuffer>> Buffer = readInput(File);
  if (!Buffer)
    return createStringError("cannot read '" + File +
                             "': " + toString(Buffer.takeError()));
  if ((*Buffer)->getBuffer().contains('\0'))
    return createStringError("'" + File + "' is no PTX but binary");
  return std::move(*Buffer);
}

/// Can PTX for \p Target be assembled for the newer architecture that was asked
/// for? Code for the features of one architecture (sm_90a, sm_100f) cannot.
static bool runsOn(StringRef Target, const SourceOptions &Options) {
  return !Options.ArchitectureIsDefault && !Options.Architecture.empty() &&
         !Target.empty() && isDigit(Target.back()) &&
         architectureNumber(Options.Architecture) > architectureNumber(Target);
}

/// Functions that \p M calls and does not define.
static std::vector<std::string> lackingFunctions(const Module &M) {
  std::vector<std::string> Names;
  for (const Function &F : M)
    if (F.isDeclaration() && !F.isIntrinsic() && !F.use_empty())
      Names.push_back(F.getName().str());
  return Names;
}

/// Links to \p M what it lacks and \p Text, the PTX of another file, has. A
/// file that cannot be read or linked adds nothing.
static void linkNeeded(Module &M, StringRef Text) {
  if (none_of(lackingFunctions(M),
              [&](StringRef Name) { return Text.contains(Name); }))
    return;
  Expected<PtxModule> Ptx = parsePtx(Text, "linked");
  if (!Ptx) {
    consumeError(Ptx.takeError());
    return;
  }
  Expected<std::unique_ptr<Module>> Other = liftPtx(*Ptx, M.getContext());
  if (!Other) {
    consumeError(Other.takeError());
    return;
  }
  (*Other)->setDataLayout(M.getDataLayout());
  (*Other)->setTargetTriple(M.getTargetTriple());
  Linker::linkModules(M, std::move(*Other), Linker::LinkOnlyNeeded);
}

Expected<ModuleFacts> gpuocc::readPtx(StringRef Text, StringRef File,
                                      const SourceOptions &Options,
                                      ArrayRef<StringRef> Others) {
  Expected<PtxModule> Ptx = parsePtx(Text, File);
  if (!Ptx)
    return Ptx.takeError();
  if (runsOn(Ptx->Architecture, Options))
    Ptx->Architecture = Options.Architecture;
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> M = liftPtx(*Ptx, Context);
  if (!M)
    return M.takeError();
  // What one file adds may need another that stands before it.
  std::vector<std::string> Before, Lacking = lackingFunctions(**M);
  while (!Lacking.empty() && Lacking != Before) {
    for (StringRef Other : Others)
      linkNeeded(**M, Other);
    Before = std::exchange(Lacking, lackingFunctions(**M));
  }
  return readDeviceModule(**M, Text, Options);
}

Expected<FactsFile> gpuocc::readPtxFile(StringRef File,
                                        const SourceOptions &Options) {
  Expected<std::unique_ptr<MemoryBuffer>> Buffer = readFile(File);
  if (!Buffer)
    return Buffer.takeError();
  Expected<ModuleFacts> Read = readPtx((*Buffer)->getBuffer(), File, Options);
  if (!Read)
    return Read.takeError();
  std::vector<HostLaunch> Launches = launchesOfTriton(File, Read->Kernels);
  return FactsFile{File.str(), std::move(Read->Kernels), std::move(Launches),
                   std::move(Read->Problem), ""};
}
