//===- Nvml.cpp - What else happens on the GPU ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nvml.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include <dlfcn.h>

using namespace llvm;

namespace gpuocc::calibration {

std::optional<Nvml> Nvml::open() {
  void *Library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!Library)
    return std::nullopt;
  Nvml Table;
#define NVML_FUNCTION(Member, Symbol, Parameters)                              \
  Table.Member =                                                               \
      reinterpret_cast<NvmlResult(*) Parameters>(dlsym(Library, Symbol));
#include "NvmlFunctions.def"
  if (!Table.Init || !Table.Shutdown || !Table.HandleByPciBusId)
    return std::nullopt;
  return Table;
}

NvmlGpu::NvmlGpu(const Driver &Cuda, const Nvml *Library, unsigned Index)
    : Library(Library) {
  CuDevice Number = 0;
  if (Cuda.Init(0) != 0 || Cuda.DeviceGet(&Number, Index) != 0)
    return;
  char Text[256] = "", PciBusId[64] = "";
  if (Cuda.DeviceGetName(Text, sizeof(Text), Number) == 0)
    Name = Text;
  if (!Library ||
      Cuda.DeviceGetPCIBusId(PciBusId, sizeof(PciBusId), Number) != 0)
    return;
  Started = Library->Init() == 0;
  if (Started && Library->HandleByPciBusId(PciBusId, &Device) != 0)
    Device = nullptr;
}

NvmlGpu::~NvmlGpu() {
  if (Started)
    Library->Shutdown();
}

std::vector<Circumstance> NvmlGpu::circumstances() const {
  std::vector<Circumstance> Found;
  unsigned Mig = 0, Pending = 0;
  bool IsSliced = Device && Library->MigMode &&
                  Library->MigMode(Device, &Mig, &Pending) == 0 && Mig == 1;
  // The driver's name of a slice says so as well: "NVIDIA A100 MIG 1g.5gb".
  if (IsSliced || StringRef(Name).contains(" MIG "))
    Found.push_back({"mig", formatv("MIG is on: '{0}' is a slice of a GPU; its "
                                    "numbers are not those of the whole GPU",
                                    Name)});
  if (!Device)
    return Found;

  unsigned Limit = 0, Default = 0;
  if (Library->PowerLimit && Library->DefaultPowerLimit &&
      Library->PowerLimit(Device, &Limit) == 0 &&
      Library->DefaultPowerLimit(Device, &Default) == 0 && Limit < Default)
    Found.push_back(
        {"power_limit", formatv("the power limit is {0} W, {1} W by default: "
                                "rates may be lower than usual "
                                "(nvidia-smi -pl {1} sets it)",
                                Limit / 1000, Default / 1000)});

  // With no room for them, the library only says how many there are.
  static constexpr NvmlResult TooSmall = 7;
  unsigned Processes = 0;
  if (Library->ComputeProcesses) {
    NvmlResult Result = Library->ComputeProcesses(Device, &Processes, nullptr);
    if ((Result == 0 || Result == TooSmall) && Processes > 0)
      Found.push_back(
          {"other_processes",
           formatv("{0} other {1} this GPU: times may include "
                   "theirs (nvidia-smi lists them)",
                   Processes,
                   Processes == 1 ? "process uses" : "processes use")});
  }
  return Found;
}

namespace {
/// A bit of nvmlDeviceGetCurrentClocksThrottleReasons.
struct ThrottleReason {
  unsigned long long Bit;
  const char *Text;
};
} // namespace

// Idle, set clocks and synchronized boost are no surprise and left out.
// Source: NVML API Reference, nvmlClocksEventReasons.
static constexpr ThrottleReason ThrottleReasons[] = {
    {0x04, "power limit"}, {0x08, "hardware slowdown"},
    {0x20, "temperature"}, {0x40, "temperature, by hardware"},
    {0x80, "power brake"},
};

std::string NvmlGpu::loweredClocks() const {
  unsigned long long Reasons = 0;
  if (!Device || !Library->ThrottleReasons ||
      Library->ThrottleReasons(Device, &Reasons) != 0)
    return "";
  std::string Text;
  for (const ThrottleReason &R : ThrottleReasons)
    if (Reasons & R.Bit)
      Text += (Text.empty() ? "" : ", ") + std::string(R.Text);
  return Text;
}

} // namespace gpuocc::calibration
