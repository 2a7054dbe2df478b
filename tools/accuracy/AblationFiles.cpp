//===- AblationFiles.cpp - Own kernels without a mechanism ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AblationSet.h"
#include "RecordTable.h"
#include "Statistics.h"
#include "driver/Session.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "sources/ReadSource.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// A launch of a kernel in a file of this project, as it was measured.
struct MeasuredLaunch {
  std::string File, Kernel;
  /// "32x8x1"; empty for the first launch of the kernel.
  std::string Grid, Block;
  double TimeNs = 0;
  std::optional<double> InstructionsPerWarp;
  /// No unit was busy for 60 % of the time.
  std::optional<bool> IsLatencyBound;
};

class FileSet final : public AblationSet {
public:
  FileSet(const DeviceModel &Device, std::vector<MeasuredLaunch> Launches)
      : Launches(std::move(Launches)) {
    Session.Device = Device.Name;
    Source.Architecture = Device.Architecture;
    Source.ClangArguments.push_back("-w");
  }

  Expected<AblationFigures> predict(const AblationRun &Run) override {
    std::map<std::string, Report> Reports;
    AblationFigures Figures;
    for (const MeasuredLaunch &L : Launches) {
      auto [At, IsNew] = Reports.try_emplace(L.File);
      if (IsNew) {
        Expected<Report> R = assess(L.File, Run);
        if (!R)
          return R.takeError();
        At->second = std::move(*R);
      }
      if (const KernelReport *R = find(At->second, L))
        compare(L, *R, Figures);
    }
    return Figures;
  }

private:
  const std::vector<MeasuredLaunch> Launches;
  SessionOptions Session;
  SourceOptions Source;
  AblationSources Sources;

  Expected<Report> assess(StringRef File, const AblationRun &Run) {
    const std::string Path = (Twine(GPUOCC_SOURCE_DIR "/") + File).str();
    Expected<FactsFile> Facts = Sources.read(Path, Source, Run);
    if (!Facts)
      return Facts.takeError();
    SessionOptions Options = Session;
    Options.Used = Run.used();
    Expected<gpuocc::Session> S = gpuocc::Session::create(Options, Path);
    if (!S)
      return S.takeError();
    Expected<SessionResult> Result =
        S->assessAll(std::move(Facts->Kernels), Facts->Launches);
    if (!Result)
      return Result.takeError();
    return std::move(Result->What);
  }

  static std::string text(Dim3 D) {
    return (Twine(D.X) + "x" + Twine(D.Y) + "x" + Twine(D.Z)).str();
  }

  /// Null where a file needs what this machine lacks, or launches otherwise.
  static const KernelReport *find(const Report &R, const MeasuredLaunch &L) {
    const auto At = find_if(R.Kernels, [&](const KernelReport &K) {
      StringRef Name = K.Facts.Demangled;
      Name.consume_front("void ");
      return Name.split('(').first == L.Kernel && K.Predicted.Time &&
             (L.Block.empty() || text(K.Launched.Block.Value) == L.Block) &&
             (L.Grid.empty() || text(K.Launched.Grid->Value) == L.Grid);
    });
    return At == R.Kernels.end() ? nullptr : &*At;
  }

  static void compare(const MeasuredLaunch &L, const KernelReport &R,
                      AblationFigures &Figures) {
    Figures.TimesOff.push_back(timesOff(R.Predicted.Time->Ns, L.TimeNs));
    if (L.InstructionsPerWarp)
      Figures.InstructionsOff.push_back(
          timesOff(R.Predicted.InstructionsPerWarp, *L.InstructionsPerWarp));
    if (!L.IsLatencyBound)
      return;
    ++Figures.LimitersJudged;
    Figures.LimitersRight +=
        *L.IsLatencyBound ==
        (R.Predicted.Diagnosed.mode() == Mode::LatencyBound);
  }
};

} // namespace

static Expected<std::unique_ptr<AblationSet>>
createSet(StringRef DeviceName, std::vector<MeasuredLaunch> Launches) {
  Expected<DeviceModel> Device = loadDevice(DeviceName);
  if (!Device)
    return Device.takeError();
  return std::make_unique<FileSet>(*Device, std::move(Launches));
}

Expected<std::unique_ptr<AblationSet>>
gpuocc::createExampleSet(StringRef Device) {
  static constexpr StringRef Columns[] = {"file",       "kernel",
                                          "grid",       "block",
                                          "time_ns",    "instructions_per_warp",
                                          "sm_percent", "memory_percent"};
  Expected<RecordTable> T = readRecordTable(
      (Twine(GPUOCC_SOURCE_DIR "/test/golden/examples/") + Device + ".csv")
          .str(),
      Columns);
  if (!T)
    return T.takeError();
  // Where Nsight Compute stops calling a kernel latency-bound.
  constexpr double BusyPercent = 60;
  std::vector<MeasuredLaunch> Launches;
  for (size_t Row = 0; Row != T->Rows.size(); ++Row) {
    double Values[4];
    for (auto [I, Column] : enumerate(ArrayRef(Columns).drop_front(4))) {
      Expected<double> Value = T->number(Row, Column);
      if (!Value)
        return Value.takeError();
      Values[I] = *Value;
    }
    Launches.push_back({("docs/examples/" + T->text(Row, "file")).str(),
                        T->text(Row, "kernel").str(),
                        T->text(Row, "grid").str(), T->text(Row, "block").str(),
                        Values[0], Values[1],
                        std::max(Values[2], Values[3]) < BusyPercent});
  }
  return createSet(Device, std::move(Launches));
}

Expected<std::unique_ptr<AblationSet>> gpuocc::createPairSet(StringRef Device) {
  static constexpr StringRef Columns[] = {"file", "naive", "naive_ns", "fixed",
                                          "fixed_ns"};
  Expected<RecordTable> T = readRecordTable(
      (Twine(GPUOCC_SOURCE_DIR "/test/golden/pairs/") + Device + ".csv").str(),
      Columns);
  if (!T)
    return T.takeError();
  std::vector<MeasuredLaunch> Launches;
  for (size_t Row = 0; Row != T->Rows.size(); ++Row) {
    // The examples are a set of their own.
    if (T->text(Row, "file").starts_with("docs/"))
      continue;
    for (StringRef Which : {"naive", "fixed"}) {
      Expected<double> Ns = T->number(Row, (Which + "_ns").str());
      if (!Ns)
        return Ns.takeError();
      MeasuredLaunch &L = Launches.emplace_back();
      L.File = T->text(Row, "file").str();
      L.Kernel = T->text(Row, Which).str();
      L.TimeNs = *Ns;
    }
  }
  return createSet(Device, std::move(Launches));
}
