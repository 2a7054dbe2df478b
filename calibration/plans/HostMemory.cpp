//===- HostMemory.cpp - Memory of the host: latency and copies ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "Tools.h"
#include "kernels/Memory.h"
#include <utility>

using namespace llvm;

namespace gpuocc::calibration {

namespace {
/// Host memory that copies need not pin and that kernels can read; freed by its
/// destructor.
class MappedMemory {
public:
  static Expected<MappedMemory> allocate(const Driver &Cuda, size_t Bytes) {
    static constexpr unsigned Mapped = 2;
    MappedMemory M(Cuda);
    if (Error E = check(Cuda, Cuda.MemHostAlloc(&M.Host, Bytes, Mapped),
                        "cuMemHostAlloc"))
      return std::move(E);
    if (Error E =
            check(Cuda, Cuda.MemHostGetDevicePointer(&M.Device, M.Host, 0),
                  "cuMemHostGetDevicePointer"))
      return std::move(E);
    return std::move(M);
  }
  MappedMemory(MappedMemory &&Other)
      : Cuda(Other.Cuda), Host(std::exchange(Other.Host, nullptr)),
        Device(Other.Device) {}
  MappedMemory &operator=(MappedMemory &&) = delete;
  ~MappedMemory() {
    if (Host)
      Cuda.MemFreeHost(Host);
  }
  void *host() const { return Host; }
  CuDevicePtr device() const { return Device; }

private:
  explicit MappedMemory(const Driver &Cuda) : Cuda(Cuda) {}
  const Driver &Cuda;
  void *Host = nullptr;
  CuDevicePtr Device = 0;
};
} // namespace

Error measureHostLatency(Session &S) {
  static constexpr unsigned Steps = 1024, Apart = 8192 + 128;
  Expected<MappedMemory> Host =
      MappedMemory::allocate(S.G.driver(), Steps * Apart);
  if (!Host)
    return Host.takeError();
  CuDevicePtr Address = Host->device();
  for (unsigned I = 0; I < Steps; ++I)
    *reinterpret_cast<uint64_t *>(static_cast<char *>(Host->host()) +
                                  I * Apart) =
        Address + (I + 1) % Steps * Apart;
  Expected<CuFunction> F = S.entry(ringWalk("global.cg", 64));
  if (!F)
    return F.takeError();
  if (Error E = setLaneTable(S, [&](unsigned) { return Address; }))
    return E;
  Launch L;
  L.Function = *F;
  L.Iterations = Steps;
  std::vector<double> Ns;
  for (unsigned R = 0; R < S.repeats(); ++R) {
    Expected<WarpTimes> T = S.time(L);
    if (!T)
      return T.takeError();
    Ns.push_back(T->WarpCycles / T->CyclesPerNs / Steps);
  }
  S.Db.set("runtime", "host_latency_ns",
           measured(summarize(Ns), Take::Mean, "ns",
                    "walk over 1024 lines of mapped host memory, one warp"));
  return Error::success();
}

/// GB/s of copies between \p Pinned, or pageable memory, and the device.
static Error measureCopy(Session &S, const char *Key, const char *Source,
                         bool ToDevice, size_t Bytes, void *Pinned) {
  static constexpr unsigned CopiesOfOne = 5;
  Expected<DeviceBuffer> Device = S.G.allocate(Bytes);
  if (!Device)
    return Device.takeError();
  std::vector<char> Pageable;
  std::vector<double> Rates;
  for (unsigned R = 0; R <= S.repeats(); ++R) {
    // Where the pages of pageable memory come to lie decides its rate.
    if (!Pinned && R % CopiesOfOne == 0)
      Pageable = std::vector<char>(Bytes, 1);
    void *Host = Pinned ? Pinned : Pageable.data();
    HostClock::time_point Start = HostClock::now();
    if (Error E = ToDevice ? S.G.upload(Device->address(), Host, Bytes)
                           : S.G.download(Host, Device->address(), Bytes))
      return E;
    Rates.push_back(Bytes / nsSince(Start));
  }
  Rates.erase(Rates.begin()); // The first one touches pages.
  S.Db.set("runtime", Key,
           measured(summarize(Rates), Take::Mean, "GB/s", Source));
  return Error::success();
}

/// Time of a copy of 4 bytes, which is what a call costs beside its bytes.
static Error measureSmallCopies(Session &S) {
  Expected<DeviceBuffer> Device = S.G.allocate(sizeof(uint32_t));
  if (!Device)
    return Device.takeError();
  for (bool ToDevice : {true, false}) {
    uint32_t Host = 0;
    std::vector<double> Ns;
    for (unsigned R = 0; R <= 4 * S.repeats(); ++R) {
      HostClock::time_point Start = HostClock::now();
      if (Error E = ToDevice
                        ? S.G.upload(Device->address(), &Host, sizeof(Host))
                        : S.G.download(&Host, Device->address(), sizeof(Host)))
        return E;
      Ns.push_back(nsSince(Start));
    }
    Ns.erase(Ns.begin());
    S.Db.set("runtime", ToDevice ? "h2d_call_ns" : "d2h_call_ns",
             measured(summarize(Ns), Take::Mean, "ns",
                      ToDevice ? "cuMemcpyHtoD of 4 bytes, by the host clock"
                               : "cuMemcpyDtoH of 4 bytes, by the host clock"));
  }
  return Error::success();
}

Error measurePageableCopies(Session &S) {
  static constexpr size_t Bytes = 32 << 20;
  if (Error E = measureSmallCopies(S))
    return E;
  if (Error E =
          measureCopy(S, "h2d_pageable_gbs", "cuMemcpyHtoD of 32 MiB, pageable",
                      true, Bytes, nullptr))
    return E;
  return measureCopy(S, "d2h_pageable_gbs", "cuMemcpyDtoH of 32 MiB, pageable",
                     false, Bytes, nullptr);
}

/// A kernel that reads or writes \p Bytes of host memory at \p Address. Writes
/// go to the second part of what the kernel gets.
static Error measureMapped(Session &S, StreamKind Kind, const char *Key,
                           const char *Source, CuDevicePtr Address,
                           size_t Bytes) {
  Expected<CuFunction> F = S.entry(stream(Kind, 16, 4, "cg"));
  if (!F)
    return F.takeError();
  Launch L;
  L.Function = *F;
  L.Blocks = S.sms();
  L.Threads = 1024;
  L.X = Kind == StreamKind::Write ? Address - Bytes : Address;
  L.Y = Bytes;
  double PerIteration = double(L.Blocks) * L.Threads * 64;
  L.Iterations = uint64_t(Bytes / PerIteration);
  std::vector<double> Rates;
  for (unsigned R = 0; R < S.repeats(); ++R) {
    Expected<WarpTimes> T = S.time(L);
    if (!T)
      return T.takeError();
    Rates.push_back(PerIteration * L.Iterations / T->Ns);
  }
  S.Db.set("runtime", Key,
           measured(summarize(Rates), Take::Mean, "GB/s", Source));
  return Error::success();
}

Error measurePinnedCopies(Session &S) {
  static constexpr size_t Bytes = 128 << 20;
  Expected<MappedMemory> Host = MappedMemory::allocate(S.G.driver(), Bytes);
  if (!Host)
    return Host.takeError();
  if (Error E =
          measureCopy(S, "h2d_pinned_gbs", "cuMemcpyHtoD of 128 MiB, pinned",
                      true, Bytes, Host->host()))
    return E;
  if (Error E =
          measureCopy(S, "d2h_pinned_gbs", "cuMemcpyDtoH of 128 MiB, pinned",
                      false, Bytes, Host->host()))
    return E;
  if (Error E = measureMapped(S, StreamKind::Read, "mapped_read_gbs",
                              "kernel reads 128 MiB of mapped host memory",
                              Host->device(), Bytes))
    return E;
  return measureMapped(S, StreamKind::Write, "mapped_write_gbs",
                       "kernel writes 128 MiB of mapped host memory",
                       Host->device(), Bytes);
}

} // namespace gpuocc::calibration
