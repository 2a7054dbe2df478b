//===- ReadKernel.cpp - A kernel of MLIR to facts -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadKernel.h"
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

/// What takes the place of facts, as JSON.
static json::Object answerOf(const LoweringError &E) {
  return json::Object{{"error", E.Text},
                      {"file", E.Place.File},
                      {"line", E.Place.Line},
                      {"column", E.Place.Column}};
}

/// The error that \p Line, an answer, tells of; none where it is facts.
static Error errorOf(StringRef Line) {
  Expected<json::Value> Value = parseJSON(Line);
  const json::Object *Fields = Value ? Value->getAsObject() : nullptr;
  if (!Value)
    return Value.takeError();
  std::optional<StringRef> Text =
      Fields ? Fields->getString("error") : std::nullopt;
  if (!Text)
    return Error::success();
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
  Expected<std::string> Text = runInSubprocess([&](raw_ostream &OS) {
    Expected<std::vector<KernelFacts>> All =
        readHere(Bytecode, Kernel, Registry, Options);
    if (All) {
      for (const KernelFacts &Facts : *All) {
        json::OStream J(OS);
        writeJSON(J, Facts);
        J.flush();
        OS << '\n';
      }
      return;
    }
    handleAllErrors(
        All.takeError(),
        [&](const LoweringError &E) { OS << json::Value(answerOf(E)) << '\n'; },
        [&](const ErrorInfoBase &E) {
          OS << json::Value(answerOf(LoweringError(E.message(), {}))) << '\n';
        });
  });
  if (!Text)
    return createStringError("MLIR or LLVM gave up on it: " +
                             toString(Text.takeError()));
  std::vector<KernelFacts> All;
  SmallVector<StringRef, 2> Lines;
  StringRef(*Text).split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines) {
    if (Error E = errorOf(Line))
      return std::move(E);
    Expected<KernelFacts> Facts = parseKernelFacts(Line);
    if (!Facts)
      return Facts.takeError();
    All.push_back(std::move(*Facts));
  }
  if (All.empty())
    return createStringError("no code was generated for it");
  return All;
}
