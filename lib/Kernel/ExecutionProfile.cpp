//===- ExecutionProfile.cpp - How often, and by which lanes ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/ExecutionProfile.h"

using namespace gpuocc;

void Assumption::setGuess(const Guess &G) {
  GuessedBy = mechanismInfo(G.By).Key.str();
  Evidence = G.Evidence;
}
