//===- HostActivity.cpp - What a program did beside its kernels -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/HostActivity.h"
#include <cstring>

using namespace gpuocc;
using namespace llvm;

StringRef gpuocc::hostCounterText(HostCounter C) {
  static constexpr StringLiteral Texts[] = {
#define HOST_COUNTER(Enum, What) What,
#include "gpuocc/Toolchain/HostCounter.def"
  };
  return Texts[unsigned(C)];
}

Expected<HostActivity> gpuocc::parseHostActivity(StringRef Bytes) {
  constexpr size_t Word = sizeof(uint64_t);
  constexpr size_t CounterBytes = 2 * NumHostCounters * Word;
  if (Bytes.size() < CounterBytes || Bytes.size() % Word != 0)
    return createStringError("the recorder wrote %zu bytes of counters",
                             Bytes.size());
  HostActivity Out;
  auto Read = [&](size_t Index) {
    uint64_t Value;
    std::memcpy(&Value, Bytes.data() + Index * Word, Word);
    return Value;
  };
  for (unsigned I = 0; I != NumHostCounters; ++I)
    Out.Counts[I] = {Read(2 * I), Read(2 * I + 1)};
  for (size_t I = 2 * NumHostCounters; I != Bytes.size() / Word; ++I)
    Out.Launches.push_back(Read(I));
  return Out;
}
