//===- AddWarpMasks.cpp - Operations of warps since Volta -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadLLVM/AddWarpMasks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace gpuocc;
using namespace llvm;

static constexpr unsigned Volta = 70;

/// The intrinsic with a mask that does what \p Name does; "" for others.
static std::string withMask(StringRef Name) {
  if (Name.contains(".sync"))
    return "";
  if (Name.consume_front("llvm.nvvm.shfl."))
    return ("llvm.nvvm.shfl.sync." + Name).str();
  return Name.starts_with("llvm.nvvm.vote.") ? (Name + ".sync").str() : "";
}

void gpuocc::addWarpMasks(Module &M, const TargetMachine &TM) {
  StringRef Cpu = TM.getTargetCPU();
  unsigned Architecture = 0;
  if (!M.getTargetTriple().isNVPTX() || !Cpu.consume_front("sm_") ||
      Cpu.consumeInteger(10, Architecture) || Architecture < Volta)
    return;
  for (Function &F : make_early_inc_range(M)) {
    const Intrinsic::ID ID =
        F.isIntrinsic() ? Intrinsic::lookupIntrinsicID(withMask(F.getName()))
                        : Intrinsic::not_intrinsic;
    if (ID == Intrinsic::not_intrinsic)
      continue;
    Function *New = Intrinsic::getOrInsertDeclaration(&M, ID);
    for (User *U : make_early_inc_range(F.users())) {
      auto *Call = dyn_cast<CallInst>(U);
      if (!Call)
        continue;
      IRBuilder<> B(Call);
      SmallVector<Value *, 4> Operands = {B.getInt32(~0u)};
      append_range(Operands, Call->args());
      Call->replaceAllUsesWith(B.CreateCall(New, Operands));
      Call->eraseFromParent();
    }
  }
}
