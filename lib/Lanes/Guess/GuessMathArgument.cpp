//===- GuessMathArgument.cpp - What goes into pow and its like ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guess/Guessers.h"

using namespace gpuocc;

/// Evidence: with such arguments a walk executes what an H200 does
/// (MathLibrary.h).
std::optional<Guess> gpuocc::guessMathArgument(const GuessContext & /*Context*/,
                                               int64_t /*Index*/) {
  Guess G;
  G.Value = 1;
  G.Evidence = "all functions are defined there, and what was normalized lies "
               "there";
  return G;
}
