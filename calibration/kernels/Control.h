//===- Control.h - Microkernels of launches and control flow ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_KERNELS_CONTROL_H
#define GPUOCC_CALIBRATION_KERNELS_CONTROL_H

#include "Ptx.h"

namespace gpuocc::calibration {

/// The entry `empty`, which returns at once.
std::string emptyEntry();

/// The entry `stamped`: its first instruction reads the clock; then
/// `iterations` times 32 dependent additions; then the clock again, and a
/// record per warp.
std::string stampedEntry();

/// Blocks of which the first y make `iterations` times 32 dependent additions
/// and the others one of these iterations.
TimedKernel stayingBlocks();

/// \p Unroll barriers of the whole block in a row.
TimedKernel barriers(unsigned Unroll);

/// What the lanes do at each branch of branches().
enum class BranchShape {
  None,        ///< The additions alone, without a branch.
  Skip,        ///< `if (p) <additions>`.
  UniformSkip, ///< The same with p from parameters only: no convergence
               ///< barrier.
  IfElse,      ///< `if (p) <additions> else <other additions>`.
};

/// \p Unroll (at most 6) branches in a row around \p Adds additions each. Lane
/// l has p = (l / x) & 1 for x up to 32; x = 64: p true, x = 128: p false for
/// all.
TimedKernel branches(BranchShape Shape, unsigned Unroll, unsigned Adds);

/// A loop of \p Adds dependent additions, not unrolled. With one or a few, the
/// loop's own counter, comparison and jump are what an iteration takes.
TimedKernel tightLoop(unsigned Adds);

/// \p Exits conditional exits that no lane takes, each after \p Adds dependent
/// additions; without any \p Exits, \p Groups groups of additions alone.
TimedKernel exits(bool Exits, unsigned Groups, unsigned Adds);

/// What awaitedReads() reads.
enum class ReadFrom {
  Sum,     ///< An addition to what was read before, as a reference.
  Lane,    ///< A special register, by each lane for itself.
  Uniform, ///< A special register, by way of the uniform datapath.
};

/// \p Groups reads of \p From in a row, each compared and followed by an exit
/// that no lane takes: the next one issues when the comparison is known.
TimedKernel awaitedReads(ReadFrom From, unsigned Groups);

/// \p Reads of \p From, a special register, one after the other, and then
/// what uses them: with more reads an iteration takes longer by what one warp
/// spends on each.
TimedKernel readsInARow(ReadFrom From, unsigned Reads);

/// \p Groups loads in a row that hit L1; each needs the one before, as its
/// cache policy in a uniform register where \p ByPolicy, else in its address.
/// x = a buffer of zeros.
TimedKernel policyLoads(bool ByPolicy, unsigned Groups);

/// `switch` with \p Sides cases of \p Adds additions each; lane l takes case
/// (l / x) mod \p Sides.
TimedKernel branchSides(unsigned Sides, unsigned Adds);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_KERNELS_CONTROL_H
