//===- StreamsCommand.cpp - gpu-occupancy-accuracy streams ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Statistics.h"
#include "StreamPoints.h"
#include "driver/Arguments.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "sources/ReadSource.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral StreamsUsage =
    "usage: gpu-occupancy-accuracy streams [options]\n"
    "\n"
    "Streams of short blocks over occupancy, predicted beside measured "
    "bandwidth.\n";

/// What a bandwidth may be off by.
static constexpr double Tolerance = 0.10;

namespace {

struct StreamsOptions {
  std::vector<std::string> Tables;
  std::string Device = "nvidia-h200", Format = "text";
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
        {"--format", "text|json", "form of the tables",
         storeWord(Format, {"text", "json"})},
    };
  }
};

/// A table of measured bandwidths beside predicted ones.
struct StreamTable {
  std::string File;
  std::vector<std::string> Comments;
  std::vector<StreamPoint> Points;

  static double ratio(const StreamPoint &P) { return P.Predicted / P.Measured; }
  static bool isNear(const StreamPoint &P) {
    return std::abs(ratio(P) - 1) <= Tolerance;
  }
  size_t numNear() const { return count_if(Points, isNear); }
  std::vector<double> timesOffs() const {
    std::vector<double> Factors;
    for (const StreamPoint &P : Points)
      Factors.push_back(timesOff(P.Predicted, P.Measured));
    return Factors;
  }
  double typical() const { return geometricMean(timesOffs()).value_or(1); }
  double worst() const { return quantile(timesOffs(), 1).value_or(1); }
};

} // namespace

static void printTable(const StreamTable &T, raw_ostream &OS) {
  for (const std::string &Comment : T.Comments)
    OS << Comment << '\n';
  OS << formatv("\n{0,-8} {1,5} {2,9} {3,9} {4,9} {5,6}\n", "kernel", "block",
                "blocks/SM", "measured", "predicted", "off");
  for (const StreamPoint &P : T.Points)
    OS << formatv("{0,-8} {1,5} {2,9} {3,9:f0} {4,9:f0} {5,6:f2}{6}\n",
                  P.Kernel, P.Block, P.BlocksPerSm, P.Measured, P.Predicted,
                  T.ratio(P), T.isNear(P) ? "" : " *");
  OS << formatv("\n{0} of {1} points within {2:f0} %, typical {3:f3}, worst "
                "{4:f2}x\n\n",
                T.numNear(), T.Points.size(), 100 * Tolerance, T.typical(),
                T.worst());
}

static void writeTable(const StreamTable &T, json::OStream &J) {
  J.object([&] {
    J.attribute("file", T.File);
    J.attributeArray("points", [&] {
      for (const StreamPoint &P : T.Points)
        J.object([&] {
          J.attribute("kernel", P.Kernel);
          J.attribute("block", P.Block);
          J.attribute("blocks_per_sm", P.BlocksPerSm);
          J.attribute("measured_gbs", P.Measured);
          J.attribute("predicted_gbs", P.Predicted);
        });
    });
    J.attributeObject("summary", [&] {
      J.attribute("points", T.Points.size());
      J.attribute("within_10_percent", T.numNear());
      J.attribute("typical_times_off", T.typical());
      J.attribute("worst_times_off", T.worst());
    });
  });
}

static void writeTables(ArrayRef<StreamTable> Tables, StringRef Format,
                        raw_ostream &OS) {
  if (Format == "text") {
    for (const StreamTable &T : Tables)
      printTable(T, OS);
    return;
  }
  json::OStream J(OS, /*IndentSize=*/1);
  J.object([&] {
    J.attributeArray("tables", [&] {
      for (const StreamTable &T : Tables)
        writeTable(T, J);
    });
  });
  OS << '\n';
}

Error gpuocc::runStreams(ArrayRef<StringRef> Arguments) {
  StreamsOptions Options;
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, StreamsUsage, Options.rows());
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
  std::vector<StreamTable> Tables;
  for (const std::string &Path : Options.Tables) {
    Expected<RecordTable> Table = readStreams(Path);
    if (!Table)
      return Table.takeError();
    Expected<std::vector<StreamPoint>> Points =
        predictStreams(*Table, *File, *Device, Mechanisms());
    if (!Points)
      return Points.takeError();
    Tables.push_back({sys::path::filename(Path).str(),
                      std::move(Table->Comments), std::move(*Points)});
  }
  writeTables(Tables, Options.Format, outs());
  return Error::success();
}
