//===- CollectKernels.h - Kernels as a source declares them -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_READCLANG_COLLECTKERNELS_H
#define GPUOCC_READCLANG_COLLECTKERNELS_H

#include "gpuocc/Kernel/KernelFacts.h"
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace gpuocc {

/// The kernels of the translation unit of \p Context that have a definition,
/// instantiations of templates one by one: names, places and parameters as they
/// lie in parameter memory, and no code. A kernel of which a type has an error
/// is left out.
std::vector<KernelFacts> collectKernels(clang::ASTContext &Context);

} // namespace gpuocc

#endif // GPUOCC_READCLANG_COLLECTKERNELS_H
