//===- KernelTable.cpp - Predicted and measured kernels -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTable.h"
#include "LimiterWords.h"
#include "Statistics.h"
#include "gpuocc/Assembler/RegisterPressure.h"
#include "gpuocc/Report/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

StringRef gpuocc::countsKey(CaseCounts Counts) {
  switch (Counts) {
  case CaseCounts::HostCode:
    return "host_code";
  case CaseCounts::NotReached:
    return "not_reached";
  case CaseCounts::Code:
    return "code";
  case CaseCounts::Recorded:
    return "recorded";
  case CaseCounts::Counted:
    return "counted";
  }
  llvm_unreachable("unknown counts");
}

double KernelRow::timesOff() const {
  return gpuocc::timesOff(TimeNs.Predicted, TimeNs.Measured);
}

static Pair registers(const TruthCase &T, const ResourceUse &Predicted,
                      bool IsOfNvcc) {
  // Registers of clang's code are compared with those of a clang build.
  if (!T.isClangBuild() && T.ClangRegisters && !IsOfNvcc)
    return {double(Predicted.RegistersPerThread), double(*T.ClangRegisters)};
  return {double(std::max(Predicted.RegistersPerThread, FewestRegisters)),
          double(T.RegistersPerThread)};
}

Expected<KernelRow> gpuocc::compareKernel(const CaseResult &Case) {
  const TruthCase &T = Case.Truth;
  const Prediction &P = Case.Predicted->Predicted;
  if (!P.Time)
    return createStringError("no time: " + P.Time.reason());
  double Warps = T.numWarps();
  KernelRow Row;
  Row.Case = &Case;
  Row.Instructions = {P.InstructionsPerWarp, T.WarpInstructions / Warps};
  Row.PredictedMix = predictedMix(P.Mix);
  Row.ExecutedMix = executedMix(T.Opcodes, Warps);
  if (!T.Opcodes.empty())
    Row.MixDistance = mixDistance(Row.PredictedMix, Row.ExecutedMix);
  const KernelFacts &Facts = Case.Predicted->Facts;
  Row.Registers = registers(T, Facts.Resources,
                            StringRef(Facts.BuiltBy).starts_with("nvcc"));
  Row.TheoreticalWarps = {double(P.WarpsPerSm), T.TheoreticalWarps};
  Row.ActiveWarps = {P.ActiveWarpsPerSm, T.AchievedWarps};
  Row.Limiter = P.Diagnosed.Unit;
  Row.LimiterAgrees = limitersAgree(T.Limiter, Row.Limiter);
  Row.TimeNs = {P.Time->Ns, T.DurationNs};
  constexpr double SectorBytes = 32;
  Row.L2Bytes = {P.L2BytesPerWarp, T.L2Sectors * SectorBytes / Warps};
  Row.DramReadBytes = {P.DramReadBytesPerWarp, T.DramReadBytes / Warps};
  Row.DramWriteBytes = {P.DramWriteBytesPerWarp, T.DramWriteBytes / Warps};
  return Row;
}

static double relativeError(const Pair &P) {
  return std::fabs(P.Predicted - P.Measured) / P.Measured;
}

static bool assumesNothing(const KernelRow &Row) {
  return Row.Case->Predicted->Profile.Assumptions.empty();
}

KernelTotals gpuocc::summarizeKernels(ArrayRef<KernelRow> Rows,
                                      unsigned NumDeclined) {
  KernelTotals S;
  S.NumDeclined = NumDeclined;
  S.NumCases = Rows.size() + NumDeclined;
  std::vector<double> Instructions, Mixes, Times, TimesOff;
  for (const KernelRow &Row : Rows) {
    Instructions.push_back(relativeError(Row.Instructions));
    if (Row.MixDistance)
      Mixes.push_back(*Row.MixDistance);
    Times.push_back(relativeError(Row.TimeNs));
    TimesOff.push_back(Row.timesOff());
  }
  S.MedianInstructionError = quantile(Instructions, 0.5);
  S.MedianMixDistance = quantile(Mixes, 0.5);
  S.MedianTimeError = quantile(Times, 0.5);
  S.MeanTimesOff = geometricMean(TimesOff);
  S.TimesOff90 = quantile(TimesOff, 0.9);
  auto Share = [&](auto Holds) {
    return Rows.empty() ? 0 : double(count_if(Rows, Holds)) / Rows.size();
  };
  S.LimiterAgreement =
      Share([](const KernelRow &Row) { return Row.LimiterAgrees; });
  S.RegisterMatches = Share([](const KernelRow &Row) {
    return Row.Registers.Predicted == Row.Registers.Measured;
  });
  S.OccupancyMatches = Share([](const KernelRow &Row) {
    return Row.TheoreticalWarps.Predicted == Row.TheoreticalWarps.Measured;
  });
  S.NumNothingAssumed = count_if(Rows, assumesNothing);
  S.NumSilent = count_if(Rows, [](const KernelRow &Row) {
    return assumesNothing(Row) && Row.timesOff() > SilentTimesOff;
  });
  return S;
}

/// "24/24": predicted and measured counts.
static std::string bothText(const Pair &P) {
  return formatNumber(P.Predicted) + "/" + formatNumber(P.Measured);
}

static std::string textOf(std::optional<double> Value) {
  return Value ? formatNumber(*Value) : "-";
}

static std::string shortId(const TruthCase &T) {
  return StringRef(T.Id).split('/').second.str();
}

/// The groups that differ most, largest first: "imad +3.1, alu -2".
static std::string mixDifferences(const KernelRow &Row) {
  std::vector<std::pair<double, size_t>> Order;
  for (size_t I = 0; I != NumMixGroups; ++I)
    if (double D = Row.PredictedMix[I] - Row.ExecutedMix[I];
        std::fabs(D) >= 0.01 * Row.Instructions.Measured)
      Order.emplace_back(-std::fabs(D), I);
  llvm::sort(Order);
  std::string Text;
  for (auto [Size, I] : Order) {
    double D = Row.PredictedMix[I] - Row.ExecutedMix[I];
    Text += (Text.empty() ? "" : ", ") + mixGroupName(MixGroup(I)).str() +
            (D > 0 ? " +" : " -") + formatNumber(std::fabs(D));
  }
  return Text.empty() ? "none" : Text;
}

static void printPair(StringRef Name, const Pair &P, raw_ostream &OS) {
  OS << formatv("    {0,-28} {1,12} {2,12} {3,8}\n", Name,
                formatNumber(P.Predicted), formatNumber(P.Measured),
                P.Measured ? formatNumber(P.ratio()) : "-");
}

/// The reasons that weigh most: "long_scoreboard 12.3, wait 2".
static std::string topStalls(const TruthCase &T) {
  std::vector<std::pair<double, StringRef>> Order;
  for (const auto &[Reason, Warps] : T.Stalls)
    if (Reason != "selected" && Reason != "not_selected")
      Order.emplace_back(-Warps, Reason);
  llvm::sort(Order);
  std::string Text;
  for (auto [Warps, Reason] : ArrayRef(Order).take_front(3))
    Text +=
        (Text.empty() ? "" : ", ") + Reason.str() + " " + formatNumber(-Warps);
  return Text;
}

static void printMiss(const KernelRow &Row, raw_ostream &OS) {
  const TruthCase &T = Row.Case->Truth;
  const KernelReport &R = *Row.Case->Predicted;
  const Prediction &P = R.Predicted;
  OS << formatv("\n  {0}: {1} times off\n", T.Id, formatNumber(Row.timesOff()));
  OS << formatv("    {0,-28} {1,12} {2,12} {3,8}\n", "per warp", "predicted",
                "measured", "ratio");
  printPair("warp instructions", Row.Instructions, OS);
  printPair("L2 bytes", Row.L2Bytes, OS);
  printPair("DRAM bytes read", Row.DramReadBytes, OS);
  printPair("DRAM bytes written", Row.DramWriteBytes, OS);
  printPair("warps per SM, available", Row.TheoreticalWarps, OS);
  printPair("warps per SM, active", Row.ActiveWarps, OS);
  if (Row.MixDistance)
    OS << "    groups of instructions that differ: " << mixDifferences(Row)
       << '\n';
  OS << "    predicted: " << resourceTitle(P.Diagnosed.Unit) << "; latency "
     << formatNumber(P.Latency.CyclesPerWarp) << " cycles, largest bound "
     << (P.Bounds.empty() ? std::string("none")
                          : resourceKey(P.Bounds.front().What).str() + " " +
                                formatNumber(P.Bounds.front().CyclesPerWarp))
     << " cycles per warp\n";
  OS << "    measured: " << T.Limiter << "; issue slots "
     << formatNumber(T.IssueBusyPercent) << " %, hits L1 "
     << formatNumber(T.L1HitPercent) << " %, L2 "
     << formatNumber(T.L2HitPercent) << " %, stalls " << topStalls(T) << '\n';
  if (Row.Case->Counts != CaseCounts::HostCode)
    OS << "    counts: " << countsKey(Row.Case->Counts) << '\n';
  for (const Assumption &A : R.Profile.Assumptions)
    OS << "    assumed: " << A.What << ": " << A.Taken << '\n';
  if (assumesNothing(Row))
    OS << "    nothing is assumed\n";
  if (P.Interval)
    OS << "    interval: " << formatNumber(P.Interval->LowNs / 1000) << " to "
       << formatNumber(P.Interval->HighNs / 1000) << " us, by "
       << join(P.Interval->DependsOn, ", ") << '\n';
}

static std::vector<KernelRow> worstFirst(ArrayRef<KernelRow> Rows) {
  std::vector<KernelRow> Sorted = Rows.vec();
  llvm::sort(Sorted, [](const KernelRow &A, const KernelRow &B) {
    if (A.timesOff() != B.timesOff())
      return A.timesOff() > B.timesOff();
    return A.Case->Truth.Id < B.Case->Truth.Id;
  });
  return Sorted;
}

void gpuocc::printKernels(ArrayRef<KernelRow> Rows, raw_ostream &OS) {
  std::vector<KernelRow> Sorted = worstFirst(Rows);
  OS << formatv("{0,-58} {1,9} {2,9} {3,6} {4,9} {5,9} {6,6} {7,5} {8,7} "
                "{9,7} {10,-8} {11}\n",
                "case", "us", "us meas", "p/m", "inst/warp", "measured", "p/m",
                "mix", "regs", "warps", "limiter", "measured");
  for (const KernelRow &Row : Sorted)
    OS << formatv(
        "{0,-58} {1,9} {2,9} {3,6} {4,9} {5,9} {6,6} {7,5} {8,7} {9,7} "
        "{10,-8} {11}{12}\n",
        shortId(Row.Case->Truth), formatNumber(Row.TimeNs.Predicted / 1000),
        formatNumber(Row.TimeNs.Measured / 1000),
        formatNumber(Row.TimeNs.ratio()),
        formatNumber(Row.Instructions.Predicted),
        formatNumber(Row.Instructions.Measured),
        formatNumber(Row.Instructions.ratio()), textOf(Row.MixDistance),
        bothText(Row.Registers), bothText(Row.TheoreticalWarps),
        resourceKey(Row.Limiter), limiterWord(Row.Case->Truth.Limiter),
        Row.LimiterAgrees ? "" : " (!)");
  OS << "\nevidence for times that are off by more than "
     << formatNumber(SilentTimesOff) << ":\n";
  for (const KernelRow &Row : Sorted)
    if (Row.timesOff() > SilentTimesOff)
      printMiss(Row, OS);
}

std::string gpuocc::percentOf(std::optional<double> Value) {
  return Value ? formatPercent(*Value) : "-";
}

void gpuocc::printSummary(StringRef Title, const KernelTotals &S,
                          raw_ostream &OS) {
  OS << formatv("{0}: {1} of {2} cases predicted\n", Title,
                S.NumCases - S.NumDeclined, S.NumCases);
  OS << "  warp instructions, median error      "
     << percentOf(S.MedianInstructionError) << '\n'
     << "  instruction mix, median distance     " << textOf(S.MedianMixDistance)
     << '\n'
     << "  registers equal                      "
     << formatPercent(S.RegisterMatches) << '\n'
     << "  theoretical occupancy equal          "
     << formatPercent(S.OccupancyMatches) << '\n'
     << "  limiting unit agrees                 "
     << formatPercent(S.LimiterAgreement) << '\n'
     << "  time, median error                   "
     << percentOf(S.MedianTimeError) << '\n'
     << "  time, times off, geometric mean      " << textOf(S.MeanTimesOff)
     << '\n'
     << "  time, times off, 90th percentile     " << textOf(S.TimesOff90)
     << '\n'
     << "  nothing assumed, off by more than " << formatNumber(SilentTimesOff)
     << "  " << S.NumSilent << " of " << S.NumNothingAssumed << '\n';
}

static void writePair(StringRef Key, const Pair &P, json::OStream &J) {
  J.attributeObject(Key, [&] {
    J.attribute("predicted", P.Predicted);
    J.attribute("measured", P.Measured);
  });
}

static void writeInterval(const TimeInterval &I, json::OStream &J) {
  // JSON has no infinity.
  auto End = [](double Ns) {
    return std::isfinite(Ns) ? json::Value(Ns) : json::Value(nullptr);
  };
  J.attribute("time_ns", json::Array{End(I.LowNs), End(I.HighNs)});
  J.attribute("depends_on", json::Array(I.DependsOn));
}

void gpuocc::writeKernels(ArrayRef<KernelRow> Rows, json::OStream &J) {
  for (const KernelRow &Row : worstFirst(Rows))
    J.object([&] {
      J.attribute("id", Row.Case->Truth.Id);
      J.attribute("counts", countsKey(Row.Case->Counts));
      writePair("time_ns", Row.TimeNs, J);
      writePair("warp_instructions_per_warp", Row.Instructions, J);
      if (Row.MixDistance)
        J.attribute("mix_distance", *Row.MixDistance);
      J.attributeObject("mix_per_warp", [&] {
        for (size_t I = 0; I != NumMixGroups; ++I)
          if (Row.PredictedMix[I] || Row.ExecutedMix[I])
            writePair(mixGroupName(MixGroup(I)),
                      {Row.PredictedMix[I], Row.ExecutedMix[I]}, J);
      });
      writePair("registers", Row.Registers, J);
      writePair("theoretical_warps", Row.TheoreticalWarps, J);
      writePair("active_warps", Row.ActiveWarps, J);
      writePair("l2_bytes_per_warp", Row.L2Bytes, J);
      writePair("dram_read_bytes_per_warp", Row.DramReadBytes, J);
      writePair("dram_write_bytes_per_warp", Row.DramWriteBytes, J);
      J.attribute("limiter", resourceKey(Row.Limiter));
      J.attribute("measured_limiter", Row.Case->Truth.Limiter);
      J.attribute("limiter_agrees", Row.LimiterAgrees);
      J.attributeArray("assumptions", [&] {
        for (const Assumption &A : Row.Case->Predicted->Profile.Assumptions)
          J.value(A.What + ": " + A.Taken);
      });
      if (const auto &I = Row.Case->Predicted->Predicted.Interval)
        J.attributeObject("interval", [&] { writeInterval(*I, J); });
    });
}

void gpuocc::writeSummary(const KernelTotals &S, json::OStream &J) {
  auto Optional = [&](StringRef Key, std::optional<double> Value) {
    if (Value)
      J.attribute(Key, *Value);
  };
  J.attribute("cases", S.NumCases);
  J.attribute("declined", S.NumDeclined);
  Optional("median_instruction_error", S.MedianInstructionError);
  Optional("median_mix_distance", S.MedianMixDistance);
  J.attribute("registers_equal", S.RegisterMatches);
  J.attribute("occupancy_equal", S.OccupancyMatches);
  J.attribute("limiter_agreement", S.LimiterAgreement);
  Optional("median_time_error", S.MedianTimeError);
  Optional("geometric_mean_times_off", S.MeanTimesOff);
  Optional("times_off_90", S.TimesOff90);
  J.attribute("nothing_assumed", S.NumNothingAssumed);
  J.attribute("silent_errors", S.NumSilent);
}
