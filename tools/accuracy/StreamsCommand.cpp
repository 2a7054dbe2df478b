//===- StreamsCommand.cpp - gpu-occupancy-accuracy streams ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Statistics.h"
#include "StreamPoints.h"
#include "gpu-occupancy/Arguments.h"
#include "gpu-occupancy/ReadSource.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral Usage =
    "usage: gpu-occupancy-accuracy streams [options]\n"
    "\n"
    "Streams of short blocks over occupancy, predicted beside measured "
    "bandwidth.\n";

/// What a bandwidth may be off by.
static constexpr double Tolerance = 0.10;

namespace {

struct StreamsOptions {
  std::vector<std::string> Tables;
  std::string Device = "nvidia-h200";
  SourceOptions Source;

  std::vector<OptionRow> rows() {
    return {
        {"--data", "FILE",
         "measured bandwidths; by default test/golden/streams/DEVICE*.csv",
         append(Tables)},
        {"--device", "NAME", "device of the measurements", store(Device)},
        {"--clang", "PROGRAM", "compiler", store(Source.Clang)},
        {"--ptxas", "auto|off|FILE", "assembler that is asked for registers",
         store(Source.Ptxas)},
    };
  }
};

} // namespace

static void printPoints(const RecordTable &T, ArrayRef<StreamPoint> Points,
                        raw_ostream &OS) {
  for (const std::string &Comment : T.Comments)
    OS << Comment << '\n';
  OS << formatv("\n{0,-8} {1,5} {2,9} {3,9} {4,9} {5,6}\n", "kernel", "block",
                "blocks/SM", "measured", "predicted", "off");
  std::vector<double> Factors;
  unsigned Within = 0;
  for (const StreamPoint &P : Points) {
    double Ratio = P.Predicted / P.Measured;
    bool IsNear = std::abs(Ratio - 1) <= Tolerance;
    OS << formatv("{0,-8} {1,5} {2,9} {3,9:f0} {4,9:f0} {5,6:f2}{6}\n",
                  P.Kernel, P.Block, P.BlocksPerSm, P.Measured, P.Predicted,
                  Ratio, IsNear ? "" : " *");
    Within += IsNear;
    Factors.push_back(timesOff(P.Predicted, P.Measured));
  }
  OS << formatv("\n{0} of {1} points within {2:f0} %, typical {3:f3}, worst "
                "{4:f2}x\n\n",
                Within, Points.size(), 100 * Tolerance,
                geometricMean(Factors).value_or(1),
                quantile(Factors, 1).value_or(1));
}

Error gpuocc::runStreams(ArrayRef<StringRef> Arguments) {
  StreamsOptions Options;
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, Usage, Options.rows());
  if (!Parsed || Parsed->Help)
    return Parsed.takeError();
  if (!Parsed->Positional.empty())
    return createStringError("streams takes no '" + Parsed->Positional.front() +
                             "'");
  if (Options.Tables.empty())
    for (StringRef Name : {"", "-published"})
      Options.Tables.push_back((Twine(GPUOCC_SOURCE_DIR) +
                                "/test/golden/streams/" + Options.Device +
                                Name + ".csv")
                                   .str());
  Expected<DeviceModel> Device = loadDevice(Options.Device);
  if (!Device)
    return Device.takeError();
  Options.Source.Architecture = Device->Architecture;
  Options.Source.ClangArguments = Parsed->Rest;
  Expected<FactsFile> File = readSource(
      GPUOCC_SOURCE_DIR "/test/accuracy/streams/streams.cu", Options.Source);
  if (!File)
    return File.takeError();
  for (const std::string &Path : Options.Tables) {
    Expected<RecordTable> Table = readStreams(Path);
    if (!Table)
      return Table.takeError();
    Expected<std::vector<StreamPoint>> Points =
        predictStreams(*Table, *File, *Device, Mechanisms());
    if (!Points)
      return Points.takeError();
    printPoints(*Table, *Points, outs());
  }
  return Error::success();
}
