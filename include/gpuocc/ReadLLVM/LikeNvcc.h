//===- LikeNvcc.h - IR as nvcc would have made it ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Passes for a program that nvcc builds and clang only looks at: they make
/// clang's IR what nvcc's front end and optimizer make of the same source,
/// where the two were seen to differ. test/lit/command/built-by.test holds one
/// kernel for each, with what nvcc 13.0 makes of it.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_READLLVM_LIKENVCC_H
#define GPUOCC_READLLVM_LIKENVCC_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
class LPMUpdater;
struct LoopStandardAnalysisResults;
} // namespace llvm

namespace gpuocc {

/// Copies of structures, before anything is optimized. Clang writes memcpy,
/// which the NVPTX backend expands to a load and a store for each eight bytes,
/// in turns. nvcc loads all, then stores all, each in pieces as large as the
/// alignment of the type, up to 16 bytes.
struct CopyLikeNvccPass : llvm::PassInfoMixin<CopyLikeNvccPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &);
};

/// Divisions by variables that loops multiply by powers of two (`for (s = 1;
/// s < n; s *= 2) if (i % (2 * s) == 0)`), before LLVM sees what they are: nvcc
/// divides, LLVM masks and shifts. Unknown functions stand for them.
struct HideDivisionsLikeNvccPass
    : llvm::PassInfoMixin<HideDivisionsLikeNvccPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &);
};

/// Makes divisions of them again, after everything is optimized.
struct ShowDivisionsLikeNvccPass
    : llvm::PassInfoMixin<ShowDivisionsLikeNvccPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &);
};

/// Functions of the C library whose arguments are constants (`pow(2.0, 23.0)`),
/// before anything is inlined: nvcc computes them, where clang has the code of
/// libdevice.
struct FoldMathLikeNvccPass : llvm::PassInfoMixin<FoldMathLikeNvccPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &);
};

/// Loops that walk over local arrays, before LLVM looks for loops to unroll:
/// nvcc unrolls those of a fixed number of turns much further than others, and
/// so keeps the arrays in registers.
struct UnrollLikeNvccPass : llvm::PassInfoMixin<UnrollLikeNvccPass> {
  llvm::PreservedAnalyses
  run(llvm::Loop &L,
      llvm::AnalysisManager<llvm::Loop, llvm::LoopStandardAnalysisResults &> &,
      llvm::LoopStandardAnalysisResults &Results, llvm::LPMUpdater &);
};

/// Loops that take the lowest bit from a number until none is left (`x &= x -
/// 1`), before LLVM deletes loops without a result: nvcc counts the bits with
/// one instruction, which LLVM does for targets that say that they are fast at
/// it, and NVPTX does not.
struct CountBitsLikeNvccPass : llvm::PassInfoMixin<CountBitsLikeNvccPass> {
  llvm::PreservedAnalyses
  run(llvm::Loop &L,
      llvm::AnalysisManager<llvm::Loop, llvm::LoopStandardAnalysisResults &> &,
      llvm::LoopStandardAnalysisResults &Results, llvm::LPMUpdater &);
};

/// Matrix loads and stores (wmma), after everything is optimized: they get the
/// address space of the object that they reach, which LLVM infers only for
/// plain accesses.
struct PlaceLikeNvccPass : llvm::PassInfoMixin<PlaceLikeNvccPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &);
};

} // namespace gpuocc

#endif // GPUOCC_READLLVM_LIKENVCC_H
