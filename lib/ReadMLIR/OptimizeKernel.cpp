//===- OptimizeKernel.cpp - LLVM's pipeline for kernels of MLIR -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadMLIR/LowerKernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace gpuocc;
using namespace llvm;

/// Functions of the device library begin with this.
static constexpr StringLiteral LibraryPrefix = "__nv_";

/// Links what \p M calls of the library \p File.
static Error linkLibrary(Module &M, StringRef File, bool FlushDenormals) {
  const bool Calls = any_of(M, [](const Function &F) {
    return F.isDeclaration() && F.getName().starts_with(LibraryPrefix);
  });
  if (!Calls || File.empty())
    return Error::success();
  SMDiagnostic Problem;
  std::unique_ptr<Module> Library = parseIRFile(File, Problem, M.getContext());
  if (!Library)
    return createStringError("'" + File + "': " + Problem.getMessage());
  // It is for any system, which LLVM would warn of.
  Library->setTargetTriple(M.getTargetTriple());
  Library->setDataLayout(M.getDataLayout());
  const bool Failed = Linker::linkModules(
      M, std::move(Library), Linker::Flags::LinkOnlyNeeded,
      [](Module &Into, const StringSet<> &Names) {
        internalizeModule(Into, [&](const GlobalValue &G) {
          return !G.hasName() || Names.count(G.getName()) == 0;
        });
      });
  if (Failed)
    return createStringError("'" + File + "' cannot be linked");
  M.addModuleFlag(Module::Override, "nvvm-reflect-ftz", FlushDenormals);
  return Error::success();
}

static OptimizationLevel levelOf(unsigned Level) {
  static const OptimizationLevel Levels[] = {
      OptimizationLevel::O0, OptimizationLevel::O1, OptimizationLevel::O2,
      OptimizationLevel::O3};
  return Levels[std::min<size_t>(Level, std::size(Levels) - 1)];
}

Error gpuocc::optimizeKernel(Module &M, TargetMachine &TM,
                             const LoweringOptions &Options) {
  if (Error E =
          linkLibrary(M, Options.DeviceLibrary, Options.Target.FlushDenormals))
    return E;
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Components;
  ModuleAnalysisManager Modules;
  PassBuilder Builder(&TM);
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(Components);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, Components, Modules);
  const OptimizationLevel Level = levelOf(Options.Target.OptLevel);
  ModulePassManager Passes = Level == OptimizationLevel::O0
                                 ? Builder.buildO0DefaultPipeline(Level)
                                 : Builder.buildPerModuleDefaultPipeline(Level);
  Passes.run(M, Modules);
  return Error::success();
}
