//===- HostLog.h - What the host does beside launching ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LAUNCHRECORDER_HOSTLOG_H
#define GPUOCC_TOOLS_LAUNCHRECORDER_HOSTLOG_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>

namespace gpuocc::recorder {

/// The rows of HostCounter.def.
enum class HostCounter : unsigned {
#define HOST_COUNTER(Enum, What) Enum,
#include "gpuocc/Toolchain/HostCounter.def"
  Number
};

/// The rows of HostEvent.def.
enum class HostEventKind : unsigned {
#define HOST_EVENT(Enum) Enum,
#include "gpuocc/Toolchain/HostEvent.def"
};

/// Different launches that are written down and counted.
inline constexpr size_t MostLaunches = 20000;

/// Events that are written down in their order.
inline constexpr size_t MostEvents = size_t(1) << 18;

/// Counts copies, launches and waits in a file that the environment names, and
/// writes them down in their order in another. The files are mapped: what a
/// program that is ended has done until then is there.
class HostLog {
public:
  HostLog();

  /// Memory that the program has pinned.
  void pin(const void *Pointer, size_t Bytes);
  void unpin(const void *Pointer);
  bool isPinnedMemory(const void *Pointer);

  /// A copy of \p Bytes; \p Waits: it is over when the call returns.
  void copy(const void *To, const void *From, size_t Bytes, bool Waits);
  /// The same to and from a variable of the device.
  void copyToDevice(const void *From, size_t Bytes);
  void copyToHost(const void *To, size_t Bytes);
  /// A launch; \p Number is its place among those written down.
  void launch(size_t Number);
  /// The host waits for what it has launched: as \p Kind says, all of it, what
  /// is in the stream \p Handle, or what is before the event \p Handle.
  void wait(HostEventKind Kind = HostEventKind::HostAwaitsDevice,
            const void *Handle = nullptr);

  /// A stream that does not wait for the default stream.
  void addNonBlocking(const void *Stream);
  bool isNonBlocking(const void *Stream);
  /// \p Event is recorded in \p Stream, or awaited by it.
  void event(HostEventKind Kind, const void *Stream, const void *Event);
  /// The program asks for the time between two events.
  void askElapsedTime(const void *Start, const void *End);

private:
  friend class StreamScope;

  void add(HostCounter C, uint64_t Bytes = 0);
  void addEvent(HostEventKind Kind, uint64_t Value = 0,
                HostCounter Copy = HostCounter::OnDevice, unsigned Flags = 0);
  void addCopy(HostCounter C, uint64_t Bytes, bool Waits);
  void endWait();
  bool isPinned(const void *Pointer);
  unsigned numberOf(const void *Handle);

  std::mutex Lock;
  /// Null where nothing is counted.
  uint64_t *Words = nullptr;
  /// Null where no events are wanted.
  uint64_t *Events = nullptr;
  /// Ends by begins.
  std::map<uintptr_t, uintptr_t> Pinned;
  /// Streams and events, in the order of their first use.
  std::map<const void *, unsigned> Numbers;
  std::set<const void *> NonBlocking;
  bool IsUnderWay = false;
};

/// What this thread does while it lives is in a stream; of several, in that of
/// the outermost: a graph runs in the stream that it is launched into.
class StreamScope {
public:
  explicit StreamScope(const void *Stream);
  StreamScope(const StreamScope &) = delete;
  StreamScope &operator=(const StreamScope &) = delete;
  ~StreamScope();

private:
  bool IsOutermost;
};

/// The log of the program.
HostLog &hostLog();

} // namespace gpuocc::recorder

#endif // GPUOCC_TOOLS_LAUNCHRECORDER_HOSTLOG_H
