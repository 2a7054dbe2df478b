//===- MathLibrary.h - Functions whose arguments are drawn ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Mathematical functions such as pow branch on their arguments: on NaNs and
/// infinities, on zero, on ranges that have series of their own. Which way they
/// go is no matter of taste, as a branch of a program is: it follows from the
/// argument. Where the argument is unknown, one is drawn, and the function is
/// walked with it.
///
/// Arguments are drawn between 0 and 1, where all functions are defined that
/// are defined for a part of the numbers only (asin, atanh, normcdfinv), and
/// where what has been normalized lies. With such arguments a walk executes
/// what an H200 does (docs/lanes.md has the functions and the counts).
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_ANALYSIS_MATHLIBRARY_H
#define GPUOCC_LIB_LANES_ANALYSIS_MATHLIBRARY_H

#include "gpuocc/Kernel/KernelFacts.h"
#include <vector>

namespace gpuocc {

/// Operations of a kernel, by their index.
struct MathLibrary {
  /// Does it lie in a function of the library, and does a branch of that
  /// function rest on it?
  std::vector<bool> IsCondition;
  /// Is it a floating-point number from elsewhere that goes into a function, as
  /// it is or by way of copies, choices and phis?
  std::vector<bool> IsArgument;
};

/// The mathematical functions in \p Facts. The library has no debug
/// information, so that its code has the place of the call in the header of
/// clang that wraps it; nothing is found in code without places.
MathLibrary findMathLibrary(const KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_ANALYSIS_MATHLIBRARY_H
