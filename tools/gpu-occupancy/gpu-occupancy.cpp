//===- gpu-occupancy.cpp - The command line -------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// gpu-occupancy analyze kernel.cu
///
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "driver/Dispatch.h"
#include "driver/Finish.h"
#include "llvm/Support/InitLLVM.h"

using namespace gpuocc;
using namespace llvm;

static constexpr Command Commands[] = {
    {"analyze", "assess the kernels of source files", runAnalyze},
    {"explain", "show how the numbers of one kernel come about", runExplain},
    {"explain-rule", "print the page of a rule", runExplainRule},
    {"check", "compare with a baseline or with a commit, as a gate", runCheck},
    {"lock", "write down what each kernel takes, and check it", runLock},
    {"summary", "read many reports as one", runSummary},
    {"diff", "compare two reports", runDiff},
    {"compare", "show a report beside a profile of Nsight Compute", runCompare},
    {"occupancy", "how many blocks an SM holds, and what would gain one",
     runOccupancy},
    {"record", "run the host code without a GPU and write its launches down",
     runRecord},
    {"profile", "run a program without a GPU and predict what its kernels take",
     runProfile},
    {"lsp", "answer an editor over standard input and output", runLsp},
    {"device", "list, show, check and compare device databases", runDevice},
};

int main(int Argc, char **Argv) {
  InitLLVM Init(Argc, Argv);
  expectFullDisks();
  std::vector<StringRef> Arguments(Argv + 1, Argv + Argc);
  return finish(ProgramName, dispatch(ProgramName, Commands, Arguments));
}
