//===- ReadModule.cpp - LLVM modules to kernel facts ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadLLVM/ReadModule.h"
#include "CollectKernels.h"
#include "gpuocc/Kernel/JSON.h"
#include "gpuocc/Support/Apart.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Target/TargetLoweringObjectFile.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar.h"

using namespace gpuocc;
using namespace llvm;

bool gpuocc::isDeviceModule(const Module &M) {
  return M.getTargetTriple().isNVPTX();
}

/// Device functions that are part of the kernels that call them, as far as
/// ptxas and we are concerned.
static bool isInlined(const Function &F) {
  return !F.isDeclaration() && F.getCallingConv() != CallingConv::PTX_Kernel &&
         !F.hasFnAttribute(Attribute::OptimizeNone);
}

/// Functions that stay and call some that are inlined into them.
static SmallVector<Function *, 8> callersOfInlined(Module &M) {
  SetVector<Function *> Callers;
  for (Function &F : M)
    if (isInlined(F))
      for (User *U : F.users())
        if (auto *Call = dyn_cast<CallBase>(U);
            Call && !isInlined(*Call->getFunction()))
          Callers.insert(Call->getFunction());
  return Callers.takeVector();
}

/// Makes of what was inlined into \p Callers what ptxas makes of it: arguments
/// and results are no longer passed in memory.
static void cleanUp(Module &M, ArrayRef<Function *> Callers) {
  legacy::FunctionPassManager PM(&M);
  PM.add(createSROAPass());
  PM.add(createEarlyCSEPass());
  PM.add(createInstructionCombiningPass());
  PM.add(createCFGSimplificationPass());
  PM.doInitialization();
  for (Function *F : Callers)
    PM.run(*F);
  PM.doFinalization();
}

/// Inlines what can be inlined: ptxas sees whole kernels, and so must we.
/// Recursive and indirect calls stay and become gaps. Kernels without calls
/// stay as the compiler emits them.
static void inlineDeviceFunctions(Module &Clone) {
  for (Function &F : Clone)
    if (isInlined(F)) {
      F.removeFnAttr(Attribute::NoInline);
      F.addFnAttr(Attribute::AlwaysInline);
    }
  const SmallVector<Function *, 8> Callers = callersOfInlined(Clone);
  if (!Callers.empty()) {
    legacy::PassManager PM;
    PM.add(createAlwaysInlinerLegacyPass());
    PM.run(Clone);
    cleanUp(Clone, Callers);
  }
  // What no kernel calls is not read and needs no code.
  for (bool Erased = true; Erased;) {
    Erased = false;
    for (Function &F : make_early_inc_range(Clone))
      if (isInlined(F) && F.use_empty()) {
        F.eraseFromParent();
        Erased = true;
      }
  }
}

/// Generates code for \p Clone as far as kernels are read.
static std::vector<KernelFacts>
selectAndCollect(Module &Clone, TargetMachine &TM,
                 const NumberedPlaces *Numbered,
                 const RegisterFile &Registers) {
  std::vector<KernelFacts> Kernels;
  legacy::PassManager PM;
  auto *MMI = new MachineModuleInfoWrapperPass(&TM);
  const_cast<TargetLoweringObjectFile *>(TM.getObjFileLowering())
      ->Initialize(MMI->getMMI().getContext(), TM);
  TargetPassConfig *Config = TM.createPassConfig(PM);
  Config->setDisableVerify(true);
  PM.add(createTargetTransformInfoWrapperPass(TM.getTargetIRAnalysis()));
  PM.add(Config);
  PM.add(MMI);
  if (!addPassesUpToReading(*Config, PM))
    return Kernels;
  auto *Reader =
      new CollectKernels(Registers, [&](std::vector<KernelFacts> Read) {
        Kernels = std::move(Read);
      });
  Reader->setNumbered(Numbered);
  PM.add(Reader);
  Config->setInitialized();
  PM.run(Clone);
  return Kernels;
}

static std::string printPtx(Module &Clone, TargetMachine &TM) {
  SmallString<0> Text;
  raw_svector_ostream OS(Text);
  legacy::PassManager PM;
  if (TM.addPassesToEmitFile(PM, OS, nullptr, CodeGenFileType::AssemblyFile))
    return "";
  PM.run(Clone);
  return Text.str().str();
}

namespace {
/// The clone goes through code generation a second time: its warnings and
/// remarks have been, or will be, given for the original.
struct SilentHandler : DiagnosticHandler {
  bool handleDiagnostics(const DiagnosticInfo &) override { return true; }
};

/// Copies of a module, each in a context of its own: in the same context they
/// would share constants, remark streamer and diagnostics with the original.
class Clones {
public:
  explicit Clones(const Module &M) : Name(M.getName().str()) { write(M); }

  /// Calls \p Use with a copy; changes of the copy are lost.
  void with(function_ref<void(Module &)> Use) const {
    LLVMContext Context;
    Context.setDiagnosticHandler(std::make_unique<SilentHandler>());
    Expected<std::unique_ptr<Module>> Clone =
        parseBitcodeFile(MemoryBufferRef(Bitcode, Name), Context);
    if (Clone)
      Use(**Clone);
    else
      consumeError(Clone.takeError());
  }

  /// Makes the copies that follow copies of \p M.
  void write(const Module &M) {
    Bitcode.clear();
    raw_svector_ostream OS(Bitcode);
    WriteBitcodeToFile(M, OS, /*ShouldPreserveUseListOrder=*/true);
  }

private:
  std::string Name;
  SmallString<0> Bitcode;
};

} // namespace

/// True if selecting the instructions of \p M leaves a trace in this process:
/// the backend numbers calls from a counter that is never reset, and prints the
/// number in a comment of the PTX. Such modules are worked on in a process of
/// their own, which takes its traces along.
static bool numbersCalls(const Module &M) {
  for (const Function &F : M)
    for (const llvm::BasicBlock &B : F)
      for (const Instruction &I : B)
        if (const auto *Call = dyn_cast<CallBase>(&I))
          if (!Call->isInlineAsm() && !isa<IntrinsicInst>(Call))
            return true;
  return false;
}

static Expected<std::vector<KernelFacts>>
collect(Module &Clone, TargetMachine &TM, const NumberedPlaces *Numbered,
        const RegisterFile &Registers) {
  inlineDeviceFunctions(Clone);
  if (!numbersCalls(Clone))
    return selectAndCollect(Clone, TM, Numbered, Registers);
  Expected<std::string> Text = runApart([&] {
    FactsFile File{"", selectAndCollect(Clone, TM, Numbered, Registers), {}};
    std::string Answer;
    raw_string_ostream(Answer) << toJSON(File);
    return Answer;
  });
  if (!Text)
    return Text.takeError();
  Expected<FactsFile> File = parseFactsFile(*Text, "machine view");
  if (!File)
    return File.takeError();
  return std::move(File->Kernels);
}

static Expected<std::string> print(Module &Clone, TargetMachine &TM) {
  if (!numbersCalls(Clone))
    return printPtx(Clone, TM);
  return runApart([&] { return printPtx(Clone, TM); });
}

/// Fills ModuleFacts::Ptx with the code of \p Copies.
static void addPtx(const Clones &Copies, TargetMachine &TM,
                   ModuleFacts &Facts) {
  Copies.with([&](Module &Clone) {
    if (Expected<std::string> Text = print(Clone, TM))
      Facts.Ptx = std::move(*Text);
    else
      Facts.Problem = toString(Text.takeError());
  });
}

ModuleFacts gpuocc::readModule(const Module &M, TargetMachine &TM,
                               const ReadOptions &Options) {
  ModuleFacts Facts;
  NumberedPlaces Numbered;
  Clones Copies(M);
  if (Options.WantOrigins)
    Copies.with([&](Module &Clone) {
      Numbered = numberInstructions(Clone);
      Copies.write(Clone);
    });
  if (Options.WantPtx)
    addPtx(Copies, TM, Facts);
  Copies.with([&](Module &Clone) {
    Expected<std::vector<KernelFacts>> Kernels =
        collect(Clone, TM, Options.WantOrigins ? &Numbered : nullptr,
                Options.Registers);
    if (Kernels)
      Facts.Kernels = std::move(*Kernels);
    else
      Facts.Problem = toString(Kernels.takeError());
  });
  if (!Facts.Problem.empty())
    Facts.Kernels.clear();
  return Facts;
}

/// True if kernels of \p M call functions that have to be inlined first.
static bool hasCallsToInline(const Module &M) {
  for (const Function &F : M)
    if (F.getCallingConv() == CallingConv::PTX_Kernel)
      for (const llvm::BasicBlock &B : F)
        for (const Instruction &I : B)
          if (const auto *Call = dyn_cast<CallBase>(&I))
            if (const Function *Callee = Call->getCalledFunction();
                Callee && isInlined(*Callee))
              return true;
  return false;
}

namespace {
/// A reading that waits for its code generation.
struct Awaited {
  TargetMachine *TM = nullptr;
  RegisterFile Registers;
  CollectKernels::Sink Done;
};
} // namespace

static Awaited &awaited() {
  static Awaited Reading;
  return Reading;
}

/// Puts the reader into the pipeline of the code generation that is awaited.
static void joinPipeline(TargetMachine &TM, legacy::PassManagerBase &,
                         TargetPassConfig *Config) {
  Awaited &Reading = awaited();
  if (Reading.TM != &TM)
    return;
  Reading.TM = nullptr;
  insertReader(*Config,
               new CollectKernels(Reading.Registers, std::move(Reading.Done)));
}

bool gpuocc::readDuringCodeGen(const Module &M, TargetMachine &TM,
                               const ReadOptions &Options,
                               std::function<void(ModuleFacts)> Then) {
  if (Options.WantOrigins || hasCallsToInline(M))
    return false;
  ModuleFacts Facts;
  if (Options.WantPtx)
    addPtx(Clones(M), TM, Facts);
  static RegisterTargetPassConfigCallback Callback(joinPipeline);
  awaited() = {&TM, Options.Registers,
               [Then = std::move(Then), Facts = std::move(Facts)](
                   std::vector<KernelFacts> Kernels) mutable {
                 if (Facts.Problem.empty())
                   Facts.Kernels = std::move(Kernels);
                 Then(std::move(Facts));
               }};
  return true;
}
