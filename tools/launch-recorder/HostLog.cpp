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

/// Flags of HostEvent.def.
static constexpr unsigned SynchronousFlag = 1, NonBlockingFlag = 2;

/// The stream that this thread works in, where it is within a StreamScope.
static thread_local const void *CurrentStream = nullptr;
static thread_local bool HasStream = false;

/// \p Number words of the file that the variable \p Variable names; null where
/// there is none.
static uint64_t *mapWords(const char *Variable, size_t Number) {
  const char *Name = std::getenv(Variable);
  const int File = Name ? open(Name, O_RDWR | O_CREAT, 0600) : -1;
  if (File < 0)
    return nullptr;
  const size_t Bytes = Number * sizeof(uint64_t);
  void *Place = MAP_FAILED;
  if (ftruncate(File, off_t(Bytes)) == 0)
    Place = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_SHARED, File, 0);
  close(File);
  return Place == MAP_FAILED ? nullptr : static_cast<uint64_t *>(Place);
}

HostLog::HostLog()
    : Words(mapWords("GPUOCC_RECORD_HOST", NumCounterWords + MostLaunches)),
      Events(mapWords("GPUOCC_RECORD_EVENTS", 1 + 2 * MostEvents)) {}

StreamScope::StreamScope(const void *Stream) : IsOutermost(!HasStream) {
  if (!IsOutermost)
    return;
  CurrentStream = Stream;
  HasStream = true;
}

StreamScope::~StreamScope() {
  if (!IsOutermost)
    return;
  CurrentStream = nullptr;
  HasStream = false;
}

unsigned HostLog::numberOf(const void *Handle) {
  // cudaStreamLegacy and cudaStreamPerThread are 1 and 2.
  if (uintptr_t(Handle) <= 2)
    return 0;
  return Numbers.try_emplace(Handle, unsigned(Numbers.size() + 1))
      .first->second;
}

void HostLog::addEvent(HostEventKind Kind, uint64_t Value, HostCounter Copy,
                       unsigned Flags) {
  if (!Events)
    return;
  const uint64_t Index = Events[0]++;
  if (Index >= MostEvents)
    return;
  if (NonBlocking.count(CurrentStream) != 0)
    Flags |= NonBlockingFlag;
  Events[2 * Index + 1] = uint64_t(Kind) | uint64_t(Copy) << 8 |
                          uint64_t(Flags) << 16 |
                          uint64_t(numberOf(CurrentStream)) << 32;
  Events[2 * Index + 2] = Value;
}

void HostLog::addNonBlocking(const void *Stream) {
  std::lock_guard<std::mutex> Guard(Lock);
  NonBlocking.insert(Stream);
}

bool HostLog::isNonBlocking(const void *Stream) {
  std::lock_guard<std::mutex> Guard(Lock);
  return NonBlocking.count(Stream) != 0;
}

void HostLog::event(HostEventKind Kind, const void *Stream, const void *Event) {
  const StreamScope Scope(Stream);
  std::lock_guard<std::mutex> Guard(Lock);
  addEvent(Kind, numberOf(Event));
}

void HostLog::askElapsedTime(const void *Start, const void *End) {
  std::lock_guard<std::mutex> Guard(Lock);
  addEvent(HostEventKind::ElapsedTimeAsked,
           uint64_t(numberOf(Start)) << 32 | numberOf(End));
}

void HostLog::add(HostCounter C, uint64_t Bytes) {
  if (!Words)
    return;
  Words[2 * size_t(C)] += 1;
  Words[2 * size_t(C) + 1] += Bytes;
}

void HostLog::addCopy(HostCounter C, uint64_t Bytes, bool Waits) {
  add(C, Bytes);
  // Nobody waits for a copy that is a node of a graph.
  addEvent(HostEventKind::Copy, Bytes, C,
           Waits && !HasStream ? SynchronousFlag : 0);
  if (Waits)
    endWait();
}

void HostLog::pin(const void *Pointer, size_t Bytes) {
  std::lock_guard<std::mutex> Guard(Lock);
  Pinned[uintptr_t(Pointer)] = uintptr_t(Pointer) + Bytes;
}

void HostLog::unpin(const void *Pointer) {
  std::lock_guard<std::mutex> Guard(Lock);
  Pinned.erase(uintptr_t(Pointer));
}

bool HostLog::isPinnedMemory(const void *Pointer) {
  std::lock_guard<std::mutex> Guard(Lock);
  return isPinned(Pointer);
}

bool HostLog::isPinned(const void *Pointer) {
  auto Behind = Pinned.upper_bound(uintptr_t(Pointer));
  return Behind != Pinned.begin() &&
         uintptr_t(Pointer) < std::prev(Behind)->second;
}

void HostLog::copy(const void *To, const void *From, size_t Bytes, bool Waits) {
  std::lock_guard<std::mutex> Guard(Lock);
  const bool ToPinned = isPinned(To), FromPinned = isPinned(From);
  const bool ToDevice = !ToPinned && deviceMemory().bytesFrom(To) != 0;
  const bool FromDevice = !FromPinned && deviceMemory().bytesFrom(From) != 0;
  if (ToDevice && FromDevice)
    addCopy(HostCounter::OnDevice, Bytes, Waits);
  else if (ToDevice)
    addCopy(FromPinned ? HostCounter::ToDevicePinned
                       : HostCounter::ToDevicePageable,
            Bytes, Waits);
  else if (FromDevice)
    addCopy(ToPinned ? HostCounter::ToHostPinned : HostCounter::ToHostPageable,
            Bytes, Waits);
  else if (Waits)
    endWait();
}

void HostLog::copyToDevice(const void *From, size_t Bytes) {
  std::lock_guard<std::mutex> Guard(Lock);
  addCopy(isPinned(From) ? HostCounter::ToDevicePinned
                         : HostCounter::ToDevicePageable,
          Bytes, /*Waits=*/true);
}

void HostLog::copyToHost(const void *To, size_t Bytes) {
  std::lock_guard<std::mutex> Guard(Lock);
  addCopy(isPinned(To) ? HostCounter::ToHostPinned
                       : HostCounter::ToHostPageable,
          Bytes, /*Waits=*/true);
}

void HostLog::launch(size_t Number) {
  std::lock_guard<std::mutex> Guard(Lock);
  add(IsUnderWay ? HostCounter::LaunchQueued : HostCounter::LaunchAlone);
  addEvent(HostEventKind::Launch, Number);
  IsUnderWay = true;
  if (Words && Number < MostLaunches)
    Words[NumCounterWords + Number] += 1;
}

void HostLog::wait(HostEventKind Kind, const void *Handle) {
  const bool OfStream = Kind == HostEventKind::HostAwaitsStream;
  const StreamScope Scope(OfStream ? Handle : nullptr);
  std::lock_guard<std::mutex> Guard(Lock);
  addEvent(Kind, OfStream ? 0 : numberOf(Handle));
  endWait();
}

void HostLog::endWait() {
  if (IsUnderWay)
    add(HostCounter::Wait);
  IsUnderWay = false;
}

HostLog &gpuocc::recorder::hostLog() {
  // Never destroyed: programs copy and wait while they end.
  static HostLog &Log = *new HostLog;
  return Log;
}
