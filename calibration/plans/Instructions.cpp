//===- Instructions.cpp - Latency, issue, throughput ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools.h"
#include "gpuocc/Support/InstClass.h"
#include "kernels/Absent.h"
#include "kernels/Arithmetic.h"
#include "kernels/Memory.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace gpuocc::calibration {

static std::vector<double> scaled(std::vector<double> Samples, double Offset,
                                  double Divisor) {
  for (double &X : Samples)
    X = (X - Offset) / Divisor;
  return Samples;
}

static constexpr unsigned WarpSteps[] = {1,  2,  4,  6,  8,  10, 12, 14, 16,
                                         20, 24, 28, 32, 40, 48, 56, 64};

/// The loops of one class, loaded.
struct LoadedClass {
  const ArithmeticSpec *Spec;
  Module Code;
  std::map<unsigned, CuFunction> ByIlp;
};

static Expected<LoadedClass> loadClass(Session &S, const ArithmeticSpec &Spec) {
  Microkernels Kernels{Spec.Key,
                       {},
                       arithmeticModule(Spec, S.G.target()),
                       {Spec.Opcode, Spec.Unroll * Spec.PerStep}};
  for (unsigned Ilp : IlpSteps)
    if (Ilp <= Spec.MaxIlp)
      Kernels.Entries.push_back(arithmeticKernelName(Ilp));
  Expected<Module> M = S.load(Kernels);
  if (!M)
    return M.takeError();
  LoadedClass C{&Spec, std::move(*M), {}};
  for (unsigned Ilp : IlpSteps) {
    if (Ilp > Spec.MaxIlp)
      continue;
    Expected<CuFunction> F = C.Code.function(arithmeticKernelName(Ilp));
    if (!F)
      return F.takeError();
    if (Error E = allowShared(S, *F, 160 * 1024))
      return std::move(E);
    C.ByIlp[Ilp] = *F;
  }
  Expected<CuDevicePtr> In = S.G.input(arithmeticInput(Spec.Kind, Spec.Width));
  if (!In)
    return In.takeError();
  return C;
}

namespace {

/// Measures one class, number by number.
class ClassMeasurement {
public:
  ClassMeasurement(Session &S, LoadedClass &C, double LoopCycles,
                   double ClassNumber, Table &Curves)
      : S(S), C(C), Spec(*C.Spec), LoopCycles(LoopCycles),
        ClassNumber(ClassNumber), Instructions(Spec.Unroll * Spec.PerStep),
        Curves(Curves) {}

  Error run() {
    set("pipe", Spec.Pipe);
    if (Error E = measureOneWarp())
      return E;
    if (Error E = measureCurve())
      return E;
    return measurePeak();
  }

private:
  Error measureOneWarp();
  void setLatency(const std::vector<double> &Cycles);
  Error measureCurve();
  Error measurePeak();
  void set(StringRef Key, json::Value V) {
    S.Db.setInstruction(Spec.Key, Key, std::move(V));
  }

  Session &S;
  LoadedClass &C;
  const ArithmeticSpec &Spec;
  const double LoopCycles, ClassNumber, Instructions;
  Table &Curves;
  /// Warps and throughput of the curve at one chain.
  std::vector<std::pair<double, double>> AtIlp1;
  unsigned BestWarps = 0, BestIlp = 0;
};

} // namespace

/// Latency at ILP 1, issue interval at the best ILP.
Error ClassMeasurement::measureOneWarp() {
  Summary Issue;
  unsigned IssueIlp = 1;
  for (auto [Ilp, F] : C.ByIlp) {
    Launch L;
    L.Function = F;
    Expected<std::vector<double>> Samples =
        S.perIteration(L, S.repeats(), Clock::Warp);
    if (!Samples)
      return Samples.takeError();
    std::vector<double> Cycles = scaled(*Samples, LoopCycles, Instructions);
    Summary Now = summarize(Cycles);
    if (Ilp == 1 && Spec.Chained)
      setLatency(Cycles);
    if (Issue.Samples == 0 || Now.Minimum < Issue.Minimum) {
      Issue = Now;
      IssueIlp = Ilp;
    }
  }
  set("issue_cycles", measured(Issue, Take::Minimum, "cycle",
                               "one warp, " + std::to_string(IssueIlp) +
                                   " independent chains"));
  return Error::success();
}

void ClassMeasurement::setLatency(const std::vector<double> &Cycles) {
  const char *Partner = Spec.Partner;
  if (!Partner) {
    set("latency_cycles", measured(summarize(Cycles), Take::Minimum, "cycle",
                                   "dependent chain, one warp"));
    return;
  }
  // Without its partner, what the chain takes says nothing.
  if (S.Absent.count(Partner))
    return;
  double PartnerLatency =
      S.Db.instructionValue(Partner, "latency_cycles").value_or(0);
  set("latency_cycles", measured(summarize(scaled(Cycles, PartnerLatency, 1)),
                                 Take::Minimum, "cycle",
                                 Twine("chain with ").concat(Partner).str() +
                                     ", its latency taken off"));
}

/// All SMs, over warps: the roofline curve.
Error ClassMeasurement::measureCurve() {
  json::Array Curve;
  double Best = 0;
  for (auto [Ilp, F] : C.ByIlp) {
    if (S.Options.Quick && Ilp != 1 && Ilp != C.ByIlp.rbegin()->first)
      continue;
    for (unsigned Warps : WarpSteps) {
      if (Warps > Spec.MaxWarps || !S.fits(Warps) ||
          (S.Options.Quick && Warps % 4))
        continue;
      Launch L = S.fillSms(F, Warps, S.sms());
      Expected<std::vector<double>> Samples =
          S.perIteration(L, S.curveRepeats(), Clock::Sm);
      if (!Samples)
        return Samples.takeError();
      double PerCycle = Instructions * Warps / summarize(*Samples).Median;
      // The database keeps the coarse curve; all points are raw results.
      if (Warps % 4 == 0 && (Warps <= 16 || Warps % 8 == 0) && Warps != 40 &&
          Warps != 56)
        Curve.push_back(
            json::Object{{"ilp", Ilp},
                         {"warps", Warps},
                         {"per_cycle_sm", std::round(PerCycle * 1e4) / 1e4}});
      Curves.Rows.push_back(
          {ClassNumber, double(Ilp), double(Warps), PerCycle});
      if (Ilp == 1)
        AtIlp1.push_back({Warps, PerCycle});
      if (PerCycle > Best * 1.001) {
        Best = PerCycle;
        BestWarps = Warps;
        BestIlp = Ilp;
      }
    }
  }
  set("curve", std::move(Curve));
  return Error::success();
}

/// The best point of the curve, in long launches.
Error ClassMeasurement::measurePeak() {
  Launch L = S.fillSms(C.ByIlp[BestIlp], BestWarps, S.sms());
  Expected<std::vector<double>> Samples =
      S.perIteration(L, S.repeats(), Clock::Sm, 30e3);
  if (!Samples)
    return Samples.takeError();
  Summary Peak = summarize(rates(*Samples, Instructions * BestWarps));
  set("throughput_per_cycle_sm",
      measured(Peak, Take::Mean, "warp_inst/cycle/SM",
               "all SMs, " + std::to_string(BestWarps) + " warps, " +
                   std::to_string(BestIlp) + " chains"));
  if (std::optional<double> Warps = ridgePoint(AtIlp1, Peak.Mean))
    set("needed_warps",
        derived(*Warps, "warp",
                "95 % of the peak at one chain, from the curve"));
  return Error::success();
}

/// Entries that are not classes of InstClass.def become rows of a table.
static void moveVariants(Database &Db) {
  json::Array Rows;
  for (const ArithmeticSpec &Spec : arithmeticSpecs()) {
    if (parseInstClass(Spec.Key))
      continue;
    auto Cell = [&](StringRef Key) -> json::Value {
      std::optional<double> Value = Db.instructionValue(Spec.Key, Key);
      return Value ? json::Value(*Value) : json::Value(nullptr);
    };
    if (Db.instructionValue(Spec.Key, "issue_cycles"))
      Rows.push_back(json::Array{Spec.Key, Spec.Pipe, Spec.Opcode,
                                 Cell("latency_cycles"), Cell("issue_cycles"),
                                 Cell("throughput_per_cycle_sm"),
                                 Cell("needed_warps")});
    Db.removeInstruction(Spec.Key);
  }
  Db.setTable("instruction_variants",
              json::Object{{"columns",
                            json::Array{"name", "pipe", "opcode", "latency",
                                        "issue", "throughput", "needed_warps"}},
                           {"units", json::Array{"", "", "", "cycle", "cycle",
                                                 "warp_inst/cycle/SM", "warp"}},
                           {"rows", std::move(Rows)},
                           {"source", "as the classes of instructions"},
                           {"date", today()}});
}

/// No chain of VIADD alone can be had: the compiler folds constants. Beside as
/// many LOP3 it takes no time of its own (additions.csv of 2026-11-30T1605).
static void addImmediates(Session &S) {
  const char *Key = "int.add_immediate", *Like = "fp32.add";
  if (S.lacks(Key, ""))
    return;
  S.Db.setInstruction(Key, "pipe", "fma");
  for (auto [Field, Unit] :
       {std::pair("latency_cycles", "cycle"),
        std::pair("issue_cycles", "cycle"),
        std::pair("throughput_per_cycle_sm", "warp_inst/cycle/SM")})
    if (std::optional<double> Value = S.Db.instructionValue(Like, Field))
      S.Db.setInstruction(
          Key, Field,
          derived(*Value, Unit,
                  "as fp32.add: VIADD takes either half of the FMA pipe "
                  "(nvidia-h200, 2026-11-30T1605/viadd.csv), and ptxas 13.0 "
                  "waits as long for it"));
}

Error measureInstructions(Session &S) {
  Expected<double> Loop = S.loopCycles();
  if (!Loop)
    return Loop.takeError();
  Table Curves;
  Curves.Columns = {"class", "ilp", "warps", "throughput"};
  Curves.Units = {"row of the class table", "count", "warp",
                  "warp_inst/cycle/SM"};
  Curves.Source = "instruction chains, all SMs";
  ArrayRef<ArithmeticSpec> Specs = arithmeticSpecs();
  // Before any is measured: a chain may hold one that comes later.
  for (const ArithmeticSpec &Spec : Specs)
    S.lacks(Spec.Key, join(Spec.Steps.begin(), Spec.Steps.end(), "\n"));
  std::string Skipped;
  for (size_t I = 0; I < Specs.size(); ++I) {
    Expected<LoadedClass> C = loadClass(S, Specs[I]);
    if (!C && C.errorIsA<AbsentKernel>()) {
      consumeError(C.takeError());
      continue;
    }
    if (!C) {
      // A class that the driver's compiler does not take is left out.
      Skipped += std::string(Skipped.empty() ? "" : ", ") + Specs[I].Key;
      consumeError(C.takeError());
      continue;
    }
    if (Error E = ClassMeasurement(S, *C, *Loop, I, Curves).run())
      return joinErrors(createStringError("in class '%s'", Specs[I].Key),
                        std::move(E));
    S.OnProgress(double(I + 1) / Specs.size());
  }
  addImmediates(S);
  S.recordChecks();
  if (!Skipped.empty())
    S.Db.setRecord("skipped_classes", Skipped);
  moveVariants(S.Db);
  S.Raw["instruction-curves"] = std::move(Curves);
  return Error::success();
}

Error measureWarpGroupMma(Session &S) {
  static constexpr unsigned InRow = 16;
  static constexpr const char *Transposed = ", 1, 1, 0, 0";
  static constexpr WarpGroupShape Shapes[] = {
      {256, 16, "f32.f16.f16", Transposed, "HGMMA.64x256x16.F32"},
      {128, 16, "f32.f16.f16", Transposed, "HGMMA.64x128x16.F32"},
      {64, 16, "f32.f16.f16", Transposed, "HGMMA.64x64x16.F32"},
      {32, 16, "f32.f16.f16", Transposed, "HGMMA.64x32x16.F32"},
      {16, 16, "f32.f16.f16", Transposed, "HGMMA.64x16x16.F32"},
      {8, 16, "f32.f16.f16", Transposed, "HGMMA.64x8x16.F32"},
      {256, 16, "f16.f16.f16", Transposed, "HGMMA.64x256x16.F16"},
      {256, 16, "f32.bf16.bf16", Transposed, "HGMMA.64x256x16.F32.BF16"},
      {256, 8, "f32.tf32.tf32", ", 1, 1", "HGMMA.64x256x8.F32.TF32"},
      {256, 32, "f32.e4m3.e4m3", ", 1, 1", "QGMMA.64x256x32.F32.E4M3.E4M3"},
      {256, 32, "s32.s8.s8", "", "IGMMA.64x256x32.S8.S8"},
  };
  Table T;
  T.Columns = {"n",       "k",     "inputs",      "sum_bits",
               "latency", "issue", "per_cycle_sm"};
  T.Units = {"count",
             "count",
             "0: f16, 1: bf16, 2: tf32, 3: e4m3, 4: s8",
             "bit",
             "cycle",
             "cycle",
             "warp_inst/cycle/SM"};
  T.Source =
      "m64nNkK from shared memory: one with its wait; 16 in a row by one "
      "warp group; by two on all SMs, four warp instructions a product";
  for (const WarpGroupShape &Shape : Shapes) {
    bool Main = &Shape == Shapes;
    unsigned Repeats = Main ? S.repeats() : S.curveRepeats();
    Expected<CuFunction> One = S.entry(warpGroupMma(Shape, 1), true);
    if (!One)
      return One.takeError();
    Expected<CuFunction> Row = S.entry(warpGroupMma(Shape, InRow), true);
    if (!Row)
      return Row.takeError();
    Launch L;
    L.Function = *One;
    L.Threads = 128;
    L.Z = 0;
    Expected<std::vector<double>> Alone =
        S.perIteration(L, Repeats, Clock::Warp);
    if (!Alone)
      return Alone.takeError();
    L.Function = *Row;
    Expected<std::vector<double>> Issue =
        S.perIteration(L, Repeats, Clock::Warp);
    if (!Issue)
      return Issue.takeError();
    L.Blocks = S.sms();
    L.Threads = 256;
    Expected<std::vector<double>> Full =
        S.perIteration(L, Repeats, Clock::Sm, 40e3);
    if (!Full)
      return Full.takeError();
    // 8 warps, each with InRow instructions an iteration.
    Summary Rate = summarize(rates(*Full, InRow * 8));
    Summary EachInRow = summarize(perUnit(*Issue, InRow));
    StringRef Inputs = StringRef(Shape.Types).rsplit('.').second;
    T.Rows.push_back({double(Shape.N), double(Shape.K),
                      double(StringSwitch<unsigned>(Inputs)
                                 .Case("f16", 0)
                                 .Case("bf16", 1)
                                 .Case("tf32", 2)
                                 .Case("e4m3", 3)
                                 .Default(4)),
                      StringRef(Shape.Types).starts_with("f16") ? 16.0 : 32.0,
                      summarize(*Alone).Minimum, EachInRow.Minimum, Rate.Mean});
    if (StringRef(Shape.Types) != "f32.f16.f16")
      continue;
    const std::string Class = formatv("wgmma.n{0}", Shape.N);
    const std::string Product = formatv("m64n{0}k16", Shape.N);
    S.Db.setInstruction(Class, "pipe", "tensor");
    S.Db.setInstruction(
        Class, "latency_cycles",
        measured(summarize(*Alone), Take::Minimum, "cycle",
                 Product +
                     ", f16 to f32, fence to end of wait, one warp group"));
    S.Db.setInstruction(
        Class, "issue_cycles",
        derived((InRow * EachInRow.Minimum - summarize(*Alone).Minimum) /
                    (InRow - 1),
                "cycle",
                Product + ": 16 in a row with their wait, less one with its "
                          "wait, over 15"));
    S.Db.setInstruction(Class, "throughput_per_cycle_sm",
                        measured(Rate, Take::Mean, "warp_inst/cycle/SM",
                                 Product + ", f16 to f32, all SMs, two warp "
                                           "groups; four warp instructions a "
                                           "product"));
  }
  S.Db.setTable("wgmma_shapes", T.toJson());
  return Error::success();
}

/// Excess of each pair, and from it "producer -> consumer" latencies.
Error measureDependences(Session &S) {
  Expected<double> Loop = S.loopCycles();
  if (!Loop)
    return Loop.takeError();
  std::map<std::string, double> Excess;
  for (const ArithmeticSpec &Spec : dependenceSpecs()) {
    auto [Producer, Consumer] = StringRef(Spec.Key).split(" -> ");
    std::optional<double> First =
        S.Db.instructionValue(Producer, "latency_cycles");
    std::optional<double> Second =
        S.Db.instructionValue(Consumer, "latency_cycles");
    Expected<LoadedClass> C = loadClass(S, Spec);
    if (!C || !First || !Second) {
      if (!C)
        consumeError(C.takeError());
      continue;
    }
    Launch L;
    L.Function = C->ByIlp[1];
    Expected<std::vector<double>> Samples =
        S.perIteration(L, S.repeats(), Clock::Warp);
    if (!Samples)
      return Samples.takeError();
    // PerStep instructions of the producer, one of the consumer.
    double Own = Spec.PerStep * *First + *Second;
    double Beyond =
        summarize(scaled(*Samples, *Loop, Spec.Unroll)).Minimum - Own;
    Excess[Spec.Key] = Beyond;
    // The excess is there and back; either way takes half of it.
    std::string Back = (Consumer + " -> " + Producer).str();
    const char *Source = "latency of the producer and half of what a chain of "
                         "both takes beyond their latencies";
    S.Db.set("dependences", Spec.Key,
             derived(*First + Beyond / 2, "cycle", Source));
    S.Db.set("dependences", Back,
             derived(*Second + Beyond / 2, "cycle", Source));
  }
  for (const ArithmeticSpec &Spec : arithmeticSpecs()) {
    auto Found = Spec.Excess ? Excess.find(Spec.Excess) : Excess.end();
    std::optional<double> Latency =
        S.Db.instructionValue(Spec.Key, "latency_cycles");
    if (Found == Excess.end() || !Latency)
      continue;
    S.Db.setInstruction(Spec.Key, "latency_cycles",
                        derived(*Latency - Found->second, "cycle",
                                std::string("chain with ") + Spec.Partner +
                                    ", its latency and the excess of " +
                                    Spec.Excess + " taken off"));
  }
  return Error::success();
}

} // namespace gpuocc::calibration
