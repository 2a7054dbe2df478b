//===- MonotoneCommand.cpp - gpu-occupancy-accuracy monotone --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "driver/Arguments.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Report/JSON.h"
#include "gpuocc/Support/ReadInput.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral MonotoneUsage =
    "usage: gpu-occupancy-accuracy monotone REPORT.json [options]\n"
    "\n"
    "Makes each throughput of a device a tenth higher and each latency a "
    "tenth\n"
    "lower, one at a time, and names the kernels of the report that become\n"
    "slower by it. The report is one that 'gpu-occupancy analyze\n"
    "--format=json --with-facts' writes.\n";

/// A better value of a number in \p Unit, over its value; 1 where neither more
/// nor less of it is better by itself: counts, sizes, masks.
static double betterTimes(StringRef Unit) {
  constexpr double Faster = 1.1, Shorter = 0.9;
  return StringSwitch<double>(Unit)
      .Cases({"cycle", "ns"}, Shorter)
      .Cases({"MHz", "GB/s", "byte/cycle", "byte/cycle/SM", "inst",
              "inst/cycle", "line/cycle/SM", "op/cycle", "op/cycle/SM",
              "sector/cycle/SM", "warp_inst/cycle/SM"},
             Faster)
      .Default(1);
}

/// Shorter pieces can make the schedule of a warp, in which an instruction goes
/// when it can, longer as a whole, as with any list of jobs (Graham 1969,
/// "Bounds on Multiprocessing Timing Anomalies"). The bundled examples show up
/// to 0.54 %; a mechanism that goes the wrong way shows more.
static constexpr double Anomaly = 0.006;

/// Deviations are no latencies but their scatter. Loads that come in together
/// because they differ less may wait for one another.
static bool isScatter(StringRef Place) { return Place.contains("deviation"); }

/// Calls \p Do with each number of \p Device that a prediction may read.
static void forEachNumber(DeviceModel &Device,
                          function_ref<void(const Twine &, Number &)> Do) {
  for (auto &[Q, N] : Device.Quantities)
    Do(quantityInfo(Q).Key, N);
  for (auto &[Class, Timing] : Device.Instructions)
    for (unsigned I = 0; I != NumTimingFields; ++I)
      if (std::optional<Number> &N = timingField(Timing, TimingField(I)))
        Do(instClassKey(Class) + "." + timingFieldKey(TimingField(I)), *N);
  for (auto &[D, N] : Device.Dependences)
    Do(dependenceKey(D), N);
  for (auto &[Level, Fit] : Device.Contention) {
    Do(Level + ".a", Fit.A);
    Do(Level + ".b", Fit.B);
    Do(Level + ".c", Fit.C);
  }
}

static std::vector<double> timesOn(const DeviceModel &Device,
                                   ArrayRef<KernelReport> Kernels) {
  Predictor Model(Device);
  std::vector<double> Times;
  for (const KernelReport &K : Kernels) {
    const Prediction P = Model.predict(K.Facts, K.Profile, K.Launched,
                                       PredictDetail::Comparison);
    Times.push_back(P.Time ? P.Time->Ns : 0);
  }
  return Times;
}

Error gpuocc::runMonotone(ArrayRef<StringRef> Arguments) {
  std::string Name = "nvidia-h200";
  Expected<ParsedArguments> Parsed = parseOrHelp(
      Arguments, MonotoneUsage,
      {OptionRow{"--device", "NAME", "whose numbers are changed (nvidia-h200)",
                 store(Name)}});
  if (!Parsed || Parsed->Help)
    return Parsed.takeError();
  if (Parsed->Positional.size() != 1)
    return createStringError("monotone needs a report");
  const StringRef Path = Parsed->Positional.front();
  Expected<std::unique_ptr<MemoryBuffer>> Text = readInput(Path);
  if (!Text)
    return createFileError(Path, Text.takeError());
  Expected<Report> R = parseReport((*Text)->getBuffer(), Path);
  if (!R)
    return R.takeError();
  Expected<DeviceModel> Device = loadDevice(Name);
  if (!Device)
    return Device.takeError();
  const std::vector<double> Before = timesOn(*Device, R->Kernels);
  unsigned NumChanges = 0, NumSlower = 0;
  auto Try = [&](const Twine &Place, Number &N) {
    const std::string Where = Place.str();
    const double Factor = betterTimes(N.Unit);
    if (Factor == 1 || isScatter(Where))
      return;
    ++NumChanges;
    const double Value = std::exchange(N.Value, N.Value * Factor);
    const std::vector<double> After = timesOn(*Device, R->Kernels);
    N.Value = Value;
    for (auto [K, Was, Is] : zip(R->Kernels, Before, After)) {
      if (Is <= Was * (1 + Anomaly))
        continue;
      ++NumSlower;
      outs() << formatv("{0} x {1}: {2} {3:f3} % slower\n", Where, Factor,
                        K.Facts.Demangled, 100 * (Is / Was - 1));
    }
  };
  forEachNumber(*Device, Try);
  outs() << formatv("{0} kernels, {1} better numbers, {2} times slower\n",
                    R->Kernels.size(), NumChanges, NumSlower);
  return NumSlower == 0 ? Error::success()
                        : createStringError("a better device is slower");
}
