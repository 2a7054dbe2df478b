//===- Guessers.h - Who guesses what is unknown -----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every guess about a kernel is asked for here: a table of functions of one
/// signature (Guessers.def), each with a name, a switch and its evidence. What
/// the code or a launch says is no guess and is looked up before.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_GUESS_GUESSERS_H
#define GPUOCC_LIB_LANES_GUESS_GUESSERS_H

#include "Analysis/ParameterRoles.h"
#include "Analysis/StaticTraits.h"
#include "gpuocc/Kernel/Guess.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Launch.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <optional>

namespace gpuocc {

/// Kinds of unknowns, with what the index of a question is.
enum class Question : uint8_t {
  /// Whether a comparison holds: an index in KernelFacts::Operations.
  Condition,
  /// Where a branch goes that loaded data decides: KernelFacts::Branches.
  Branch,
  /// An argument, or a member of one: its offset in parameter memory.
  Argument,
  /// How often a loop repeats: KernelFacts::Loops.
  TripCount,
  /// Where an access goes whose address rests on loaded data:
  /// KernelFacts::Accesses.
  LoadedIndex,
  /// How long a compare-and-swap is tried: KernelFacts::Accesses.
  Swap,
  /// What an atomic on a counter returns: KernelFacts::Accesses.
  Counter,
  /// What goes into mathematical functions; there is no index.
  MathArgument
};

/// Where an index goes in the last block of a launch.
struct IndexRange {
  int64_t Largest = 0;
  /// The least distance between indices of two threads: the elements that a
  /// thread takes with one access where these lie side by side.
  int64_t Step = 1;
  /// Behind the last element.
  int64_t end() const { return Largest + Step; }
};

/// What a guess of arguments and trip counts may rest on.
struct GuessedLaunch {
  Dim3 Grid, Block;
  /// What is taken for an argument of which nothing is known.
  int64_t DefaultArgument = 0;
  double DefaultTripCount = 1;
  /// Of the indices that the role of an argument names, those that can be
  /// evaluated, by their operation.
  std::map<uint32_t, IndexRange> Ranges = {};

  /// The range of operation \p Index; null where it is not known.
  const IndexRange *rangeOf(uint32_t Index) const {
    auto It = Ranges.find(Index);
    return It == Ranges.end() ? nullptr : &It->second;
  }
};

/// What a guess may rest on. What is not there yet is empty or null: what a
/// kernel does with its values is known before a launch is looked at.
struct GuessContext {
  const KernelFacts &Facts;
  /// Parallel to KernelFacts::Operations.
  llvm::ArrayRef<StaticTraits> Traits;
  const std::map<int64_t, ParameterRole> *Roles = nullptr;
  const GuessedLaunch *Launched = nullptr;
};

/// The guess about \p About number \p Index of the first row of Guessers.def
/// that \p Used has and that answers; nothing if none does.
std::optional<Guess> guess(const GuessContext &Context, const Mechanisms &Used,
                           Question About, int64_t Index);

/// The share of executions in which \p Condition holds as far as a comparison
/// behind it tells, through negations; nothing if none does.
std::optional<Guess> guessCondition(const GuessContext &Context,
                                    const Mechanisms &Used,
                                    const Operand &Condition);

#define GUESSER(By, About, Function)                                           \
  std::optional<Guess> Function(const GuessContext &Context, int64_t Index);
#include "Guess/Guessers.def"

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_GUESS_GUESSERS_H
