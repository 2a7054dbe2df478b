//===- PublishedCommand.cpp - gpu-occupancy-accuracy published ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "PublishedGpus.h"
#include "Statistics.h"
#include "driver/Arguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

/// As the thesis prints it: without trailing zeros.
static std::string number(double Value) {
  std::string Text;
  raw_string_ostream(Text) << format("%g", Value);
  return Text;
}

/// Percent of the peak with as many warps as the linear estimate says.
static double percentAtLinear(const PublishedGpu &Gpu) {
  AlphaMix Loads = Gpu.at(0);
  return 100 / Loads.MemPerCycle *
         volkov::refinedThroughput(Loads, Gpu.contention(),
                                   volkov::neededWarps(Loads));
}

static void printCusp(const PublishedGpu &Gpu, raw_ostream &OS) {
  double Most = 0, At = 0;
  for (double Alpha = 1; Alpha <= 512; Alpha += 0.25)
    if (double Needed = volkov::neededWarps(Gpu.at(Alpha)); Needed > Most)
      Most = Needed, At = Alpha;
  OS << formatv("  cusp: {0:f1} warps at alpha {1:f0}", Most, At);
  if (Gpu.CuspWarps > 0)
    OS << formatv(" (published: {0} at {1})", number(Gpu.CuspWarps),
                  number(Gpu.CuspAlpha));
  OS << formatv("; {0:f1} for loads alone, {1:f1} for additions alone\n",
                volkov::neededWarps(Gpu.at(0)),
                Gpu.Mix.AluLatencyCycles * Gpu.Mix.AluPerCycle);
}

namespace {
/// A number of the thesis beside the refined model's.
struct PublishedNumber {
  StringLiteral Key, What;
  double Published = 0, Refined = 0;
};

/// One GPU through the models.
struct GpuComparison {
  LineDistance Distance;
  std::array<PublishedNumber, 4> Numbers;
};
} // namespace

static Expected<GpuComparison> compare(const PublishedGpu &Gpu) {
  Expected<LineDistance> Distance = lineDistance(Gpu);
  if (!Distance)
    return Distance.takeError();
  auto Needed = [&](double Fraction) {
    return volkov::refinedNeededWarps(Gpu.at(0), Gpu.contention(), Fraction) /
           Gpu.Schedulers;
  };
  return GpuComparison{
      *Distance,
      {{{"warps_linear", "linear estimate", Gpu.NeededLinear,
         volkov::neededWarps(Gpu.at(0)) / Gpu.Schedulers},
        {"warps_90", "for 90 % of the peak", Gpu.Needed90, Needed(0.90)},
        {"warps_95", "for 95 % of the peak", Gpu.Needed95, Needed(0.95)},
        {"percent_at_linear", "percent at the linear estimate",
         Gpu.PercentAtLinear, percentAtLinear(Gpu)}}}};
}

static void printGpu(const PublishedGpu &Gpu, const GpuComparison &Of,
                     raw_ostream &OS) {
  const AlphaMix &M = Gpu.Mix;
  bool BoundByIssue = M.IssuePerCycle <= M.AluPerCycle;
  OS << formatv("\n{0} ({1})\n  adds/cycle = 32 alpha min(n / ({2} + {3} "
                "alpha), {4}, {5})\n",
                Gpu.Name, Gpu.Device, number(M.MemLatencyCycles),
                number(M.AluLatencyCycles), number(M.MemPerCycle),
                BoundByIssue ? number(M.IssuePerCycle) + " / (alpha + 1)"
                             : number(M.AluPerCycle) + " / alpha");
  OS << formatv("  this project's model through the device database: {0:f3} to "
                "{1:f3} of that line\n",
                Of.Distance.Lowest, Of.Distance.Highest);
  printCusp(Gpu, OS);
  OS << formatv("  {0,-34} {1,10} {2,10}\n", "warps per scheduler, loads alone",
                "published", "refined");
  for (const PublishedNumber &N : Of.Numbers)
    OS << formatv("  {0,-34} {1,10:f1} {2,10:f1}\n", N.What, N.Published,
                  N.Refined);
}

static void writeGpu(const PublishedGpu &Gpu, const GpuComparison &Of,
                     json::OStream &J) {
  J.object([&] {
    J.attribute("gpu", Gpu.Name);
    J.attribute("device", Gpu.Device);
    J.attribute("lowest_of_line", Of.Distance.Lowest);
    J.attribute("highest_of_line", Of.Distance.Highest);
    for (const PublishedNumber &N : Of.Numbers)
      J.attribute(N.Key, json::Object{{"published", N.Published},
                                      {"refined", N.Refined}});
  });
}

/// The extremes over all GPUs.
static json::Object summaryOf(ArrayRef<GpuComparison> Compared) {
  double Lowest = 1, Highest = 1, Worst = 1;
  for (const GpuComparison &Of : Compared) {
    Lowest = std::min(Lowest, Of.Distance.Lowest);
    Highest = std::max(Highest, Of.Distance.Highest);
    for (const PublishedNumber &N : Of.Numbers)
      Worst = std::max(Worst, timesOff(N.Refined, N.Published));
  }
  return json::Object{{"lowest_of_line", Lowest},
                      {"highest_of_line", Highest},
                      {"worst_times_off", Worst}};
}

static constexpr StringLiteral PublishedUsage =
    "usage: gpu-occupancy-accuracy published [options]\n"
    "\n"
    "The five GPUs of Volkov's thesis: model lines and needed occupancy beside "
    "the\n"
    "published numbers.\n";

Error gpuocc::runPublished(ArrayRef<StringRef> Arguments) {
  std::string Format = "text";
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, PublishedUsage,
                  {{"--format", "text|json", "form of the table",
                    storeWord(Format, {"text", "json"})}});
  if (!Parsed || Parsed->Help)
    return Parsed.takeError();
  if (!Parsed->Positional.empty())
    return createStringError("published takes no '" +
                             Parsed->Positional.front() + "'");
  Expected<std::vector<PublishedGpu>> Gpus =
      readPublishedGpus(GPUOCC_SOURCE_DIR "/test/golden/volkov/gpus.json");
  if (!Gpus)
    return Gpus.takeError();
  std::vector<GpuComparison> Compared;
  for (const PublishedGpu &Gpu : *Gpus) {
    Expected<GpuComparison> Of = compare(Gpu);
    if (!Of)
      return Of.takeError();
    Compared.push_back(std::move(*Of));
  }
  if (Format == "text") {
    for (const auto &[Gpu, Of] : zip_equal(*Gpus, Compared))
      printGpu(Gpu, Of, outs());
    return Error::success();
  }
  json::OStream J(outs(), /*IndentSize=*/1);
  J.object([&] {
    J.attributeArray("gpus", [&] {
      for (const auto &[Gpu, Of] : zip_equal(*Gpus, Compared))
        writeGpu(Gpu, Of, J);
    });
    J.attribute("summary", summaryOf(Compared));
  });
  outs() << '\n';
  return Error::success();
}
