//===- CollectLaunches.h - Launches in host code ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Clang parses the host code of a CUDA source also when it compiles for the
/// device; what launches the kernels can be read there.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_READCLANG_COLLECTLAUNCHES_H
#define GPUOCC_READCLANG_COLLECTLAUNCHES_H

#include "gpuocc/Kernel/HostLaunch.h"
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace gpuocc {

/// The launches in the translation unit of \p Context, in the order of the
/// source: `kernel<<<...>>>(...)`, cudaLaunchKernel and its relatives, and
/// cudaLaunchKernelEx; instantiations of templates one by one.
///
/// Constants are folded; variables that are initialized or assigned once stand
/// for what they hold; a function that only returns an expression is
/// replaced by it. A launch that depends on the parameters of the function
/// around it appears once for each call of that function in this translation
/// unit. Whatever has no value is a variable of its name.
std::vector<HostLaunch> collectLaunches(clang::ASTContext &Context);

} // namespace gpuocc

#endif // GPUOCC_READCLANG_COLLECTLAUNCHES_H
