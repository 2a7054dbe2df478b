//===- HostActivity.h - What a program did beside its kernels ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLCHAIN_HOSTACTIVITY_H
#define GPUOCC_TOOLCHAIN_HOSTACTIVITY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <vector>

namespace gpuocc {

/// The rows of HostCounter.def.
enum class HostCounter : uint8_t {
#define HOST_COUNTER(Enum, What) Enum,
#include "gpuocc/Toolchain/HostCounter.def"
};

constexpr unsigned NumHostCounters = 0
#define HOST_COUNTER(Enum, What) +1
#include "gpuocc/Toolchain/HostCounter.def"
    ;

/// What \p C counts, for a reader.
llvm::StringRef hostCounterText(HostCounter C);

/// What the recorder counted in a run.
struct HostActivity {
  struct Count {
    uint64_t Times = 0, Bytes = 0;
    bool operator==(const Count &) const = default;
  };
  std::array<Count, NumHostCounters> Counts;
  /// How often each of the recorded launches happened, in their order.
  std::vector<uint64_t> Launches;

  const Count &operator[](HostCounter C) const { return Counts[unsigned(C)]; }
  bool operator==(const HostActivity &) const = default;
};

/// Reads what the recorder wrote (HostCounter.def), words in the order of bytes
/// of this machine. Fails where words are missing.
llvm::Expected<HostActivity> parseHostActivity(llvm::StringRef Bytes);

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_HOSTACTIVITY_H
