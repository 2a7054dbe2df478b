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
#include "driver/Dispatch.h"
#include "driver/Finish.h"
#include "llvm/Support/InitLLVM.h"

using namespace gpuocc;
using namespace llvm;

static constexpr Command Commands[] = {
    {"alpha", "mixes over arithmetic intensity and occupancy",
     orFail<runAlpha>},
    {"published", "the five GPUs of Volkov's thesis", orFail<runPublished>},
    {"kernels", "real kernels, measured with hardware counters",
     orFail<runKernels>},
    {"registers", "estimated registers beside those of ptxas",
     orFail<runRegisters>},
    {"suites", "how exactly the accesses of whole suites are known",
     orFail<runSuites>},
    {"monotone", "kernels that a better device makes slower",
     orFail<runMonotone>},
    {"pairs", "gains of mended findings", orFail<runPairs>},
    {"advice", "launch bounds and block sizes that were recommended",
     orFail<runAdvice>},
    {"streams", "streams of short blocks over occupancy", orFail<runStreams>},
    {"ablate", "what recorded sets lose without each mechanism",
     orFail<runAblate>},
};

int main(int Argc, char **Argv) {
  InitLLVM Init(Argc, Argv);
  expectFullDisks();
  std::vector<StringRef> Arguments(Argv + 1, Argv + Argc);
  constexpr StringLiteral Program = "gpu-occupancy-accuracy";
  return finish(Program, dispatch(Program, Commands, Arguments));
}
