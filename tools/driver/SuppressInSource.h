//===- SuppressInSource.h - Take out what sources silence -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_DRIVER_SUPPRESSINSOURCE_H
#define GPUOCC_TOOLS_DRIVER_SUPPRESSINSOURCE_H

#include "gpuocc/Report/Suppressions.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace gpuocc {

/// Reads the sources that findings point at, each once. A source that cannot be
/// read silences nothing.
class SourceSuppressions {
public:
  /// \p Buffers as SessionOptions::Buffers.
  explicit SourceSuppressions(
      const std::map<std::string, std::string> &Buffers = {})
      : Buffers(Buffers) {}

  /// Takes the findings out of \p R that a comment silences at any of their
  /// places, be it in a function that was inlined or where it was called, or an
  /// attribute of the kernel; R.Suppressed counts them.
  void apply(KernelReport &R);

  /// Changes when what the sources of \p Kernel silence does.
  std::string stateFor(const KernelFacts &Kernel);

  /// What was not understood in the files that were read, in their order.
  llvm::ArrayRef<std::string> notes() const { return Notes; }

private:
  const Suppressions &of(llvm::StringRef File);
  bool covers(const KernelFacts &Kernel, const Finding &F);

  std::map<std::string, std::string> Buffers;
  llvm::StringMap<Suppressions> Files;
  std::vector<std::string> Notes;
};

} // namespace gpuocc

#endif // GPUOCC_TOOLS_DRIVER_SUPPRESSINSOURCE_H
