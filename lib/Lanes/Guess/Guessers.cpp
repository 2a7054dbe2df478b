//===- Guessers.cpp - Who guesses what is unknown -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guess/Guessers.h"

using namespace gpuocc;

namespace {

struct Guesser {
  Mechanism By;
  Question About;
  std::optional<Guess> (*Ask)(const GuessContext &Context, int64_t Index);
};

} // namespace

static constexpr Guesser Guessers[] = {
#define GUESSER(By, About, Function) {Mechanism::By, Question::About, Function},
#include "Guess/Guessers.def"
};

std::optional<Guess> gpuocc::guess(const GuessContext &Context,
                                   const Mechanisms &Used, Question About,
                                   int64_t Index) {
  for (const Guesser &G : Guessers)
    if (G.About == About && Used.has(G.By))
      if (std::optional<Guess> Answer = G.Ask(Context, Index)) {
        Answer->By = G.By;
        return Answer;
      }
  return std::nullopt;
}

std::optional<Guess> gpuocc::guessCondition(const GuessContext &Context,
                                            const Mechanisms &Used,
                                            const Operand &Condition) {
  /// Negations that are looked through.
  constexpr unsigned MaxOperations = 64;
  const Operand *O = &Condition;
  bool Inverted = false;
  for (unsigned Budget = MaxOperations; Budget > 0; --Budget) {
    const Operation *Op = Context.Facts.operationOf(*O);
    if (!Op || Op->Operands.empty())
      return std::nullopt;
    const bool IsNot =
        Op->What == Semantics::Not ||
        (Op->What == Semantics::Xor && Op->Operands.size() == 2 &&
         Op->Operands[1].isImmediate() && (Op->Operands[1].Imm & 1));
    if (!IsNot && Op->What != Semantics::Copy) {
      std::optional<Guess> Answer =
          guess(Context, Used, Question::Condition, O->Index);
      if (Answer && Inverted)
        Answer->Value = 1 - Answer->Value;
      return Answer;
    }
    Inverted ^= IsNot;
    O = &Op->Operands[0];
  }
  return std::nullopt;
}
