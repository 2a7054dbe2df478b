//===- BuildId.h - Which build is running -----------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_BUILDID_H
#define GPUOCC_SUPPORT_BUILDID_H

#include <string>

namespace gpuocc {

/// A word that differs between two builds of the program or plugin that holds
/// this function: the build id that its linker wrote (NT_GNU_BUILD_ID), in
/// hexadecimal. Where it wrote none, size and time of the file's last change;
/// "unknown" where there is no file either.
std::string buildId();

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_BUILDID_H
