//===- Plugin.cpp - The pass plugin ---------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// clang -fpass-plugin=GpuOccupancy.so -Rpass=gpu-occupancy ...
/// opt -load-pass-plugin=GpuOccupancy.so -passes=gpu-occupancy ...
///
//===----------------------------------------------------------------------===//

#include "HostCode.h"
#include "KnownModule.h"
#include "PluginOptions.h"
#include "RunOnModule.h"
#include "gpuocc/ReadLLVM/AddWarpMasks.h"
#include "gpuocc/ReadLLVM/DeviceTarget.h"
#include "gpuocc/ReadLLVM/LikeNvcc.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// The pass of opt, which has no code generator of its own.
class GpuOccupancyPass : public PassInfoMixin<GpuOccupancyPass> {
public:
  explicit GpuOccupancyPass(PluginOptions Options)
      : Options(std::move(Options)) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (!hasWork(M, Options))
      return PreservedAnalyses::all();
    Expected<std::unique_ptr<TargetMachine>> TM = createDeviceTarget(M);
    if (TM)
      runOnModule(M, **TM, CodeGeneration::None, Options);
    else
      tellNotAnalyzed(M, Options, TM.takeError());
    return PreservedAnalyses::all();
  }

  static bool isRequired() { return true; }

private:
  PluginOptions Options;
};

} // namespace

static bool addPass(StringRef Name, ModulePassManager &Passes,
                    ArrayRef<PassBuilder::PipelineElement>) {
  if (!PassBuilder::checkParametrizedPassName(Name, "gpu-occupancy"))
    return false;
  auto Parse = [](StringRef Parameters) {
    return withPassParameters(commandLineOptions(), Parameters);
  };
  auto Options = PassBuilder::parsePassParameters(Parse, Name, "gpu-occupancy");
  if (!Options) {
    errs() << "error: " << toString(Options.takeError()) << '\n';
    return false;
  }
  Passes.addPass(GpuOccupancyPass(std::move(*Options)));
  return true;
}

template <typename FunctionPass>
static void addFunctionPass(const Mechanisms &Used, Mechanism M,
                            ModulePassManager &Passes) {
  if (Used.has(M))
    Passes.addPass(createModuleToFunctionPassAdaptor(FunctionPass()));
}

static void registerPasses(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(addPass);
  if (const auto Known = commandLineOptions().KnownModule)
    PB.registerPipelineStartEPCallback(
        [Known = *Known](ModulePassManager &Passes, OptimizationLevel) {
          Passes.addPass(FingerprintPass(Known));
        });
  if (commandLineOptions().BuiltBy != "nvcc")
    return;
  const Mechanisms Used = commandLineOptions().Session.Used;
  PB.registerPipelineStartEPCallback(
      [Used](ModulePassManager &Passes, OptimizationLevel) {
        addFunctionPass<CopyLikeNvccPass>(Used, Mechanism::NvccCopies, Passes);
      });
  PB.registerPipelineEarlySimplificationEPCallback(
      [Used](ModulePassManager &Passes, OptimizationLevel, ThinOrFullLTOPhase) {
        addFunctionPass<HideDivisionsLikeNvccPass>(
            Used, Mechanism::NvccDivisions, Passes);
        addFunctionPass<FoldMathLikeNvccPass>(Used, Mechanism::NvccMath,
                                              Passes);
      });
  PB.registerLateLoopOptimizationsEPCallback(
      [Used](LoopPassManager &Passes, OptimizationLevel) {
        if (Used.has(Mechanism::NvccBitCounts))
          Passes.addPass(CountBitsLikeNvccPass());
        if (Used.has(Mechanism::NvccUnrolling))
          Passes.addPass(UnrollLikeNvccPass());
      });
  PB.registerOptimizerLastEPCallback(
      [Used](ModulePassManager &Passes, OptimizationLevel, ThinOrFullLTOPhase) {
        addFunctionPass<PlaceLikeNvccPass>(Used, Mechanism::NvccPlaces, Passes);
        addFunctionPass<ShowDivisionsLikeNvccPass>(
            Used, Mechanism::NvccDivisions, Passes);
      });
}

static bool beforeCodeGen(Module &M, TargetMachine &TM, CodeGenFileType,
                          raw_pwrite_stream &) {
  PluginOptions Options = commandLineOptions();
  addWarpMasks(M, TM);
  if (hasWork(M, Options)) {
    if (Options.KnownModule && !Options.KnownModule->empty() &&
        notedFingerprint(M) == *Options.KnownModule) {
      writeLaunches(M, TM, Options);
      return true;
    }
    runOnModule(M, TM, CodeGeneration::Follows, Options);
  }
  // Code that could be generated is, as if we had not been here.
  return false;
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  // Clang asks before it parses: now its plugins can still be added to.
  loadLaunchesPlugin();
  return {LLVM_PLUGIN_API_VERSION, "GpuOccupancy", GPUOCC_VERSION,
          registerPasses, beforeCodeGen};
}
