//===- ReadKernel.cpp - A kernel of MLIR to facts -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadKernel.h"
#include "gpuocc/Kernel/Bytes.h"
#include "gpuocc/ReadLLVM/DeviceTarget.h"
#include "gpuocc/Support/ParseJSON.h"
#include "gpuocc/Support/RunInSubprocess.h"
#include "mlir/IR/DialectRegistry.h"
#include "sources/ReadDeviceModule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral DeviceTriple = "nvptx64-nvidia-cuda";

/// Makes \p M a module for the GPU of \p Target, with a code generator.
static Expected<std::unique_ptr<TargetMachine>>
retarget(Module &M, const DeviceCodeTarget &Target) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  M.setTargetTriple(Triple(DeviceTriple));
  for (Function &F : M) {
    F.addFnAttr("target-cpu", Target.Chip);
    if (!Target.Features.empty())
      F.addFnAttr("target-features", Target.Features);
  }
  Expected<std::unique_ptr<TargetMachine>> TM = createDeviceTarget(M);
  if (TM)
    M.setDataLayout((*TM)->createDataLayout());
  return TM;
}

static Expected<std::vector<KernelFacts>>
readHere(StringRef Bytecode, StringRef Kernel,
         const mlir::DialectRegistry &Registry, const MlirOptions &Options) {
  LLVMContext Context;
  Expected<LoweredKernel> Lowered =
      lowerKernel(Bytecode, Kernel, Registry, Options.Lowering, Context);
  if (!Lowered)
    return Lowered.takeError();
  Module &M = *Lowered->Code;
  Expected<std::unique_ptr<TargetMachine>> TM =
      retarget(M, Options.Lowering.Target);
  if (!TM)
    return TM.takeError();
  if (Error E = optimizeKernel(M, **TM, Options.Lowering))
    return std::move(E);
  Expected<ModuleFacts> All = readDeviceModule(M, /*Ptx=*/"", Options.Source);
  if (!All)
    return All.takeError();
  for (KernelFacts &Facts : All->Kernels) {
    Lowered->Places.restore(Facts);
    Facts.BuiltBy = "MLIR";
    if (Lowered->KnownBlock[0] != 0)
      Facts.Bounds.RequiredBlock = Lowered->KnownBlock;
  }
  return std::move(All->Kernels);
}

/// What an answer holds: facts or an error.
static constexpr char IsFacts = 'f', IsError = 'e';

/// What takes the place of facts, as JSON.
static json::Value answerOf(const LoweringError &E) {
  return json::Object{{"error", json::fixUTF8(E.Text)},
                      {"file", json::fixUTF8(E.Place.File)},
                      {"line", E.Place.Line},
                      {"column", E.Place.Column}};
}

/// The error that \p Answer, made by answerOf(), tells of.
static Error errorOf(StringRef Answer) {
  Expected<json::Value> Value = parseJSON(Answer);
  if (!Value)
    return Value.takeError();
  const json::Object *Fields = Value->getAsObject();
  std::optional<StringRef> Text =
      Fields ? Fields->getString("error") : std::nullopt;
  if (!Text)
    return createStringError("an error without a text");
  auto Number = [&](StringRef Key) {
    return unsigned(Fields->getInteger(Key).value_or(0));
  };
  return make_error<LoweringError>(
      Text->str(), SourcePlace{Fields->getString("file").value_or("").str(),
                               Number("line"), Number("column"), ""});
}

Expected<std::vector<KernelFacts>>
gpuocc::readKernel(StringRef Bytecode, StringRef Kernel,
                   const mlir::DialectRegistry &Registry,
                   const MlirOptions &Options) {
  Expected<std::string> Answer = runInSubprocess([&](raw_ostream &OS) {
    Expected<std::vector<KernelFacts>> All =
        readHere(Bytecode, Kernel, Registry, Options);
    if (All) {
      OS << IsFacts;
      writeBytes(OS, *All);
      return;
    }
    handleAllErrors(
        All.takeError(),
        [&](const LoweringError &E) { OS << IsError << answerOf(E); },
        [&](const ErrorInfoBase &E) {
          OS << IsError << answerOf(LoweringError(E.message(), {}));
        });
  });
  if (!Answer)
    return createStringError("MLIR or LLVM gave up on it: " +
                             toString(Answer.takeError()));
  StringRef Rest = *Answer;
  if (Rest.consume_front(StringRef(&IsError, 1)))
    return errorOf(Rest);
  Rest.consume_front(StringRef(&IsFacts, 1));
  Expected<std::vector<KernelFacts>> All = readKernels(Rest);
  if (All && All->empty())
    return createStringError("no code was generated for it");
  return All;
}
