//===- ProfileTrace.cpp - A run as a timeline for Perfetto ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileTrace.h"
#include "Timeline.h"
#include "gpuocc/Report/Format.h"
#include "llvm/Support/JSON.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// Rows by their names, in the order in which they are first used.
class Rows {
public:
  unsigned numberOf(const std::string &Name) {
    auto Found = llvm::find(Names, Name);
    if (Found == Names.end())
      Found = Names.insert(Names.end(), Name);
    return unsigned(Found - Names.begin()) + 1;
  }
  std::vector<std::string> Names;
};

} // namespace

static std::string streamText(uint32_t Stream) {
  return Stream == 0 ? "default stream" : "stream " + std::to_string(Stream);
}

static std::string rowOf(const TimelineSlice &S) {
  switch (S.Kind) {
  case TimelineSlice::What::Kernel:
    return "kernels, " + streamText(S.Stream);
  case TimelineSlice::What::Gap:
    return "gaps, " + streamText(S.Stream);
  case TimelineSlice::What::Copy:
    break;
  }
  switch (S.Counter) {
  case HostCounter::ToDevicePageable:
  case HostCounter::ToDevicePinned:
    return "copies to the device";
  case HostCounter::ToHostPageable:
  case HostCounter::ToHostPinned:
    return "copies to the host";
  default:
    return "copies on the device";
  }
}

static json::Object kernelArguments(const PricedLaunch &P) {
  return json::Object{{"grid", formatDim(P.Group->Grid)},
                      {"block", formatDim(P.Group->Block)},
                      {"dynamic_shared_bytes", P.Group->DynamicSharedBytes},
                      {"calls_of_this_launch", P.Launch->Calls},
                      {"priced", P.Launch->IsPriced},
                      {"counts", P.Group->isCounted()          ? "counted"
                                 : P.Group->NumWithMemory != 0 ? "recorded"
                                                               : "code"}};
}

/// An event of phase "M", which names a process or a thread.
static json::Object nameEvent(StringLiteral What, std::string Name,
                              unsigned Row) {
  return json::Object{{"ph", "M"},
                      {"name", What},
                      {"pid", 1},
                      {"tid", Row},
                      {"args", json::Object{{"name", std::move(Name)}}}};
}

void gpuocc::writeProfileTrace(const ProfileReport &R, const HostEvents &Events,
                               const DeviceModel &Device, raw_ostream &OS) {
  const DenseMap<uint64_t, PricedLaunch> Priced = R.pricedLaunches();
  uint64_t NumUnpriced = 0;
  auto LaunchNs = [&](uint64_t Number) -> Known<double> {
    auto Found = Priced.find(Number);
    if (Found != Priced.end())
      return Found->second.Launch->Ns;
    ++NumUnpriced;
    return Known<double>::unknown("no time is predicted");
  };
  const Timeline Times = timeline(Events.Kept, LaunchNs, Device);
  Rows Used;
  json::Array Out;
  Out.push_back(nameEvent("process_name", R.Device + ", predicted", 0));
  for (const TimelineSlice &S : Times.Slices) {
    constexpr double NsPerUs = 1000;
    json::Object E{{"ph", "X"},
                   {"pid", 1},
                   {"tid", Used.numberOf(rowOf(S))},
                   {"ts", S.StartNs / NsPerUs},
                   {"dur", S.Ns / NsPerUs}};
    if (S.Kind == TimelineSlice::What::Kernel) {
      const PricedLaunch &P = Priced.find(S.Launch)->second;
      E["cat"] = "kernel";
      E["name"] = json::fixUTF8(P.Group->Demangled);
      E["args"] = kernelArguments(P);
    } else {
      const bool IsCopy = S.Kind == TimelineSlice::What::Copy;
      E["cat"] = IsCopy ? "copy" : "gap";
      E["name"] = hostCounterText(S.Counter);
      if (IsCopy)
        E["args"] =
            json::Object{{"bytes", S.Bytes}, {"stream", streamText(S.Stream)}};
    }
    Out.push_back(std::move(E));
  }
  for (const auto &[Index, Name] : enumerate(Used.Names))
    Out.push_back(nameEvent("thread_name", Name, unsigned(Index) + 1));
  OS << json::Value(json::Object{
            {"displayTimeUnit", "ns"},
            {"traceEvents", std::move(Out)},
            {"otherData", json::Object{{"device", R.Device},
                                       {"events_left_out", Events.NumLeftOut},
                                       {"unpriced_launches", NumUnpriced}}}})
     << '\n';
}
