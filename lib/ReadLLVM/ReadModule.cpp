//===- ReadModule.cpp - LLVM modules to kernel facts ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadLLVM/ReadModule.h"
#include "FunctionReader.h"
#include "LikePtxas.h"
#include "NumberInstructions.h"
#include "OpcodeTable.h"
#include "gpuocc/Kernel/JSON.h"
#include "gpuocc/Support/Apart.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetLoweringObjectFile.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// Reads each kernel that passes by; codegen frees a machine function soon
/// after.
class CollectKernels : public MachineFunctionPass {
public:
  static char ID;
  CollectKernels(std::vector<KernelFacts> &Kernels,
                 const NumberedPlaces *Numbered, const RegisterFile &Registers)
      : MachineFunctionPass(ID), Kernels(Kernels), Numbered(Numbered),
        Registers(Registers) {}

  StringRef getPassName() const override {
    return "gpu-occupancy machine view";
  }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override {
    const Function &F = MF.getFunction();
    if (F.getCallingConv() != CallingConv::PTX_Kernel)
      return false;
    OpcodeTable Opcodes(MF.getTarget(), *MF.getSubtarget().getInstrInfo());
    KernelFacts Facts;
    readSignature(F, Facts);
    if (Facts.Architecture.empty())
      Facts.Architecture = MF.getTarget().getTargetCPU().str();
    readFunction(MF, Opcodes, Facts);
    if (Numbered)
      restorePlaces(Facts, *Numbered);
    lowerLikePtxas(Facts);
    Facts.Resources.RegistersPerThread = estimateRegisters(Facts, Registers);
    Facts.Resources.Source = "estimate";
    Kernels.push_back(std::move(Facts));
    return false;
  }

private:
  std::vector<KernelFacts> &Kernels;
  /// Null when the module is not numbered.
  const NumberedPlaces *Numbered;
  const RegisterFile &Registers;
};

char CollectKernels::ID = 0;

} // namespace

bool gpuocc::isDeviceModule(const Module &M) {
  return M.getTargetTriple().isNVPTX();
}

/// Inlines what can be inlined: ptxas sees whole kernels, and so must we.
/// Recursive and indirect calls stay and become gaps.
static void inlineDeviceFunctions(Module &Clone) {
  bool Any = false;
  for (Function &F : Clone) {
    if (F.isDeclaration() || F.getCallingConv() == CallingConv::PTX_Kernel ||
        F.hasFnAttribute(Attribute::OptimizeNone))
      continue;
    F.removeFnAttr(Attribute::NoInline);
    F.addFnAttr(Attribute::AlwaysInline);
    Any |= !F.use_empty();
  }
  if (!Any)
    return;
  legacy::PassManager PM;
  PM.add(createAlwaysInlinerLegacyPass());
  PM.add(createSROAPass());
  PM.add(createEarlyCSEPass());
  PM.add(createInstructionCombiningPass());
  PM.add(createCFGSimplificationPass());
  PM.run(Clone);
}

/// Runs instruction selection and the SSA machine optimizations of the NVPTX
/// pipeline over \p Clone.
static void selectAndCollect(Module &Clone, TargetMachine &TM,
                             std::vector<KernelFacts> &Kernels,
                             const NumberedPlaces *Numbered,
                             const RegisterFile &Registers) {
  inlineDeviceFunctions(Clone);
  legacy::PassManager PM;
  auto *MMI = new MachineModuleInfoWrapperPass(&TM);
  const_cast<TargetLoweringObjectFile *>(TM.getObjFileLowering())
      ->Initialize(MMI->getMMI().getContext(), TM);
  TargetPassConfig *Config = TM.createPassConfig(PM);
  Config->setDisableVerify(true);
  PM.add(Config);
  PM.add(MMI);
  if (Config->addISelPasses())
    return;
  // ptxas does these again; running them brings the view closer to it.
  if (TM.getOptLevel() != CodeGenOptLevel::None)
    for (char *ID : {&OptimizePHIsLegacyID, &DeadMachineInstructionElimID,
                     &EarlyMachineLICMID, &MachineCSELegacyID,
                     &MachineSinkingLegacyID, &DeadMachineInstructionElimID})
      if (Pass *P = Pass::createPass(ID))
        PM.add(P);
  PM.add(new CollectKernels(Kernels, Numbered, Registers));
  Config->setInitialized();
  PM.run(Clone);
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
} // namespace

static ModuleFacts readHere(const Module &M, TargetMachine &TM,
                            const ReadOptions &Options) {
  // Through bitcode into a context of its own: a clone in the same context
  // would share constants, remark streamer and diagnostics with the original.
  SmallString<0> Bitcode;
  raw_svector_ostream OS(Bitcode);
  WriteBitcodeToFile(M, OS);

  auto WithClone = [&](function_ref<void(Module &)> Use) {
    LLVMContext Context;
    Context.setDiagnosticHandler(std::make_unique<SilentHandler>());
    Expected<std::unique_ptr<Module>> Clone =
        parseBitcodeFile(MemoryBufferRef(Bitcode, M.getName()), Context);
    if (!Clone) {
      consumeError(Clone.takeError());
      return;
    }
    Use(**Clone);
  };

  ModuleFacts Facts;
  NumberedPlaces Numbered;
  if (Options.WantOrigins)
    WithClone([&](Module &Clone) {
      Numbered = numberInstructions(Clone);
      Bitcode.clear();
      WriteBitcodeToFile(Clone, OS);
    });
  WithClone([&](Module &Clone) {
    selectAndCollect(Clone, TM, Facts.Kernels,
                     Options.WantOrigins ? &Numbered : nullptr,
                     Options.Registers);
  });
  if (Options.WantPtx)
    WithClone([&](Module &Clone) { Facts.Ptx = printPtx(Clone, TM); });
  return Facts;
}

/// True if selecting the instructions of \p M leaves a trace in this process:
/// the backend numbers calls from a counter that is never reset, and prints the
/// number in a comment of the PTX.
static bool numbersCalls(const Module &M) {
  for (const Function &F : M)
    for (const llvm::BasicBlock &B : F)
      for (const Instruction &I : B)
        if (const auto *Call = dyn_cast<CallBase>(&I))
          if (!Call->isInlineAsm() && !isa<IntrinsicInst>(Call))
            return true;
  return false;
}

/// The facts as JSON, which has no zero byte; one such; the PTX.
static std::string printAnswer(ModuleFacts Facts) {
  FactsFile File{"", std::move(Facts.Kernels), {}};
  std::string Text;
  raw_string_ostream OS(Text);
  OS << toJSON(File) << '\0' << Facts.Ptx;
  return Text;
}

static Expected<ModuleFacts> parseAnswer(StringRef Text) {
  size_t End = Text.find('\0');
  if (End == StringRef::npos)
    return createStringError("the machine view ended early");
  Expected<FactsFile> File =
      parseFactsFile(Text.take_front(End), "machine view");
  if (!File)
    return File.takeError();
  ModuleFacts Result;
  Result.Kernels = std::move(File->Kernels);
  Result.Ptx = Text.drop_front(End + 1).str();
  return Result;
}

/// readHere in a process of its own, which takes its traces along.
static Expected<ModuleFacts> readApart(const Module &M, TargetMachine &TM,
                                       const ReadOptions &Options) {
  Expected<std::string> Text =
      runApart([&] { return printAnswer(readHere(M, TM, Options)); });
  if (!Text)
    return Text.takeError();
  return parseAnswer(*Text);
}

ModuleFacts gpuocc::readModule(const Module &M, TargetMachine &TM,
                               const ReadOptions &Options) {
  if (!numbersCalls(M))
    return readHere(M, TM, Options);
  Expected<ModuleFacts> Facts = readApart(M, TM, Options);
  if (Facts)
    return std::move(*Facts);
  ModuleFacts Nothing;
  Nothing.Problem = toString(Facts.takeError());
  return Nothing;
}
