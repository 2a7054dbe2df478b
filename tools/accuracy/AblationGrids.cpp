//===- AblationGrids.cpp - Mixes and streams without a mechanism ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AblationSet.h"
#include "MixModels.h"
#include "NewestResults.h"
#include "Statistics.h"
#include "StreamPoints.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "sources/ReadSource.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

namespace {

class AlphaSet final : public AblationSet {
public:
  AlphaSet(DeviceModel Device, std::vector<MixGrid> Grids)
      : Device(std::move(Device)), Grids(std::move(Grids)) {}

  Expected<AblationFigures> predict(const AblationRun &Run) override {
    AblationFigures Figures;
    for (const MixGrid &Grid : Grids) {
      std::set<std::pair<unsigned, unsigned>> Mixes;
      for (const MixPoint &P : Grid.Points)
        Mixes.insert({P.Alpha, P.Ilp});
      for (auto [Alpha, Ilp] : Mixes) {
        Expected<MixCase> Case =
            mixCase({Grid.Kind, Alpha, Ilp}, Device, Grid, Run.used());
        if (!Case)
          return Case.takeError();
        for (const MixPoint &P : Grid.Points)
          if (P.Alpha == Alpha && P.Ilp == Ilp)
            Figures.TimesOff.push_back(timesOff(
                mixModels()[0].Throughput(*Case, P.Warps), P.PerCycleSm));
      }
    }
    return Figures;
  }

private:
  const DeviceModel Device;
  const std::vector<MixGrid> Grids;
};

class StreamSet final : public AblationSet {
public:
  StreamSet(DeviceModel Device, RecordTable Table)
      : Device(std::move(Device)), Table(std::move(Table)) {
    Options.Architecture = this->Device.Architecture;
  }

  Expected<AblationFigures> predict(const AblationRun &Run) override {
    Expected<FactsFile> File = Sources.read(
        GPUOCC_SOURCE_DIR "/test/accuracy/streams/streams.cu", Options, Run);
    if (!File)
      return File.takeError();
    Expected<std::vector<StreamPoint>> Points =
        predictStreams(Table, *File, Device, Run.used());
    if (!Points)
      return Points.takeError();
    AblationFigures Figures;
    for (const StreamPoint &P : *Points)
      Figures.TimesOff.push_back(timesOff(P.Predicted, P.Measured));
    return Figures;
  }

private:
  const DeviceModel Device;
  const RecordTable Table;
  SourceOptions Options;
  AblationSources Sources;
};

} // namespace

Expected<std::unique_ptr<AblationSet>>
gpuocc::createAlphaSet(StringRef DeviceName) {
  Expected<DeviceModel> Device = loadDevice(DeviceName);
  if (!Device)
    return Device.takeError();
  Expected<std::string> Folder = newestResults(Device->Name);
  if (!Folder)
    return Folder.takeError();
  Expected<std::vector<MixGrid>> Grids = readMixGrids(*Folder);
  if (!Grids)
    return Grids.takeError();
  return std::make_unique<AlphaSet>(std::move(*Device), std::move(*Grids));
}

Expected<std::unique_ptr<AblationSet>>
gpuocc::createStreamSet(StringRef DeviceName) {
  Expected<DeviceModel> Device = loadDevice(DeviceName);
  if (!Device)
    return Device.takeError();
  Expected<RecordTable> Table = readStreams(
      (Twine(GPUOCC_SOURCE_DIR "/test/golden/streams/") + DeviceName + ".csv")
          .str());
  if (!Table)
    return Table.takeError();
  return std::make_unique<StreamSet>(std::move(*Device), std::move(*Table));
}
