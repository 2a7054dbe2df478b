//===- LaunchMemory.h - What a launch says lies in memory -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_LAUNCHMEMORY_H
#define GPUOCC_LIB_LANES_WALK_LAUNCHMEMORY_H

#include "Analysis/RecordedMemory.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Launch.h"
#include "gpuocc/Kernel/SeenReads.h"
#include <optional>

namespace gpuocc {

/// The words that a launch and the code say are in memory when the kernel
/// begins, by their addresses in a walk (WalkAddresses.h).
class LaunchMemory {
public:
  /// \p Seen: what the threads of sampled blocks read; null for nothing.
  LaunchMemory(const KernelFacts &Facts, const Launch &L, const SeenReads *Seen)
      : Facts(Facts), L(L), Arrays(Facts, L), Seen(Seen) {}

  struct KnownWord {
    uint64_t Word = 0;
    /// The variable that is taken to hold what the code initializes it with,
    /// in KernelFacts::Symbols; NoIndex for none.
    uint32_t Table = NoIndex;
    /// The array, by where its address is in parameter memory, that is taken to
    /// be like its recorded parts; null for none.
    uint64_t Array = 0;
    const ArrayParts *Parts = nullptr;
    /// The rows that are taken to be of one length, in Array; null for none.
    const RowStarts *Rows = nullptr;
  };
  /// The \p Bytes bytes at \p Address; nothing where they are not known.
  std::optional<KnownWord> read(uint64_t Address, unsigned Bytes) const;

  /// The \p Bits bits from byte \p Inside on of parameter \p Parameter, where
  /// the launch gives the bytes of it.
  std::optional<uint64_t> structWord(unsigned Parameter, uint64_t Inside,
                                     unsigned Bits) const;
  /// The address in the walk of the array that \p Word at \p Address, in a
  /// structure that is passed by value, leads to; \p Word where it is none.
  uint64_t pointerInStruct(uint64_t Address, uint64_t Word) const;
  /// \p Address, of an array, is in memory of the host.
  bool isHostMemory(uint64_t Address) const;
  /// Where \p Address, in an array of the kernel, in a variable or behind a
  /// pointer that was loaded, was when the kernel ran.
  std::optional<uint64_t> addressWhenSeen(uint64_t Address) const;

private:
  std::optional<uint64_t> parameterByteAt(uint64_t Address) const;
  /// The \p Bytes bytes from byte \p At of parameter memory on.
  std::optional<uint64_t> parameterWord(uint64_t At, unsigned Bytes) const;

  const KernelFacts &Facts;
  const Launch &L;
  const RecordedMemory Arrays;
  const SeenReads *Seen;
};

/// May \p Word of a recorded structure be an address? Device memory begins
/// below all that a program maps on its own.
bool mayBeAddress(uint64_t Word);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_LAUNCHMEMORY_H
