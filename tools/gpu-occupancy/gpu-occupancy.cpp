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
#include "driver/Finish.h"
#include "driver/Session.h"
#include "gpuocc/Support/NearestKey.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

namespace {

struct Command {
  StringLiteral Name;
  StringLiteral Summary;
  Expected<ExitStatus> (*Run)(ArrayRef<StringRef> Arguments);
};

} // namespace

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

static void printUsage(raw_ostream &OS) {
  OS << "usage: gpu-occupancy COMMAND [arguments]\n\ncommands:\n";
  for (const Command &C : Commands)
    OS << "  " << left_justify(C.Name, 14) << C.Summary << '\n';
  OS << "\n'gpu-occupancy COMMAND --help' prints the options of a command; "
        "'gpu-occupancy --version' the version.\n";
}

static Expected<ExitStatus> run(ArrayRef<StringRef> Arguments) {
  if (Arguments.empty())
    return createStringError("no command given; see 'gpu-occupancy --help'");
  StringRef Name = Arguments.consume_front();
  if (Name == "--help" || Name == "-h" || Name == "help") {
    printUsage(outs());
    return StatusGood;
  }
  if (Name == "--version") {
    outs() << toolVersion() << '\n';
    return StatusGood;
  }
  SmallVector<StringRef, 8> Names;
  for (const Command &C : Commands) {
    if (C.Name == Name)
      return C.Run(Arguments);
    Names.push_back(C.Name);
  }
  return createStringError("unknown command '" + Name + "'" +
                           didYouMean(Name, Names));
}

int main(int Argc, char **Argv) {
  InitLLVM Init(Argc, Argv);
  expectFullDisks();
  std::vector<StringRef> Arguments(Argv + 1, Argv + Argc);
  return finish(ProgramName, run(Arguments));
}
