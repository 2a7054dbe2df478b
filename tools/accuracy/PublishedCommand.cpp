//===- PublishedCommand.cpp - gpu-occupancy-accuracy published ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "PublishedGpus.h"
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

static Error printGpu(const PublishedGpu &Gpu, raw_ostream &OS) {
  const AlphaMix &M = Gpu.Mix;
  bool BoundByIssue = M.IssuePerCycle <= M.AluPerCycle;
  OS << formatv("\n{0} ({1})\n  adds/cycle = 32 alpha min(n / ({2} + {3} "
                "alpha), {4}, {5})\n",
                Gpu.Name, Gpu.Device, number(M.MemLatencyCycles),
                number(M.AluLatencyCycles), number(M.MemPerCycle),
                BoundByIssue ? number(M.IssuePerCycle) + " / (alpha + 1)"
                             : number(M.AluPerCycle) + " / alpha");
  Expected<LineDistance> Distance = lineDistance(Gpu);
  if (!Distance)
    return Distance.takeError();
  OS << formatv("  this project's model through the device database: {0:f3} to "
                "{1:f3} of that line\n",
                Distance->Lowest, Distance->Highest);
  printCusp(Gpu, OS);
  OS << formatv("  {0,-34} {1,10} {2,10}\n", "warps per scheduler, loads alone",
                "published", "refined");
  auto Row = [&](StringRef What, double Published, double Model) {
    OS << formatv("  {0,-34} {1,10:f1} {2,10:f1}\n", What, Published, Model);
  };
  auto Needed = [&](double Fraction) {
    return volkov::refinedNeededWarps(Gpu.at(0), Gpu.contention(), Fraction) /
           Gpu.Schedulers;
  };
  Row("linear estimate", Gpu.NeededLinear,
      volkov::neededWarps(Gpu.at(0)) / Gpu.Schedulers);
  Row("for 90 % of the peak", Gpu.Needed90, Needed(0.90));
  Row("for 95 % of the peak", Gpu.Needed95, Needed(0.95));
  Row("percent at the linear estimate", Gpu.PercentAtLinear,
      percentAtLinear(Gpu));
  return Error::success();
}

Error gpuocc::runPublished(ArrayRef<StringRef> Arguments) {
  if (!Arguments.empty()) {
    bool Help = Arguments.front() == "--help";
    if (!Help)
      return createStringError("published: unknown argument '" +
                               Arguments.front() + "'; it takes none");
    outs() << "usage: gpu-occupancy-accuracy published\n\nThe five GPUs of "
              "Volkov's thesis: model lines and needed occupancy beside the "
              "published numbers.\n";
    return Error::success();
  }
  Expected<std::vector<PublishedGpu>> Gpus =
      readPublishedGpus(GPUOCC_SOURCE_DIR "/test/golden/volkov/gpus.json");
  if (!Gpus)
    return Gpus.takeError();
  for (const PublishedGpu &Gpu : *Gpus)
    if (Error E = printGpu(Gpu, outs()))
      return E;
  return Error::success();
}
