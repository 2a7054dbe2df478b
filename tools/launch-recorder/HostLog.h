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

namespace gpuocc::recorder {

/// The rows of HostCounter.def.
enum class HostCounter : unsigned {
#define HOST_COUNTER(Enum, What) Enum,
#include "gpuocc/Toolchain/HostCounter.def"
  Number
};

/// Different launches that are written down and counted.
inline constexpr size_t MostLaunches = 20000;

/// Counts copies, launches and waits in a file that the environment names. The
/// file is mapped: what a program that is ended has done until then is there.
class HostLog {
public:
  HostLog();

  /// Memory that the program has pinned.
  void pin(const void *Pointer, size_t Bytes);
  void unpin(const void *Pointer);

  /// A copy of \p Bytes; \p Waits: it is over when the call returns.
  void copy(const void *To, const void *From, size_t Bytes, bool Waits);
  /// The same to and from a variable of the device.
  void copyToDevice(const void *From, size_t Bytes);
  void copyToHost(const void *To, size_t Bytes);
  /// A launch; \p Number is its place among those written down.
  void launch(size_t Number);
  /// The host waits for what it has launched.
  void wait();

private:
  void add(HostCounter C, uint64_t Bytes = 0);
  bool isPinned(const void *Pointer);

  std::mutex Lock;
  /// Null where nothing is counted.
  uint64_t *Words = nullptr;
  /// Ends by begins.
  std::map<uintptr_t, uintptr_t> Pinned;
  bool IsUnderWay = false;
};

/// The log of the program.
HostLog &hostLog();

} // namespace gpuocc::recorder

#endif // GPUOCC_TOOLS_LAUNCHRECORDER_HOSTLOG_H
