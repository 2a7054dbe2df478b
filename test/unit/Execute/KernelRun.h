//===- KernelRun.h - Kernels in IR, run by tests ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TEST_UNIT_EXECUTE_KERNELRUN_H
#define GPUOCC_TEST_UNIT_EXECUTE_KERNELRUN_H

#include "gpuocc/Execute/Executor.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

namespace gpuocc {

/// The bitcode of a module for NVPTX with the code \p Body.
inline std::string deviceCode(llvm::StringRef Body) {
  const std::string Text =
      ("target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:"
       "32-n16:32:64\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n" +
       Body)
          .str();
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  std::unique_ptr<llvm::Module> M =
      llvm::parseAssemblyString(Text, Problem, Context);
  if (!M) {
    ADD_FAILURE() << Problem.getLineNo() << ": " << Problem.getMessage().str()
                  << ": " << Problem.getLineContents().str();
    return "";
  }
  std::string Bitcode;
  llvm::raw_string_ostream OS(Bitcode);
  llvm::WriteBitcodeToFile(*M, OS);
  return Bitcode;
}

/// A program with one module.
class KernelRun {
public:
  explicit KernelRun(llvm::StringRef Body, unsigned NumWorkers = 2,
                     bool TellsPaths = false)
      : Run(llvm::cantFail(Executor::create({NumWorkers, TellsPaths}))),
        Module(llvm::cantFail(Run->addModule(deviceCode(Body)))) {}

  /// What launch() fails with; empty where it does not.
  template <typename... T>
  std::string launch(llvm::StringRef Kernel, ExecuteExtent Grid,
                     ExecuteExtent Block, T... Arguments) {
    void *Pointers[] = {&Arguments..., nullptr};
    ExecuteLaunch L;
    L.Grid = Grid;
    L.Block = Block;
    L.DynamicSharedBytes = DynamicSharedBytes;
    L.IsCooperative = IsCooperative;
    L.Arguments = Pointers;
    return llvm::toString(Run->launch(Module, Kernel, L));
  }

  std::unique_ptr<Executor> Run;
  unsigned Module;
  uint64_t DynamicSharedBytes = 0;
  bool IsCooperative = false;
};

/// A kernel k that runs, and what is kept of its launches in the file
/// ExecuteLaunch::*File.
template <std::string ExecuteLaunch::*File> class KeptRun {
public:
  explicit KeptRun(llvm::StringRef Body, unsigned NumWorkers = 1)
      : Kernel(Body, NumWorkers, File == &ExecuteLaunch::PathsFile) {
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("gpuocc", "bin", Path));
  }
  ~KeptRun() { llvm::sys::fs::remove(Path); }

protected:
  /// The file, after a launch that does not fail.
  template <typename... T>
  llvm::StringRef launch(ExecuteExtent Grid, ExecuteExtent Block,
                         T... Arguments) {
    void *Pointers[] = {&Arguments..., nullptr};
    ExecuteLaunch L;
    L.Grid = Grid;
    L.Block = Block;
    L.Arguments = Pointers;
    L.*File = Path.str();
    EXPECT_EQ(toString(Kernel.Run->launch(Kernel.Module, "k", L)), "");
    return Path;
  }

private:
  KernelRun Kernel;
  llvm::SmallString<128> Path;
};

} // namespace gpuocc

#endif // GPUOCC_TEST_UNIT_EXECUTE_KERNELRUN_H
