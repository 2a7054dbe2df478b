//===- Sandbox.h - A program alone with its files ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLCHAIN_SANDBOX_H
#define GPUOCC_TOOLCHAIN_SANDBOX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuocc {

/// What stands before a program and its arguments so that \p Bubblewrap runs it
/// without network, terminal, devices and rights of root, and with all files
/// read only but \p Writable (files and folders that exist).
///
/// Source: bubblewrap 0.8, bwrap(1).
std::vector<std::string> sandboxWords(llvm::StringRef Bubblewrap,
                                      llvm::ArrayRef<std::string> Writable);

/// The path of bubblewrap. Fails where it is not in `PATH`, and where it cannot
/// make a sandbox here: some kernels and containers forbid it.
llvm::Expected<std::string> findBubblewrap();

/// The signal behind the exit status \p Status of a sandbox; 0: the program
/// exited by itself. An exit with 128 and more is taken for a signal.
int signalOfSandbox(int Status);

} // namespace gpuocc

#endif // GPUOCC_TOOLCHAIN_SANDBOX_H
