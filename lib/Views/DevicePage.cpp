//===- DevicePage.cpp - A GPU on one page ---------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Views/DevicePage.h"
#include "Table.h"
#include "gpuocc/Model/OccupancyRoofline.h"
#include "gpuocc/Model/Rates.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// A row of computations that is a class of instructions.
struct ClassRow {
  StringLiteral Name;
  InstClass Class;
};

/// One that is a program: a PTX operation as the compiler expands it.
struct FunctionRow {
  StringLiteral Name, Operation;
};

/// A memory by what it is read with: throughput, the latencies of its levels
/// and their sizes.
struct MemoryRow {
  StringLiteral Name;
  std::optional<Quantity> BytesPerCycle;
  SmallVector<Quantity, 3> Latencies, Sizes;
};

} // namespace

static constexpr ClassRow ClassRows[] = {
    {"SP", InstClass::FAdd},          {"MADD", InstClass::FFma},
    {"HP", InstClass::HFma2},         {"INT", InstClass::IAdd3},
    {"INT MAD", InstClass::IMad},     {"DP", InstClass::DFma},
    {"SF ex2", InstClass::MufuEx2},   {"SF sin", InstClass::MufuSin},
    {"SF cos", InstClass::MufuCos},   {"SF rcp", InstClass::MufuRcp},
    {"SF rsqrt", InstClass::MufuRsq}, {"shuffle", InstClass::Shfl},
};

static constexpr FunctionRow FunctionRows[] = {
    {"software div", "div.rn.f32"}, {"software sqrt", "sqrt.rn.f32"},
    {"software sin", "sin.f32"},    {"software cos", "cos.f32"},
    {"software tan", "tan.f32"},    {"double div", "div.rn.f64"},
    {"double sqrt", "sqrt.rn.f64"}, {"double sin", "sin.f64"},
};

static constexpr double LanesOfWarp = 32;

/// Of a list of latencies or rates, as the paper writes them.
static std::string joined(ArrayRef<std::string> Texts) {
  // One text says it for all.
  return all_equal(Texts) && !Texts.empty() ? Texts.front() : join(Texts, "/");
}

static std::string numberOr(const Known<double> &Value) {
  return Value ? formatNumber(*Value) : "-";
}

static Table::Row computationRow(StringRef Name, ArrayRef<PipelinePoint> Points,
                                 const Known<double> &GigaCycles) {
  std::vector<std::string> Rate, Issue, Completion, Ridge;
  for (const PipelinePoint &P : Points) {
    Rate.push_back(
        GigaCycles ? formatNumber(LanesOfWarp * *GigaCycles / P.IssueLatency)
                   : "-");
    Issue.push_back(formatNumber(P.IssueLatency));
    Completion.push_back(formatNumber(P.CompletionLatency));
    Ridge.push_back(formatNumber(P.RidgeWarps));
  }
  return {Name.str(), joined(Rate), joined(Issue), joined(Completion),
          joined(Ridge)};
}

/// A function whose throughput was not measured has a completion latency and no
/// more.
static Table::Row functionRow(StringRef Name, const PtxTiming &Timing,
                              const Known<double> &GigaCycles) {
  InstTiming Asked;
  Asked.LatencyCycles = Timing.O3;
  Asked.ThroughputPerCycleSm = Timing.Throughput;
  const std::vector<PipelinePoint> Points = pipelinePoints(Asked);
  if (!Points.empty())
    return computationRow(Name, Points.front(), GigaCycles);
  return {Name.str(), "-", "-",
          Timing.O3 ? formatNumber(Timing.O3->Value) : "-", "-"};
}

static void writeComputations(const DeviceModel &Device,
                              const Known<double> &GigaCycles,
                              raw_ostream &OS) {
  Table T({"computations", "Gop/s", "lambda", "Lambda", "ridge (warps)"},
          {1, 2, 3, 4});
  for (const ClassRow &Row : ClassRows)
    if (const InstTiming *Timing = Device.timing(Row.Class))
      if (std::vector<PipelinePoint> Points = pipelinePoints(*Timing);
          !Points.empty())
        T.add(computationRow(Row.Name, Points, GigaCycles));
  for (const FunctionRow &Row : FunctionRows)
    if (auto It = Device.PtxInstructions.find(Row.Operation.str());
        It != Device.PtxInstructions.end())
      T.add(functionRow(Row.Name, It->second, GigaCycles));
  T.print(OS);
}

/// Rows of global memory: by bytes of an element, from the copies of
/// stream_by_width (kind 0: reads).
static void addGlobalRows(const DeviceModel &Device,
                          const Known<double> &GigaCycles, StringRef Latencies,
                          StringRef Sizes, Table &T) {
  const DeviceTable *Widths = Device.table("stream_by_width");
  if (!Widths)
    return;
  for (const std::vector<json::Value> &Row : Widths->Rows) {
    const std::optional<double> Kind = Row[0].getAsNumber(),
                                Bytes = Row[1].getAsNumber(),
                                Rate = Row[2].getAsNumber();
    if (Kind != 0.0 || !Bytes || !Rate || *Rate <= 0)
      continue;
    T.add({formatv("global, {0} B", formatNumber(*Bytes)),
           GigaCycles ? formatNumber(*Rate * *GigaCycles) : "-",
           formatNumber(*Bytes * LanesOfWarp / *Rate), Latencies.str(),
           Sizes.str()});
  }
}

static void writeMemories(const DeviceModel &Device,
                          const Known<double> &GigaCycles, raw_ostream &OS) {
  const MemoryRow Global = {
      "global, 4 B",
      Quantity::DramReadBytesPerCycle,
      {Quantity::L1HitLatency, Quantity::L2HitLatency, Quantity::DramLatency},
      {Quantity::L1Bytes, Quantity::L2Bytes}};
  const MemoryRow Others[] = {
      {"L2, 4 B",
       Quantity::L2ReadBytesPerCycle,
       {Quantity::L2HitLatency},
       {Quantity::L2Bytes}},
      {"L1, 4 B",
       Quantity::L1BytesPerCycle,
       {Quantity::L1HitLatency},
       {Quantity::L1Bytes}},
      {"shared, 4 B",
       Quantity::SharedBytesPerCycle,
       {Quantity::SharedLatency},
       {Quantity::MaxSharedBytesPerSm}},
      {"constant, 4 B",
       std::nullopt,
       {Quantity::ConstantL1Latency, Quantity::ConstantL15Latency},
       {Quantity::ConstantL1Bytes}},
      {"texture, 4 B", std::nullopt, {Quantity::TextureLatency}, {}},
      {"private, 4 B", std::nullopt, {Quantity::LocalLatency}, {}},
  };
  auto TextOf = [&](ArrayRef<Quantity> Quantities) {
    std::vector<std::string> Texts;
    for (Quantity Q : Quantities)
      if (Known<double> Value = Device.get(Q))
        Texts.push_back(formatNumber(*Value));
    return Texts.empty() ? std::string("-") : join(Texts, "/");
  };
  Table T({"memory", "GB/s", "lambda", "Lambda", "cache bytes"}, {1, 2, 3, 4});
  auto Add = [&](const MemoryRow &Row) {
    const Known<double> Rate = Row.BytesPerCycle
                                   ? Device.get(*Row.BytesPerCycle)
                                   : Known<double>::unknown("not measured");
    const std::string Latencies = TextOf(Row.Latencies);
    if (!Rate && Latencies == "-")
      return;
    T.add({Row.Name.str(),
           Rate && GigaCycles ? formatNumber(*Rate * *GigaCycles) : "-",
           Rate ? formatNumber(4 * LanesOfWarp / *Rate) : "-", Latencies,
           TextOf(Row.Sizes)});
  };
  if (Device.table("stream_by_width"))
    addGlobalRows(Device, GigaCycles, TextOf(Global.Latencies),
                  TextOf(Global.Sizes), T);
  else
    Add(Global);
  for (const MemoryRow &Row : Others)
    Add(Row);
  T.print(OS);
}

void gpuocc::writeDevicePage(const DeviceModel &Device, raw_ostream &OS) {
  const Known<double> GigaCycles = chipGigaCycles(Device);
  OS << printable(Device.DisplayName) << ", " << printable(Device.Architecture)
     << ": " << numberOr(Device.get(Quantity::SmCount)) << " SMs at "
     << numberOr(Device.get(Quantity::SmClockMhz)) << " MHz\n"
     << "Cycles per warp instruction of an SM: lambda at the best occupancy, "
        "Lambda with one\nwarp on each scheduler; a/b/c are ILP 1, 2 and 4, of "
        "memory the levels.\n\n";
  writeComputations(Device, GigaCycles, OS);
  OS << '\n';
  writeMemories(Device, GigaCycles, OS);
}
