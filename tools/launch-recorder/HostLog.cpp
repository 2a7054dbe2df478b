//===- HostLog.cpp - What the host does beside launching ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostLog.h"
#include "DeviceMemory.h"
#include <cstdlib>
#include <fcntl.h>
#include <iterator>
#include <sys/mman.h>
#include <unistd.h>

using namespace gpuocc::recorder;

static constexpr size_t NumCounterWords = 2 * size_t(HostCounter::Number);

HostLog::HostLog() {
  const char *Name = std::getenv("GPUOCC_RECORD_HOST");
  const int File = Name ? open(Name, O_RDWR | O_CREAT, 0600) : -1;
  if (File < 0)
    return;
  constexpr size_t Bytes = (NumCounterWords + MostLaunches) * sizeof(uint64_t);
  if (ftruncate(File, Bytes) == 0)
    if (void *Place =
            mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_SHARED, File, 0);
        Place != MAP_FAILED)
      Words = static_cast<uint64_t *>(Place);
  close(File);
}

void HostLog::add(HostCounter C, uint64_t Bytes) {
  if (!Words)
    return;
  Words[2 * size_t(C)] += 1;
  Words[2 * size_t(C) + 1] += Bytes;
}

void HostLog::pin(const void *Pointer, size_t Bytes) {
  std::lock_guard<std::mutex> Guard(Lock);
  Pinned[uintptr_t(Pointer)] = uintptr_t(Pointer) + Bytes;
}

void HostLog::unpin(const void *Pointer) {
  std::lock_guard<std::mutex> Guard(Lock);
  Pinned.erase(uintptr_t(Pointer));
}

bool HostLog::isPinned(const void *Pointer) {
  auto Behind = Pinned.upper_bound(uintptr_t(Pointer));
  return Behind != Pinned.begin() &&
         uintptr_t(Pointer) < std::prev(Behind)->second;
}

void HostLog::copy(const void *To, const void *From, size_t Bytes, bool Waits) {
  {
    std::lock_guard<std::mutex> Guard(Lock);
    const bool ToPinned = isPinned(To), FromPinned = isPinned(From);
    const bool ToDevice = !ToPinned && deviceMemory().bytesFrom(To) != 0;
    const bool FromDevice = !FromPinned && deviceMemory().bytesFrom(From) != 0;
    if (ToDevice && FromDevice)
      add(HostCounter::OnDevice, Bytes);
    else if (ToDevice)
      add(FromPinned ? HostCounter::ToDevicePinned
                     : HostCounter::ToDevicePageable,
          Bytes);
    else if (FromDevice)
      add(ToPinned ? HostCounter::ToHostPinned : HostCounter::ToHostPageable,
          Bytes);
  }
  if (Waits)
    wait();
}

void HostLog::copyToDevice(const void *From, size_t Bytes) {
  {
    std::lock_guard<std::mutex> Guard(Lock);
    add(isPinned(From) ? HostCounter::ToDevicePinned
                       : HostCounter::ToDevicePageable,
        Bytes);
  }
  wait();
}

void HostLog::copyToHost(const void *To, size_t Bytes) {
  {
    std::lock_guard<std::mutex> Guard(Lock);
    add(isPinned(To) ? HostCounter::ToHostPinned : HostCounter::ToHostPageable,
        Bytes);
  }
  wait();
}

void HostLog::launch(size_t Number) {
  std::lock_guard<std::mutex> Guard(Lock);
  add(IsUnderWay ? HostCounter::LaunchQueued : HostCounter::LaunchAlone);
  IsUnderWay = true;
  if (Words && Number < MostLaunches)
    Words[NumCounterWords + Number] += 1;
}

void HostLog::wait() {
  std::lock_guard<std::mutex> Guard(Lock);
  if (IsUnderWay)
    add(HostCounter::Wait);
  IsUnderWay = false;
}

HostLog &gpuocc::recorder::hostLog() {
  // Never destroyed: programs copy and wait while they end.
  static HostLog &Log = *new HostLog;
  return Log;
}
