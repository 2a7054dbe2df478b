//===- WriteDevices.cpp - Kernels over several devices --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Views/WriteDevices.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace gpuocc;
using namespace llvm;

namespace {
/// The reports of one launch of one kernel, a device each.
using DeviceRows = std::vector<const KernelReport *>;
} // namespace

/// The launches of each kernel in the order of the first device's report; the
/// nth launch of a kernel on one device is the nth on the others.
static std::vector<DeviceRows> rowsByLaunch(const Report &R) {
  std::map<std::pair<StringRef, StringRef>, unsigned> Seen;
  MapVector<std::pair<StringRef, unsigned>, DeviceRows> Groups;
  for (const KernelReport &K : R.Kernels) {
    unsigned Nth = Seen[{K.Device, K.Facts.Name}]++;
    Groups[{StringRef(K.Facts.Name), Nth}].push_back(&K);
  }
  std::vector<DeviceRows> Rows;
  for (auto &[Key, Group] : Groups)
    Rows.push_back(std::move(Group));
  return Rows;
}

static StringRef boundBy(const Prediction &P) {
  return resourceKey(P.Diagnosed.Unit);
}

static std::string timeText(const Prediction &P) {
  return P.Time ? formatTime(P.Time->Ns) : "-";
}

static std::string intervalText(const Prediction &P) {
  return P.Interval ? formatTimes(P.Interval->LowNs, P.Interval->HighNs) : "-";
}

static std::string ratioText(const Prediction &P, const Prediction &First) {
  return P.Time && First.Time && First.Time->Ns > 0
             ? formatRatio(P.Time->Ns / First.Time->Ns)
             : "-";
}

static std::string priceText(std::optional<double> Price) {
  return Price ? formatv("{0:f4}", *Price).str() : "-";
}

/// What a million launches of \p K cost; none where its time or the price of
/// its device is not known.
static std::optional<double> priceOf(const KernelReport &K,
                                     const HourlyPrices &Prices) {
  auto Found = Prices.find(K.Device);
  if (!K.Predicted.Time || Found == Prices.end())
    return std::nullopt;
  return priceOfLaunches(K.Predicted.Time->Ns, Found->second);
}

/// \p Cells are a device, what binds, time, interval, ratio, warps and numbers,
/// \p Price is empty where there are no prices.
static void writeRow(ArrayRef<std::string> Cells, StringRef Price,
                     raw_ostream &OS) {
  std::string Line =
      formatv("  {0,-24} {1,-10} {2,10} {3,-24} {4,8} {5,12}  ", Cells[0],
              Cells[1], Cells[2], Cells[3], Cells[4], Cells[5]);
  if (!Price.empty())
    Line += formatv("{0,10}  ", Price);
  Line += Cells[6];
  OS << StringRef(Line).rtrim() << '\n';
}

/// "the verdict flips: dram on nvidia-h200; fp64 on nvidia-rtx-4090".
static void writeAgreement(const DeviceRows &Rows, raw_ostream &OS) {
  MapVector<StringRef, std::string> Devices;
  for (const KernelReport *K : Rows) {
    std::string &Names = Devices[boundBy(K->Predicted)];
    Names += (Names.empty() ? "" : ", ") + K->Device;
  }
  if (Devices.size() == 1) {
    OS << "  bound by " << Devices.front().first << " on each\n";
    return;
  }
  OS << "  the verdict flips: ";
  interleave(
      Devices, OS,
      [&](const auto &Entry) { OS << Entry.first << " on " << Entry.second; },
      "; ");
  OS << '\n';
}

static void writeLaunch(const DeviceRows &Rows, const HourlyPrices &Prices,
                        raw_ostream &OS) {
  const KernelReport &First = *Rows.front();
  OS << printable(shortName(First.Facts.Demangled));
  if (std::string Place = formatPlace(First.Facts.Place); !Place.empty())
    OS << "  " << Place;
  OS << '\n';
  if (First.Launched.Grid)
    OS << "  grid " << formatDim(First.Launched.Grid->Value) << ", block "
       << formatDim(First.Launched.Block.Value) << '\n';
  writeRow({"device", "bound by", "time", "80 % of launches", "ratio", "warps",
            "numbers"},
           Prices.empty() ? "" : "price", OS);
  for (const KernelReport *K : Rows) {
    const Prediction &P = K->Predicted;
    writeRow({K->Device, boundBy(P).str(), timeText(P), intervalText(P),
              ratioText(P, First.Predicted),
              formatWarps(P.Needed.P90) + " of " + std::to_string(P.WarpsPerSm),
              K->DeviceBasis},
             Prices.empty() ? "" : priceText(priceOf(*K, Prices)), OS);
  }
  if (Rows.size() > 1)
    writeAgreement(Rows, OS);
}

namespace {
/// The launches of a report that have a time on each device, one after another.
struct DeviceTotal {
  double Ns = 0;
  std::optional<double> Price = 0;
};
} // namespace

static MapVector<StringRef, DeviceTotal> totalsOf(ArrayRef<DeviceRows> All,
                                                  const HourlyPrices &Prices) {
  MapVector<StringRef, DeviceTotal> Totals;
  size_t NumDevices = 0;
  for (const DeviceRows &Rows : All)
    NumDevices = std::max(NumDevices, Rows.size());
  for (const DeviceRows &Rows : All) {
    if (Rows.size() != NumDevices || !all_of(Rows, [](const KernelReport *K) {
          return !!K->Predicted.Time;
        }))
      continue;
    for (const KernelReport *K : Rows) {
      DeviceTotal &Total = Totals[K->Device];
      Total.Ns += K->Predicted.Time->Ns;
      if (std::optional<double> Price = priceOf(*K, Prices); !Price)
        Total.Price.reset();
      else if (Total.Price)
        *Total.Price += *Price;
    }
  }
  return Totals;
}

/// "by time: nvidia-h200 10 us, nvidia-l4 60 us", and the same by money, each
/// with the best first.
static void writeRanks(ArrayRef<DeviceRows> All, const HourlyPrices &Prices,
                       raw_ostream &OS) {
  auto Totals = totalsOf(All, Prices).takeVector();
  if (Totals.empty())
    return;
  llvm::sort(Totals, [](const auto &A, const auto &B) {
    return std::tie(A.second.Ns, A.first) < std::tie(B.second.Ns, B.first);
  });
  OS << "\nall launches, by time: ";
  interleaveComma(Totals, OS, [&](const auto &Row) {
    OS << Row.first << ' ' << formatTime(Row.second.Ns);
  });
  OS << '\n';
  erase_if(Totals, [](const auto &Row) { return !Row.second.Price; });
  if (Totals.empty())
    return;
  llvm::sort(Totals, [](const auto &A, const auto &B) {
    return std::tie(*A.second.Price, A.first) <
           std::tie(*B.second.Price, B.first);
  });
  OS << "all launches, by money: ";
  interleaveComma(Totals, OS, [&](const auto &Row) {
    OS << Row.first << ' ' << priceText(Row.second.Price);
  });
  OS << '\n';
}

Error gpuocc::writeDeviceTable(const Report &R, const HourlyPrices &Prices,
                               raw_ostream &OS) {
  for (const KernelReport &K : R.Refused)
    for (const Finding &F : K.Findings)
      OS << "error: " << printable(F.text()) << '\n';
  std::vector<DeviceRows> All = rowsByLaunch(R);
  interleave(
      All, OS, [&](const DeviceRows &Rows) { writeLaunch(Rows, Prices, OS); },
      "\n");
  if (!Prices.empty())
    writeRanks(All, Prices, OS);
  if (All.empty() && !R.Refused.empty())
    return Error::success();
  if (All.empty())
    OS << "no kernels\n";
  else
    OS << "\nwarps: needed per SM for 90 % of the bound, of those that an SM "
          "can hold\n";
  if (!All.empty() && !Prices.empty())
    OS << "price: of a million launches in a row\n";
  return Error::success();
}
