//===- HostMemory.cpp - Copies from and to memory of the host -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "Tools.h"
#include <utility>

using namespace llvm;

namespace gpuocc::calibration {

namespace {
/// Host memory that copies need not pin; freed by its destructor.
class PinnedMemory {
public:
  static Expected<PinnedMemory> allocate(const Driver &Cuda, size_t Bytes) {
    PinnedMemory M(Cuda);
    if (Error E =
            check(Cuda, Cuda.MemHostAlloc(&M.Host, Bytes, 0), "cuMemHostAlloc"))
      return std::move(E);
    return std::move(M);
  }
  PinnedMemory(PinnedMemory &&Other)
      : Cuda(Other.Cuda), Host(std::exchange(Other.Host, nullptr)) {}
  PinnedMemory &operator=(PinnedMemory &&) = delete;
  ~PinnedMemory() {
    if (Host)
      Cuda.MemFreeHost(Host);
  }
  void *host() const { return Host; }

private:
  explicit PinnedMemory(const Driver &Cuda) : Cuda(Cuda) {}
  const Driver &Cuda;
  void *Host = nullptr;
};
} // namespace

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

Error measurePinnedCopies(Session &S) {
  static constexpr size_t Bytes = 128 << 20;
  Expected<PinnedMemory> Host = PinnedMemory::allocate(S.G.driver(), Bytes);
  if (!Host)
    return Host.takeError();
  if (Error E =
          measureCopy(S, "h2d_pinned_gbs", "cuMemcpyHtoD of 128 MiB, pinned",
                      true, Bytes, Host->host()))
    return E;
  return measureCopy(S, "d2h_pinned_gbs", "cuMemcpyDtoH of 128 MiB, pinned",
                     false, Bytes, Host->host());
}

} // namespace gpuocc::calibration
