//===- Guess.h - What is taken for what is unknown --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_GUESS_H
#define GPUOCC_KERNEL_GUESS_H

#include "gpuocc/Support/Mechanism.h"
#include <string>

namespace gpuocc {

/// What is taken for something unknown: how a branch on loaded data
/// goes, what an argument is that no launch gives, how often a loop repeats.
///
/// A guess has a name, which is the key of the mechanism that makes it
/// (`--without=KEY` switches it off), a value and what speaks for it.
struct Guess {
  Mechanism By = Mechanism::TrapProbability;
  /// Of conditions and branches: the share of executions in which the condition
  /// holds, or the first target is taken. Of arguments: the argument. Of trip
  /// counts: iterations per entry. Of loaded indices: the share of what they
  /// may reach that they are drawn from. Of compare-and-swaps: turns that one
  /// takes from one of another warp. Of counters: the first number. Of
  /// mathematical functions: the upper end of the range from 0 on.
  double Value = 0;
  /// Of conditions: it holds for all lanes of a warp or for none; otherwise
  /// each lane draws for itself.
  bool ForWarp = false;
  /// A clause: "the other side ends in a trap".
  std::string Evidence;
  bool operator==(const Guess &) const = default;
};

} // namespace gpuocc

#endif // GPUOCC_KERNEL_GUESS_H
