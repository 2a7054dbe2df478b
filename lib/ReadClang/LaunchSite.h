//===- LaunchSite.h - One call that launches a kernel ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READCLANG_LAUNCHSITE_H
#define GPUOCC_LIB_READCLANG_LAUNCHSITE_H

#include "HostValues.h"
#include <optional>

namespace gpuocc {

/// A launch, without names and places.
struct LaunchSite {
  const clang::FunctionDecl *Kernel = nullptr;
  HostLaunch What;
};

/// True when \p Call launches a kernel.
bool isLaunch(const clang::CallExpr *Call);

/// What \p Call, inside of \p Function, launches; nothing when its kernel
/// cannot be told.
std::optional<LaunchSite> readLaunch(const clang::CallExpr *Call,
                                     const clang::FunctionDecl *Function,
                                     const ParameterValues &Parameters,
                                     HostValues &Values);

} // namespace gpuocc

#endif // GPUOCC_LIB_READCLANG_LAUNCHSITE_H
