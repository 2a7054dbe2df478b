//===- LiftPtx.cpp - PTX to LLVM IR -------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadPtx/LiftPtx.h"
#include "FunctionLifter.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/TargetParser/Triple.h"

using namespace gpuocc;
using namespace llvm;

/// Does \p M keep addresses of shared memory in registers of 32 bits? LLVM
/// writes either for a whole module.
static bool hasShortPointers(const PtxModule &M) {
  StringSet<> Shared;
  auto Note = [&](const PtxVariable &V) {
    if (V.Space == "shared")
      Shared.insert(V.Name);
  };
  for (const PtxVariable &V : M.Variables)
    Note(V);
  for (const PtxFunction &F : M.Functions)
    for (const PtxVariable &V : F.Variables)
      Note(V);
  for (const PtxFunction &F : M.Functions)
    for (const PtxStatement &S : F.Body)
      if (S.K == PtxStatement::Kind::Instruction && S.Operands.size() == 2 &&
          S.Text.starts_with("mov.") && S.Operands[1].isName() &&
          Shared.contains(S.Operands[1].Name))
        return S.Text.ends_with("32");
  return false;
}

Expected<std::unique_ptr<Module>>
gpuocc::liftPtx(const PtxModule &From, LLVMContext &Context, LiftedFor Use) {
  auto To = std::make_unique<Module>(From.FileName, Context);
  const Triple T(From.AddressBits == 32 ? "nvptx-nvidia-cuda"
                                        : "nvptx64-nvidia-cuda");
  To->setTargetTriple(T);
  To->setDataLayout(T.computeDataLayout(
      Use == LiftedFor::Reading && hasShortPointers(From) ? "shortptr" : ""));
  To->setSourceFileName(From.FileName);
  ModuleSymbols Symbols(From, *To);
  DebugLines Lines(From, *To);
  Symbols.declareFunctions();
  for (const PtxFunction &F : From.Functions) {
    if (!Symbols.Problem.empty())
      break;
    if (!F.HasBody)
      continue;
    Function &New = *Symbols.function(F.Name);
    if (!New.empty()) {
      Symbols.fail(F.Place, "function '" + F.Name + "' is defined twice");
      break;
    }
    Lines.enter(F, New);
    FunctionLifter(Symbols, Lines, F, New).run();
  }
  if (!Symbols.Problem.empty())
    return createStringError(Symbols.Problem);
  Lines.finish();
  std::string Wrong;
  raw_string_ostream OS(Wrong);
  if (verifyModule(*To, &OS))
    return createStringError(From.FileName +
                             ": error: code that cannot be "
                             "lifted: " +
                             StringRef(Wrong).split('\n').first);
  return To;
}
