//===- ReadModule.cpp - LLVM modules to kernel facts ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadLLVM/ReadModule.h"
#include "CollectKernels.h"
#include "InlineBudget.h"
#include "KeptCalls.h"
#include "gpuocc/Kernel/Bytes.h"
#include "gpuocc/Support/RunInSubprocess.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Target/TargetLoweringObjectFile.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace gpuocc;
using namespace llvm;

bool gpuocc::isDeviceModule(const Module &M) {
  return M.getTargetTriple().isNVPTX();
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

/// The instruction that \p ID, rounded to the nearest number, is where nothing
/// may be fused with it; none for others.
static std::optional<Instruction::BinaryOps> plainForm(Intrinsic::ID ID) {
  static constexpr std::pair<Intrinsic::ID, Instruction::BinaryOps> Forms[] = {
      {Intrinsic::nvvm_add_rn_d, Instruction::FAdd},
      {Intrinsic::nvvm_add_rn_f, Instruction::FAdd},
      {Intrinsic::nvvm_mul_rn_d, Instruction::FMul},
      {Intrinsic::nvvm_mul_rn_f, Instruction::FMul}};
  for (auto [Rounded, Plain] : Forms)
    if (Rounded == ID)
      return Plain;
  return std::nullopt;
}

/// Gives sums and products that say how they are rounded the form of those that
/// do not: PTX says it of both, and ptxas computes equal ones once.
static void unifyRounding(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call)
      continue;
    if (auto Plain = plainForm(Call->getIntrinsicID())) {
      auto *Binary =
          BinaryOperator::Create(*Plain, Call->getArgOperand(0),
                                 Call->getArgOperand(1), "", I.getIterator());
      Binary->setDebugLoc(Call->getDebugLoc());
      Call->replaceAllUsesWith(Binary);
      Call->eraseFromParent();
    }
  }
}

/// Makes of what was inlined into \p Callers what ptxas makes of it: arguments
/// and results are no longer passed in memory, and pointers are those that are
/// passed. Code generation does not look for them in final code.
static void cleanUp(Module &M, ArrayRef<Function *> Callers, bool IsFinalCode) {
  legacy::FunctionPassManager PM(&M);
  PM.add(createSROAPass());
  PM.add(createEarlyCSEPass());
  PM.add(createInstructionCombiningPass());
  PM.add(createCFGSimplificationPass());
  if (IsFinalCode)
    PM.add(createInferAddressSpacesPass());
  PM.doInitialization();
  for (Function *F : Callers) {
    unifyRounding(*F);
    PM.run(*F);
  }
  PM.doFinalization();
}

/// Inlines what can be inlined: ptxas sees whole kernels, and so must we.
/// Recursive and indirect calls, and those beyond the budget, stay and become
/// gaps. Kernels without calls stay as the compiler emits them. \returns what
/// markInlined does.
static StringMap<std::string> inlineDeviceFunctions(Module &Clone,
                                                    bool IsFinalCode) {
  StringMap<std::string> FirstCalled = markInlined(Clone);
  const SmallVector<Function *, 8> Callers = callersOfInlined(Clone);
  if (!Callers.empty()) {
    keepCalls(Clone);
    legacy::PassManager PM;
    PM.add(createAlwaysInlinerLegacyPass());
    PM.run(Clone);
    cleanUp(Clone, Callers, IsFinalCode);
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
  return FirstCalled;
}

/// Generates code for \p Clone as far as kernels are read.
static std::vector<KernelFacts> selectAndCollect(Module &Clone,
                                                 TargetMachine &TM,
                                                 const NumberedPlaces *Numbered,
                                                 const ReadOptions &Options) {
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
  if (Options.IsFinalCode ? !addPassesOfFinalCode(*Config, PM)
                          : !addPassesUpToReading(*Config, PM))
    return Kernels;
  auto *Reader = new CollectKernels(
      Options.Registers, Options.Used,
      [&](std::vector<KernelFacts> Read) { Kernels = std::move(Read); });
  Reader->setNumbered(Numbered);
  PM.add(Reader);
  // What was read needs to be kept no longer.
  PM.add(createFreeMachineFunctionPass());
  Config->setInitialized();
  PM.run(Clone);
  return Kernels;
}

static std::string printPtx(Module &Clone, TargetMachine &TM) {
  SmallString<0> Text;
  raw_svector_ostream OS(Text);
  legacy::PassManager PM;
  // ptxas reads debug information of DWARF 2 alone, with files in one string,
  // which clang writes for CUDA and not for OpenCL or OpenMP.
  TM.Options.MCOptions.MCUseDwarfDirectory =
      MCTargetOptions::DisableDwarfDirectory;
  if (Clone.getModuleFlag("Dwarf Version"))
    Clone.setModuleFlag(Module::Max, "Dwarf Version", 2);
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

/// The PTX of \p Copies.
static std::string printCopy(const Clones &Copies, TargetMachine &TM) {
  std::string Ptx;
  Copies.with([&](Module &Clone) { Ptx = printPtx(Clone, TM); });
  return Ptx;
}

/// Names what markInlined left out of the kernel.
static void noteCallsLeft(const StringMap<std::string> &FirstCalled,
                          KernelFacts &Facts) {
  auto First = FirstCalled.find(Facts.Name);
  if (First == FirstCalled.end())
    return;
  Facts.Gaps.push_back(
      {NoIndex, "calls beyond " + std::to_string(MaxInstructionsInlined) +
                    " inlined instructions, the first of '" +
                    demangle(First->second) +
                    "': their instructions are counted, their addresses and "
                    "branches are not followed"});
}

/// Writes the facts of the kernels of \p M, and behind them the PTX if that is
/// wanted. Neither \p M nor \p TM is left as it was.
static void writeAnswer(const Module &M, TargetMachine &TM,
                        const ReadOptions &Options, raw_ostream &OS) {
  NumberedPlaces Numbered;
  Clones Copies(M);
  if (Options.WantOrigins)
    Copies.with([&](Module &Clone) {
      Numbered = numberInstructions(Clone);
      Copies.write(Clone);
    });
  std::vector<KernelFacts> Kernels;
  Copies.with([&](Module &Clone) {
    const StringMap<std::string> FirstCalled =
        inlineDeviceFunctions(Clone, Options.IsFinalCode);
    Kernels = selectAndCollect(
        Clone, TM, Options.WantOrigins ? &Numbered : nullptr, Options);
    for (KernelFacts &Facts : Kernels)
      noteCallsLeft(FirstCalled, Facts);
  });
  writeBytes(OS, Kernels);
  if (Options.WantPtx)
    OS << printCopy(Copies, TM);
}

static Expected<ModuleFacts> readAnswer(StringRef Text) {
  Expected<std::vector<KernelFacts>> Kernels = readKernels(Text);
  if (!Kernels)
    return Kernels.takeError();
  return ModuleFacts{std::move(*Kernels), Text.str(), ""};
}

/// \p Reason without the addresses of LLVM's values, which differ from run to
/// run.
static std::string withoutAddresses(StringRef Reason) {
  SmallVector<StringRef, 16> Words;
  SplitString(Reason, Words, " ");
  erase_if(Words, [](StringRef Word) { return Word.starts_with("0x"); });
  return join(Words, " ");
}

static bool isKernelWithCode(const Function &F) {
  return F.getCallingConv() == CallingConv::PTX_Kernel && !F.isDeclaration();
}

/// The kernels of \p M that are in \p Wanted.
static Expected<ModuleFacts>
readInSubprocess(const Module &M, TargetMachine &TM, const ReadOptions &Options,
                 function_ref<bool(StringRef)> Wanted) {
  Expected<std::string> Text = runInSubprocess([&](raw_ostream &OS) {
    const std::unique_ptr<Module> Copy = CloneModule(M);
    for (Function &F : make_early_inc_range(*Copy)) {
      if (!isKernelWithCode(F) || Wanted(F.getName()))
        continue;
      F.deleteBody();
      if (F.use_empty())
        F.eraseFromParent();
    }
    writeAnswer(*Copy, TM, Options, OS);
  });
  return Text ? readAnswer(*Text) : Expected<ModuleFacts>(Text.takeError());
}

static std::string noCode(Error Why) {
  return "no code could be generated for it: " +
         withoutAddresses(toString(std::move(Why)));
}

/// Reads the kernels of \p M for which code can be generated, where it cannot
/// for all of them.
static ModuleFacts readOneByOne(const Module &M, TargetMachine &TM,
                                const ReadOptions &Options) {
  StringSet<> Good;
  std::string Problem;
  for (const Function &F : M) {
    if (!isKernelWithCode(F))
      continue;
    Expected<ModuleFacts> Alone = readInSubprocess(
        M, TM, Options, [&](StringRef Name) { return Name == F.getName(); });
    if (Alone)
      Good.insert(F.getName());
    else
      Problem += (Problem.empty() ? "" : "; ") +
                 ("kernel '" + F.getName() +
                  "' is not analyzed: " + noCode(Alone.takeError()))
                     .str();
  }
  Expected<ModuleFacts> Facts = readInSubprocess(
      M, TM, Options, [&](StringRef Name) { return Good.contains(Name); });
  if (!Facts)
    return {{}, "", noCode(Facts.takeError())};
  Facts->Problem = std::move(Problem);
  return std::move(*Facts);
}

ModuleFacts gpuocc::readModule(const Module &M, TargetMachine &TM,
                               const ReadOptions &Options) {
  Expected<std::string> Text = runInSubprocess(
      [&](raw_ostream &OS) { writeAnswer(M, TM, Options, OS); });
  Expected<ModuleFacts> Facts =
      Text ? readAnswer(*Text) : Expected<ModuleFacts>(Text.takeError());
  if (Facts)
    return std::move(*Facts);
  if (count_if(M, isKernelWithCode) > 1) {
    consumeError(Facts.takeError());
    return readOneByOne(M, TM, Options);
  }
  return {{}, "", noCode(Facts.takeError())};
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

/// True if selecting the instructions of \p M leaves a trace in this process:
/// the backend numbers calls from a counter that is never reset, and prints the
/// number in a comment of the PTX. The code of such modules is
/// generated in a process of its own, which takes its traces along.
static bool numbersCalls(const Module &M) {
  for (const Function &F : M)
    for (const llvm::BasicBlock &B : F)
      for (const Instruction &I : B)
        if (const auto *Call = dyn_cast<CallBase>(&I))
          if (!Call->isInlineAsm() && !isa<IntrinsicInst>(Call))
            return true;
  return false;
}

/// Fills ModuleFacts::Ptx with the code that is about to be generated for \p M:
/// where that is not possible, the compiler cannot either.
static void addPtx(const Module &M, TargetMachine &TM, ModuleFacts &Facts) {
  Clones Copies(M);
  if (!numbersCalls(M)) {
    Facts.Ptx = printCopy(Copies, TM);
    return;
  }
  Expected<std::string> Text =
      runInSubprocess([&](raw_ostream &OS) { OS << printCopy(Copies, TM); });
  if (Text)
    Facts.Ptx = std::move(*Text);
  else
    Facts.Problem = toString(Text.takeError());
}

namespace {
/// A reading that waits for its code generation.
struct Awaited {
  TargetMachine *TM = nullptr;
  RegisterFile Registers;
  Mechanisms Used;
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
  insertReader(*Config, new CollectKernels(Reading.Registers, Reading.Used,
                                           std::move(Reading.Done)));
}

bool gpuocc::readDuringCodeGen(const Module &M, TargetMachine &TM,
                               const ReadOptions &Options,
                               std::function<void(ModuleFacts)> Then) {
  if (Options.WantOrigins || hasCallsToInline(M))
    return false;
  ModuleFacts Facts;
  if (Options.WantPtx)
    addPtx(M, TM, Facts);
  static RegisterTargetPassConfigCallback Callback(joinPipeline);
  awaited() = {&TM, Options.Registers, Options.Used,
               [Then = std::move(Then), Facts = std::move(Facts)](
                   std::vector<KernelFacts> Kernels) mutable {
                 if (Facts.Problem.empty())
                   Facts.Kernels = std::move(Kernels);
                 Then(std::move(Facts));
               }};
  return true;
}
