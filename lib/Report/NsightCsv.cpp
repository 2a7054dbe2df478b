//===- NsightCsv.cpp - Launches that Nsight Compute measured --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Report/NsightCsv.h"
#include "gpuocc/Kernel/KernelName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace gpuocc;
using namespace llvm;

using Row = std::vector<std::string>;

namespace {

/// A metric on either page, and the unit that it is a share of.
struct UnitMetric {
  StringLiteral OnDetails, OnRaw, Unit;
};

} // namespace

static constexpr UnitMetric UnitMetrics[] = {
    {"DRAM Throughput", "dram__throughput.avg.pct_of_peak_sustained_elapsed",
     "DRAM"},
    {"L2 Cache Throughput", "lts__throughput.avg.pct_of_peak_sustained_elapsed",
     "L2"},
    {"L1/TEX Cache Throughput",
     "l1tex__throughput.avg.pct_of_peak_sustained_active", "L1/TEX"},
    {"Compute (SM) Throughput",
     "sm__throughput.avg.pct_of_peak_sustained_elapsed", "SM"},
};
static constexpr UnitMetric TimeMetric = {"Duration", "gpu__time_duration.sum",
                                          ""};

/// Takes a row from the front of \p Text; quotes are doubled inside of quotes.
static Row takeRow(StringRef &Text) {
  Row Fields(1);
  bool Quoted = false;
  while (!Text.empty()) {
    char C = Text.front();
    Text = Text.drop_front();
    if (Quoted) {
      if (C == '"' && Text.consume_front("\""))
        Fields.back() += '"';
      else if (C == '"')
        Quoted = false;
      else
        Fields.back() += C;
    } else if (C == '"') {
      Quoted = true;
    } else if (C == ',') {
      Fields.emplace_back();
    } else if (C == '\n') {
      break;
    } else if (C != '\r') {
      Fields.back() += C;
    }
  }
  return Fields;
}

static std::optional<double> numberOf(StringRef Text) {
  std::string Digits = Text.str();
  llvm::erase(Digits, ',');
  double Value = 0;
  if (StringRef(Digits).getAsDouble(Value))
    return std::nullopt;
  return Value;
}

/// Nanoseconds in one of \p Unit, which the profiler writes in two ways.
static double nanosecondsIn(StringRef Unit) {
  if (Unit == "us" || Unit == "usecond")
    return 1e3;
  if (Unit == "ms" || Unit == "msecond")
    return 1e6;
  if (Unit == "s" || Unit == "second")
    return 1e9;
  return 1;
}

/// "(32, 8, 1)" as "32x8".
static std::string extentsOf(StringRef Text) {
  SmallVector<StringRef, 3> Sides;
  SplitString(Text, Sides, "(), ");
  while (Sides.size() > 1 && Sides.back() == "1")
    Sides.pop_back();
  return join(Sides, "x");
}

namespace {

/// The table of a profile, with its columns by name.
class Table {
public:
  static std::optional<Table> find(StringRef Text) {
    while (!Text.empty()) {
      Table T;
      T.Header = takeRow(Text);
      if (is_contained(T.Header, "Kernel Name")) {
        while (!Text.empty())
          if (Row R = takeRow(Text); R.size() > 1)
            T.Rows.push_back(std::move(R));
        return T;
      }
    }
    return std::nullopt;
  }

  StringRef cell(const Row &R, StringRef Column) const {
    auto Found = llvm::find(Header, Column);
    size_t Index = Found - Header.begin();
    return Index < R.size() ? StringRef(R[Index]) : StringRef();
  }
  bool has(StringRef Column) const { return is_contained(Header, Column); }

  Row Header;
  std::vector<Row> Rows;
};

} // namespace

static void takeMetric(MeasuredLaunch &L, StringRef Name, StringRef Unit,
                       StringRef Value) {
  std::optional<double> Number = numberOf(Value);
  if (!Number)
    return;
  auto Is = [&](const UnitMetric &M) {
    return Name == M.OnDetails || Name == M.OnRaw;
  };
  if (Is(TimeMetric))
    L.TimeNs = *Number * nanosecondsIn(Unit);
  const auto *Found = find_if(UnitMetrics, Is);
  if (Found == std::end(UnitMetrics) || *Number <= L.BusiestPercent)
    return;
  L.Busiest = Found->Unit.str();
  L.BusiestPercent = *Number;
}

/// Adds what \p R, a row of \p T, says; \p Units is the row of units on page
/// `raw`.
static void takeRowOf(const Table &T, const Row &R, const Row &Units,
                      MeasuredLaunch &L) {
  L.Kernel = T.cell(R, "Kernel Name").str();
  L.Extents = extentsOf(T.cell(R, "Grid Size")) + " x " +
              extentsOf(T.cell(R, "Block Size"));
  if (T.has("Metric Name"))
    return takeMetric(L, T.cell(R, "Metric Name"), T.cell(R, "Metric Unit"),
                      T.cell(R, "Metric Value"));
  for (const std::string &Column : T.Header)
    takeMetric(L, Column, T.cell(Units, Column), T.cell(R, Column));
}

Expected<std::vector<MeasuredLaunch>>
gpuocc::parseNsightCsv(StringRef Text, StringRef FileName) {
  std::optional<Table> T = Table::find(Text);
  if (!T || !T->has("ID") || !T->has("Grid Size") || !T->has("Block Size"))
    return createStringError("'" + FileName +
                             "' is no profile: expected what 'ncu --csv' "
                             "prints");
  Row Units;
  std::map<uint64_t, MeasuredLaunch> ById;
  for (const Row &R : T->Rows) {
    uint64_t Id = 0;
    // The row of units has no number.
    if (T->cell(R, "ID").getAsInteger(10, Id))
      Units = R;
    else
      takeRowOf(*T, R, Units, ById[Id]);
  }
  std::vector<MeasuredLaunch> Launches;
  for (auto &[Id, L] : ById)
    Launches.push_back(std::move(L));
  if (Launches.empty())
    return createStringError("'" + FileName + "' has no launches");
  return Launches;
}

std::vector<MeasuredKernel>
gpuocc::matchMeasured(const ReportSummary &Predicted,
                      ArrayRef<MeasuredLaunch> Launches) {
  std::vector<MeasuredKernel> Matches;
  for (const KernelSummary &K : Predicted.Kernels) {
    std::vector<const MeasuredLaunch *> Same;
    for (const MeasuredLaunch &L : Launches)
      if (L.TimeNs && baseName(L.Kernel) == baseName(K.Demangled) &&
          StringRef(K.LaunchText).starts_with(L.Extents + " + "))
        Same.push_back(&L);
    if (Same.empty())
      continue;
    // Of equal times, in the order of the profile.
    llvm::sort(Same, [](const MeasuredLaunch *A, const MeasuredLaunch *B) {
      return std::make_pair(*A->TimeNs, A) < std::make_pair(*B->TimeNs, B);
    });
    Matches.push_back({&K, *Same[Same.size() / 2], unsigned(Same.size())});
  }
  return Matches;
}

std::string gpuocc::whyNoneMatches(const ReportSummary &Predicted,
                                   ArrayRef<MeasuredLaunch> Launches) {
  if (none_of(Launches, [](const MeasuredLaunch &L) { return !!L.TimeNs; }))
    return "the profile has no times: it needs '" + TimeMetric.OnDetails.str() +
           "' or " + TimeMetric.OnRaw.str();
  for (const KernelSummary &K : Predicted.Kernels)
    for (const MeasuredLaunch &L : Launches)
      if (baseName(L.Kernel) == baseName(K.Demangled))
        return "'" + L.Kernel + "' was measured with " + L.Extents +
               " and predicted with " + K.LaunchText +
               "; describe its launch with --launch or 'record'";
  return "no kernel of the profile has the name of one of the report";
}
