//===- ArgumentWords.h - Pointers among arguments ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LAUNCHRECORDER_ARGUMENTWORDS_H
#define GPUOCC_TOOLS_LAUNCHRECORDER_ARGUMENTWORDS_H

#include "KernelTable.h"
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace gpuocc::recorder {

/// The pointer in the \p Bytes bytes at \p Argument, \p Offset behind its
/// begin; null where it has none.
inline const void *pointerAt(const void *Argument, size_t Offset,
                             size_t Bytes) {
  uintptr_t Address = 0;
  if (Offset + sizeof(Address) <= Bytes)
    std::memcpy(&Address, static_cast<const char *>(Argument) + Offset,
                sizeof(Address));
  return reinterpret_cast<const void *>(Address);
}

/// A word of an argument that may be a pointer.
struct ArgumentWord {
  const void *Pointer;
  /// The kernel writes to what it points to.
  bool IsWritten;
};

/// Those of all of \p Arguments, which \p Kernel takes.
inline std::vector<ArgumentWord> wordsOf(const KernelDescription &Kernel,
                                         void **Arguments) {
  std::vector<ArgumentWord> Words;
  for (size_t I = 0; I != Kernel.Parameters.size(); ++I) {
    const KernelDescription::Parameter &P = Kernel.Parameters[I];
    for (size_t At = 0; At + sizeof(uintptr_t) <= P.Bytes;
         At += sizeof(uintptr_t))
      Words.push_back({pointerAt(Arguments[I], At, P.Bytes),
                       std::find(P.Written.begin(), P.Written.end(), At) !=
                           P.Written.end()});
  }
  return Words;
}

} // namespace gpuocc::recorder

#endif // GPUOCC_TOOLS_LAUNCHRECORDER_ARGUMENTWORDS_H
