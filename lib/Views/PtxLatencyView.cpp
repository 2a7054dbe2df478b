//===- PtxLatencyView.cpp - PTX operations on several GPUs ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Views/PtxLatencyView.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <set>

using namespace gpuocc;
using namespace llvm;

/// In alphabetical order.
static std::set<std::string> operationsOf(ArrayRef<DeviceModel> Devices) {
  std::set<std::string> Names;
  for (const DeviceModel &Device : Devices)
    for (const auto &[Name, Timing] : Device.PtxInstructions)
      Names.insert(Name);
  return Names;
}

static std::string padded(StringRef Text, size_t Width) {
  return Text.str() + std::string(Width - std::min(Width, Text.size()), ' ');
}

static std::string paddedLeft(StringRef Text, size_t Width) {
  return std::string(Width - std::min(Width, Text.size()), ' ') + Text.str();
}

static std::string cycles(const std::optional<Number> &N) {
  std::string Text;
  if (!N)
    return "-";
  raw_string_ostream(Text) << format("%.3g", N->Value);
  // Four digits are not shortened to a power of ten.
  return N->Value < 1000 ? Text : std::to_string(long(N->Value + 0.5));
}

static std::string cell(const DeviceModel &Device, const std::string &Name) {
  auto It = Device.PtxInstructions.find(Name);
  return It == Device.PtxInstructions.end()
             ? "-"
             : cycles(It->second.O3) + " / " + cycles(It->second.O0);
}

void gpuocc::writePtxLatencies(ArrayRef<DeviceModel> Devices, raw_ostream &OS) {
  const std::set<std::string> Names = operationsOf(Devices);
  size_t Width = StringRef("cycles at -O3 / -O0").size();
  for (const std::string &Name : Names)
    Width = std::max(Width, Name.size());
  constexpr size_t LeastWidth = 11;
  std::string Line = padded("cycles at -O3 / -O0", Width);
  std::vector<size_t> Columns;
  for (const DeviceModel &Device : Devices) {
    StringRef Short = Device.Name;
    Short.consume_front("nvidia-");
    Columns.push_back(std::max(LeastWidth, Short.size()));
    Line += "  " + paddedLeft(Short, Columns.back());
  }
  OS << printable(Line) << '\n';
  for (const std::string &Name : Names) {
    Line = padded(Name, Width);
    for (size_t I = 0; I != Devices.size(); ++I)
      Line += "  " + paddedLeft(cell(Devices[I], Name), Columns[I]);
    OS << printable(Line) << '\n';
  }
}

json::Value gpuocc::ptxLatencies(ArrayRef<DeviceModel> Devices) {
  json::Array Names, Operations;
  for (const DeviceModel &Device : Devices)
    Names.push_back(Device.Name);
  for (const std::string &Name : operationsOf(Devices)) {
    json::Object ByDevice;
    for (const DeviceModel &Device : Devices) {
      auto It = Device.PtxInstructions.find(Name);
      if (It == Device.PtxInstructions.end())
        continue;
      json::Object Timing;
      if (It->second.O3)
        Timing["O3"] = toJSON(*It->second.O3);
      if (It->second.O0)
        Timing["O0"] = toJSON(*It->second.O0);
      ByDevice[Device.Name] = std::move(Timing);
    }
    Operations.push_back(
        json::Object{{"name", Name}, {"latencies", std::move(ByDevice)}});
  }
  return json::Object{{"devices", std::move(Names)},
                      {"operations", std::move(Operations)}};
}
