//===- ClassPairs.cpp - Latency from each class to each other -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels/ClassPairs.h"
#include "Session.h"
#include "stats/BothWays.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuocc::calibration {

namespace {
/// What is known of two steps that take turns.
struct Turn {
  ClassStep First, Second;
  double Cycles; ///< From an instruction of the first to its next.
  std::vector<EncodedInstruction> Code; ///< Empty where it is not built in.
};

/// Cycles from a producer to a consumer, by its key and its use of the value.
using Latencies = std::map<std::pair<std::string, std::string>, double>;
} // namespace

/// Measures \p First in turns with each of \p Others.
static Error measureTurns(Session &S, const std::string &Key,
                          const ClassStep &First, ArrayRef<ClassStep> Others,
                          double Loop, std::vector<Turn> &Found) {
  if (S.lacks(First.Key, First.Text))
    return Error::success();
  std::vector<ClassStep> Seconds;
  copy_if(Others, std::back_inserter(Seconds), [&](const ClassStep &Other) {
    bool Wanted = !S.Options.DriverCompiles || First.Representative ||
                  Other.Representative;
    return Wanted && canTakeTurns(First, Other, S.G.facts().Architecture) &&
           !S.lacks(Other.Key, Other.Text);
  });
  if (Seconds.empty())
    return Error::success();
  Microkernels Kernels{Key,
                       {},
                       classPairModule(First, Seconds, S.G.target()),
                       {First.Opcode, ClassPairTurns}};
  for (const ClassStep &Second : Seconds) {
    TimedKernel K = classPair(First, Second);
    Kernels.Entries.push_back(K.Name);
    Kernels.EntryClaims.push_back(K.Claim);
  }
  Expected<Module> M = S.load(Kernels);
  if (!M)
    return joinErrors(createStringError("in pairs '%s'", Key.c_str()),
                      M.takeError());
  StringRef Code = S.G.codeOf(Kernels.Ptx);
  for (const auto &[Second, Name] : zip(Seconds, Kernels.Entries)) {
    Expected<CuFunction> F = M->function(Name);
    if (!F)
      return F.takeError();
    Launch L;
    L.Function = *F;
    Expected<std::vector<double>> Samples =
        S.perIteration(L, 4, S.curveRepeats(), Clock::Warp);
    if (!Samples)
      return Samples.takeError();
    Found.push_back({First, Second,
                     (summarize(*Samples).Minimum - Loop) / ClassPairTurns,
                     instructionsOf(Code, Name)});
  }
  return Error::success();
}

namespace {
/// Opcodes of a class.
struct ClassOpcodes {
  std::set<unsigned> All;
  /// Those that make its result: the ones that set a barrier where some do, so
  /// without the moves behind them.
  std::set<unsigned> Makers;
};
} // namespace

/// How often a kernel holds an instruction of its loop at least: a turn may
/// hold two opcodes for one class in turn.
static constexpr unsigned OftenInLoop = ClassPairTurns / 2;

/// Opcodes of each class: those that most of its turns with others hold often.
static std::map<std::string, ClassOpcodes>
opcodesOfClasses(ArrayRef<Turn> Found) {
  struct Use {
    unsigned Turns = 0, Instructions = 0, Barriers = 0;
  };
  std::map<std::string, std::map<unsigned, Use>> Uses;
  std::map<std::string, unsigned> Turns;
  for (const Turn &T : Found) {
    if (T.First.Key == T.Second.Key)
      continue;
    std::set<unsigned> Often = frequentOpcodes(T.Code, OftenInLoop);
    for (const std::string &Class : {T.First.Key, T.Second.Key}) {
      ++Turns[Class];
      for (unsigned Opcode : Often)
        ++Uses[Class][Opcode].Turns;
      for (const EncodedInstruction &I : T.Code)
        if (Often.count(I.Opcode)) {
          ++Uses[Class][I.Opcode].Instructions;
          Uses[Class][I.Opcode].Barriers += I.SetsBarrier;
        }
    }
  }
  std::map<std::string, ClassOpcodes> Opcodes;
  for (const auto &[Class, Of] : Uses) {
    ClassOpcodes &O = Opcodes[Class];
    std::set<unsigned> WithBarrier;
    for (const auto &[Opcode, U] : Of) {
      if (4 * U.Turns <= 3 * Turns[Class])
        continue;
      O.All.insert(Opcode);
      if (2 * U.Barriers > U.Instructions)
        WithBarrier.insert(Opcode);
    }
    O.Makers = WithBarrier.empty() ? O.All : WithBarrier;
  }
  return Opcodes;
}

/// Whether the loop of \p T holds instructions of other classes, such as moves
/// to where one of the two must have its registers.
static bool holdsOthers(const Turn &T, const ClassOpcodes &First,
                        const ClassOpcodes &Second) {
  return any_of(frequentOpcodes(T.Code, OftenInLoop), [&](unsigned Opcode) {
    return !First.All.count(Opcode) && !Second.All.count(Opcode);
  });
}

/// The column of \p Step.
static std::string consumer(const ClassStep &Step) {
  return Step.Key + Step.Use;
}

/// Latencies of each class to itself: in turns, where values are the same as in
/// turns with others, or else as they were measured by themselves.
static std::map<std::string, double> ownLatencies(const Session &S,
                                                  ArrayRef<Turn> Found) {
  std::map<std::string, double> Own;
  for (const ClassStep &Step : classSteps())
    if (std::optional<double> Latency =
            S.Db.instructionValue(Step.Key, "latency_cycles"))
      Own[Step.Key] = *Latency;
  for (const Turn &T : Found)
    if (T.First.Key == T.Second.Key)
      Own[T.First.Key] = T.Cycles / 2;
  return Own;
}

static Latencies waysOf(const Session &S, ArrayRef<Turn> Found) {
  std::map<std::string, ClassOpcodes> Opcodes = opcodesOfClasses(Found);
  std::map<std::string, double> Own = ownLatencies(S, Found);
  auto OwnOf = [&](const std::string &Class) {
    auto At = Own.find(Class);
    return At == Own.end() ? std::nullopt : std::optional(At->second);
  };
  Latencies Ways;
  for (const Turn &T : Found) {
    const ClassOpcodes &First = Opcodes[T.First.Key],
                       &Second = Opcodes[T.Second.Key];
    if (holdsOthers(T, First, Second))
      continue;
    std::optional<IssueDistance> There, Back;
    // Classes of one opcode cannot be told apart.
    if (none_of(First.Makers,
                [&](unsigned O) { return Second.Makers.count(O) != 0; })) {
      There = issueDistance(T.Code, First.Makers, Second.Makers);
      Back = issueDistance(T.Code, Second.Makers, First.Makers);
    }
    if (std::optional<BothWays> W = bothWays(
            T.Cycles, There, Back, OwnOf(T.First.Key), OwnOf(T.Second.Key))) {
      Ways[{T.First.Key, consumer(T.Second)}] = W->There;
      Ways[{T.Second.Key, consumer(T.First)}] = W->Back;
    }
  }
  for (const ClassStep &Step : classSteps())
    if (std::optional<double> Latency = OwnOf(Step.Key))
      Ways[{Step.Key, consumer(Step)}] = *Latency;
  return Ways;
}

/// From each class to the comparisons: what is left of the turns \p Found of a
/// class and compareAndSelect() when the ways from the comparison over the
/// selection back to the class are taken off.
static void addComparisons(ArrayRef<Turn> Found, Latencies &Ways) {
  const ClassStep &Select = predicateSteps().front();
  for (const Turn &T : Found) {
    auto Selects = Ways.find({T.Second.Key, consumer(Select)});
    auto Back = Ways.find({Select.Key, consumer(T.First)});
    if (Selects != Ways.end() && Back != Ways.end())
      Ways[{T.First.Key, T.Second.Key}] =
          T.Cycles - Selects->second - Back->second;
  }
}

/// The latencies with a row for each producer and a column for each consumer.
static json::Value matrix(const Latencies &Ways) {
  std::vector<std::string> Producers, Consumers;
  for (ArrayRef<ClassStep> Steps :
       {classSteps(), compareSteps(), predicateSteps()})
    for (const ClassStep &Step : Steps) {
      if (!is_contained(Producers, Step.Key))
        Producers.push_back(Step.Key);
      Consumers.push_back(consumer(Step));
    }
  json::Array Columns{"producer"}, Units{""}, Rows;
  for (const std::string &Consumer : Consumers) {
    Columns.push_back(Consumer);
    Units.push_back("cycle");
  }
  for (const std::string &Producer : Producers) {
    json::Array Row{Producer};
    for (const std::string &Consumer : Consumers) {
      auto At = Ways.find({Producer, Consumer});
      // No time at all: the turn was not what its other ways were taken from.
      Row.push_back(At == Ways.end() || At->second <= 0
                        ? json::Value(nullptr)
                        : json::Value(std::round(At->second * 1e2) / 1e2));
    }
    Rows.push_back(std::move(Row));
  }
  return json::Object{
      {"columns", std::move(Columns)},
      {"units", std::move(Units)},
      {"rows", std::move(Rows)},
      {"source",
       "chains in which two classes take turns, one warp; the way there and "
       "the way back are told apart by the stalls in the machine code"},
      {"date", today()}};
}

Error measureClassPairs(Session &S) {
  Expected<double> Loop = S.loopCycles();
  if (!Loop)
    return Loop.takeError();
  if (Error E = S.G.input(std::vector<uint64_t>(64)).takeError())
    return E;
  ArrayRef<ClassStep> Steps = classSteps();
  std::vector<ClassStep> Comparisons;
  for (const ClassStep &Compare : compareSteps())
    Comparisons.push_back(compareAndSelect(Compare));
  std::vector<Turn> Found, Compared;
  for (size_t I = 0; I < Steps.size(); ++I) {
    if (Error E = measureTurns(S, "after " + Steps[I].Key, Steps[I],
                               Steps.drop_front(I), *Loop, Found))
      return E;
    if (Error E = measureTurns(S, "compared " + Steps[I].Key, Steps[I],
                               Comparisons, *Loop, Compared))
      return E;
    S.OnProgress(double(I + 1) / Steps.size());
  }
  for (const ClassStep &Compare : compareSteps())
    if (Error E = measureTurns(S, "after " + Compare.Key, Compare,
                               predicateSteps(), *Loop, Found))
      return E;
  Latencies Ways = waysOf(S, Found);
  addComparisons(Compared, Ways);
  S.Db.setTable("cross_class_latency", matrix(Ways));
  return Error::success();
}

} // namespace gpuocc::calibration
