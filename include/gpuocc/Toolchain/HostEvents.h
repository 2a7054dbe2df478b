//===- HostEvents.h - What a program asks the GPU for, in order -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLCHAIN_HOSTEVENTS_H
#define GPUOCC_TOOLCHAIN_HOSTEVENTS_H

#include "gpuocc/Toolchain/HostActivity.h"

namespace gpuocc {

/// The rows of HostEvent.def.
enum class HostEventKind : uint8_t {
#define HOST_EVENT(Enum) Enum,
#include "gpuocc/Toolchain/HostEvent.def"
};

constexpr unsigned NumHostEventKinds = 0
#define HOST_EVENT(Enum) +1
#include "gpuocc/Toolchain/HostEvent.def"
    ;

/// One call of the program, or one node of a graph that it launched.
struct HostEvent {
  HostEventKind Kind = HostEventKind::Launch;
  /// Of a copy: between which memories.
  HostCounter Copy = HostCounter::OnDevice;
  /// Of a copy: it is over when the call returns.
  bool IsSynchronous = false;
  /// The stream does not wait for the default stream, nor that for it.
  bool IsNonBlocking = false;
  /// 0: the default stream; others in the order of their first use.
  uint32_t Stream = 0;
  /// As HostEvent.def says.
  uint64_t Value = 0;
};

/// The events of a run in the order of the program.
struct HostEvents {
  std::vector<HostEvent> Kept;
  /// Later ones, of which only the number is known.
  uint64_t NumLeftOut = 0;
};

/// Reads what the recorder wrote (HostEvent.def), words in the order of bytes
/// of this machine. Fails where words are missing or mean nothing.
llvm::Expected<HostEvents> parseHostEvents(llvm::StringRef Bytes);

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_HOSTEVENTS_H
