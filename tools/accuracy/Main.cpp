//===- Main.cpp - How close predictions come ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// gpu-occupancy-accuracy COMMAND ...: predictions beside measurements. Needs
/// no GPU.
///
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "driver/Finish.h"
#include "gpuocc/Support/NearestKey.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

namespace {

struct Command {
  StringLiteral Name;
  StringLiteral Summary;
  Error (*Run)(ArrayRef<StringRef> Arguments);
};

} // namespace

static constexpr Command Commands[] = {
    {"alpha", "mixes over arithmetic intensity and occupancy", runAlpha},
    {"published", "the five GPUs of Volkov's thesis", runPublished},
    {"kernels", "real kernels, measured with hardware counters", runKernels},
    {"registers", "estimated registers beside those of ptxas", runRegisters},
    {"suites", "how exactly the accesses of whole suites are known", runSuites},
    {"monotone", "kernels that a better device makes slower", runMonotone},
    {"pairs", "gains of mended findings", runPairs},
    {"advice", "launch bounds and block sizes that were recommended",
     runAdvice},
    {"streams", "streams of short blocks over occupancy", runStreams},
    {"ablate", "what recorded sets lose without each mechanism", runAblate},
};

static void printUsage(raw_ostream &OS) {
  OS << "usage: gpu-occupancy-accuracy COMMAND [arguments]\n\ncommands:\n";
  for (const Command &C : Commands)
    OS << formatv("  {0,-12}{1}\n", C.Name, C.Summary);
  OS << "\n'gpu-occupancy-accuracy COMMAND --help' prints the options of a "
        "command.\n";
}

static Error run(ArrayRef<StringRef> Arguments) {
  if (Arguments.empty())
    return createStringError(
        "no command given; see 'gpu-occupancy-accuracy --help'");
  StringRef Name = Arguments.consume_front();
  if (Name == "--help" || Name == "-h" || Name == "help") {
    printUsage(outs());
    return Error::success();
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
  Error E = run(Arguments);
  return finish("gpu-occupancy-accuracy",
                E ? Expected<ExitStatus>(std::move(E)) : StatusGood);
}
