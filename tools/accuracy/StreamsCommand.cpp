//===- StreamsCommand.cpp - gpu-occupancy-accuracy streams ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "RecordTable.h"
#include "Statistics.h"
#include "gpu-occupancy/Arguments.h"
#include "gpu-occupancy/ReadSource.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Model/Predict.h"
#include "llvm/ADT/STLExtras.h"
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

static constexpr StringRef Columns[] = {"kernel",        "block",
                                        "blocks_per_sm", "elements",
                                        "gb_per_s",      "dram_peak_gb_per_s"};

/// Bytes that each kernel moves per element, as the tables count them.
static constexpr std::pair<StringLiteral, double> BytesPerElement[] = {
    {"init", 8},
    {"read", 8},
    {"scale", 16},
    {"triad", 24},
    {"vectorTriad", 32}};

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

/// One measured point.
struct StreamPoint {
  std::string Kernel;
  uint64_t Block = 0, BlocksPerSm = 0, Elements = 0;
  double DramPeak = 0, Measured = 0, Predicted = 0;
};

} // namespace

static Expected<std::vector<StreamPoint>> points(const RecordTable &T) {
  std::vector<StreamPoint> Points;
  for (size_t Row = 0; Row != T.Rows.size(); ++Row) {
    StreamPoint P;
    P.Kernel = T.text(Row, "kernel").str();
    std::pair<StringRef, uint64_t *> Counts[] = {
        {"block", &P.Block},
        {"blocks_per_sm", &P.BlocksPerSm},
        {"elements", &P.Elements}};
    for (auto [Column, Count] : Counts) {
      Expected<double> Value = T.number(Row, Column);
      if (!Value)
        return Value.takeError();
      *Count = uint64_t(*Value);
    }
    Expected<double> Measured = T.number(Row, "gb_per_s");
    if (!Measured)
      return Measured.takeError();
    P.Measured = *Measured;
    Expected<double> Peak = T.number(Row, "dram_peak_gb_per_s");
    if (!Peak)
      return Peak.takeError();
    P.DramPeak = *Peak;
    Points.push_back(std::move(P));
  }
  return Points;
}

/// Dynamic shared memory with which \p BlocksPerSm blocks fit on an SM.
static uint64_t limitingShared(const KernelFacts &Facts, Launch L,
                               const ArchLimits &Limits, uint64_t BlocksPerSm) {
  constexpr uint64_t Step = 256;
  auto Resident = [&] {
    return occupancy(Limits, blockResources(Facts, L)).BlocksPerSm;
  };
  while (Resident() > BlocksPerSm)
    L.DynamicSharedBytes.Value += Step;
  return L.DynamicSharedBytes.Value;
}

/// \p Device with memory of another data rate: what its DRAM moves per cycle
/// follows the rate of its pins.
static DeviceModel withDramPeak(DeviceModel Device, double GbPerSecond) {
  Known<double> Own = Device.get(Quantity::MemoryBandwidthPeak);
  if (!Own)
    return Device;
  double Factor = GbPerSecond / *Own;
  for (Quantity Q :
       {Quantity::MemoryBandwidthPeak, Quantity::DramReadBytesPerCycle,
        Quantity::DramWriteBytesPerCycle, Quantity::DramCopyBytesPerCycle,
        Quantity::DramTriadBytesPerCycle})
    if (auto At = Device.Quantities.find(Q); At != Device.Quantities.end())
      At->second.Value *= Factor;
  if (auto At = Device.Contention.find("dram_read");
      At != Device.Contention.end())
    At->second.C.Value *= Factor;
  return Device;
}

static Error predictPoint(const FactsFile &File, const DeviceModel &Base,
                          const ArchLimits &Limits, StreamPoint &P) {
  const DeviceModel Device = withDramPeak(Base, P.DramPeak);
  auto Bytes = find_if(BytesPerElement,
                       [&](const auto &B) { return B.first == P.Kernel; });
  auto Facts = find_if(File.Kernels, [&](const KernelFacts &K) {
    return StringRef(K.Demangled).split('(').first == P.Kernel;
  });
  if (Bytes == std::end(BytesPerElement) || Facts == File.Kernels.end())
    return createStringError("there is no stream '" + P.Kernel + "'");
  Launch L;
  L.Block.Value = {P.Block, 1, 1};
  L.Grid = Sourced<Dim3>{{(P.Elements + P.Block - 1) / P.Block, 1, 1}, "table"};
  for (auto [I, Parameter] : enumerate(Facts->Parameters))
    if (Parameter.Name == "n")
      L.Arguments[I].Value.Integer = int64_t(P.Elements);
  L.DynamicSharedBytes.Value = limitingShared(*Facts, L, Limits, P.BlocksPerSm);
  AssessOptions Options;
  for (unsigned R = 0; R != NumRules; ++R)
    Options.Suppress.push_back(ruleName(RuleId(R)).str());
  Expected<KernelReport> R = assess(*Facts, std::move(L), Device, Options);
  if (!R)
    return R.takeError();
  P.Predicted = P.Elements * Bytes->second / R->Predicted.Time->Ns;
  return Error::success();
}

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
  Expected<const ArchLimits &> Limits = archLimits(Device->Architecture);
  if (!Limits)
    return Limits.takeError();
  Options.Source.Architecture = Device->Architecture;
  Options.Source.ClangArguments = Parsed->Rest;
  Expected<FactsFile> File = readSource(
      GPUOCC_SOURCE_DIR "/test/accuracy/streams/streams.cu", Options.Source);
  if (!File)
    return File.takeError();
  for (const std::string &Path : Options.Tables) {
    Expected<RecordTable> Table = readRecordTable(Path, Columns);
    if (!Table)
      return Table.takeError();
    Expected<std::vector<StreamPoint>> Points = points(*Table);
    if (!Points)
      return Points.takeError();
    for (StreamPoint &P : *Points)
      if (Error E = predictPoint(*File, *Device, *Limits, P))
        return E;
    printPoints(*Table, *Points, outs());
  }
  return Error::success();
}
