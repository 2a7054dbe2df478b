//===- ProfileReport.cpp - What a program takes, as nsys shows it ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileReport.h"
#include "Timeline.h"
#include "driver/Session.h"
#include "gpuocc/Report/DiagnosisText.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Support/ParseJSON.h"
#include "gpuocc/Support/Printable.h"
#include "gpuocc/Views/ReportView.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

double ProfileReport::kernelNs() const {
  double Sum = 0;
  for (const LaunchGroup &G : Groups)
    Sum += G.TotalNs.valueOr(0);
  return Sum;
}

double ProfileReport::totalNs() const {
  double Sum = kernelNs();
  for (const HostTime &T : Others)
    Sum += T.Ns.valueOr(0);
  return Sum;
}

DenseMap<uint64_t, PricedLaunch> ProfileReport::pricedLaunches() const {
  DenseMap<uint64_t, PricedLaunch> Priced;
  for (const LaunchGroup &G : Groups)
    for (const GroupLaunch &L : G.Launches)
      Priced[Numbers[L.Index]] = {&G, &L};
  return Priced;
}

std::vector<Known<double>> gpuocc::elapsedTimes(const ProfileReport &R,
                                                const HostEvents &Events,
                                                const DeviceModel &Device) {
  const DenseMap<uint64_t, PricedLaunch> Priced = R.pricedLaunches();
  auto LaunchNs = [&](uint64_t Number) -> Known<double> {
    if (const GroupLaunch *L = Priced.lookup(Number).Launch)
      return L->Ns;
    return Known<double>::unknown("no time is predicted");
  };
  return timeline(Events.Kept, LaunchNs, Device).ElapsedNs;
}

namespace {

/// All groups of one kernel.
struct KernelRow {
  const LaunchGroup *Costliest = nullptr;
  uint64_t Calls = 0;
  double TotalNs = 0, MinNs = 0, MaxNs = 0;

  void add(const LaunchGroup &G) {
    MinNs = Calls == 0 ? G.MinNs : std::min(MinNs, G.MinNs);
    MaxNs = std::max(MaxNs, G.MaxNs);
    Calls += G.Calls;
    TotalNs += *G.TotalNs;
    if (!Costliest || *G.TotalNs > *Costliest->TotalNs)
      Costliest = &G;
  }
};

} // namespace

static std::vector<KernelRow> rowsOf(ArrayRef<LaunchGroup> Groups) {
  std::vector<KernelRow> Rows;
  for (const LaunchGroup &G : Groups) {
    if (!G.TotalNs)
      continue;
    auto Found = find_if(Rows, [&](const KernelRow &R) {
      return R.Costliest->Kernel == G.Kernel;
    });
    if (Found == Rows.end())
      Found = Rows.insert(Rows.end(), KernelRow());
    Found->add(G);
  }
  llvm::sort(Rows, [](const KernelRow &A, const KernelRow &B) {
    return std::tie(B.TotalNs, A.Costliest->Kernel) <
           std::tie(A.TotalNs, B.Costliest->Kernel);
  });
  return Rows;
}

static StringRef limiterOf(const LaunchGroup &G) {
  return G.Costliest ? unitText(G.Costliest->Predicted.Diagnosed.Unit) : "";
}

static void writeKernels(const ProfileReport &R, raw_ostream &OS) {
  OS << formatv("kernels on {0}, predicted\n", R.Device)
     << formatv("  {0,7} {1,10} {2,8} {3,10} {4,10} {5,10}  {6,-18} {7}\n",
                "share", "total", "calls", "mean", "min", "max", "limiter",
                "kernel");
  for (const KernelRow &Row : rowsOf(R.Groups))
    OS << formatv(
        "  {0,7} {1,10} {2,8} {3,10} {4,10} {5,10}  {6,-18} {7}\n",
        formatPercent(Row.TotalNs / R.kernelNs()), formatTime(Row.TotalNs),
        Row.Calls, formatTime(Row.TotalNs / double(Row.Calls)),
        formatTime(Row.MinNs), formatTime(Row.MaxNs), limiterOf(*Row.Costliest),
        printable(Row.Costliest->Demangled));
}

static void writeOthers(const ProfileReport &R, raw_ostream &OS) {
  if (R.Others.empty())
    return;
  OS << "beside them\n"
     << formatv("  {0,10} {1,8} {2,12}  {3}\n", "total", "times", "bytes",
                "what");
  for (const HostTime &T : R.Others)
    OS << formatv(
        "  {0,10} {1,8} {2,12}  {3}\n", T.Ns ? formatTime(*T.Ns) : "-", T.Times,
        T.Bytes ? formatNumber(double(T.Bytes) / 1e6) + " MB" : "", T.What);
}

/// What the times of a group rest on.
static std::string basisOf(const LaunchGroup &G) {
  std::string Text = formatCount(double(G.Calls), "call");
  if (G.NumDifferent > 1)
    Text += ", " + std::to_string(G.NumDifferent) + " of them different";
  if (G.NumPriced < G.NumDifferent)
    Text += ", " + std::to_string(G.NumPriced) +
            " of these predicted and the others taken as the one before";
  return Text;
}

/// Where the counts come from that data decide.
static std::string countsText(const LaunchGroup &G) {
  std::vector<std::string> Parts;
  if (G.NumBlocksSeen != 0)
    Parts.push_back("over " + std::to_string(G.NumBlocksSeen) + " of " +
                    formatCount(double(G.Grid.count()), "block") +
                    (G.SeenIsCut ? ", as far as what they read is kept" : ""));
  if (G.NumLoopsCounted != 0)
    Parts.push_back(formatCount(double(G.NumLoopsCounted), "loop") +
                    " in all blocks");
  if (G.NumWarpsRan != 0)
    Parts.push_back(formatCount(double(G.NumWarpsRan), "warp") +
                    " ahead of the launch");
  if (!Parts.empty())
    return "; counted by running, " + join(Parts, ", and ");
  return G.NumWithMemory != 0
             ? "; counts that data decide are those of memory before each"
             : "";
}

/// What of the time of \p G is the wait for managed memory.
static std::string managedText(const LaunchGroup &G) {
  if (G.ManagedBytes == 0)
    return "";
  return "; with " + formatNumber(double(G.ManagedBytes) / 1e6) +
         " MB of managed memory that comes to the device at its first touch";
}

static void writeDevices(const ProfileReport &R, raw_ostream &OS) {
  if (R.OtherDevices.empty())
    return;
  OS << "on other devices\n"
     << formatv("  {0,10} {1,10}  {2}\n", "kernels", "total", "device")
     << formatv("  {0,10} {1,10}  {2}\n", formatTime(R.kernelNs()),
                formatTime(R.totalNs()), R.Device);
  for (const OtherDevice &D : R.OtherDevices)
    OS << formatv("  {0,10} {1,10}  {2}{3}\n", formatTime(D.KernelNs),
                  formatTime(D.TotalNs), D.Name,
                  D.UnpricedCalls == 0
                      ? ""
                      : ", without " +
                            formatCount(double(D.UnpricedCalls), "call"));
}

static void writeElapsedTimes(ArrayRef<Known<double>> ElapsedNs,
                              raw_ostream &OS) {
  if (ElapsedNs.empty())
    return;
  constexpr size_t MostShown = 8;
  OS << "times between events, of which the program got 1 ms each: what it "
        "computes from them is not predicted\n";
  for (const Known<double> &Ns : ElapsedNs.take_front(MostShown))
    OS << formatv("  {0,10}{1}\n", Ns ? formatTime(*Ns) : "-",
                  Ns ? "" : "  " + Ns.reason());
  if (ElapsedNs.size() > MostShown)
    OS << "  and " << ElapsedNs.size() - MostShown << " more\n";
}

/// What the code of a kernel does that its time leaves out.
static void writeGaps(ArrayRef<LaunchGroup> Groups, raw_ostream &OS) {
  std::set<std::string> Written;
  for (const LaunchGroup &G : Groups) {
    if (!G.Costliest)
      continue;
    for (const AnalysisGap &Gap : G.Costliest->Facts.Gaps) {
      const SourcePlace At = G.Costliest->Facts.placeOf(Gap.Location);
      std::string Line = ("not analyzed of " + G.Demangled + ": " + Gap.What +
                          (At.isValid() ? " (" + sys::path::filename(At.File) +
                                              ":" + Twine(At.Line) + ")"
                                        : Twine()))
                             .str();
      if (Written.insert(Line).second)
        OS << printable(Line) << '\n';
    }
  }
}

void gpuocc::writeProfileText(const ProfileReport &R, raw_ostream &OS) {
  writeKernels(R, OS);
  writeOthers(R, OS);
  OS << "total " << formatTime(R.totalNs()) << '\n';
  writeElapsedTimes(R.ElapsedNs, OS);
  writeDevices(R, OS);
  for (const LaunchGroup &G : R.Groups) {
    if (!G.TotalNs)
      OS << "no time is predicted for " << printable(G.Demangled) << " ("
         << formatCount(double(G.Calls), "call")
         << "): " << printable(G.TotalNs.reason()) << '\n';
    else if (G.NumWithMemory != 0 || G.isCounted() || G.ManagedBytes != 0 ||
             G.NumPriced < G.NumDifferent)
      OS << printable(G.Demangled) << ", grid " << formatDim(G.Grid)
         << ", block " << formatDim(G.Block) << ": " << basisOf(G)
         << countsText(G) << managedText(G) << '\n';
  }
  writeGaps(R.Groups, OS);
}

static json::Object countsOf(const LaunchGroup &G) {
  json::Object O{{"source", G.isCounted()          ? "counted"
                            : G.NumWithMemory != 0 ? "recorded"
                                                   : "code"},
                 {"different_launches", G.NumDifferent},
                 {"priced_launches", G.NumPriced},
                 {"launches_with_recorded_memory", G.NumWithMemory}};
  if (G.NumLoopsCounted != 0)
    O["counted_loops"] = G.NumLoopsCounted;
  if (G.NumWarpsRan != 0)
    O["executed_warps"] = G.NumWarpsRan;
  if (G.NumBlocksSeen != 0) {
    O["counted_blocks"] = G.NumBlocksSeen;
    O["blocks"] = G.Grid.count();
    O["is_cut"] = G.SeenIsCut;
  }
  return O;
}

/// The costliest launches as a report of `analyze` has them.
static Expected<json::Value> kernelsJSON(const ProfileReport &R) {
  Report Costliest;
  Costliest.Tool = toolVersion();
  std::vector<const LaunchGroup *> Groups;
  for (const LaunchGroup &G : R.Groups)
    if (G.Costliest) {
      Costliest.Kernels.push_back(*G.Costliest);
      Groups.push_back(&G);
    }
  std::string Text;
  raw_string_ostream OS(Text);
  if (Error E = findReportView("json")->Write(Costliest, ViewOptions(), OS))
    return std::move(E);
  Expected<json::Value> Document = parseJSON(Text);
  if (!Document)
    return Document;
  json::Array &Kernels = *Document->getAsObject()->getArray("kernels");
  for (auto [Kernel, G] : zip(Kernels, Groups)) {
    json::Object &O = *Kernel.getAsObject();
    O["calls"] = G->Calls;
    O["total_time_ns"] = *G->TotalNs;
    O["min_time_ns"] = G->MinNs;
    O["max_time_ns"] = G->MaxNs;
    O["share"] = *G->TotalNs / R.kernelNs();
    O["counts"] = countsOf(*G);
    if (G->ManagedBytes != 0)
      O["managed_bytes"] = G->ManagedBytes;
    json::Array Launches;
    for (const GroupLaunch &L : G->Launches)
      Launches.push_back(json::Object{
          {"calls", L.Calls}, {"time_ns", L.Ns}, {"priced", L.IsPriced}});
    O["launches"] = std::move(Launches);
    if (G->Executed)
      O["executed"] = json::Object(*G->Executed);
  }
  return Document;
}

Error gpuocc::writeProfileJSON(const ProfileReport &R, raw_ostream &OS) {
  Expected<json::Value> Document = kernelsJSON(R);
  if (!Document)
    return Document.takeError();
  json::Array Unpriced, Others;
  for (const LaunchGroup &G : R.Groups)
    if (!G.TotalNs)
      Unpriced.push_back(
          json::Object{{"kernel", json::fixUTF8(G.Demangled)},
                       {"calls", G.Calls},
                       {"reason", json::fixUTF8(G.TotalNs.reason())}});
  for (const HostTime &T : R.Others)
    Others.push_back(json::Object{{"what", T.What},
                                  {"times", T.Times},
                                  {"bytes", T.Bytes},
                                  {"total_time_ns", numberOrNull(T.Ns)}});
  json::Object &O = *Document->getAsObject();
  O["device"] = R.Device;
  O["unpriced"] = std::move(Unpriced);
  O["others"] = std::move(Others);
  O["kernel_time_ns"] = R.kernelNs();
  O["total_time_ns"] = R.totalNs();
  json::Array Devices;
  for (const OtherDevice &D : R.OtherDevices)
    Devices.push_back(json::Object{{"device", D.Name},
                                   {"kernel_time_ns", D.KernelNs},
                                   {"total_time_ns", D.TotalNs},
                                   {"unpriced_calls", D.UnpricedCalls}});
  O["other_devices"] = std::move(Devices);
  json::Array Elapsed;
  for (const Known<double> &Ns : R.ElapsedNs)
    Elapsed.push_back(numberOrNull(Ns));
  O["elapsed_times_ns"] = std::move(Elapsed);
  OS << formatv("{0:2}", *Document) << '\n';
  return Error::success();
}
