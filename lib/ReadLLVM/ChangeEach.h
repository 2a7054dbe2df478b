//===- ChangeEach.h - Passes that change single instructions ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_CHANGEEACH_H
#define GPUOCC_LIB_READLLVM_CHANGEEACH_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Analysis.h"
#include "llvm/IR/InstIterator.h"

namespace gpuocc {

/// Calls \p Change, which may erase it, with each \p InstT of \p F. It returns
/// whether it changed anything, and leaves the control flow as it is.
template <typename InstT, typename Function>
llvm::PreservedAnalyses changeEach(llvm::Function &F, Function Change) {
  bool Changed = false;
  for (llvm::Instruction &I : llvm::make_early_inc_range(instructions(F)))
    if (auto *Inst = llvm::dyn_cast<InstT>(&I))
      Changed |= Change(*Inst);
  if (!Changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses Kept;
  Kept.preserveSet<llvm::CFGAnalyses>();
  return Kept;
}

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_CHANGEEACH_H
