//===- Timeline.cpp - When the work of a program is done ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timeline.h"
#include "HostReport.h"
#include <algorithm>
#include <map>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Clocks of the host and of each stream, in nanoseconds.
class Clocks {
public:
  Clocks(const LaunchTimes &LaunchNs, const DeviceModel &Device)
      : LaunchNs(LaunchNs), Device(Device) {}

  void add(const HostEvent &E);

  Timeline Out;

private:
  struct Stream {
    double EndNs = 0;
    bool IsNonBlocking = false;
  };
  struct RecordedEvent {
    double Ns = 0;
    /// What had no known time until then.
    unsigned NumUntimed = 0;
  };

  double startIn(const HostEvent &E);
  void finishIn(const HostEvent &E, double EndNs);
  double endOfAll() const;
  void addTimed(TimelineSlice &Slice, const Known<double> &Ns);
  void addLaunch(const HostEvent &E);
  void addCopy(const HostEvent &E);
  void hostWaitsUntil(double Ns);
  Known<double> elapsedNs(uint64_t Start, uint64_t End) const;

  const LaunchTimes &LaunchNs;
  const DeviceModel &Device;
  std::map<uint32_t, Stream> Streams;
  /// By number.
  std::map<uint64_t, RecordedEvent> Events;
  unsigned NumUntimed = 0;
  std::map<HostCounter, double> CopyEndNs;
  double HostNs = 0;
  /// Blocking streams start behind what the default stream has.
  double DefaultEndNs = 0;
  bool IsUnderWay = false;
};

} // namespace

double Clocks::endOfAll() const {
  double End = 0;
  for (const auto &[Number, S] : Streams)
    End = std::max(End, S.EndNs);
  return End;
}

/// When what \p E asks for can start.
double Clocks::startIn(const HostEvent &E) {
  Stream &Own = Streams[E.Stream];
  Own.IsNonBlocking = E.IsNonBlocking;
  double Start = std::max(HostNs, Own.EndNs);
  if (!E.IsNonBlocking)
    Start = std::max(Start, DefaultEndNs);
  if (E.Stream == 0)
    for (const auto &[Number, S] : Streams)
      if (!S.IsNonBlocking)
        Start = std::max(Start, S.EndNs);
  return Start;
}

void Clocks::finishIn(const HostEvent &E, double EndNs) {
  Streams[E.Stream].EndNs = EndNs;
  if (E.Stream == 0)
    DefaultEndNs = EndNs;
}

void Clocks::hostWaitsUntil(double Ns) {
  HostNs = std::max(HostNs, Ns);
  IsUnderWay = false;
}

/// Adds \p Slice, which takes \p Ns.
void Clocks::addTimed(TimelineSlice &Slice, const Known<double> &Ns) {
  Slice.Ns = Ns.valueOr(0);
  if (Ns)
    Out.Slices.push_back(Slice);
  else
    ++NumUntimed;
}

void Clocks::addLaunch(const HostEvent &E) {
  const HostCounter Why =
      IsUnderWay ? HostCounter::LaunchQueued : HostCounter::LaunchAlone;
  const double GapNs =
      Device.get(IsUnderWay ? Quantity::LaunchGap : Quantity::LaunchAndWait)
          .valueOr(0);
  const double Start = startIn(E);
  TimelineSlice Slice;
  Slice.Kind = TimelineSlice::What::Gap;
  Slice.Stream = E.Stream;
  Slice.StartNs = Start;
  Slice.Ns = GapNs;
  Slice.Counter = Why;
  if (GapNs != 0)
    Out.Slices.push_back(Slice);
  Slice.Kind = TimelineSlice::What::Kernel;
  Slice.StartNs = Start + GapNs;
  Slice.Launch = E.Value;
  addTimed(Slice, LaunchNs(E.Value));
  finishIn(E, Slice.StartNs + Slice.Ns);
  IsUnderWay = true;
}

/// Pinned and pageable copies of a direction share an engine.
static HostCounter engineOf(HostCounter Copy) {
  switch (Copy) {
  case HostCounter::ToDevicePinned:
    return HostCounter::ToDevicePageable;
  case HostCounter::ToHostPinned:
    return HostCounter::ToHostPageable;
  default:
    return Copy;
  }
}

void Clocks::addCopy(const HostEvent &E) {
  double &EngineEndNs = CopyEndNs[engineOf(E.Copy)];
  TimelineSlice Slice;
  Slice.Kind = TimelineSlice::What::Copy;
  Slice.Stream = E.Stream;
  Slice.StartNs = std::max(startIn(E), EngineEndNs);
  Slice.Counter = E.Copy;
  Slice.Bytes = E.Value;
  addTimed(Slice, copyNs(E.Copy, E.Value, Device));
  EngineEndNs = Slice.StartNs + Slice.Ns;
  finishIn(E, EngineEndNs);
  if (E.IsSynchronous)
    hostWaitsUntil(EngineEndNs);
}

Known<double> Clocks::elapsedNs(uint64_t Start, uint64_t End) const {
  const auto From = Events.find(Start), To = Events.find(End);
  if (From == Events.end() || To == Events.end())
    return Known<double>::unknown("an event is not recorded in a stream");
  if (From->second.NumUntimed != To->second.NumUntimed)
    return Known<double>::unknown(
        "no time is predicted for a part of what is between the events");
  return To->second.Ns - From->second.Ns;
}

void Clocks::add(const HostEvent &E) {
  switch (E.Kind) {
  case HostEventKind::Launch:
    return addLaunch(E);
  case HostEventKind::Copy:
    return addCopy(E);
  case HostEventKind::HostAwaitsDevice:
    return hostWaitsUntil(endOfAll());
  case HostEventKind::HostAwaitsStream:
    return hostWaitsUntil(E.Stream == 0 ? startIn(E) : Streams[E.Stream].EndNs);
  case HostEventKind::HostAwaitsEvent:
    return hostWaitsUntil(Events[E.Value].Ns);
  case HostEventKind::EventRecorded:
    Events[E.Value] = {startIn(E), NumUntimed};
    return;
  case HostEventKind::StreamAwaitsEvent:
    return finishIn(E, std::max(startIn(E), Events[E.Value].Ns));
  case HostEventKind::ElapsedTimeAsked:
    Out.ElapsedNs.push_back(elapsedNs(E.Value >> 32, uint32_t(E.Value)));
    return;
  }
}

Timeline gpuocc::timeline(ArrayRef<HostEvent> Events,
                          const LaunchTimes &LaunchNs,
                          const DeviceModel &Device) {
  Clocks All(LaunchNs, Device);
  for (const HostEvent &E : Events)
    All.add(E);
  return std::move(All.Out);
}
