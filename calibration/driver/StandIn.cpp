//===- StandIn.cpp - A driver for machines without a GPU ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StandIn.h"
#include "kernels/Architectures.h"
#include "kernels/Ptx.h"
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <utility>

using namespace llvm;

namespace gpuocc::calibration {

static constexpr size_t MemoryBytes = size_t(2) << 30;

/// What a stand-in answers for the row \p F of architectures().
static int attribute(const ArchitectureFacts &F, int Attribute) {
  switch (DeviceAttribute(Attribute)) {
  case DeviceAttribute::MajorVersion:
    return F.Architecture / 10;
  case DeviceAttribute::MinorVersion:
    return F.Architecture % 10;
  case DeviceAttribute::SmCount:
    return F.SmCount;
  case DeviceAttribute::SharedBytesPerSm:
    return F.SharedBytesPerSm;
  case DeviceAttribute::SharedBytesPerBlockOptIn:
    return F.SharedBytesPerBlock;
  case DeviceAttribute::ThreadsPerSm:
    return F.ThreadsPerSm;
  case DeviceAttribute::BlocksPerSm:
    return F.BlocksPerSm;
  case DeviceAttribute::L2Bytes:
    return F.L2Bytes;
  case DeviceAttribute::ClockKHz:
    return F.ClockKHz;
  case DeviceAttribute::MemoryClockKHz:
    return F.MemoryClockKHz;
  case DeviceAttribute::MemoryBusBits:
    return F.MemoryBusBits;
  default:
    return 1;
  }
}

static CuResult allocate(CuDevicePtr *Address, size_t Bytes) {
  *Address = reinterpret_cast<CuDevicePtr>(std::calloc(Bytes, 1));
  return *Address ? 0 : 2;
}

static CuResult release(CuDevicePtr Address) {
  std::free(reinterpret_cast<void *>(Address));
  return 0;
}

/// CUDA_ERROR_INVALID_VALUE
static constexpr CuResult InvalidValue = 1;

namespace {
/// What handles of functions point to.
struct StandInFunction {
  /// What a function may have that did not ask for more.
  unsigned MaxDynamicSharedBytes = 48 * 1024;
};

/// What handles of modules point to.
using StandInModule = std::map<std::string, StandInFunction>;
} // namespace

static CuResult launch(const ArchitectureFacts &F, CuFunction Function,
                       unsigned Blocks, unsigned Threads, unsigned SharedBytes,
                       void **Arguments) {
  if (Threads > 1024 ||
      SharedBytes > reinterpret_cast<const StandInFunction *>(Function)
                        ->MaxDynamicSharedBytes)
    return InvalidValue;
  auto *Records = *static_cast<WarpRecord **>(Arguments[0]);
  uint64_t Cycles = 30 + 100 * *static_cast<uint64_t *>(Arguments[2]);
  size_t Warps = size_t(Blocks) * ((Threads + 31) / 32);
  // Kernels that fill memory have more warps than there are records.
  if (Warps <= WarpRecordLimit)
    for (size_t W = 0; W < Warps; ++W)
      Records[W] = {1000, 1000 + Cycles, 0, Cycles / 2, W % F.SmCount, 0};
  return 0;
}

namespace {
/// The functions whose answers depend on the architecture: those of row \p Row
/// of architectures(), since a driver's functions have no state.
template <size_t Row> struct StandInOf {
  static const ArchitectureFacts &facts() { return architectures()[Row]; }
  static CuResult getAttribute(int *Value, int Attribute, CuDevice) {
    return *Value = attribute(facts(), Attribute), 0;
  }
  static CuResult getName(char *Name, int Length, CuDevice) {
    std::string Text =
        "stand-in for an sm_" + std::to_string(facts().Architecture);
    std::strncpy(Name, Text.c_str(), Length);
    return 0;
  }
  static CuResult setAttribute(CuFunction Function, int Attribute, int Value) {
    if (FunctionAttribute(Attribute) !=
        FunctionAttribute::MaxDynamicSharedBytes)
      return 0;
    if (Value < 0 || unsigned(Value) > facts().SharedBytesPerBlock)
      return InvalidValue;
    reinterpret_cast<StandInFunction *>(Function)->MaxDynamicSharedBytes =
        Value;
    return 0;
  }
  static CuResult launchKernel(CuFunction Function, unsigned Blocks, unsigned,
                               unsigned, unsigned Threads, unsigned, unsigned,
                               unsigned SharedBytes, CuStream, void **Arguments,
                               void **) {
    return launch(facts(), Function, Blocks, Threads, SharedBytes, Arguments);
  }
  static void fill(Driver &D) {
    D.DeviceGetAttribute = getAttribute;
    D.DeviceGetName = getName;
    D.FuncSetAttribute = setAttribute;
    D.LaunchKernel = launchKernel;
  }
};

/// Rows that there are stand-ins for: all.
constexpr size_t NumRows = 14;
} // namespace

template <size_t... Rows>
static void fillRow(Driver &D, size_t Row, std::index_sequence<Rows...>) {
  using Fill = void (*)(Driver &);
  static constexpr Fill Fills[] = {StandInOf<Rows>::fill...};
  Fills[Row](D);
}

Driver standInDriver(unsigned Architecture) {
  ArrayRef<ArchitectureFacts> All = architectures();
  assert(All.size() == NumRows && "a stand-in for each architecture");
  const ArchitectureFacts *F = findArchitecture(Architecture);
  assert(F && "an architecture of the table");
  Driver D;
  fillRow(D, F - All.begin(), std::make_index_sequence<NumRows>());
  D.Init = [](unsigned) { return 0; };
  D.DriverGetVersion = [](int *Version) { return *Version = 13000, 0; };
  D.DeviceGetCount = [](int *Count) { return *Count = 1, 0; };
  D.DeviceGet = [](CuDevice *Device, int) { return *Device = 0, 0; };
  D.DeviceTotalMem = [](size_t *Bytes, CuDevice) {
    return *Bytes = MemoryBytes, 0;
  };
  D.DeviceGetPCIBusId = [](char *Id, int Length, CuDevice) {
    std::strncpy(Id, "0000:00:00.0", Length);
    return 0;
  };
  D.PrimaryCtxRetain = [](CuContext *, CuDevice) { return 0; };
  D.PrimaryCtxRelease = [](CuDevice) { return 0; };
  D.CtxSetCurrent = [](CuContext) { return 0; };
  D.ModuleLoadDataEx = [](CuModule *Module, const void *, unsigned, int *,
                          void **) {
    *Module = reinterpret_cast<CuModule>(new StandInModule);
    return 0;
  };
  D.ModuleUnload = [](CuModule Module) {
    delete reinterpret_cast<StandInModule *>(Module);
    return 0;
  };
  D.ModuleGetFunction = [](CuFunction *Function, CuModule Module,
                           const char *Name) {
    auto &Functions = *reinterpret_cast<StandInModule *>(Module);
    *Function = reinterpret_cast<CuFunction>(&Functions[Name]);
    return 0;
  };
  // The only variable of a module is a table in constant memory.
  D.ModuleGetGlobal = [](CuDevicePtr *Address, size_t *Bytes, CuModule,
                         const char *) {
    static char Constants[65536];
    *Address = reinterpret_cast<CuDevicePtr>(Constants);
    *Bytes = sizeof(Constants);
    return 0;
  };
  D.LinkCreate = [](unsigned, int *, void **, CuLinkState *) { return 0; };
  D.LinkAddData = [](CuLinkState, int, void *, size_t, const char *, unsigned,
                     int *, void **) { return 0; };
  D.LinkComplete = [](CuLinkState, void **Image, size_t *Bytes) {
    *Image = nullptr;
    *Bytes = 0;
    return 0;
  };
  D.LinkDestroy = [](CuLinkState) { return 0; };
  D.FuncGetAttribute = [](int *Value, int, CuFunction) {
    return *Value = 0, 0;
  };
  D.MemAlloc = allocate;
  D.MemFree = release;
  D.MemGetInfo = [](size_t *Free, size_t *Total) {
    return *Free = *Total = MemoryBytes, 0;
  };
  D.MemHostAlloc = [](void **Address, size_t Bytes, unsigned) {
    return (*Address = std::calloc(Bytes, 1)) ? 0 : 2;
  };
  D.MemFreeHost = [](void *Address) { return std::free(Address), 0; };
  D.MemHostGetDevicePointer = [](CuDevicePtr *Device, void *Host, unsigned) {
    *Device = reinterpret_cast<CuDevicePtr>(Host);
    return 0;
  };
  D.MemcpyHtoD = [](CuDevicePtr To, const void *From, size_t Bytes) {
    std::memcpy(reinterpret_cast<void *>(To), From, Bytes);
    return 0;
  };
  D.MemcpyDtoH = [](void *To, CuDevicePtr From, size_t Bytes) {
    std::memcpy(To, reinterpret_cast<void *>(From), Bytes);
    return 0;
  };
  // Zeros are there already, and nothing else is ever filled in.
  D.MemsetD32Async = [](CuDevicePtr, unsigned, size_t, CuStream) { return 0; };
  D.StreamCreate = [](CuStream *, unsigned) { return 0; };
  D.StreamDestroy = [](CuStream) { return 0; };
  D.StreamSynchronize = [](CuStream) { return 0; };
  D.EventCreate = [](CuEvent *, unsigned) { return 0; };
  D.EventDestroy = [](CuEvent) { return 0; };
  D.EventRecord = [](CuEvent, CuStream) { return 0; };
  D.EventSynchronize = [](CuEvent) { return 0; };
  D.EventElapsedTime = [](float *Ms, CuEvent, CuEvent) { return *Ms = 1, 0; };
  D.TexObjectCreate = [](uint64_t *Handle, const LinearTexture *,
                         const TextureSettings *,
                         const void *) { return *Handle = 1, 0; };
  D.TexObjectDestroy = [](uint64_t) { return 0; };
  D.TensorMapEncodeTiled =
      [](TensorMap *, int, unsigned, void *, const uint64_t *, const uint64_t *,
         const unsigned *, const unsigned *, int, int, int, int) { return 0; };
  D.GetErrorName = [](CuResult, const char **Name) {
    return *Name = "out of host memory", 0;
  };
  return D;
}

} // namespace gpuocc::calibration
