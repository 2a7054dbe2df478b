//===- LaunchLoops.h - Loops of host code around a launch ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READCLANG_LAUNCHLOOPS_H
#define GPUOCC_LIB_READCLANG_LAUNCHLOOPS_H

#include "HostValues.h"
#include <optional>

namespace clang {
class Stmt;
} // namespace clang

namespace gpuocc {

/// The loops of \p Around, the innermost last, each turn of which launches
/// \p Call, `kernel<<<...>>>(...)` inside of \p Function, for another part of
/// its arrays. Nothing where the innermost is none: its turns are not counted
/// by a variable that it steps, may end early, or neither a pointer nor, where
/// the loop does nothing else, a number moves with it.
std::optional<LaunchesOfLoop>
launchesOfLoop(const clang::CallExpr *Call,
               llvm::ArrayRef<const clang::Stmt *> Around,
               const clang::FunctionDecl *Function,
               const ParameterValues &Parameters, HostValues &Values);

} // namespace gpuocc

#endif // GPUOCC_LIB_READCLANG_LAUNCHLOOPS_H
