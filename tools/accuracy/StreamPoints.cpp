//===- StreamPoints.cpp - Streams of short blocks -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamPoints.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Kernel/JSON.h"
#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Report/RuleIds.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

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
      At != Device.Contention.end()) {
    At->second.C.Value *= Factor;
    if (At->second.Peak)
      At->second.Peak->Value *= Factor;
  }
  return Device;
}

static Error predictPoint(const FactsFile &File, const DeviceModel &Base,
                          const ArchLimits &Limits, const Mechanisms &Used,
                          StreamPoint &P) {
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
  Options.Lanes.Used = Used;
  for (unsigned R = 0; R != NumRules; ++R)
    Options.Suppress.push_back(ruleName(RuleId(R)).str());
  Expected<KernelReport> R = assess(*Facts, std::move(L), Device, Options);
  if (!R)
    return R.takeError();
  P.Predicted = P.Elements * Bytes->second / R->Predicted.Time->Ns;
  return Error::success();
}

Expected<RecordTable> gpuocc::readStreams(StringRef Path) {
  return readRecordTable(Path, Columns);
}

Expected<std::vector<StreamPoint>>
gpuocc::predictStreams(const RecordTable &Table, const FactsFile &File,
                       const DeviceModel &Device, const Mechanisms &Used) {
  Expected<const ArchLimits &> Limits = archLimits(Device.Architecture);
  if (!Limits)
    return Limits.takeError();
  Expected<std::vector<StreamPoint>> Points = points(Table);
  if (!Points)
    return Points;
  for (StreamPoint &P : *Points)
    if (Error E = predictPoint(File, Device, *Limits, Used, P))
      return std::move(E);
  return Points;
}
