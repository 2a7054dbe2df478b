//===- WriteFence.h - Where a program may write ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLCHAIN_WRITEFENCE_H
#define GPUOCC_TOOLCHAIN_WRITEFENCE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuocc {

/// Rules that the kernel holds a process and all that it starts to: files are
/// made, written and removed in named places only, and signals reach none but
/// these processes. Reading is free.
///
/// Source: Linux, Documentation/userspace-api/landlock.rst.
class WriteFence {
public:
  /// \p Places are files and folders that exist; a folder stands for all that
  /// is in it. What devices do is free for `/dev/null` and the like. Fails
  /// where a place cannot be opened. isThere() is false where the kernel has no
  /// such rules.
  static llvm::Expected<WriteFence> create(llvm::ArrayRef<std::string> Places);

  WriteFence(WriteFence &&Other) : Rules(Other.Rules) { Other.Rules = -1; }
  WriteFence(const WriteFence &) = delete;
  WriteFence &operator=(const WriteFence &) = delete;
  ~WriteFence();

  bool isThere() const { return Rules >= 0; }

  /// Holds the calling process to the rules from now on; false where the kernel
  /// refuses. Calls nothing that is not safe between fork() and execve().
  bool enter() const;

private:
  WriteFence() = default;
  int Rules = -1;
};

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_WRITEFENCE_H
