//===- HostEvents.cpp - What a program asks the GPU for, in order ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/HostEvents.h"
#include <cstring>

using namespace gpuocc;
using namespace llvm;

/// Flags of HostEvent.def, as tools/launch-recorder/HostLog.h has them.
static constexpr uint64_t SynchronousFlag = 1, NonBlockingFlag = 2;

Expected<HostEvents> gpuocc::parseHostEvents(StringRef Bytes) {
  constexpr size_t Word = sizeof(uint64_t);
  if (Bytes.size() < Word || Bytes.size() % Word != 0)
    return createStringError("the recorder wrote %zu bytes of events",
                             Bytes.size());
  auto Read = [&](size_t Index) {
    uint64_t Value;
    std::memcpy(&Value, Bytes.data() + Index * Word, Word);
    return Value;
  };
  const uint64_t NumSeen = Read(0);
  const uint64_t Room = (Bytes.size() / Word - 1) / 2;
  HostEvents Out;
  for (size_t I = 0; I != std::min(NumSeen, Room); ++I) {
    const uint64_t What = Read(2 * I + 1);
    const uint64_t Kind = What & 255, Copy = What >> 8 & 255;
    if (Kind >= NumHostEventKinds || Copy >= NumHostCounters)
      return createStringError("the recorder wrote no event as number %zu", I);
    Out.Kept.push_back({HostEventKind(Kind), HostCounter(Copy),
                        (What >> 16 & SynchronousFlag) != 0,
                        (What >> 16 & NonBlockingFlag) != 0,
                        uint32_t(What >> 32), Read(2 * I + 2)});
  }
  Out.NumLeftOut = NumSeen - Out.Kept.size();
  return Out;
}
